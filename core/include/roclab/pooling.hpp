// Pool adjacent violators: the steps of a curve are merged until its slopes decrease; they are then the edges of its upper hull.
//
// Two neighbouring blocks of steps whose second is at least as steep as the first are pooled into one. Integers are compared
// exactly. Sums of weights are rounded, so slopes that agree up to a few units of rounding count as equal; they are kept in
// double-double precision, since a block may be pooled from very many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace roclab {

// x, y and excess as defined by the caller. The product of the sums of x and of y must fit in 63 bits.
struct CountedBlock {
  std::int64_t end, x, y, excess;

  CountedBlock(std::int64_t end, std::int64_t x, std::int64_t y) : end(end), x(x), y(y), excess(0) {}

  // Pools this block with the previous one, if they violate.
  bool take(const CountedBlock& before) {
    const std::int64_t gain = before.x * y, loss = x * before.y;
    if (gain < loss) return false;
    excess += before.excess + (gain - loss);
    x += before.x;
    y += before.y;
    return true;
  }
};

struct WeighedBlock {
  struct Sum {
    double value = 0, rest = 0;
    void add(const Sum& other) {
      const double next = value + other.value, taken = next - value;
      rest += (value - (next - taken)) + (other.value - taken) + other.rest;
      value = next + rest;
      rest -= value - next;
    }
  };
  std::int64_t end;
  Sum x, y, excess;

  WeighedBlock(std::int64_t end, double x, double y) : end(end), x{x}, y{y} {}

  bool take(const WeighedBlock& before) {
    constexpr double slack = 64 * std::numeric_limits<double>::epsilon();
    const double gain = before.x.value * y.value, loss = x.value * before.y.value;
    if (gain < loss * (1 - slack)) return false;
    excess.add(before.excess);
    if (gain > loss * (1 + slack)) excess.add({gain - loss});
    x.add(before.x);
    y.add(before.y);
    return true;
  }
};

// The blocks of a curve with n steps of x to the right and y up.
template <class Block, class T>
std::vector<Block> pooled(const T* x, const T* y, std::size_t n) {
  std::vector<Block> done;
  for (std::size_t i = 0; i < n; ++i) {
    Block block(static_cast<std::int64_t>(i) + 1, x[i], y[i]);
    while (!done.empty() && block.take(done.back())) done.pop_back();
    done.push_back(block);
  }
  return done;
}

}  // namespace roclab
