// Pairs of positives of one segment and negatives of another, for all segments at once.
//
// Rows come by ascending score, as groups of tied rows. While they pass, each segment has a level: twice the number of its
// examples of one class that have passed, where a tied one counts once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace roclab {

template <class Row>
struct SegmentedRows {
  const Row* order;            // rows by ascending score
  const std::int64_t* starts;  // of groups of tied rows in `order`
  std::size_t groups, size;
  const std::uint8_t* labels;     // of rows
  const std::uint32_t* segments;  // of rows
  std::size_t count;              // of segments

  // Calls visit(row, levels of the other class) for the rows of a class, ascending for positives and descending for negatives.
  template <class Level, class Visit>
  void visit_class(bool positive, Visit visit) const {
    std::vector<Level> level(count);
    for (std::size_t step = 0; step < groups; ++step) {
      const std::size_t g = positive ? step : groups - 1 - step;
      const auto from = static_cast<std::size_t>(starts[g]);
      const std::size_t to = g + 1 < groups ? static_cast<std::size_t>(starts[g + 1]) : size;
      auto raise = [&] {
        for (std::size_t i = from; i < to; ++i)
          if ((labels[order[i]] != 0) != positive) ++level[segments[order[i]]];
      };
      raise();
      for (std::size_t i = from; i < to; ++i)
        if ((labels[order[i]] != 0) == positive) visit(order[i], level.data());
      raise();
    }
  }
};

// Twice the wins of the positives of segment g against the negatives of segment h, at g * count + h.
template <class Row>
void segment_wins(const SegmentedRows<Row>& rows, std::int64_t* twice_wins) {
  rows.template visit_class<std::int64_t>(true, [&](Row row, const std::int64_t* level) {
    std::int64_t* wins = twice_wins + rows.segments[row] * rows.count;
    for (std::size_t h = 0; h < rows.count; ++h) wins[h] += level[h];
  });
}

// For each row, the levels of the other class, weighted by the factors of its own segment (a line of `of_pos` or `of_neg`).
template <class Row>
void segment_sums(const SegmentedRows<Row>& rows, const double* of_pos, const double* of_neg, double* sums) {
  for (const bool positive : {true, false})
    rows.template visit_class<double>(positive, [&, factors = positive ? of_pos : of_neg](Row row, const double* level) {
      const double* factor = factors + rows.segments[row] * rows.count;
      double sum[4] = {};  // in four parts, so that a sum need not wait for the one before
      std::size_t h = 0;
      for (; h + 4 <= rows.count; h += 4)
        for (std::size_t k = 0; k < 4; ++k) sum[k] += factor[h + k] * level[h + k];
      for (; h < rows.count; ++h) sum[0] += factor[h] * level[h];
      sums[row] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    });
}

}  // namespace roclab
