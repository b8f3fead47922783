// Score types and their total order.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace roclab {

// Score types of the kernels. Narrower integers are widened before.
template <class T>
concept Score = std::same_as<T, double> || std::same_as<T, float> || std::same_as<T, std::int32_t> ||
                std::same_as<T, std::int64_t> || std::same_as<T, std::uint64_t>;

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
  } else if constexpr (std::signed_integral<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<Unsigned>(x) ^ (Unsigned(1) << (8 * sizeof(T) - 1));
  } else {
    return x;
  }
}

// Compares above every score, or at least not below any: the padding after a sorted array.
template <Score T>
constexpr T past_the_end() {
  if constexpr (std::floating_point<T>) return std::numeric_limits<T>::quiet_NaN();
  return std::numeric_limits<T>::max();
}

}  // namespace roclab
