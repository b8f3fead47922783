// Examples without weights by score, one added or taken away at a time, with AUC at every moment.
//
// 2U is kept up to date with every change: an integer, exact for ever. The moments of DeLong's variance and the sums of the
// scored AUC are joined when asked for, each on its own, along what has changed since.
#pragma once

#include <cstdint>
#include <memory>

#include "roclab/counted_tree.hpp"
#include "roclab/pair_counts.hpp"
#include "roclab/range_summary.hpp"

namespace roclab {

class ScoreCounts {
 public:
  void add(double score, bool positive, std::uint32_t count = 1) {
    twice_wins_ += Wide(count) * wins(positive, tree_.add(score, positive, count, [](Leaf&, std::uint32_t) {}));
  }

  // The example must be there, see `has`.
  void remove(double score, bool positive) {
    twice_wins_ -= wins(positive, tree_.remove(score, positive, [](Leaf&, std::uint32_t) {}));
  }

  bool has(double score, bool positive) const {
    const Standing at = tree_.standing(score);
    return (positive ? at.pos_at : at.neg_at) > 0;
  }

  void clear() {
    tree_.clear();
    twice_wins_ = 0;
  }

  std::uint64_t n_pos() const { return tree_.n_pos(); }
  std::uint64_t n_neg() const { return tree_.n_neg(); }
  std::uint64_t groups() const { return tree_.groups(); }
  Standing standing(double score) const { return tree_.standing(score); }
  double score_at(std::uint64_t rank) const { return tree_.score_at(rank); }

  double auc() const { return counts().auc(); }

  double auc_variance() {
    const Moments& moments = renewed_moments();
    PairCounts all = counts();
    all.pos_moment = moments.pos;
    all.neg_moment = moments.neg;
    return all.auc_variance();
  }

  RangeSummary summary() {
    RangeSummary all;
    const Moments& moments = renewed_moments();
    all.counts = counts();
    all.counts.pos_moment = moments.pos;
    all.counts.neg_moment = moments.neg;
    all.scored = renewed_scored();
    if (groups()) {
      all.lowest = tree_.score_at(0);
      all.highest = tree_.score_at(n_pos() + n_neg() - 1);
    }
    return all;
  }

  // visit(score, positives, negatives) from low to high.
  template <class Visit>
  void visit(Visit&& each) const {
    tree_.leaves([&](const Leaf& leaf) {
      for (std::uint32_t i = 0; i < leaf.size; ++i) each(leaf.scores[i], leaf.n_pos[i], leaf.n_neg[i]);
    });
  }

  // All of another one too.
  void merge(const ScoreCounts& other) {
    other.visit([&](double score, std::uint32_t pos, std::uint32_t neg) {
      if (pos) add(score, true, pos);
      if (neg) add(score, false, neg);
    });
  }

  // The same tree again, node for node: sums of floating-point numbers depend on where nodes begin.
  template <class Archive>
  void save(Archive& to) const {
    to.put(static_cast<std::uint32_t>(tree_.height()));
    tree_.nodes(
        [&](const auto& inner) {
          to.put(inner.size);
          to.put(inner.least, inner.size);
        },
        [&](const Leaf& leaf) {
          to.put(leaf.size);
          to.put(leaf.scores, leaf.size);
          to.put(leaf.n_pos, leaf.size);
          to.put(leaf.n_neg, leaf.size);
        });
  }
  template <class Archive>
  void load(Archive& from) {
    tree_.build(
        from.height(),
        [&](auto& inner) {
          inner.size = from.size(1);
          from.get(inner.least, inner.size);
        },
        [&](Leaf& leaf) {
          leaf.size = from.size(0);
          from.get(leaf.scores, leaf.size);
          from.get(leaf.n_pos, leaf.size);
          from.get(leaf.n_neg, leaf.size);
        });
    twice_wins_ = renewed_moments().twice_wins;
  }

 private:
  struct Moments {
    Wide twice_wins = 0, pos = 0, neg = 0;  // 2U, 4A, 4B
  };
  struct Cache {
    bool stale_moments = true, stale_scored = true;
    Moments moments;
    std::unique_ptr<ScoredSums> scored;  // only where it has been asked for
    void mark() { stale_moments = stale_scored = true; }
  };
  struct Leaf {
    std::uint32_t size = 0;
    double scores[kTreeFan];
    std::uint32_t n_pos[kTreeFan], n_neg[kTreeFan];

