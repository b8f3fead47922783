// A B+tree of distinct scores with the examples at each: what a window of a stream is kept in.
//
// Leaves hold scores in order with what is kept of the examples there; inner nodes hold how many examples of each class every
// child has, so that the examples below a score are counted on the way down. Full nodes are split and thin ones mended on that
// way too, before they are entered, so nothing has to be carried back up. A change marks the nodes it passes as stale; what is
// read off the whole tree is then joined anew along these ways only. Every node but the root is nearly a quarter full at least,
// so memory follows the number of distinct scores whatever the order of insertions and removals.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace roclab {

constexpr std::uint32_t kTreeFan = 32;

// Examples of the class that was not changed, below the score of a change and at it.
struct Others {
  std::uint64_t below = 0, at = 0;
};

// Examples below a score and at it.
struct Standing {
  std::uint64_t pos_below = 0, neg_below = 0, pos_at = 0, neg_at = 0;
};

// `Leaf` has at most kTreeFan entries in columns: `size`, `scores`, `n_pos`, `n_neg` and others of its own; `columns(other,
// visit)` calls visit(own column, the same column of another leaf) for each. `Cache` is what is remembered of all that is below a
// node; `mark()` says that it no longer holds. It lies with the parent, so that those of siblings are read in one go.
template <class Leaf, class Cache>
class CountedTree {
 public:
  struct Inner {
    std::uint32_t size = 0;
    // All of child c lies at least[c] or above, and below least[c + 1]. What is below least[0] belongs to child 0 too.
    double least[kTreeFan];
    void* child[kTreeFan];
    std::uint64_t n_pos[kTreeFan], n_neg[kTreeFan];
    Cache cache[kTreeFan];  // of the children

    template <class Visit>
    void columns(Inner& other, Visit&& visit) {
      visit(least, other.least);
      visit(child, other.child);
      visit(n_pos, other.n_pos);
      visit(n_neg, other.n_neg);
      visit(cache, other.cache);
    }
  };

  CountedTree() : root_(new Leaf) {}
  CountedTree(const CountedTree&) = delete;
  CountedTree& operator=(const CountedTree&) = delete;
  ~CountedTree() { destroy(root_, height_); }

  std::uint64_t n_pos() const { return n_pos_; }
  std::uint64_t n_neg() const { return n_neg_; }
  std::uint64_t groups() const { return groups_; }
  int height() const { return height_; }

  Standing standing(double score) const {
    Standing found;
    const void* node = root_;
    for (int level = height_; level > 0; --level) {
      const Inner& inner = *static_cast<const Inner*>(node);
      const std::uint32_t slot = slot_of(inner, score);
      for (std::uint32_t c = 0; c < slot; ++c) {
        found.pos_below += inner.n_pos[c];
        found.neg_below += inner.n_neg[c];
      }
      node = inner.child[slot];
    }
    const Leaf& leaf = *static_cast<const Leaf*>(node);
    const std::uint32_t place = place_of(leaf, score);
    for (std::uint32_t i = 0; i < place; ++i) {
      found.pos_below += leaf.n_pos[i];
      found.neg_below += leaf.n_neg[i];
    }
    if (place < leaf.size && leaf.scores[place] == score) {
      found.pos_at = leaf.n_pos[place];
      found.neg_at = leaf.n_neg[place];
    }
    return found;
  }

  // The score of the example with `rank` others below it or before it at its score; rank < n_pos + n_neg.
  double score_at(std::uint64_t rank) const {
    const void* node = root_;
    for (int level = height_; level > 0; --level) {
      const Inner& inner = *static_cast<const Inner*>(node);
      std::uint32_t slot = 0;
      for (; inner.n_pos[slot] + inner.n_neg[slot] <= rank; ++slot) rank -= inner.n_pos[slot] + inner.n_neg[slot];
      node = inner.child[slot];
    }
    const Leaf& leaf = *static_cast<const Leaf*>(node);
    std::uint32_t place = 0;
    for (; std::uint64_t{leaf.n_pos[place]} + leaf.n_neg[place] <= rank; ++place) rank -= std::uint64_t{leaf.n_pos[place]} + leaf.n_neg[place];
    return leaf.scores[place];
  }

