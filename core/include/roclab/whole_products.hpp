// Dot products of all pairs of rows of integers: exact, so the order of summation does not matter.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <vector>

#include "parallel.hpp"
#include "target.hpp"
#include "wide_integers.hpp"

namespace roclab {

// Rows of integers; `stride` is the distance between rows.
struct WholeRows {
  const double* values;
  std::size_t count, length, stride;

  const double* operator[](std::size_t row) const { return values + row * stride; }
};

namespace detail {

constexpr std::size_t kColumns = 512;       // of all rows at once, so that they stay in the cache
constexpr double kShort = 1 << 22;          // a double holds the sum of kColumns products of numbers up to this
constexpr std::size_t kProducts = 1 << 20;  // below this, a second thread is not worth its start

// Adds the products over n columns to the upper triangle of `sums`. For numbers up to kShort.
inline void add_short_products(const WholeRows& rows, std::size_t first, std::size_t n, SignedWide* sums) {
  using Values = Lanes<double, kBaselineBytes>::Values;
  constexpr std::size_t lanes = kBaselineBytes / sizeof(double), together = 4;
  const std::size_t last = rows.count - 1, whole = n - n % lanes;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double* x = rows[i] + first;
    for (std::size_t j = i; j < rows.count; j += together) {
      const double* y[together];
      for (std::size_t k = 0; k < together; ++k) y[k] = rows[std::min(j + k, last)] + first;
      Values in_lanes[together] = {};
      for (std::size_t c = 0; c < whole; c += lanes) {
        Values a, b;
        std::memcpy(&a, x + c, sizeof a);
        for (std::size_t k = 0; k < together; ++k) {
          std::memcpy(&b, y[k] + c, sizeof b);
          in_lanes[k] += a * b;
        }
      }
      for (std::size_t k = 0; k < together && j + k <= last; ++k) {
        double sum = 0;
        for (std::size_t lane = 0; lane < lanes; ++lane) sum += in_lanes[k][lane];
        for (std::size_t c = whole; c < n; ++c) sum += x[c] * y[k][c];
        sums[i * rows.count + j + k] += static_cast<std::int64_t>(sum);
      }
    }
  }
}

// The same for numbers of up to 62 bits.
inline void add_long_products(const WholeRows& rows, std::size_t first, std::size_t n, SignedWide* sums) {
  std::vector<std::int64_t> numbers(rows.count * n);
  for (std::size_t i = 0; i < rows.count; ++i)
    for (std::size_t c = 0; c < n; ++c) numbers[i * n + c] = static_cast<std::int64_t>(rows[i][first + c]);
  for (std::size_t i = 0; i < rows.count; ++i)
    for (std::size_t j = i; j < rows.count; ++j) {
      const std::int64_t *x = numbers.data() + i * n, *y = numbers.data() + j * n;
      SignedWide sum = 0;
      for (std::size_t c = 0; c < n; ++c) sum += SignedWide(x[c]) * y[c];
      sums[i * rows.count + j] += sum;
    }
}

}  // namespace detail

// A symmetric matrix. The sum of squares of a row must be below 2^127.
inline std::vector<SignedWide> whole_products(const WholeRows& rows, int threads) {
  const std::size_t count = rows.count, blocks = (rows.length + detail::kColumns - 1) / detail::kColumns;
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < rows.length; ++c) largest = std::max(largest, std::abs(rows[i][c]));
  const auto add_products = largest <= detail::kShort ? detail::add_short_products : detail::add_long_products;
  std::vector<SignedWide> products(count * count);
  std::mutex adding;
  const std::size_t tasks = count * count * rows.length < detail::kProducts ? 1 : std::max(threads, 1);
  parallel_for(tasks, threads, [&](std::size_t task) {
    std::vector<SignedWide> sums(count * count);
    for (std::size_t block = blocks * task / tasks; block < blocks * (task + 1) / tasks; ++block) {
      const std::size_t first = block * detail::kColumns;
      add_products(rows, first, std::min(detail::kColumns, rows.length - first), sums.data());
    }
    const std::lock_guard lock(adding);
    for (std::size_t k = 0; k < sums.size(); ++k) products[k] += sums[k];
  });
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) products[i * count + j] = products[j * count + i];
  return products;
}

}  // namespace roclab
