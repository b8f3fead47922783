// Score types and their total order.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace roclab {

// Score types of the kernels. Other types are converted before, see kernel_scores.hpp.
template <class T>
concept Score = std::same_as<T, double> || std::same_as<T, float> || std::same_as<T, std::int64_t>;

template <Score T>
constexpr bool is_nan(T x) {
  if constexpr (std::floating_point<T>) return x != x;
  return false;
}

// An unsigned integer with the order of the scores; -0.0 and 0.0 have one key.
template <Score T>
constexpr auto ordered_key(T x) {
  if constexpr (std::floating_point<T>) {
    using Signed = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
    using Unsigned = std::make_unsigned_t<Signed>;
    constexpr int top = 8 * sizeof(T) - 1;
    const auto bits = std::bit_cast<Signed>(x + T(0));
    return static_cast<Unsigned>(bits) ^ (static_cast<Unsigned>(bits >> top) | (Unsigned(1) << top));
  } else {
    return static_cast<std::uint64_t>(x) ^ (std::uint64_t{1} << 63);
  }
}

// From a lower score to a higher one, rounded once.
template <Score T>
double step_between(T low, T high) {
  if constexpr (std::integral<T>) return static_cast<double>(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low));
  else return static_cast<double>(high) - static_cast<double>(low);
}

// Compares above every score, or at least not below any: the padding after a sorted array.
template <Score T>
constexpr T past_the_end() {
  if constexpr (std::floating_point<T>) return std::numeric_limits<T>::quiet_NaN();
  return std::numeric_limits<T>::max();
}

}  // namespace roclab
