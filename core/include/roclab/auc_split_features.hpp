// Features sorted once, and kept sorted within the nodes of a growing tree.
//
// A node is a range of positions, the same in all features; a split divides the range and keeps the order.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "array.hpp"
#include "parallel.hpp"
#include "sort.hpp"

namespace roclab {

// Rows of features, one after the other. Labels are 0 or 1. Fewer than 2^31 rows.
struct TrainingRows {
  const double* features;
  std::size_t rows, columns;
  const std::uint8_t* labels;
  const std::uint8_t* categorical;  // by column

  double value(std::size_t row, std::size_t column) const { return features[row * columns + column]; }
};

// A row at its position in a sorted feature. The rank numbers the distinct values.
struct SortedEntry {
  std::uint32_t rank;
  std::uint32_t row_and_label;

  std::size_t row() const { return row_and_label >> 1; }
  unsigned label() const { return row_and_label & 1; }
};

// The rank of missing values, which come last.
constexpr std::uint32_t kNoValue = std::numeric_limits<std::uint32_t>::max();

// A range of positions to divide: child c begins at starts[first_start + c].
struct Division {
  std::size_t begin, end, first_start, children;
};

class SortedFeatures {
 public:
  SortedFeatures(const TrainingRows& data, int threads) : now_(data.columns), next_(data.columns) {
    parallel_for(data.columns, threads, [&](std::size_t column) {
      sort_column(data, column);
      next_[column].resize(data.rows);
    });
  }

  const SortedEntry* column(std::size_t column) const { return now_[column].data(); }

  // Positions outside of the divided ranges are lost.
  void divide(const std::vector<Division>& divisions, const std::vector<std::size_t>& starts, const Array<std::uint32_t>& child_of,
              int threads) {
    parallel_for(now_.size(), threads, [&](std::size_t column) {
      const SortedEntry* from = now_[column].data();
      SortedEntry* to = next_[column].data();
      std::vector<std::size_t> next;
      for (const Division& division : divisions) {
        const std::size_t* start = starts.data() + division.first_start;
        if (division.children == 2) {
          // Both are written and one is kept: a mispredicted branch costs more.
          std::size_t left = start[0], right = start[1];
          for (std::size_t i = division.begin; i < division.end; ++i) {
            const SortedEntry entry = from[i];
            const std::size_t second = child_of[entry.row()];
            to[second ? right : left] = entry;
            left += 1 - second;
            right += second;
          }
        } else {
          next.assign(start, start + division.children);
          for (std::size_t i = division.begin; i < division.end; ++i) to[next[child_of[from[i].row()]]++] = from[i];
        }
      }
    });
    std::swap(now_, next_);
  }

 private:
  void sort_column(const TrainingRows& data, std::size_t column) {
    Array<detail::RowItem<double>> known;
    known.reserve(data.rows);
    Array<SortedEntry>& entries = now_[column];
    entries.resize(data.rows);
    auto entry = [&](std::uint32_t rank, std::size_t row) {
      return SortedEntry{rank, static_cast<std::uint32_t>(row << 1) | data.labels[row]};
    };
    std::size_t end = data.rows;
    for (std::size_t row = 0; row < data.rows; ++row) {
      const double value = data.value(row, column);
      if (std::isnan(value)) entries[--end] = entry(kNoValue, row);
      else known.push_back({value, row});
    }
    sort_scores(known, 1);
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (i > 0 && known[i - 1].score < known[i].score) ++rank;
      entries[i] = entry(rank, known[i].row);
    }
  }

  std::vector<Array<SortedEntry>> now_, next_;
};

}  // namespace roclab
