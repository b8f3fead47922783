// Growing a tree of AUC splits, level by level and feature by feature, so that threads are started twice a level.
//
// O(d n log n) for the sorts of d features and O(d n) for a level, in memory of 16 bytes for each value.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "array.hpp"
#include "auc_split_features.hpp"
#include "auc_split_search.hpp"
#include "auc_split_tree.hpp"
#include "parallel.hpp"
#include "random.hpp"

namespace roclab {

struct SplitRules {
  std::int64_t max_depth, min_samples_split, min_samples_leaf;
  std::uint64_t max_features;  // that a node considers, drawn among those with two values or more
  bool multiway;               // one child for each category, else two
  std::uint64_t seed;
};

// A number halfway between two, and below the upper one.
inline double between(double lower, double upper) {
  const double middle = 0.5 * lower + 0.5 * upper;
  return middle < upper && middle >= lower ? middle : lower;
}

// Product must hold twice the product of the masses of the classes.
template <class Product, class RowMass>
class TreeGrower {
 public:
  TreeGrower(const TrainingRows& data, RowMass mass, const SplitRules& rules, int threads)
      : data_(data), mass_(mass), rules_(rules), threads_(threads), features_(data, threads), child_of_(data.rows) {}

  SplitTree grow() {
    RowMasses all;
    for (std::size_t row = 0; row < data_.rows; ++row) (data_.labels[row] ? all.pos : all.neg) += mass_[row];
    tree_.add(all.pos, all.neg, static_cast<std::int64_t>(data_.rows), 0);
    std::vector<Node> open{{0, data_.rows, all, rules_.seed, 0}};
    if (!may_split(open[0], 0)) open.clear();
    for (std::int32_t depth = 1; !open.empty(); ++depth) open = split_level(open, depth);
    std::int64_t end = 0;
    for (auto& categories : tree_.categories_end) categories = end += categories;
    return std::move(tree_);
  }

 private:
  static constexpr std::size_t kWorthThreads = 1u << 17;  // values in a level from which threads are worth their start
  using Split = FoundSplit<Product>;

  struct Node {
    std::size_t begin = 0, end = 0;
    RowMasses masses;
    std::uint64_t seed = 0;
    std::size_t id = 0;
  };

  bool may_split(const Node& node, std::int64_t depth) const {
    const auto rows = static_cast<std::int64_t>(node.end - node.begin);
    return depth < rules_.max_depth && node.masses.pos > 0 && node.masses.neg > 0 && rows >= rules_.min_samples_split &&
           rows / 2 >= rules_.min_samples_leaf;
  }

  NodeColumn view(const Node& node, std::size_t column) const {
    return {features_.column(column) + node.begin, static_cast<std::int64_t>(node.end - node.begin), node.masses};
  }

  // Splits the nodes, and returns those of their children that may be split further.
  std::vector<Node> split_level(const std::vector<Node>& level, std::int32_t depth) {
    std::size_t rows = 0;
    for (const Node& node : level) rows += node.end - node.begin;
    const int threads = rows * data_.columns < kWorthThreads ? 1 : threads_;
    const std::vector<Split> splits = find_splits(level, threads);

    std::vector<Node> children, open;
    std::vector<Division> divisions;
    std::vector<std::size_t> starts;
    for (std::size_t i = 0; i < level.size(); ++i) {
      if (splits[i].excess == 0) continue;
      children.clear();
      if (data_.categorical[splits[i].column]) part_categories(level[i], splits[i], children);
      else part_numbers(level[i], splits[i], children);
      add_children(level[i], splits[i], depth, children);
      const std::size_t before = open.size();
      for (const Node& child : children)
        if (may_split(child, depth)) open.push_back(child);
      if (open.size() == before) continue;
      divisions.push_back({level[i].begin, level[i].end, starts.size(), children.size()});
      for (const Node& child : children) starts.push_back(child.begin);
    }
    if (!open.empty()) features_.divide(divisions, starts, child_of_, threads);
    return open;
  }

  std::vector<Split> find_splits(const std::vector<Node>& level, int threads) const {
    const bool some = rules_.max_features < data_.columns;
    std::vector<std::vector<bool>> looks_at(some ? level.size() : 0);
    if (some) {
      const std::size_t blocks = std::min(level.size(), parts(threads));
      parallel_for(blocks, threads, [&](std::size_t block) {
        for (std::size_t i = block; i < level.size(); i += blocks) looks_at[i] = draw_features(level[i]);
      });
    }
    const std::size_t blocks = std::min(data_.columns, parts(threads));
    std::vector<std::vector<Split>> found(blocks);
    parallel_for(blocks, threads, [&](std::size_t block) {
      std::vector<Split> best(level.size());
      std::vector<Category> categories;
      for (std::size_t column = block; column < data_.columns; column += blocks) {
        pause();
        for (std::size_t i = 0; i < level.size(); ++i) {
          if (some && !looks_at[i][column]) continue;
          const Split split = best_by(view(level[i], column), column, categories);
          if (split.better_than(best[i])) best[i] = split;
        }
      }
      found[block] = std::move(best);
    });
    for (std::size_t block = 1; block < blocks; ++block)
      for (std::size_t i = 0; i < level.size(); ++i)
        if (found[block][i].better_than(found[0][i])) found[0][i] = found[block][i];
    return std::move(found[0]);
  }

  static std::size_t parts(int threads) { return threads <= 1 ? 1 : 4 * static_cast<std::size_t>(threads); }

