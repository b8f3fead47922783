// The nodes of a counted B+tree: search in a node, splitting and filling of children, passes over a subtree, and bytes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace roclab {

constexpr std::uint32_t kTreeFan = 32;

// Examples below a score and at it, and, if the tree counts wins, twice the pairs won among those below it, ties once.
struct ScorePosition {
  std::uint64_t pos_below = 0, neg_below = 0, wins_below = 0, pos_at = 0, neg_at = 0;

  // Adds the next higher range.
  template <bool Wins>
  void pass(std::uint64_t pos, std::uint64_t neg, [[maybe_unused]] std::uint64_t wins) {
    if constexpr (Wins) wins_below += wins + 2 * pos * neg_below;
    pos_below += pos;
    neg_below += neg;
  }
};

// `Leaf` has at most kTreeFan entries in columns: `size`, `scores`, `n_pos`, `n_neg` and further ones; `columns(other, visit)`
// calls visit(column of this leaf, the same column of another leaf) for each. `Cache` is a cached summary of the subtree of a
// node; `mark()` invalidates it. It is stored with the parent, so that those of siblings are adjacent.
template <class Leaf, class Cache>
struct TreeNodes {
  struct Inner {
    std::uint32_t size = 0;
    // Child c holds scores from least[c] to below least[c + 1]. Scores below least[0] belong to child 0, too.
    double least[kTreeFan];
    void* child[kTreeFan];
    std::uint64_t n_pos[kTreeFan], n_neg[kTreeFan];
    std::uint64_t wins[kTreeFan];  // twice the pairs won within a child, ties once; kept only if the tree counts wins
    Cache cache[kTreeFan];         // of the children

    template <class Visit>
    void columns(Inner& other, Visit&& visit) {
      visit(least, other.least);
      visit(child, other.child);
      visit(n_pos, other.n_pos);
      visit(n_neg, other.n_neg);
      visit(wins, other.wins);
      visit(cache, other.cache);
    }
  };

  static constexpr std::uint32_t kHalf = kTreeFan / 2, kThin = kTreeFan / 4;

  // Branchless: nodes are short, and the branch would be unpredictable.
  static std::uint32_t slot_of(const Inner& inner, double score) {
    std::uint32_t slot = 0;
    for (std::uint32_t c = 1; c < inner.size; ++c) slot += inner.least[c] <= score;
    return slot;
  }
  static std::uint32_t place_of(const Leaf& leaf, double score) {
    std::uint32_t place = 0;
    for (std::uint32_t i = 0; i < leaf.size; ++i) place += leaf.scores[i] < score;
    return place;
  }

  // Adds all children or entries before one.
  template <bool Wins>
  static void pass(const Inner& inner, std::uint32_t slot, ScorePosition& at) {
    for (std::uint32_t c = 0; c < slot; ++c) at.pass<Wins>(inner.n_pos[c], inner.n_neg[c], inner.wins[c]);
  }
  template <bool Wins>
  static void pass(const Leaf& leaf, std::uint32_t place, ScorePosition& at) {
    for (std::uint32_t i = 0; i < place; ++i)
      at.pass<Wins>(leaf.n_pos[i], leaf.n_neg[i], std::uint64_t{leaf.n_pos[i]} * leaf.n_neg[i]);
  }
  static void arrive(const Leaf& leaf, std::uint32_t place, ScorePosition& at) {
    at.pos_at = leaf.n_pos[place];
    at.neg_at = leaf.n_neg[place];
  }

  static std::uint32_t size_of(const void* node, int level) {
    return level == 0 ? static_cast<const Leaf*>(node)->size : static_cast<const Inner*>(node)->size;
  }

  template <class Node>
  static void open(Node& node, std::uint32_t at) {
    node.columns(node, [&](auto* column, auto*) {
      std::move_backward(column + at, column + node.size, column + node.size + 1);
      column[at] = {};
    });
    ++node.size;
  }
  template <class Node>
  static void close(Node& node, std::uint32_t at) {
    node.columns(node, [&](auto* column, auto*) { std::move(column + at + 1, column + node.size, column + at); });
    --node.size;
  }

