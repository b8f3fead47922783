// The compressed list C of Tatti (2018): a few nodes of one class from which, with the counts in between, AUC is estimated.
//
// Glossary (the paper's symbol, for the list of positives)
//   own        events of the listed class at a node (p); other: those of the other class there (n)
//   own_head   events of the listed class at smaller keys (hp); other_head likewise (hn)
//   base       own_head + own of a node
// For neighbours v, w, u of the list (1 + eps is the paper's alpha):
//   own_head(w) - base(v) <= eps * base(v)       Eq. 3: the estimate is good
//   own_head(u) - base(v) >  eps * base(v)       Eq. 4: the list is short
// The paper keeps the counts of each gap (gp, gn). This list keeps their sums up to each node, so that adding a node changes no
// other, and columns are scanned without a chain from one node to the next. Each event costs O(|C|), as in the paper.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "roclab/linked_tree.hpp"

namespace roclab {

// Bounds of 2U: the exact value is in [twice - slack, twice + slack].
struct AreaEstimate {
  std::int64_t twice = 0, slack = 0;
};

class CompressedList {
 public:
  // `own` is the listed class.
  CompressedList(int own, double eps) : own_class_(own), eps_(eps) { clear(); }

  void clear() {
    columns_ = Columns();
    columns_.push({-std::numeric_limits<double>::infinity(), kFirst, 0, 0, 0, 0});
    columns_.push({std::numeric_limits<double>::infinity(), kLast, 0, 0, 0, 0});
  }

  std::size_t size() const { return columns_.key.size(); }
  double key(std::size_t i) const { return columns_.key[i]; }
  // Counts from node i up to the next one: gp and gn of the paper.
  Count own_gap(std::size_t i) const { return i + 1 < size() ? columns_.own_head[i + 1] - columns_.own_head[i] : 0; }
  Count other_gap(std::size_t i) const { return i + 1 < size() ? columns_.other_head[i + 1] - columns_.other_head[i] : 0; }

  // An event of the other class was added (change 1) or removed (-1).
  void change_other(double key, Count change) {
    const std::size_t at = last_up_to(key);
    if (columns_.key[at] == key) columns_.other[at] += change;
    shift(columns_.other_head, at + 1, change);
  }

  // An event of the listed class is already in the tree. Algorithm 7.
  void add_own(const LinkedTree& tree, double key) {
    const std::size_t at = last_up_to(key);
    if (columns_.key[at] == key) columns_.own[at] += 1;
    shift(columns_.own_head, at + 1, 1);
    if (!within(at, at + 1)) columns_.insert(at + 1, next_of(tree, at));
    compress(at ? at - 1 : 0);
  }

  // An event of the listed class will be removed from the tree: the first half of Algorithm 8. A node that loses its last event
  // is replaced by the next one of its class. Returns where the second half has to begin.
  std::size_t begin_removal(const LinkedTree& tree, double key) {
    const std::size_t at = last_up_to(key);
    shift(columns_.own_head, at + 1, -1);
    if (columns_.key[at] == key && --columns_.own[at] == 0) {
      const Entry next = next_of(tree, at);
      if (next.node == columns_.node[at + 1]) columns_.erase(at);
      else columns_.put(at, next);
    }
    return at ? at - 1 : 0;
  }

  // The second half, after the removal.
  void end_removal(const LinkedTree& tree, std::size_t from) {
    const std::size_t sparse = first_failure<1>(from);
    if (sparse + 1 < size()) {
      // Rewritten in one pass: several pairs may fail, and each single insertion would cost O(|C|).
      columns_.each(
          spare_, [&](auto& old, auto& column) { column.assign(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(sparse)); });
      for (std::size_t i = sparse; i < size(); ++i) {
        spare_.push(columns_.get(i));
        if (i + 1 < size() && !within(i, i + 1)) spare_.push(next_of(tree, i));
      }
      std::swap(columns_, spare_);
    }
    compress(from);
  }

  // Algorithm 4.
  AreaEstimate estimate() const {
    AreaEstimate sum;
    const Columns& c = columns_;
    for (std::size_t i = 0; i + 1 < size(); ++i) {
      const std::int64_t head = c.own_head[i], base = head + c.own[i], next = c.own_head[i + 1];
      const std::int64_t between = c.other_head[i + 1] - c.other_head[i] - c.other[i];
      sum.twice += (head + base) * c.other[i] + (base + next) * between;
      sum.slack += (next - base) * between;
    }
    return sum;
  }

  // The list with exactly these nodes between the sentinels; false if a key has no node, or they do not ascend.
  bool restore(const LinkedTree& tree, const double* keys, std::size_t count, LinkedTree::Head total) {
    clear();
    const int other = 1 - own_class_;
    const Entry last{columns_.key[1], kLast, total.count[own_class_], total.count[other], 0, 0};
    columns_.erase(1);
    for (std::size_t i = 0; i < count; ++i) {
      const Slot node = tree.find(keys[i]);
      if (node == kFirst || !(columns_.key.back() < keys[i])) return false;
      const LinkedTree::Head head = tree.head(keys[i]);
      columns_.push(
          {keys[i], node, head.count[own_class_], head.count[other], tree[node].count[own_class_], tree[node].count[other]});
    }
    columns_.push(last);
    return true;
  }

