// Cost-complexity pruning of a tree.
//
// With the leaves of a node adjacent in the ranking, a split adds its gain to the AUC of the tree independently of other nodes. So
// the AUC of a tree minus alpha for each leaf is a sum over splits, and the best subtree is found from the leaves up; as alpha
// increases the best subtrees are nested (Breiman, Friedman, Olshen and Stone 1984, chapter 3, with AUC for their cost).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "auc_split_tree.hpp"

namespace roclab {

struct SplitGains {
  const double* gain;
  const std::int64_t* first_child;
  const std::int32_t* children;  // 0 for a leaf
  std::size_t nodes;
};

inline SplitGains gains_of(const SplitTree& tree) {
  return {tree.gain.data(), tree.first_child.data(), tree.children.data(), tree.size()};
}

// Gains are quotients of integers, and their sums are rounded: smaller relative differences are rounding errors.
constexpr double kRoundingOfGains = 1e-12;

using Splits = std::vector<std::uint8_t>;  // by node, whether it stays split

// The subtree with the largest AUC minus alpha for each leaf; the smallest one if there are several.
inline Splits worth_their_leaves(const SplitGains& tree, double alpha) {
  Splits stays(tree.nodes, 0);
  std::vector<double> worth(tree.nodes, 0), below(tree.nodes, 0);
  for (std::size_t node = tree.nodes; node-- > 0;) {
    if (tree.children[node] == 0) continue;
    double sum = tree.gain[node] - alpha * (tree.children[node] - 1);
    below[node] = tree.gain[node];
    for (std::int64_t child = tree.first_child[node]; child < tree.first_child[node] + tree.children[node]; ++child) {
      sum += worth[child];
      below[node] += below[child];
    }
    if (sum > kRoundingOfGains * below[node]) stays[node] = 1, worth[node] = sum;
  }
  return stays;
}

// The splits of best-first growth by gain, up to a number of leaves.
inline Splits largest_gains_first(const SplitGains& tree, std::int64_t max_leaves) {
  Splits stays(tree.nodes, 0);
  using Candidate = std::pair<double, std::int64_t>;  // equal gains: the first node
  std::priority_queue<Candidate> open;
  auto offer = [&](std::int64_t node) {
    if (tree.children[node]) open.emplace(tree.gain[node], -node);
  };
  offer(0);
  for (std::int64_t leaves = 1; !open.empty();) {
    const std::int64_t node = -open.top().second;
    open.pop();
    if (leaves + tree.children[node] - 1 > max_leaves) continue;
    leaves += tree.children[node] - 1;
    stays[node] = 1;
    for (std::int32_t i = 0; i < tree.children[node]; ++i) offer(tree.first_child[node] + i);
  }
  return stays;
}

// The tree without the other splits and everything below them.
inline SplitTree with_splits(const SplitTree& tree, const Splits& stays) {
  SplitTree kept;
  std::vector<std::size_t> order{0};
  for (std::size_t next = 0; next < order.size(); ++next) {
    const std::size_t old = order[next];
    kept.add(tree.pos[old], tree.neg[old], tree.rows[old], tree.depth[old]);
    if (stays[old]) {
      kept.feature[next] = tree.feature[old];
      kept.threshold[next] = tree.threshold[old];
      kept.first_child[next] = static_cast<std::int64_t>(order.size());
      kept.children[next] = tree.children[old];
      kept.missing_to[next] = tree.missing_to[old];
      kept.unseen_to[next] = tree.unseen_to[old];
      kept.gain[next] = tree.gain[old];
      for (std::int32_t i = 0; i < tree.children[old]; ++i) order.push_back(static_cast<std::size_t>(tree.first_child[old] + i));
      const std::int64_t first = old == 0 ? 0 : tree.categories_end[old - 1];
      kept.category.insert(kept.category.end(), tree.category.begin() + first, tree.category.begin() + tree.categories_end[old]);
      kept.category_to.insert(kept.category_to.end(), tree.category_to.begin() + first,
                              tree.category_to.begin() + tree.categories_end[old]);
    }
    kept.categories_end[next] = static_cast<std::int64_t>(kept.category.size());
  }
  return kept;
}

// The number of leaves and the AUC (with adjacent leaves) of the best subtree from alpha on.
struct PruningStep {
  double alpha, auc;
  std::int64_t leaves;
};

// All best subtrees from the full tree to its root, by weakest-link pruning.
inline std::vector<PruningStep> pruning_path(const SplitGains& tree) {
  std::vector<double> below(tree.nodes, 0);        // gain of a node and its descendants
  std::vector<std::int64_t> extra(tree.nodes, 0);  // its leaves, minus one
  std::vector<std::int64_t> parent(tree.nodes, -1);
  std::vector<std::uint32_t> version(tree.nodes, 0);
  for (std::size_t node = tree.nodes; node-- > 0;) {
    if (tree.children[node] == 0) continue;
    below[node] = tree.gain[node];
    extra[node] = tree.children[node] - 1;
    for (std::int64_t child = tree.first_child[node]; child < tree.first_child[node] + tree.children[node]; ++child) {
      below[node] += below[child];
      extra[node] += extra[child];
      parent[child] = static_cast<std::int64_t>(node);
    }
  }
  struct Link {
    double alpha;
    std::int64_t node;
    std::uint32_t version;
    bool operator>(const Link& other) const { return alpha > other.alpha || (alpha == other.alpha && node > other.node); }
  };
  std::priority_queue<Link, std::vector<Link>, std::greater<>> links;
  auto offer = [&](std::int64_t node) {
    if (extra[node]) links.push({below[node] / static_cast<double>(extra[node]), node, version[node]});
  };
  for (std::size_t node = 0; node < tree.nodes; ++node) offer(static_cast<std::int64_t>(node));
  std::vector<PruningStep> path{{0, 0.5 + below[0], 1 + extra[0]}};
  std::vector<std::uint8_t> gone(tree.nodes, 0);
  std::vector<std::int64_t> cut;
  while (extra[0]) {
    const Link link = links.top();
    links.pop();
    if (gone[link.node] || version[link.node] != link.version) continue;
    const double lost = below[link.node];
    const std::int64_t leaves = extra[link.node];
    for (cut.assign(1, link.node); !cut.empty();) {
      const std::int64_t node = cut.back();
      cut.pop_back();
      gone[node] = 1;
      for (std::int32_t i = 0; i < tree.children[node]; ++i)
        if (const std::int64_t child = tree.first_child[node] + i; !gone[child]) cut.push_back(child);
    }
    for (std::int64_t node = link.node; node >= 0; node = parent[node]) {
      below[node] = node == link.node ? 0 : below[node] - lost;
      extra[node] -= leaves;
      ++version[node];
      if (node != link.node) offer(node);
    }
    // Links that are equally weak are cut at once.
    const PruningStep step{std::max(link.alpha, path.back().alpha), 0.5 + below[0], 1 + extra[0]};
    if (step.alpha > path.back().alpha * (1 + kRoundingOfGains)) path.push_back(step);
    else path.back() = step;
  }
  return path;
}

}  // namespace roclab