  // The totals of a node.
  template <bool Wins>
  static ScorePosition totals(const void* node, int level) {
    ScorePosition all;
    if (level == 0) pass<Wins>(*static_cast<const Leaf*>(node), static_cast<const Leaf*>(node)->size, all);
    else pass<Wins>(*static_cast<const Inner*>(node), static_cast<const Inner*>(node)->size, all);
    return all;
  }
  template <bool Wins>
  static void recount(Inner& parent, std::uint32_t slot, int child_level) {
    const ScorePosition all = totals<Wins>(parent.child[slot], child_level);
    parent.n_pos[slot] = all.pos_below;
    parent.n_neg[slot] = all.neg_below;
    if constexpr (Wins) parent.wins[slot] = all.wins_below;
    parent.cache[slot].mark();
  }
  static void recount_wins(void* node, int level) {
    if (level == 0) return;
    Inner& inner = *static_cast<Inner*>(node);
    for (std::uint32_t c = 0; c < inner.size; ++c) {
      recount_wins(inner.child[c], level - 1);
      inner.wins[c] = totals<true>(inner.child[c], level - 1).wins_below;
    }
  }

  // Calls work(left, right) with two neighbouring children of `parent`, with their type.
  template <class Work>
  static void on_neighbours(Inner& parent, std::uint32_t left, int level, Work&& work) {
    if (level == 0) work(*static_cast<Leaf*>(parent.child[left]), *static_cast<Leaf*>(parent.child[left + 1]));
    else work(*static_cast<Inner*>(parent.child[left]), *static_cast<Inner*>(parent.child[left + 1]));
  }
  static double first_of(const Leaf& leaf) { return leaf.scores[0]; }
  static double first_of(const Inner& inner) { return inner.least[0]; }

  // Moves entries so that the left one of two neighbours has `wanted` of them.
  template <class Node>
  static void share_out(Node& left, Node& right, std::uint32_t wanted) {
    if (wanted < left.size) {
      const std::uint32_t moved = left.size - wanted;
      right.columns(left, [&](auto* of_right, auto* of_left) {
        std::move_backward(of_right, of_right + right.size, of_right + right.size + moved);
        std::move(of_left + wanted, of_left + left.size, of_right);
      });
      left.size -= moved;
      right.size += moved;
    } else {
      const std::uint32_t moved = wanted - left.size;
      left.columns(right, [&](auto* of_left, auto* of_right) {
        std::move(of_right, of_right + moved, of_left + left.size);
        std::move(of_right + moved, of_right + right.size, of_right);
      });
      left.size += moved;
      right.size -= moved;
    }
  }

  template <bool Wins>
  static void split_child(Inner& parent, std::uint32_t slot, int level) {
    void* right = level == 0 ? static_cast<void*>(new Leaf) : static_cast<void*>(new Inner);
    open(parent, slot + 1);
    parent.child[slot + 1] = right;
    on_neighbours(parent, slot, level, [&](auto& low, auto& high) {
      share_out(low, high, kHalf);
      parent.least[slot + 1] = first_of(high);
    });
    recount<Wins>(parent, slot, level);
    recount<Wins>(parent, slot + 1, level);
  }

  // A sparse child takes entries from a neighbour, or is merged with it.
  template <bool Wins>
  static void fill_child(Inner& parent, std::uint32_t slot, int level) {
    const std::uint32_t left = slot + 1 < parent.size ? slot : slot - 1;
    bool emptied = false;
    on_neighbours(parent, left, level, [&](auto& low, auto& high) {
      const std::uint32_t all = low.size + high.size;
      // Not completely filled: the next insertion would split them again.
      emptied = all <= kTreeFan - kThin;
      // The first `least` of an inner node is not maintained; the parent knows where the right one begins.
      if constexpr (requires { high.least; }) high.least[0] = parent.least[left + 1];
      share_out(low, high, emptied ? all : all / 2);
      if (!emptied) parent.least[left + 1] = first_of(high);
    });
    if (emptied) {
      level == 0 ? delete static_cast<Leaf*>(parent.child[left + 1]) : delete static_cast<Inner*>(parent.child[left + 1]);
      close(parent, left + 1);
    } else {
      recount<Wins>(parent, left + 1, level);
    }
    recount<Wins>(parent, left, level);
  }

