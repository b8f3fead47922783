// Positions of ascending keys among ascending values: a branch-free merge.
//
// Each search continues from the position of the previous key: a short window ahead is halved until eight values are left,
// and those are compared at once. A search depends on the previous one, so keys are processed in several lanes, each with a
// separate run of neighbouring keys. Keys beyond the window are found by binary search, so that the cost is at most
// logarithmic for each key.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "array.hpp"
#include "score.hpp"
#include "target.hpp"

namespace roclab {

constexpr std::size_t kMergeKeys = 1u << 17;  // keys, over all merges of a call, from which a second thread is worth its start

// Ascending values with padding after them, which a search may read.
template <Score T>
class OrderedValues {
 public:
  OrderedValues(const T* values, std::size_t size) : size_(size), padded_(size + kRoom) {
    if (size > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("a merge takes 2^32 - 1 values");
    std::copy(values, values + size, padded_.data());
    std::fill(padded_.begin() + static_cast<std::ptrdiff_t>(size), padded_.end(), past_the_end<T>());
  }

  std::size_t size() const { return size_; }
  T operator[](std::size_t i) const { return padded_[i]; }

  // place[i] = the number of values v with value_of(v) < key_of(first + i), for i < n. Both ascend, value_of also takes vectors
  // and preserves NaN, and `keys` is about the total number of keys.
  template <class ValueOf, class KeyOf>
  void find(std::size_t keys, std::size_t first, std::size_t n, ValueOf value_of, KeyOf key_of, std::uint32_t* place) const {
    // Four times the average distance between keys.
    const int steps = static_cast<int>(std::bit_width(4 * (size_ / std::max<std::size_t>(keys, 1))));
    const std::size_t window = std::size_t{1} << std::clamp(steps - 1, 0, kMostSteps - 1);
    const std::size_t length = n / kLanes;
    search<kLanes>(first, length, window, value_of, key_of, place);
    search<1>(first + kLanes * length, n - kLanes * length, window, value_of, key_of, place + kLanes * length);
  }

 private:
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kLast = 8;  // values compared at once
  static constexpr int kMostSteps = 9;
  static constexpr std::size_t kRoom = (std::size_t{1} << kMostSteps) + 2 * kLast;

  // The number of the next kLast values below the key.
  template <class ValueOf>
  [[gnu::always_inline]] static std::size_t count_below(const T* values, T key, ValueOf value_of) {
    using Vector = Lanes<T, kBaselineBytes>;
    constexpr std::size_t width = Vector::count;
    typename Vector::Masks negated = {};
    for (std::size_t i = 0; i < kLast; i += width) {
      typename Vector::Values next;
      std::memcpy(&next, values + i, sizeof next);
      negated += static_cast<typename Vector::Masks>(value_of(next) < key);
    }
    typename Vector::Mask sum = 0;
    for (std::size_t i = 0; i < width; ++i) sum -= negated[i];
    return static_cast<std::size_t>(sum);
  }

  template <std::size_t Lanes, class ValueOf, class KeyOf>
  void search(std::size_t first, std::size_t length, std::size_t window, ValueOf value_of, KeyOf key_of,
              std::uint32_t* place) const {
    if (length == 0) return;
    const T* values = padded_.data();
    std::size_t at[Lanes];
    auto place_between = [&](std::size_t start, std::size_t end, T key) {
      const T* found = std::partition_point(values + start, values + end, [&](T v) { return value_of(v) < key; });
      return static_cast<std::size_t>(found - values);
    };
    for (std::size_t lane = 0; lane < Lanes; ++lane) at[lane] = place_between(0, size_, key_of(first + lane * length));
    for (std::size_t i = 0; i < length; ++i) {
      T key[Lanes];
      for (std::size_t lane = 0; lane < Lanes; ++lane) key[lane] = key_of(first + lane * length + i);
      for (std::size_t step = window; step >= kLast; step /= 2)
        for (std::size_t lane = 0; lane < Lanes; ++lane) at[lane] += value_of(values[at[lane] + step - 1]) < key[lane] ? step : 0;
      for (std::size_t lane = 0; lane < Lanes; ++lane) {
        at[lane] += count_below(values + at[lane], key[lane], value_of);
        if (value_of(values[at[lane]]) < key[lane]) [[unlikely]] {
          std::size_t start = at[lane], step = kLast;
          while (start + step < size_ && value_of(values[start + step]) < key[lane]) start += step, step *= 2;
          at[lane] = place_between(start, std::min(start + step, size_), key[lane]);
        }
        place[lane * length + i] = static_cast<std::uint32_t>(at[lane]);
      }
    }
  }

  std::size_t size_;
  Array<T> padded_;
};

}  // namespace roclab
