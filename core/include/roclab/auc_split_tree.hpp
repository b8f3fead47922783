// A tree of AUC splits, and the leaf of a row of features.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "array.hpp"
#include "parallel.hpp"

namespace roclab {

// Nodes level by level, the children of a node adjacent. A node without children is a leaf.
struct SplitTree {
  Array<std::int32_t> feature;      // of the split; -1 for a leaf
  Array<double> threshold;          // numbers up to this go to the first child; NaN for a categorical split
  Array<std::int64_t> first_child;  // -1 for a leaf
  Array<std::int32_t> children;     // number of children
  Array<std::int32_t> missing_to;   // child for missing values
  Array<std::int32_t> unseen_to;    // child for unseen categories
  Array<std::int64_t> pos, neg;     // masses
  Array<std::int64_t> rows;
  Array<std::int32_t> depth;
  Array<double> gain;                  // in the AUC of the tree, with the children adjacent in its ranking
  Array<std::int64_t> categories_end;  // end of the categories of this node, and begin of those of the next
  Array<double> category;              // ascending within a node
  Array<std::int32_t> category_to;     // its child

  std::size_t size() const { return feature.size(); }

  void add(std::int64_t pos_mass, std::int64_t neg_mass, std::int64_t row_count, std::int32_t at_depth) {
    feature.push_back(-1);
    threshold.push_back(0);
    first_child.push_back(-1);
    children.push_back(0);
    missing_to.push_back(0);
    unseen_to.push_back(0);
    pos.push_back(pos_mass);
    neg.push_back(neg_mass);
    rows.push_back(row_count);
    depth.push_back(at_depth);
    gain.push_back(0);
    categories_end.push_back(0);
  }
};

// The same as arrays that are not owned.
struct SplitTreeView {
  const std::int32_t* feature;
  const double* threshold;
  const std::int64_t* first_child;
  const std::int32_t* missing_to;
  const std::int32_t* unseen_to;
  const std::int64_t* categories_end;
  const double* category;
  const std::int32_t* category_to;

  std::int64_t leaf_of(const double* row) const {
    std::int64_t node = 0;
    while (feature[node] >= 0) node = first_child[node] + branch(node, row[feature[node]]);
    return node;
  }

 private:
  std::int32_t branch(std::int64_t node, double value) const {
    if (std::isnan(value)) return missing_to[node];
    if (!std::isnan(threshold[node])) return value <= threshold[node] ? 0 : 1;
    const double* first = category + (node == 0 ? 0 : categories_end[node - 1]);
    const double* last = category + categories_end[node];
    const double* found = std::lower_bound(first, last, value);
    return found != last && *found == value ? category_to[found - category] : unseen_to[node];
  }
};

inline void find_leaves(const SplitTreeView& tree, const double* features, std::size_t rows, std::size_t columns, int threads,
                        std::int64_t* leaves) {
  constexpr std::size_t kBlock = 4096;
  parallel_for((rows + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
    for (std::size_t row = block * kBlock; row < std::min(rows, (block + 1) * kBlock); ++row)
      leaves[row] = tree.leaf_of(features + row * columns);
  });
}

}  // namespace roclab
