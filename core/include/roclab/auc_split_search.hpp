// The best split of a node by one feature.
//
// The scan sums the lead (see auc_split.hpp) of the rows so far: where its magnitude is largest, between two different values, the
// AUC of two children is largest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "auc_split.hpp"
#include "auc_split_features.hpp"

namespace roclab {

using RowMasses = ClassMasses<std::int64_t>;

// Mass of rows without weights.
struct OneEach {
  std::int64_t operator[](std::size_t) const { return 1; }
};

template <class RowMass>
RowMasses masses_of(const RowMass& mass, const SortedEntry& entry) {
  const std::int64_t own = mass[entry.row()];
  return entry.label() ? RowMasses{own, 0} : RowMasses{0, own};
}

// The rows of a node by one feature.
struct NodeColumn {
  const SortedEntry* entries;
  std::int64_t rows;
  RowMasses masses;

  bool constant() const { return entries[0].rank == entries[rows - 1].rank; }
  std::int64_t known() const {
    std::int64_t known = rows;
    while (known > 0 && entries[known - 1].rank == kNoValue) --known;
    return known;
  }
};

template <class Product>
struct FoundSplit {
  Product excess = 0;  // 0: no split is better than none
  std::uint32_t column = 0;
  std::uint32_t head = 0;      // rows with a number, or categories in their order, that go to the first child
  bool missing_first = false;  // whether missing values go to the first child

  bool better_than(const FoundSplit& other) const {
    return excess > other.excess || (excess == other.excess && excess > 0 && column < other.column);
  }
};

template <class Product, class RowMass>
FoundSplit<Product> best_number(const NodeColumn& node, const RowMass& mass, std::int64_t min_rows) {
  const std::int64_t known = node.known(), missing = node.rows - known;
  const Product step[2] = {-Product(node.masses.pos), Product(node.masses.neg)};
  FoundSplit<Product> best;
  Product lead_so_far = 0;
  auto take = [&](std::int64_t i) { lead_so_far += step[node.entries[i].label()] * Product(mass[node.entries[i].row()]); };
  auto magnitude = [](Product value) { return value < 0 ? -value : value; };
  if (missing == 0) {
    std::int64_t i = 0;
    for (; i < min_rows - 1; ++i) take(i);
    for (; i < known - min_rows; ++i) {
      take(i);
      if (magnitude(lead_so_far) > best.excess && node.entries[i].rank != node.entries[i + 1].rank)
        best = {magnitude(lead_so_far), 0, static_cast<std::uint32_t>(i + 1), false};
    }
    return best;
  }
  RowMasses unknown;
  for (std::int64_t i = known; i < node.rows; ++i) unknown += masses_of(mass, node.entries[i]);
  const Product lead_of_missing = lead<Product>(unknown, node.masses);
  auto consider = [&](Product signed_excess, std::int64_t head, bool missing_first) {
    const std::int64_t first = missing_first ? head + missing : head;
    if (magnitude(signed_excess) > best.excess && std::min(first, node.rows - first) >= min_rows)
      best = {magnitude(signed_excess), 0, static_cast<std::uint32_t>(head), missing_first};
  };
  // The last head holds all numbers: known values against missing ones.
  for (std::int64_t i = 0; i < known; ++i) {
    take(i);
    if (i + 1 < known && node.entries[i].rank == node.entries[i + 1].rank) continue;
    consider(lead_so_far, i + 1, false);
    consider(lead_so_far + lead_of_missing, i + 1, true);
  }
  return best;
}

struct Category {
  std::uint32_t rank;
  RowMasses masses;
  std::int64_t first, rows;  // its positions
};

// The categories of a node, missing values being one, in descending order of their proportion of positives.
template <class Product, class RowMass>
void order_categories(const NodeColumn& node, const RowMass& mass, std::vector<Category>& categories) {
  categories.clear();
  for (std::int64_t i = 0; i < node.rows; ++i) {
    if (categories.empty() || categories.back().rank != node.entries[i].rank)
      categories.push_back({node.entries[i].rank, {}, i, 0});
    categories.back().masses += masses_of(mass, node.entries[i]);
    ++categories.back().rows;
  }
  std::stable_sort(categories.begin(), categories.end(),
                   [](const Category& a, const Category& b) { return richer<Product>(a.masses, b.masses); });
}

// The best division of the categories into two children is a head of their order.
template <class Product>
FoundSplit<Product> best_categories(const NodeColumn& node, const std::vector<Category>& ordered, std::int64_t min_rows) {
  FoundSplit<Product> best;
  Product lead_so_far = 0;
  std::int64_t first = 0;
  for (std::size_t i = 0; i + 1 < ordered.size(); ++i) {
    lead_so_far += lead<Product>(ordered[i].masses, node.masses);
    first += ordered[i].rows;
    if (lead_so_far > best.excess && std::min(first, node.rows - first) >= min_rows)
      best = {lead_so_far, 0, static_cast<std::uint32_t>(i + 1), false};
  }
  return best;
}

// A child for each category, if all are large enough.
template <class Product>
FoundSplit<Product> every_category(const std::vector<Category>& ordered, std::int64_t min_rows) {
  std::vector<RowMasses> children;
  for (const Category& category : ordered) {
    if (category.rows < min_rows) return {};
    children.push_back(category.masses);
  }
  FoundSplit<Product> split;
  split.excess = excess_of_ordered<Product>(children);
  return split;
}

}  // namespace roclab
