// Rows of a training set sorted by their content: a hash for every row, and the rows in an order.
//
// Rows sorted by their hashes have one order, independent of their original order, so that sums over them are rounded equally.
// Equal rows have equal hashes and are adjacent; others collide once in 2^64 pairs. Weights are not hashed, or weighted rows would
// have another order than the same rows repeated.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "parallel.hpp"

namespace roclab {

// Rows of numbers, dense or sparse. In a sparse matrix `starts` holds where each row begins, and the last one ends, in `values`
// and `columns`; in a dense one both are null.
struct NumberRows {
  const double* values;
  const std::int64_t *starts, *columns;
  std::size_t rows, width;

  std::size_t start(std::size_t row) const { return starts ? static_cast<std::size_t>(starts[row]) : row * width; }
};

inline void hash_rows(const NumberRows& data, const std::uint8_t* labels, int threads, std::uint64_t* hashes) {
  constexpr std::size_t block = 4096;
  // Every step is a permutation of 64 bits, so that different values stay different: odd factors, and a shift to mix the halves.
  auto mix = [](std::uint64_t hash, std::uint64_t bits) {
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
  };
  parallel_for((data.rows + block - 1) / block, data.rows < 4 * block ? 1 : threads, [&](std::size_t task) {
    for (std::size_t row = task * block; row < std::min(data.rows, (task + 1) * block); ++row) {
      std::uint64_t hash = labels[row];
      for (std::size_t i = data.start(row); i < data.start(row + 1); ++i) {
        if (data.columns) hash = mix(hash, static_cast<std::uint64_t>(data.columns[i]));
        hash = mix(hash, std::bit_cast<std::uint64_t>(data.values[i] + 0.0));  // turns -0 into 0
      }
      hashes[row] = hash;
    }
  });
}

// Copies rows of `width` numbers in another order.
template <class Row>
void take_rows(const double* values, std::size_t width, const Row* order, std::size_t rows, int threads, double* taken) {
  constexpr std::size_t block = 4096;
  parallel_for((rows + block - 1) / block, rows < 4 * block ? 1 : threads, [&](std::size_t task) {
    for (std::size_t i = task * block; i < std::min(rows, (task + 1) * block); ++i)
      std::copy_n(values + static_cast<std::size_t>(order[i]) * width, width, taken + i * width);
  });
}

}  // namespace roclab