  // Adds examples of one score and class. `change(leaf, place)` adds what else their entry keeps.
  template <class Change>
  Others add(double score, bool positive, std::uint32_t count, Change&& change) {
    if (size_of(root_, height_) == kTreeFan) raise_root();
    Others others;
    cache_.mark();
    void* node = root_;
    for (int level = height_; level > 0; --level) {
      Inner& inner = *static_cast<Inner*>(node);
      std::uint32_t slot = slot_of(inner, score);
      if (size_of(inner.child[slot], level - 1) == kTreeFan) {
        split_child(inner, slot, level - 1);
        slot += inner.least[slot + 1] <= score;
      }
      const std::uint64_t* other = positive ? inner.n_neg : inner.n_pos;
      for (std::uint32_t c = 0; c < slot; ++c) others.below += other[c];
      (positive ? inner.n_pos : inner.n_neg)[slot] += count;
      inner.cache[slot].mark();
      node = inner.child[slot];
    }
    Leaf& leaf = *static_cast<Leaf*>(node);
    const std::uint32_t place = place_of(leaf, score);
    if (place == leaf.size || leaf.scores[place] != score) {
      open(leaf, place);
      leaf.scores[place] = score;
      ++groups_;
    }
    (positive ? leaf.n_pos : leaf.n_neg)[place] += count;
    (positive ? n_pos_ : n_neg_) += count;
    change(leaf, place);
    return finished(leaf, place, positive, others);
  }

  // Takes an example away, which must be there.
  template <class Change>
  Others remove(double score, bool positive, Change&& change) {
    Others others;
    cache_.mark();
    void* node = root_;
    for (int level = height_; level > 0; --level) {
      Inner& inner = *static_cast<Inner*>(node);
      std::uint32_t slot = slot_of(inner, score);
      if (size_of(inner.child[slot], level - 1) <= kThin) {
        mend_child(inner, slot, level - 1);
        slot = slot_of(inner, score);
      }
      const std::uint64_t* other = positive ? inner.n_neg : inner.n_pos;
      for (std::uint32_t c = 0; c < slot; ++c) others.below += other[c];
      --(positive ? inner.n_pos : inner.n_neg)[slot];
      inner.cache[slot].mark();
      node = inner.child[slot];
    }
    Leaf& leaf = *static_cast<Leaf*>(node);
    const std::uint32_t place = place_of(leaf, score);
    others = finished(leaf, place, positive, others);
    --(positive ? leaf.n_pos : leaf.n_neg)[place];
    --(positive ? n_pos_ : n_neg_);
    change(leaf, place);
    if (leaf.n_pos[place] == 0 && leaf.n_neg[place] == 0) {
      close(leaf, place);
      --groups_;
    }
    while (height_ > 0 && static_cast<Inner*>(root_)->size == 1) lower_root();
    return others;
  }

  void clear() {
    destroy(root_, height_);
    height_ = 0;
    n_pos_ = n_neg_ = groups_ = 0;
    cache_ = Cache();
    root_ = new Leaf;
  }

  // All leaves from low to high.
  template <class Visit>
  void leaves(Visit&& visit) const {
    visit_leaves(root_, height_, visit);
  }

  // All nodes, each before its children: `on_inner(inner)` and `on_leaf(leaf)`.
  template <class OnInner, class OnLeaf>
  void nodes(OnInner&& on_inner, OnLeaf&& on_leaf) const {
    visit_nodes(root_, height_, on_inner, on_leaf);
  }

  // The tree of a height whose nodes come in that order: `fill_inner` gives size and `least`, `fill_leaf` all of a leaf.
  template <class FillInner, class FillLeaf>
  void build(int height, FillInner&& fill_inner, FillLeaf&& fill_leaf) {
    clear();
    void* root = build_node(height, fill_inner, fill_leaf);
    delete static_cast<Leaf*>(root_);
    root_ = root;
    height_ = height;
    const Totals all = totals(root_, height_);
    n_pos_ = all.pos;
    n_neg_ = all.neg;
    cache_.mark();
    leaves([&](const Leaf& leaf) { groups_ += leaf.size; });
  }

  // What all leaves come to. `stale(cache)` says whether one does not hold; `of_leaf(leaf, cache)` and `of_inner(inner, cache)`,
  // when all of inner.cache hold, renew it.
  template <class Stale, class OfLeaf, class OfInner>
  const Cache& renew(Stale&& stale, OfLeaf&& of_leaf, OfInner&& of_inner) {
    renew_node(root_, height_, cache_, stale, of_leaf, of_inner);
    return cache_;
  }

 private:
  static constexpr std::uint32_t kHalf = kTreeFan / 2, kThin = kTreeFan / 4;

  struct Totals {
    std::uint64_t pos = 0, neg = 0;
  };

  // Branchless: nodes are short, and which way to go cannot be foreseen.
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

