// The rows of each class by ascending score, put in order anew whenever the scores have changed.
//
// Sorting begins with the order that the last one left: scores of a model that has moved a little are nearly in order, and
// moving them about then stays in cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "array.hpp"
#include "parallel.hpp"
#include "sort.hpp"

namespace roclab {

class ClassOrder {
 public:
  using Item = ScoredRow<double, std::uint32_t>;

  // Weights may be null. Both classes have mass.
  ClassOrder(const std::uint8_t* labels, const double* weights, std::size_t n) {
    double total[2] = {0, 0};
    const std::size_t n_pos = static_cast<std::size_t>(std::count(labels, labels + n, 1));
    items_[0].reserve(n - n_pos);
    items_[1].reserve(n_pos);
    for (std::size_t i = 0; i < n; ++i) {
      items_[labels[i]].push_back({0.0, static_cast<std::uint32_t>(i)});
      total[labels[i]] += weights ? weights[i] : 1.0;
    }
    if (weights) weights_.assign(weights, weights + n);
    per_pair_ = 1 / total[0] / total[1];
    scratch_.resize(std::max(n_pos, n - n_pos));
  }

  std::size_t rows() const { return items_[0].size() + items_[1].size(); }
  const Array<Item>& negatives() const { return items_[0]; }
  const Array<Item>& positives() const { return items_[1]; }
  double mass(const Item& item) const { return weights_.empty() ? 1.0 : weights_[item.row]; }
  double per_pair() const { return per_pair_; }  // one over the mass of all pairs
  int useful(int threads) const { return rows() < kFewRows ? 1 : threads; }

  // All scores are finite.
  void sort(const double* scores, int threads) {
    threads = useful(threads);
    for (auto& items : items_) {
      const std::size_t n = items.size();
      parallel_for(n / kGather + 1, threads, [&](std::size_t task) {
        const std::size_t end = std::min(n, (task + 1) * kGather);
        for (std::size_t i = task * kGather; i < end; ++i) items[i].score = scores[items[i].row];
      });
      detail::spread_sort(items.data(), scratch_.data(), n, threads, 0);
    }
  }

 private:
  static constexpr std::size_t kGather = 1u << 14;   // rows one task gathers
  static constexpr std::size_t kFewRows = 1u << 15;  // below this, threads come too late

  Array<Item> items_[2], scratch_;
  std::vector<double> weights_;
  double per_pair_ = 0;
};

// What an evaluation fills in for every row, where asked for.
struct RowDerivatives {
  double* gradient = nullptr;
  double* curvature = nullptr;  // the Hessian's diagonal
};

}  // namespace roclab
