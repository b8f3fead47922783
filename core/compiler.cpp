// What the core uses of C++20 that compilers had last: compiler.cmake tries it.
#include <bit>
#include <concepts>
#include <cstdint>
#include <numbers>
#include <span>

template <typename Number>
  requires std::floating_point<Number>
std::uint64_t bits(std::span<const Number> numbers) {
  return std::bit_cast<std::uint64_t>(numbers.front() * std::numbers::pi);
}

int main() {
  const double one[] = {1.0};
  return std::popcount(bits<double>(one)) == 0;
}
