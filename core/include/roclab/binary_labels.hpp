// Numbers as labels of two classes: 1 against 0 or -1.
#pragma once

#include <cstddef>
#include <cstdint>

namespace roclab {

// Values other than one that occur.
struct LabelValues {
  bool zero = false, minus_one = false, other = false;
};

// Writes 1 where the value is one and 0 elsewhere; the caller checks the other values.
template <class T>
LabelValues binary_labels(const T* values, std::size_t n, std::uint8_t* labels) {
  // Two simple passes over a block that stays in cache: compilers vectorise each, but not one mixed loop.
  constexpr std::size_t block = 4096;
  LabelValues seen;
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t last = first + block < n ? first + block : n;
    std::size_t zeros = 0, ones = 0;
    for (std::size_t i = first; i < last; ++i) labels[i] = values[i] == T(1);
    for (std::size_t i = first; i < last; ++i) zeros += values[i] == T(0);
    for (std::size_t i = first; i < last; ++i) ones += labels[i];
    if (zeros + ones == last - first) {
      seen.zero |= zeros > 0;
      continue;
    }
    for (std::size_t i = first; i < last; ++i) {
      const T value = values[i];
      const bool minus_one = static_cast<T>(-1) < T(0) && value == static_cast<T>(-1);
      seen.zero |= value == T(0);
      seen.minus_one |= minus_one;
      seen.other |= !(value == T(1) || value == T(0) || minus_one);
    }
  }
  return seen;
}

}  // namespace roclab
