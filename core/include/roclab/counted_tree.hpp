// A B+tree of distinct scores with the examples at each: the data structure of windows over a stream.
//
// Leaves hold scores in order with data of their examples; inner nodes hold the number of examples of each class in every child,
// so that the descent counts the examples below a score, which is all that an update of the AUC needs. On request inner nodes
// also hold the number of pairs won within each child, which the moments of the variance need. Full nodes are split and sparse
// ones filled during the descent, before they are entered, so that nothing has to be carried back up. A change marks the nodes
// on its path as stale; a reading of the whole tree then joins along these paths only. Every node but the root is at least
// nearly a quarter full, so that memory is proportional to the number of distinct scores in any order of insertions and
// removals.
#pragma once

#include <cstdint>
#include <limits>

#include "roclab/tree_nodes.hpp"

namespace roclab {

template <class Leaf, class Cache>
class CountedTree {
  using Nodes = TreeNodes<Leaf, Cache>;

 public:
  using Inner = typename Nodes::Inner;

  CountedTree() : root_(new Leaf) {}
  CountedTree(const CountedTree&) = delete;
  CountedTree& operator=(const CountedTree&) = delete;
  ~CountedTree() { Nodes::destroy(root_, height_); }

  std::uint64_t n_pos() const { return n_pos_; }
  std::uint64_t n_neg() const { return n_neg_; }
  std::uint64_t groups() const { return groups_; }
  int height() const { return height_; }

  bool counts_wins() const { return counts_wins_; }
  // Starts or stops keeping wins with every change; starting takes one pass over the nodes. Twice the number of all pairs must
  // fit into 64 bits while they are kept.
  void count_wins(bool keep) {
    if (keep && !counts_wins_) Nodes::recount_wins(root_, height_);
    counts_wins_ = keep;
  }

  ScorePosition position_of(double score) const {
    ScorePosition at;
    const void* node = root_;
    for (int level = height_; level > 0; --level) {
      const Inner& inner = *static_cast<const Inner*>(node);
      const std::uint32_t slot = Nodes::slot_of(inner, score);
      Nodes::template pass<false>(inner, slot, at);
      node = inner.child[slot];
    }
    const Leaf& leaf = *static_cast<const Leaf*>(node);
    const std::uint32_t place = Nodes::place_of(leaf, score);
    Nodes::template pass<false>(leaf, place, at);
    if (place < leaf.size && leaf.scores[place] == score) Nodes::arrive(leaf, place, at);
    return at;
  }

  // Calls with(leaf, place) for the entry of a score, if it exists.
  template <class With>
  void at(double score, With&& with) const {
    const void* node = root_;
    for (int level = height_; level > 0; --level) {
      const Inner& inner = *static_cast<const Inner*>(node);
      node = inner.child[Nodes::slot_of(inner, score)];
    }
    const Leaf& leaf = *static_cast<const Leaf*>(node);
    const std::uint32_t place = Nodes::place_of(leaf, score);
    if (place < leaf.size && leaf.scores[place] == score) with(leaf, place);
  }

  // The score of the example with `rank` others before it in order; rank < n_pos + n_neg.
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
    for (; std::uint64_t{leaf.n_pos[place]} + leaf.n_neg[place] <= rank; ++place)
      rank -= std::uint64_t{leaf.n_pos[place]} + leaf.n_neg[place];
    return leaf.scores[place];
  }

  // Adds examples of one score and class. `change(leaf, place)` updates the rest of their entry. Returns the state before.
  template <class Change>
  ScorePosition add(double score, bool positive, std::uint32_t count, Change&& change) {
    return counts_wins_ ? add_in<true>(score, positive, count, change) : add_in<false>(score, positive, count, change);
  }

  // Removes an example, which must exist. Returns the state afterwards.
  template <class Change>
  ScorePosition remove(double score, bool positive, Change&& change) {
    return counts_wins_ ? remove_in<true>(score, positive, change) : remove_in<false>(score, positive, change);
  }

  void clear() {
    Nodes::destroy(root_, height_);
    height_ = 0;
    n_pos_ = n_neg_ = groups_ = 0;
    counts_wins_ = false;
    cache_ = Cache();
    root_ = new Leaf;
  }

  // All leaves from low to high.
  template <class Visit>
  void leaves(Visit&& visit) const {
    Nodes::visit_leaves(root_, height_, visit);
  }

  // Node by node, each before its children: sums of floating-point numbers depend on where nodes begin.
  template <class Archive>
  void save(Archive& to) const {
    to.put(static_cast<std::uint32_t>(height_));
    Nodes::save_node(root_, height_, to);
  }
  // Restores the same tree. Invalid data are refused, since the tree does not check itself later.
  template <class Archive>
  void load(Archive& from) {
    clear();
    const int height = from.height();
    void* root = Nodes::load_node(height, from);
    delete static_cast<Leaf*>(root_);
    root_ = root;
    height_ = height;
    const ScorePosition all = Nodes::template totals<false>(root_, height_);
    n_pos_ = all.pos_below;
    n_neg_ = all.neg_below;
    cache_.mark();
    leaves([&](const Leaf& leaf) { groups_ += leaf.size; });
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (!Nodes::is_sound(root_, height_, -infinity, infinity)) from.refuse("their scores are not in order");
  }