  // All scores of a node ascend, are finite and lie from `low` up to below `high`, and each has examples.
  static bool is_sound(const void* node, int level, double low, double high) {
    if (level > 0) {
      const Inner& inner = *static_cast<const Inner*>(node);
      for (std::uint32_t c = 0; c < inner.size; ++c) {
        const double from = c > 0 ? inner.least[c] : low, to = c + 1 < inner.size ? inner.least[c + 1] : high;
        if (size_of(inner.child[c], level - 1) == 0 || !(from < to) || !is_sound(inner.child[c], level - 1, from, to)) return false;
      }
      return inner.size > 1;
    }
    const Leaf& leaf = *static_cast<const Leaf*>(node);
    for (std::uint32_t i = 0; i < leaf.size; ++i) {
      const double score = leaf.scores[i];
      if (!std::isfinite(score) || score < low || !(score < high) || (i > 0 && !(leaf.scores[i - 1] < score))) return false;
      if (leaf.n_pos[i] == 0 && leaf.n_neg[i] == 0) return false;
    }
    return true;
  }

  template <class Visit>
  static void visit_leaves(const void* node, int level, Visit& visit) {
    if (level == 0) return visit(*static_cast<const Leaf*>(node));
    const Inner& inner = *static_cast<const Inner*>(node);
    for (std::uint32_t c = 0; c < inner.size; ++c) visit_leaves(inner.child[c], level - 1, visit);
  }

  template <class Archive>
  static void save_node(void* node, int level, Archive& to) {
    if (level == 0) {
      Leaf& leaf = *static_cast<Leaf*>(node);
      to.put(leaf.size);
      leaf.columns(leaf, [&](auto* column, auto*) { to.put(column, leaf.size); });
      return;
    }
    const Inner& inner = *static_cast<const Inner*>(node);
    to.put(inner.size);
    to.put(inner.least, inner.size);
    for (std::uint32_t c = 0; c < inner.size; ++c) save_node(inner.child[c], level - 1, to);
  }

  template <class Archive>
  static void* load_node(int level, Archive& from) {
    if (level == 0) {
      auto leaf = std::make_unique<Leaf>();
      leaf->size = from.size(0);
      leaf->columns(*leaf, [&](auto* column, auto*) { from.get(column, leaf->size); });
      return leaf.release();
    }
    auto inner = std::make_unique<Inner>();
    inner->size = from.size(1);
    from.get(inner->least, inner->size);
    std::uint32_t made = 0;
    try {
      for (; made < inner->size; ++made) {
        inner->child[made] = load_node(level - 1, from);
        recount<false>(*inner, made, level - 1);
      }
    } catch (...) {
      for (std::uint32_t c = 0; c < made; ++c) destroy(inner->child[c], level - 1);
      throw;
    }
    return inner.release();
  }

  template <class Stale, class OfLeaf, class OfInner>
  static void renew_node(void* node, int level, Cache& own, Stale& stale, OfLeaf& of_leaf, OfInner& of_inner) {
    if (!stale(own)) return;
    if (level == 0) return of_leaf(*static_cast<Leaf*>(node), own);
    Inner& inner = *static_cast<Inner*>(node);
    for (std::uint32_t c = 0; c < inner.size; ++c) renew_node(inner.child[c], level - 1, inner.cache[c], stale, of_leaf, of_inner);
    of_inner(inner, own);
  }

  static void destroy(void* node, int level) {
    if (level == 0) {
      delete static_cast<Leaf*>(node);
      return;
    }
    Inner* inner = static_cast<Inner*>(node);
    for (std::uint32_t c = 0; c < inner->size; ++c) destroy(inner->child[c], level - 1);
    delete inner;
  }
};

}  // namespace roclab