  static Others finished(const Leaf& leaf, std::uint32_t place, bool positive, Others others) {
    const auto* other = positive ? leaf.n_neg : leaf.n_pos;
    for (std::uint32_t i = 0; i < place; ++i) others.below += other[i];
    others.at = other[place];
    return others;
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

  static Totals totals(const void* node, int level) {
    Totals sum;
    auto add = [&](const auto& of) {
      for (std::uint32_t i = 0; i < of.size; ++i) {
        sum.pos += of.n_pos[i];
        sum.neg += of.n_neg[i];
      }
    };
    level == 0 ? add(*static_cast<const Leaf*>(node)) : add(*static_cast<const Inner*>(node));
    return sum;
  }
  static void recount(Inner& parent, std::uint32_t slot, int child_level) {
    const Totals sum = totals(parent.child[slot], child_level);
    parent.n_pos[slot] = sum.pos;
    parent.n_neg[slot] = sum.neg;
    parent.cache[slot].mark();
  }

  // Calls work(left, right) with two neighbouring children of `parent` in their own type.
  template <class Work>
  static void on_neighbours(Inner& parent, std::uint32_t left, int level, Work&& work) {
    if (level == 0)
      work(*static_cast<Leaf*>(parent.child[left]), *static_cast<Leaf*>(parent.child[left + 1]));
    else
      work(*static_cast<Inner*>(parent.child[left]), *static_cast<Inner*>(parent.child[left + 1]));
  }
  static double first_of(const Leaf& leaf) { return leaf.scores[0]; }
  static double first_of(const Inner& inner) { return inner.least[0]; }

  // Moves entries so that the left one of two neighbours has `wanted` of them all.
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

  static void split_child(Inner& parent, std::uint32_t slot, int level) {
    void* right = level == 0 ? static_cast<void*>(new Leaf) : static_cast<void*>(new Inner);
    open(parent, slot + 1);
    parent.child[slot + 1] = right;
    on_neighbours(parent, slot, level, [&](auto& low, auto& high) {
      share_out(low, high, kHalf);
      parent.least[slot + 1] = first_of(high);
    });
    recount(parent, slot, level);
    recount(parent, slot + 1, level);
  }

  // A thin child takes entries of a neighbour, or becomes one with it.
  static void mend_child(Inner& parent, std::uint32_t slot, int level) {
    const std::uint32_t left = slot + 1 < parent.size ? slot : slot - 1;
    bool emptied = false;
    on_neighbours(parent, left, level, [&](auto& low, auto& high) {
      const std::uint32_t all = low.size + high.size;
      // Not filled to the brim: the next insertion would part them again.
      emptied = all <= kTreeFan - kThin;
      // Of inner nodes the first `least` is not kept up; the parent knows where the right one begins.
      if constexpr (requires { high.least; }) high.least[0] = parent.least[left + 1];
      share_out(low, high, emptied ? all : all / 2);
      if (!emptied) parent.least[left + 1] = first_of(high);
    });
    if (emptied) {
      level == 0 ? delete static_cast<Leaf*>(parent.child[left + 1]) : delete static_cast<Inner*>(parent.child[left + 1]);
      close(parent, left + 1);
    } else {
      recount(parent, left + 1, level);
    }
    recount(parent, left, level);
  }

  void raise_root() {
    Inner* root = new Inner;
    root->size = 1;
    root->least[0] = 0;
    root->child[0] = root_;
    root_ = root;
    ++height_;
    split_child(*root, 0, height_ - 1);
  }
  void lower_root() {
    Inner* root = static_cast<Inner*>(root_);
    root_ = root->child[0];
    delete root;
    --height_;
  }

  template <class Visit>
  static void visit_leaves(const void* node, int level, Visit& visit) {
    if (level == 0) return visit(*static_cast<const Leaf*>(node));
    const Inner& inner = *static_cast<const Inner*>(node);
    for (std::uint32_t c = 0; c < inner.size; ++c) visit_leaves(inner.child[c], level - 1, visit);
  }

  template <class OnInner, class OnLeaf>
  static void visit_nodes(const void* node, int level, OnInner& on_inner, OnLeaf& on_leaf) {
    if (level == 0) return on_leaf(*static_cast<const Leaf*>(node));
    const Inner& inner = *static_cast<const Inner*>(node);
    on_inner(inner);
    for (std::uint32_t c = 0; c < inner.size; ++c) visit_nodes(inner.child[c], level - 1, on_inner, on_leaf);
  }

  template <class FillInner, class FillLeaf>
  static void* build_node(int level, FillInner& fill_inner, FillLeaf& fill_leaf) {
    if (level == 0) {
      auto leaf = std::make_unique<Leaf>();
      fill_leaf(*leaf);
      return leaf.release();
    }
    auto inner = std::make_unique<Inner>();
    fill_inner(*inner);
    std::uint32_t made = 0;
    try {
      for (; made < inner->size; ++made) {
        inner->child[made] = build_node(level - 1, fill_inner, fill_leaf);
        recount(*inner, made, level - 1);
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

  void* root_;
  Cache cache_;  // of the root
  int height_ = 0;
  std::uint64_t n_pos_ = 0, n_neg_ = 0, groups_ = 0;
};

}  // namespace roclab
