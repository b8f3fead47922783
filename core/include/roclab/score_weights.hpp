// Examples with weights by score, one added or taken away at a time.
//
// All that is read off is joined when asked for, along what has changed since: sums of what is there, so that nothing of what
// has gone stays behind in rounding, but for weights at scores that others share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "roclab/counted_tree.hpp"
#include "roclab/range_summary.hpp"

namespace roclab {

class ScoreWeights {
 public:
  void add(double score, bool positive, double weight) { add(score, positive, 1, weight, weight * weight); }

  // Several examples of one score and class, by the sum of their weights and of the squares.
  void add(double score, bool positive, std::uint32_t count, double mass, double squares) {
    tree_.add(score, positive, count, [&](Leaf& leaf, std::uint32_t place) {
      (positive ? leaf.pos : leaf.neg)[place] += mass;
      (positive ? leaf.pos_sq : leaf.neg_sq)[place] += squares;
    });
  }

  // The example must be there, with this weight.
  void remove(double score, bool positive, double weight) {
    tree_.remove(score, positive, [&](Leaf& leaf, std::uint32_t place) {
      const bool last = (positive ? leaf.n_pos : leaf.n_neg)[place] == 0;
      auto take = [&](double& sum, double part) { sum = last ? 0 : std::max(sum - part, 0.0); };
      take((positive ? leaf.pos : leaf.neg)[place], weight);
      take((positive ? leaf.pos_sq : leaf.neg_sq)[place], weight * weight);
    });
  }

  bool has(double score, bool positive) const {
    const Standing at = tree_.standing(score);
    return (positive ? at.pos_at : at.neg_at) > 0;
  }

  // Multiplies every weight by a power of two, which rounds nothing unless it underflows.
  void scale(int exponent) {
    auto scaled = [&](Leaf& leaf, Cache& cache) {
      for (std::uint32_t i = 0; i < leaf.size; ++i) {
        leaf.pos[i] = std::ldexp(leaf.pos[i], exponent);
        leaf.neg[i] = std::ldexp(leaf.neg[i], exponent);
        leaf.pos_sq[i] = std::ldexp(leaf.pos_sq[i], 2 * exponent);
        leaf.neg_sq[i] = std::ldexp(leaf.neg_sq[i], 2 * exponent);
      }
      summarize_into(leaf, cache);
    };
    tree_.renew([](const Cache&) { return true; }, scaled, join_into);
  }

  void clear() { tree_.clear(); }

  std::uint64_t n_pos() const { return tree_.n_pos(); }
  std::uint64_t n_neg() const { return tree_.n_neg(); }
  std::uint64_t groups() const { return tree_.groups(); }
  Standing standing(double score) const { return tree_.standing(score); }
  double score_at(std::uint64_t rank) const { return tree_.score_at(rank); }

  double auc() { return summary().auc(); }
  double auc_variance() { return summary().auc_variance(); }

  const RangeSummary& summary() {
    return tree_.renew([](const Cache& cache) { return cache.stale; }, summarize_into, join_into).summary;
  }

  // each(score, counts of both classes, their masses, squares of these) from low to high.
  template <class Visit>
  void visit(Visit&& each) const {
    tree_.leaves([&](const Leaf& leaf) {
      for (std::uint32_t i = 0; i < leaf.size; ++i) each(leaf.scores[i], leaf.n_pos[i], leaf.n_neg[i], leaf.pos[i], leaf.neg[i], leaf.pos_sq[i], leaf.neg_sq[i]);
    });
  }

  // All of another one too.
  void merge(const ScoreWeights& other) {
    other.visit([&](double score, std::uint32_t n_pos, std::uint32_t n_neg, double pos, double neg, double pos_sq, double neg_sq) {
      if (n_pos) add(score, true, n_pos, pos, pos_sq);
      if (n_neg) add(score, false, n_neg, neg, neg_sq);
    });
  }

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
          const_cast<Leaf&>(leaf).columns(const_cast<Leaf&>(leaf), [&](auto* column, auto*) { to.put(column, leaf.size); });
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
          leaf.columns(leaf, [&](auto* column, auto*) { from.get(column, leaf.size); });
        });
  }

 private:
  struct Cache {
    bool stale = true;
    RangeSummary summary;
    void mark() { stale = true; }
  };
  struct Leaf {
    std::uint32_t size = 0;
    double scores[kTreeFan];
    std::uint32_t n_pos[kTreeFan], n_neg[kTreeFan];
    double pos[kTreeFan], neg[kTreeFan], pos_sq[kTreeFan], neg_sq[kTreeFan];

    template <class Visit>
    void columns(Leaf& other, Visit&& visit) {
      visit(scores, other.scores);
      visit(n_pos, other.n_pos);
      visit(n_neg, other.n_neg);
      visit(pos, other.pos);
      visit(neg, other.neg);
      visit(pos_sq, other.pos_sq);
      visit(neg_sq, other.neg_sq);
    }
  };

  using Tree = CountedTree<Leaf, Cache>;

  static void summarize_into(const Leaf& leaf, Cache& cache) {
    const GroupView<double, double> groups{leaf.scores, leaf.pos, leaf.neg, leaf.pos_sq, leaf.neg_sq};
    RangeSummary all;
    all.weighted = true;
    if (leaf.size) {
      all = detail::summarize_leaf(groups, 0, leaf.size);
      all.scored = detail::scored_sums(groups, leaf.size, leaf.scores[leaf.size / 2]);
      all.lowest = leaf.scores[0];
      all.highest = leaf.scores[leaf.size - 1];
      for (std::uint32_t i = 0; i < leaf.size; ++i) {
        all.counts.pos += leaf.n_pos[i];
        all.counts.neg += leaf.n_neg[i];
      }
    }
    cache.summary = all;
    cache.stale = false;
  }

  static void join_into(const typename Tree::Inner& inner, Cache& cache) {
    RangeSummary all = inner.cache[0].summary;
    for (std::uint32_t c = 1; c < inner.size; ++c) all = join(all, inner.cache[c].summary);
    cache.summary = all;
    cache.stale = false;
  }

  Tree tree_;
};

}  // namespace roclab