  // Depends on the path to the node only, not on the order of rows or on other nodes.
  std::vector<bool> draw_features(const Node& node) const {
    std::vector<std::uint32_t> candidates;
    for (std::size_t column = 0; column < data_.columns; ++column)
      if (!view(node, column).constant()) candidates.push_back(static_cast<std::uint32_t>(column));
    std::vector<bool> drawn(data_.columns, false);
    Random random(node.seed, 0);
    const std::size_t wanted = std::min<std::size_t>(rules_.max_features, candidates.size());
    for (std::size_t i = 0; i < wanted; ++i) {
      std::swap(candidates[i], candidates[i + random.below(static_cast<std::uint32_t>(candidates.size() - i))]);
      drawn[candidates[i]] = true;
    }
    return drawn;
  }

  Split best_by(const NodeColumn& node, std::size_t column, std::vector<Category>& categories) const {
    Split split;
    if (node.constant()) return split;
    if (data_.categorical[column]) {
      order_categories<Product>(node, mass_, categories);
      split = rules_.multiway ? every_category<Product>(categories, rules_.min_samples_leaf)
                              : best_categories<Product>(node, categories, rules_.min_samples_leaf);
    } else {
      split = best_number<Product>(node, mass_, rules_.min_samples_leaf);
    }
    split.column = static_cast<std::uint32_t>(column);
    return split;
  }

  // Assigns the rows at some positions to a child, whose `end` counts its rows until all are assigned.
  void give(const NodeColumn& node, std::int64_t first, std::int64_t last, std::size_t child, std::vector<Node>& children) {
    if (child >= children.size()) children.resize(child + 1);
    for (std::int64_t i = first; i < last; ++i) {
      child_of_[node.entries[i].row()] = static_cast<std::uint32_t>(child);
      children[child].masses += masses_of(mass_, node.entries[i]);
    }
    children[child].end += static_cast<std::size_t>(last - first);
  }

  void part_numbers(const Node& node, const Split& split, std::vector<Node>& children) {
    const NodeColumn column = view(node, split.column);
    const std::int64_t known = column.known(), head = split.head;
    give(column, 0, head, 0, children);
    give(column, head, known, 1, children);
    give(column, known, column.rows, split.missing_first ? 0 : 1, children);
    auto value = [&](std::int64_t place) { return data_.value(column.entries[place].row(), split.column); };
    tree_.threshold[node.id] = head == known ? std::numeric_limits<double>::infinity() : between(value(head - 1), value(head));
    tree_.missing_to[node.id] = known == column.rows ? -1 : split.missing_first ? 0 : 1;
  }

  void part_categories(const Node& node, const Split& split, std::vector<Node>& children) {
    const NodeColumn column = view(node, split.column);
    std::vector<Category> categories;
    order_categories<Product>(column, mass_, categories);
    std::vector<std::pair<std::uint32_t, std::size_t>> by_rank;  // and its position in that order
    for (std::size_t i = 0; i < categories.size(); ++i) by_rank.emplace_back(categories[i].rank, i);
    std::sort(by_rank.begin(), by_rank.end());
    tree_.threshold[node.id] = std::numeric_limits<double>::quiet_NaN();
    tree_.missing_to[node.id] = -1;
    for (std::size_t i = 0; i < by_rank.size(); ++i) {
      const Category& category = categories[by_rank[i].second];
      const std::size_t child = rules_.multiway ? i : by_rank[i].second < split.head ? 0 : 1;
      give(column, category.first, category.first + category.rows, child, children);
      if (category.rank == kNoValue) {
        tree_.missing_to[node.id] = static_cast<std::int32_t>(child);
      } else {
        tree_.category.push_back(data_.value(column.entries[category.first].row(), split.column));
        tree_.category_to.push_back(static_cast<std::int32_t>(child));
        ++tree_.categories_end[node.id];  // a count, until the tree is complete
      }
    }
  }

  void add_children(const Node& node, const Split& split, std::int32_t depth, std::vector<Node>& children) {
    tree_.feature[node.id] = static_cast<std::int32_t>(split.column);
    tree_.first_child[node.id] = static_cast<std::int64_t>(tree_.size());
    tree_.children[node.id] = static_cast<std::int32_t>(children.size());
    const double all_pairs = static_cast<double>(tree_.pos[0]) * static_cast<double>(tree_.neg[0]);
    tree_.gain[node.id] = static_cast<double>(split.excess) / 2 / all_pairs;
    std::size_t begin = node.begin, heaviest = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
      Node& child = children[i];
      const std::size_t rows = child.end;
      child.begin = begin;
      child.end = begin += rows;
      child.id = tree_.size();
      child.seed = Random(node.seed, i + 1).bits();
      tree_.add(child.masses.pos, child.masses.neg, static_cast<std::int64_t>(rows), depth);
      const RowMasses &own = child.masses, &most = children[heaviest].masses;
      if (own.pos + own.neg > most.pos + most.neg) heaviest = i;
    }
    tree_.unseen_to[node.id] = static_cast<std::int32_t>(heaviest);
    if (tree_.missing_to[node.id] < 0) tree_.missing_to[node.id] = static_cast<std::int32_t>(heaviest);
  }

  TrainingRows data_;
  RowMass mass_;
  SplitRules rules_;
  int threads_;
  SortedFeatures features_;
  Array<std::uint32_t> child_of_;
  SplitTree tree_;
};

// `masses` may be null: one each. Their sum is below 2^62, and each is at least 1.
inline SplitTree grow_split_tree(const TrainingRows& data, const std::int64_t* masses, const SplitRules& rules, int threads) {
  if (!masses) return TreeGrower<std::int64_t, OneEach>(data, {}, rules, threads).grow();
  std::int64_t total = 0;
  for (std::size_t row = 0; row < data.rows; ++row) total += masses[row];
  if (total < std::int64_t{1} << 31) return TreeGrower<std::int64_t, const std::int64_t*>(data, masses, rules, threads).grow();
  return TreeGrower<SignedWide, const std::int64_t*>(data, masses, rules, threads).grow();
}

}  // namespace roclab
