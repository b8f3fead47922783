// Monotone maps from scores to bucket numbers: x < y never gives bucket(x) > bucket(y), rounding included.
//
// A good map spreads the scores evenly, so that a bucket holds a handful of them. No single formula does that for all
// data: LinearMap suits scores of one magnitude (logits, margins), KeyMap scores of many magnitudes (small probabilities).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "score.hpp"

namespace roclab {

// Equal steps of the score itself.
template <Score T>
struct LinearMap {
  double low = 0, scale = 0, top = 0;

  LinearMap(T smallest, T largest, std::uint32_t buckets) : low(static_cast<double>(smallest)), top(buckets - 1) {
    const double range = static_cast<double>(largest) - low;
    scale = range > 0 ? top / range : 0;
  }

  // False where the arithmetic would leave the finite numbers; then only KeyMap is monotone.
  bool usable() const { return std::isfinite(low) && std::isfinite(scale) && (scale > 0 || top == 0); }

  [[gnu::always_inline]] std::uint32_t operator()(T x) const {
    double step = (static_cast<double>(x) - low) * scale;
    step = step > 0 ? step : 0;
    step = step < top ? step : top;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(step));
  }
};

// Equal steps of the ordered key: for floats these are equal steps of the logarithm, roughly.
template <Score T>
struct KeyMap {
  using Key = decltype(ordered_key(T{}));
  Key low = 0, range = 0;
  int shift = 0;

  KeyMap(T smallest, T largest, std::uint32_t buckets) : low(ordered_key(smallest)), range(ordered_key(largest) - low) {
    const int bits = static_cast<int>(std::bit_width(range));
    shift = std::max(0, bits + 1 - static_cast<int>(std::bit_width(buckets)));
  }

  [[gnu::always_inline]] std::uint32_t operator()(T x) const {
    const Key key = ordered_key(x);
    Key step = key > low ? key - low : 0;
    step = step < range ? step : range;
    return static_cast<std::uint32_t>(step >> shift);
  }
};

}  // namespace roclab