  // A violated invariant, for tests and for restored lists; empty if there is none. O(|C| log k).
  std::string problem(const LinkedTree& tree, LinkedTree::Head total) const {
    const int other = 1 - own_class_;
    if (columns_.node.front() != kFirst || columns_.node.back() != kLast) return "a sentinel is missing";
    if (columns_.own_head.back() != total.count[own_class_] || columns_.other_head.back() != total.count[other])
      return "the gap counters do not add up to all events";
    for (std::size_t i = 0; i < size(); ++i) {
      const Entry entry = columns_.get(i);
      if (i + 1 < size() && !(entry.key < columns_.key[i + 1])) return "keys do not ascend";
      if (i > 0 && i + 1 < size()) {
        if (entry.key != tree[entry.node].key || tree.find(entry.key) != entry.node) return "a node is not in the tree";
        if (entry.own <= 0) return "an inner node is not of the listed class";
        const LinkedTree::Head head = tree.head(entry.key);
        if (entry.own != tree[entry.node].count[own_class_] || entry.other != tree[entry.node].count[other])
          return "the counts at a node are wrong";
        if (entry.own_head != head.count[own_class_] || entry.other_head != head.count[other]) return "a gap counter is wrong";
      }
      if (i + 1 < size() && !within(i, i + 1)) return "Eq. 3 does not hold";
      if (i + 2 < size() && within(i, i + 2)) return "Eq. 4 does not hold";
    }
    return {};
  }

 private:
  struct Entry {
    double key;
    Slot node;
    Count own_head, other_head, own, other;
  };

  struct Columns {
    std::vector<double> key;
    std::vector<Slot> node;
    std::vector<Count> own_head, other_head, own, other;

    template <class Visit>
    void each(Columns& with, Visit&& visit) {
      visit(key, with.key);
      visit(node, with.node);
      visit(own_head, with.own_head);
      visit(other_head, with.other_head);
      visit(own, with.own);
      visit(other, with.other);
    }
    Entry get(std::size_t i) const { return {key[i], node[i], own_head[i], other_head[i], own[i], other[i]}; }
    void put(std::size_t i, const Entry& entry) {
      key[i] = entry.key;
      node[i] = entry.node;
      own_head[i] = entry.own_head;
      other_head[i] = entry.other_head;
      own[i] = entry.own;
      other[i] = entry.other;
    }
    void push(const Entry& entry) {
      key.push_back(entry.key);
      node.push_back(entry.node);
      own_head.push_back(entry.own_head);
      other_head.push_back(entry.other_head);
      own.push_back(entry.own);
      other.push_back(entry.other);
    }
    void insert(std::size_t i, const Entry& entry) {
      each(*this, [&](auto& column, auto&) { column.emplace(column.begin() + static_cast<std::ptrdiff_t>(i)); });
      put(i, entry);
    }
    void erase(std::size_t i) {
      each(*this, [&](auto& column, auto&) { column.erase(column.begin() + static_cast<std::ptrdiff_t>(i)); });
    }
    void shorten(std::size_t size) {
      each(*this, [&](auto& column, auto&) { column.resize(size); });
    }
  };

  std::size_t last_up_to(double key) const {
    const auto after = std::upper_bound(columns_.key.begin(), columns_.key.end(), key);
    return static_cast<std::size_t>(after - columns_.key.begin()) - 1;
  }

  static void shift(std::vector<Count>& heads, std::size_t from, Count change) {
    Count* values = heads.data();
    for (std::size_t i = from, n = heads.size(); i < n; ++i) values[i] += change;
  }

  // Eq. 3 for v and a later w. One expression for all tests, so that rounding is the same everywhere.
  static bool within(Count own_head_w, Count base_v, double eps) {
    return static_cast<double>(own_head_w - base_v) <= eps * static_cast<double>(base_v);
  }
  bool within(std::size_t v, std::size_t w) const {
    return within(columns_.own_head[w], columns_.own_head[v] + columns_.own[v], eps_);
  }

  // The first node from `from` on for which Eq. 3 (step 1) or Eq. 4 (step 2) does not hold, or the last ones, to which it does
  // not apply. In blocks without a branch, which compilers vectorise.
  template <int step>
  std::size_t first_failure(std::size_t from) const {
    constexpr std::size_t block = 32;
    const Count *heads = columns_.own_head.data(), *own = columns_.own.data();
    auto fails = [&](std::size_t i) { return within(heads[i + step], heads[i] + own[i], eps_) == (step == 2); };
    std::size_t i = from;
    const std::size_t end = size() > step ? size() - step : 0;
    for (; i + block <= end; i += block) {
      int failures = 0;
      for (std::size_t j = i; j < i + block; ++j) failures += fails(j);
      if (failures) break;
    }
    while (i < end && !fails(i)) ++i;
    return i;
  }

  // Algorithm 5: the next node of the class after node i, with its position in the list.
  Entry next_of(const LinkedTree& tree, std::size_t i) const {
    const LinkedTree::Link& link = tree[columns_.node[i]].link[own_class_];
    const LinkedTree::Node& next = tree[link.next];
    return {next.key,
            link.next,
            columns_.own_head[i] + columns_.own[i],
            columns_.other_head[i] + link.gap,
            next.count[own_class_],
            next.count[1 - own_class_]};
  }

  // Algorithm 6, for a list that fails Eq. 4 nowhere before `from`.
  void compress(std::size_t from) {
    std::size_t kept = first_failure<2>(from);
    if (kept + 2 >= size()) return;
    std::size_t next = kept + 1;
    for (; next + 1 < size(); ++next)
      if (!within(columns_.own_head[next + 1], columns_.own_head[kept] + columns_.own[kept], eps_))
        columns_.put(++kept, columns_.get(next));
    columns_.put(++kept, columns_.get(next));
    columns_.shorten(kept + 1);
  }

  int own_class_;
  double eps_;
  Columns columns_, spare_;
};

}  // namespace roclab
