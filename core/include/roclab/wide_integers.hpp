// Integers of 128 bits: those of GCC and Clang, or two words of 64 bits where the compiler has none.
#pragma once

#include "portability.hpp"

#ifdef ROCLAB_GNU

namespace roclab {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

}  // namespace roclab

#else

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>

namespace roclab {

// Two's complement, so that only comparisons, shifts to the right and conversions depend on the sign. Results that do not fit are
// reduced modulo 2^128, as those of built-in unsigned integers are.
template <bool Signed>
class WideInteger {
 public:
  constexpr WideInteger() = default;
  template <std::integral T>
  constexpr WideInteger(T value) : low_(static_cast<std::uint64_t>(value)) {
    if constexpr (std::signed_integral<T>) high_ = value < 0 ? ~std::uint64_t{0} : 0;
  }
  // Truncates; the value is in the range of the type.
  explicit WideInteger(double value) {
    const double size = std::abs(value), high = std::floor(std::ldexp(size, -64));
    high_ = static_cast<std::uint64_t>(high);
    low_ = static_cast<std::uint64_t>(size - std::ldexp(high, 64));
    if (value < 0) *this = WideInteger() - *this;
  }

  friend constexpr WideInteger operator+(WideInteger a, WideInteger b) {
    const std::uint64_t low = a.low_ + b.low_;
    return words(a.high_ + b.high_ + (low < a.low_), low);
  }
  friend constexpr WideInteger operator-(WideInteger a, WideInteger b) {
    return words(a.high_ - b.high_ - (a.low_ < b.low_), a.low_ - b.low_);
  }
  friend constexpr WideInteger operator*(WideInteger a, WideInteger b) {
    constexpr std::uint64_t half = 0xffffffffu;
    const std::uint64_t a0 = a.low_ & half, a1 = a.low_ >> 32, b0 = b.low_ & half, b1 = b.low_ >> 32;
    const std::uint64_t lowest = a0 * b0, first = a1 * b0 + (lowest >> 32), second = a0 * b1 + (first & half);
    const std::uint64_t high = a1 * b1 + (first >> 32) + (second >> 32);
    return words(high + a.high_ * b.low_ + a.low_ * b.high_, (second << 32) | (lowest & half));
  }
  // Of numbers that are not negative, bit by bit.
  friend constexpr WideInteger operator/(WideInteger a, WideInteger b) {
    WideInteger quotient, rest;
    for (int bit = 127; bit >= 0; --bit) {
      rest = (rest << 1) | (a >> bit & WideInteger(1));
      quotient = quotient << 1;
      if (rest >= b) rest = rest - b, quotient = quotient | WideInteger(1);
    }
    return quotient;
  }
  friend constexpr WideInteger operator&(WideInteger a, WideInteger b) { return words(a.high_ & b.high_, a.low_ & b.low_); }
  friend constexpr WideInteger operator|(WideInteger a, WideInteger b) { return words(a.high_ | b.high_, a.low_ | b.low_); }
  friend constexpr WideInteger operator<<(WideInteger a, int by) {
    if (by == 0) return a;
    if (by >= 64) return words(a.low_ << (by - 64), 0);
    return words((a.high_ << by) | (a.low_ >> (64 - by)), a.low_ << by);
  }
  friend constexpr WideInteger operator>>(WideInteger a, int by) {
    if (by == 0) return a;
    if (by >= 64) return words(a.sign(), shifted(a.high_, by - 64));
    return words(shifted(a.high_, by), (a.low_ >> by) | (a.high_ << (64 - by)));
  }
  constexpr WideInteger& operator+=(WideInteger other) { return *this = *this + other; }
  constexpr WideInteger& operator-=(WideInteger other) { return *this = *this - other; }
  constexpr WideInteger operator-() const { return WideInteger() - *this; }

  friend constexpr bool operator==(WideInteger a, WideInteger b) = default;
  friend constexpr bool operator<(WideInteger a, WideInteger b) {
    constexpr std::uint64_t turn = std::uint64_t{Signed} << 63;
    return a.high_ != b.high_ ? (a.high_ ^ turn) < (b.high_ ^ turn) : a.low_ < b.low_;
  }
  friend constexpr bool operator>(WideInteger a, WideInteger b) { return b < a; }
  friend constexpr bool operator<=(WideInteger a, WideInteger b) { return !(b < a); }
  friend constexpr bool operator>=(WideInteger a, WideInteger b) { return !(a < b); }

  template <std::integral T>
  explicit constexpr operator T() const {
    return static_cast<T>(low_);
  }
  // Rounded once, to nearest: bits that are shifted out leave one that tells them from a tie.
  explicit operator double() const {
    if (sign()) return -static_cast<double>(WideInteger<false>(words_of(-*this)));
    if (high_ == 0) return static_cast<double>(low_);
    const int out = 64 - std::countl_zero(high_);
    const std::uint64_t kept = static_cast<std::uint64_t>(WideInteger<false>(words_of(*this)) >> out);
    const bool lost = (low_ << (64 - out)) != 0;
    return std::ldexp(static_cast<double>(kept | std::uint64_t{lost}), out);
  }

 private:
  template <bool>
  friend class WideInteger;

  static constexpr WideInteger words(std::uint64_t high, std::uint64_t low) {
    WideInteger made;
    made.high_ = high;
    made.low_ = low;
    return made;
  }
  static constexpr WideInteger<false> words_of(WideInteger from) { return WideInteger<false>::words(from.high_, from.low_); }
  constexpr std::uint64_t sign() const { return Signed && high_ >> 63 ? ~std::uint64_t{0} : 0; }
  static constexpr std::uint64_t shifted(std::uint64_t high, int by) {
    if constexpr (Signed) return static_cast<std::uint64_t>(static_cast<std::int64_t>(high) >> by);
    else return high >> by;
  }

  std::uint64_t high_ = 0, low_ = 0;
};

using Wide = WideInteger<false>;
using SignedWide = WideInteger<true>;

}  // namespace roclab

#endif