    template <class Visit>
    void columns(Leaf& other, Visit&& visit) {
      visit(scores, other.scores);
      visit(n_pos, other.n_pos);
      visit(n_neg, other.n_neg);
    }
  };
  using Tree = CountedTree<Leaf, Cache>;

  // Up to this many examples all moments fit in 64 bits: 4A is at most 16/27 of their cube.
  static constexpr std::uint64_t kNarrow = 3'000'000;

  PairCounts counts() const { return {n_pos(), n_neg(), twice_wins_, 0, 0}; }

  // Twice the pairs that a changed example wins (positive), or loses (negative).
  std::uint64_t wins(bool positive, Others others) const {
    return positive ? 2 * others.below + others.at : 2 * (n_pos() - others.below - others.at) + others.at;
  }

  const Moments& renewed_moments() { return n_pos() + n_neg() <= kNarrow ? renewed_moments<std::uint64_t>() : renewed_moments<Wide>(); }

  template <class Sum>
  const Moments& renewed_moments() {
    return tree_.renew([](const Cache& cache) { return cache.stale_moments; }, of_leaf<Sum>, of_inner<Sum>).moments;
  }

  template <class Sum>
  static void of_leaf(const Leaf& leaf, Cache& cache) {
    Sum wins = 0, pos = 0, neg = 0, below = 0, above = 0;
    for (std::uint32_t i = 0; i < leaf.size; ++i) {
      const Sum p = leaf.n_pos[i], n = leaf.n_neg[i], twice = 2 * below + n;
      wins += p * twice;
      pos += p * twice * twice;
      below += n;
    }
    for (std::uint32_t i = leaf.size; i-- > 0;) {
      const Sum p = leaf.n_pos[i], n = leaf.n_neg[i], twice = 2 * above + p;
      neg += n * twice * twice;
      above += p;
    }
    cache.moments = {wins, pos, neg};
    cache.stale_moments = false;
  }

  // The terms of all children by themselves, and not a chain of joins: the processor can work on several at once.
  template <class Sum>
  static void of_inner(const typename Tree::Inner& inner, Cache& cache) {
    Sum wins = 0, pos = 0, neg = 0, below = 0, above = 0;
    for (std::uint32_t c = 0; c < inner.size; ++c) above += inner.n_pos[c];
    for (std::uint32_t c = 0; c < inner.size; ++c) {
      const Moments& own = inner.cache[c].moments;
      const Sum p = inner.n_pos[c], n = inner.n_neg[c], own_wins = static_cast<Sum>(own.twice_wins);
      above -= p;
      wins += own_wins + 2 * p * below;
      pos += static_cast<Sum>(own.pos) + 4 * below * (own_wins + p * below);
      neg += static_cast<Sum>(own.neg) + 4 * above * (own_wins + n * above);
      below += n;
    }
    cache.moments = {wins, pos, neg};
    cache.stale_moments = false;
  }

  ScoredSums renewed_scored() {
    auto keep = [](Cache& cache, const ScoredSums& sums) {
      if (!cache.scored) cache.scored = std::make_unique<ScoredSums>();
      *cache.scored = sums;
      cache.stale_scored = false;
    };
    return *tree_.renew(
        [](const Cache& cache) { return cache.stale_scored; },
        [&](const Leaf& leaf, Cache& cache) {
          const GroupView<double, std::uint32_t> groups{leaf.scores, leaf.n_pos, leaf.n_neg, nullptr, nullptr};
          keep(cache, leaf.size ? detail::scored_sums(groups, leaf.size, leaf.scores[leaf.size / 2]) : ScoredSums{});
        },
        [&](const typename Tree::Inner& inner, Cache& cache) {
          ScoredSums all;
          for (std::uint32_t c = 0; c < inner.size; ++c) all = join(all, *inner.cache[c].scored);
          keep(cache, all);
        }).scored;
  }

  Tree tree_;
  Wide twice_wins_ = 0;
};

}  // namespace roclab
