// AUC after a shift of all positives, for many shifts: the sorted classes are merged again for each.
//
// Glossary. Positives have scores y, negatives x. A pair is won if y + shift > x. The sum is rounded to a double; whether a
// sum that equals x is a tie is decided by a TieRule. The class with fewer distinct scores is looked up in the other.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "array.hpp"
#include "ordered_places.hpp"
#include "parallel.hpp"
#include "range_summary.hpp"
#include "score.hpp"

namespace roclab {

// Twice the count of a pair whose rounded y + shift equals x.
enum class TieRule {
  rounded,       // one: it is a tie
  exact,         // two, one or none, as the sum before rounding is above, at or below x
  exact_strict,  // the same, but none for a tie
};

// The distinct scores of one class, ascending, with their masses: counts or weights.
template <Score T, class Mass>
struct ClassView {
  const T* scores;
  const Mass* mass;
  std::size_t size;
};

namespace detail {

constexpr std::size_t kKeys = 1u << 12;  // keys whose places are found at once

// y + shift, infinite on overflow; integers do not overflow.
template <Score T>
T moved(T y, T shift) {
  return y + shift;
}

template <Score T>
int twice_credit(T y, T shift, TieRule rule) {
  if (rule == TieRule::rounded) return 1;
  // The rounding error of the sum (Knuth's two-sum).
  const T sum = y + shift, part = sum - y, lost = (y - (sum - part)) + (shift - part);
  return lost > 0 ? 2 : lost < 0 ? 0 : rule == TieRule::exact_strict ? 0 : 1;
}

// The sum of the first 0, 1, 2, ... masses, or of the last.
template <class Mass>
Array<Mass> running_masses(const Mass* mass, std::size_t n, bool from_top) {
  Array<Mass> sums(n + 1);
  std::conditional_t<std::integral<Mass>, Mass, RunningSum> sum{};
  for (std::size_t i = 0; i <= n; ++i) {
    if constexpr (std::integral<Mass>) {
      sums[from_top ? n - i : i] = sum;
      if (i < n) sum += mass[from_top ? n - 1 - i : i];
    } else {
      sums[from_top ? n - i : i] = sum.value();
      if (i < n) sum.add(mass[from_top ? n - 1 - i : i]);
    }
  }
  return sums;
}

template <class Mass>
struct BlockSum {
  std::conditional_t<std::integral<Mass>, Mass, RunningSum> sum{};
  void add(Mass block) {
    if constexpr (std::integral<Mass>) sum += block;
    else sum.add(block);
  }
  Mass value() const {
    if constexpr (std::integral<Mass>) return sum;
    else return sum.value();
  }
};

}  // namespace detail

// For each shift twice the mass of the pairs won, a tie counting once. Integer scores must leave room for the shifts, and
// integer masses for twice all pairs.
template <Score T, class Mass>
std::vector<Mass> shifted_wins(ClassView<T, Mass> pos, ClassView<T, Mass> neg, const T* shifts, std::size_t n, TieRule rule,
                               int threads) {
  using namespace detail;
  const bool by_pos = pos.size <= neg.size;
  const OrderedValues<T> values(by_pos ? neg.scores : pos.scores, by_pos ? neg.size : pos.size);
  const ClassView<T, Mass> keys = by_pos ? pos : neg, others = by_pos ? neg : pos;
  // The wins of a key at a place: the negatives below it, or for a negative the positives above.
  const Array<Mass> won = running_masses(others.mass, others.size, !by_pos);
  std::vector<Mass> result(n);
  parallel_for(n, keys.size * n < kMergeKeys ? 1 : threads, [&](std::size_t k) {
    const T shift = shifts[k];
    BlockSum<Mass> total;
    std::uint32_t place[kKeys];
    for (std::size_t first = 0; first < keys.size; first += kKeys) {
      const std::size_t count = std::min(kKeys, keys.size - first);
      Mass sum = 0;
      if (by_pos) {
        auto key_of = [&](std::size_t i) { return moved(keys.scores[i], shift); };
        values.find(keys.size, first, count, [](auto x) { return x; }, key_of, place);
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t at = place[i];
          Mass twice = 2 * won[at];
          if (values[at] == key_of(first + i) && at < values.size())
            twice += static_cast<Mass>(twice_credit(keys.scores[first + i], shift, rule)) * others.mass[at];
          sum += keys.mass[first + i] * twice;
        }
      } else {
        auto run = [&](auto value_of, auto key_of) {
          values.find(keys.size, first, count, value_of, key_of, place);
          for (std::size_t i = 0; i < count; ++i) {
            std::size_t at = place[i];
            Mass twice = 0;
            for (const T key = key_of(first + i); at < values.size() && value_of(values[at]) == key; ++at)
              twice += static_cast<Mass>(twice_credit(values[at], shift, rule)) * others.mass[at];
            sum += keys.mass[first + i] * (twice + 2 * won[at]);
          }
        };
        // Doubles must be shifted themselves, since sums are rounded; with integers the smaller class can be shifted back instead.
        if constexpr (std::integral<T>) run([](auto y) { return y; }, [&](std::size_t i) { return moved(keys.scores[i], -shift); });
        else run([shift](auto y) { return y + shift; }, [&](std::size_t i) { return keys.scores[i]; });
      }
      total.add(sum);
    }
    result[k] = total.value();
  });
  return result;
}

}  // namespace roclab