  // The summary of all leaves. `stale(cache)` returns whether a cache is invalid; `of_leaf(leaf, cache)` and, with all of
  // inner.cache valid, `of_inner(inner, cache)` renew it.
  template <class Stale, class OfLeaf, class OfInner>
  const Cache& renew(Stale&& stale, OfLeaf&& of_leaf, OfInner&& of_inner) {
    Nodes::renew_node(root_, height_, cache_, stale, of_leaf, of_inner);
    return cache_;
  }

 private:
  static constexpr int kMostLevels = 17;  // far more than fit into memory

  // A step of a descent: the child, and the examples below it.
  struct Step {
    Inner* inner;
    std::uint32_t slot;
    std::uint64_t pos_below, neg_below;

    std::uint64_t& wins() const { return inner->wins[slot]; }
    // Twice the pairs within the child that an example wins (positive) or loses (negative).
    std::uint64_t change(bool positive, const ScorePosition& at) const {
      if (positive) return 2 * (at.neg_below - neg_below) + at.neg_at;
      return 2 * (inner->n_pos[slot] - (at.pos_below - pos_below) - at.pos_at) + at.pos_at;
    }
  };

  template <bool Wins, class Change>
  ScorePosition add_in(double score, bool positive, std::uint32_t count, Change& change) {
    if (Nodes::size_of(root_, height_) == kTreeFan) raise_root<Wins>();
    ScorePosition at;
    [[maybe_unused]] Step path[kMostLevels];
    cache_.mark();
    void* node = root_;
    for (int level = height_; level > 0; --level) {
      Inner& inner = *static_cast<Inner*>(node);
      std::uint32_t slot = Nodes::slot_of(inner, score);
      if (Nodes::size_of(inner.child[slot], level - 1) == kTreeFan) {
        Nodes::template split_child<Wins>(inner, slot, level - 1);
        slot += inner.least[slot + 1] <= score;
      }
      Nodes::template pass<Wins>(inner, slot, at);
      if constexpr (Wins) path[level - 1] = {&inner, slot, at.pos_below, at.neg_below};
      (positive ? inner.n_pos : inner.n_neg)[slot] += count;
      inner.cache[slot].mark();
      node = inner.child[slot];
    }
    Leaf& leaf = *static_cast<Leaf*>(node);
    const std::uint32_t place = Nodes::place_of(leaf, score);
    if (place == leaf.size || leaf.scores[place] != score) {
      Nodes::open(leaf, place);
      leaf.scores[place] = score;
      ++groups_;
    }
    Nodes::template pass<Wins>(leaf, place, at);
    Nodes::arrive(leaf, place, at);
    if constexpr (Wins)
      for (int level = 0; level < height_; ++level) path[level].wins() += count * path[level].change(positive, at);
    (positive ? leaf.n_pos : leaf.n_neg)[place] += count;
    (positive ? n_pos_ : n_neg_) += count;
    change(leaf, place);
    return at;
  }

  template <bool Wins, class Change>
  ScorePosition remove_in(double score, bool positive, Change& change) {
    ScorePosition at;
    [[maybe_unused]] Step path[kMostLevels];
    cache_.mark();
    void* node = root_;
    for (int level = height_; level > 0; --level) {
      Inner& inner = *static_cast<Inner*>(node);
      std::uint32_t slot = Nodes::slot_of(inner, score);
      if (Nodes::size_of(inner.child[slot], level - 1) <= Nodes::kThin) {
        Nodes::template fill_child<Wins>(inner, slot, level - 1);
        slot = Nodes::slot_of(inner, score);
      }
      Nodes::template pass<Wins>(inner, slot, at);
      if constexpr (Wins) path[level - 1] = {&inner, slot, at.pos_below, at.neg_below};
      --(positive ? inner.n_pos : inner.n_neg)[slot];
      inner.cache[slot].mark();
      node = inner.child[slot];
    }
    Leaf& leaf = *static_cast<Leaf*>(node);
    const std::uint32_t place = Nodes::place_of(leaf, score);
    --(positive ? leaf.n_pos : leaf.n_neg)[place];
    --(positive ? n_pos_ : n_neg_);
    Nodes::template pass<Wins>(leaf, place, at);
    Nodes::arrive(leaf, place, at);
    if constexpr (Wins)
      for (int level = 0; level < height_; ++level) path[level].wins() -= path[level].change(positive, at);
    change(leaf, place);
    if (leaf.n_pos[place] == 0 && leaf.n_neg[place] == 0) {
      Nodes::close(leaf, place);
      --groups_;
    }
    while (height_ > 0 && static_cast<Inner*>(root_)->size == 1) lower_root();
    return at;
  }

  template <bool Wins>
  void raise_root() {
    Inner* root = new Inner;
    root->size = 1;
    root->least[0] = 0;
    root->child[0] = root_;
    root_ = root;
    ++height_;
    Nodes::template split_child<Wins>(*root, 0, height_ - 1);
  }
  void lower_root() {
    Inner* root = static_cast<Inner*>(root_);
    root_ = root->child[0];
    delete root;
    --height_;
  }

  void* root_;
  Cache cache_;  // of the root
  int height_ = 0;
  bool counts_wins_ = false;
  std::uint64_t n_pos_ = 0, n_neg_ = 0, groups_ = 0;
};

}  // namespace roclab
