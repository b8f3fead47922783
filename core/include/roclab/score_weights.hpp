// Weighted examples by score, added or removed one at a time.
//
// All readings are joined when they are requested, along the changed paths: sums of the present examples, without rounding errors
// of removed ones. Weights at scores that several examples share are sums from which others were subtracted, and are kept in
// double-double precision: where weights decrease by many orders of magnitude, the rounding errors of removed large weights would
// otherwise exceed the small ones that remain.
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

  // Adds several examples of one score and class, by the sums of their weights and squared weights.
  void add(double score, bool positive, std::uint32_t count, double mass, double squares) {
    tree_.add(score, positive, count, [&](Leaf& leaf, std::uint32_t place) { leaf.of(positive).change(place, mass, squares); });
  }

  // The example must exist, with this weight.
  void remove(double score, bool positive, double weight) {
    tree_.remove(score, positive, [&](Leaf& leaf, std::uint32_t place) {
      Masses& own = leaf.of(positive);
      if ((positive ? leaf.n_pos : leaf.n_neg)[place] > 0) own.change(place, -weight, -weight * weight);
      else own.mass[place] = own.squares[place] = own.mass_rest[place] = own.squares_rest[place] = 0;
    });
  }

  // The weight of a class at a score.
  double mass_at(double score, bool positive) const {
    double mass = 0;
    tree_.at(score, [&](const Leaf& leaf, std::uint32_t place) { mass = leaf.of(positive).mass[place]; });
    return mass;
  }

  // Multiplies every weight of a class by a power of two, which is exact unless it underflows.
  void scale(bool positive, int exponent) {
    auto scaled = [&](Leaf& leaf, Cache& cache) {
      Masses& own = leaf.of(positive);
      for (std::uint32_t i = 0; i < leaf.size; ++i) {
        own.mass[i] = std::ldexp(own.mass[i], exponent);
        own.mass_rest[i] = std::ldexp(own.mass_rest[i], exponent);
        own.squares[i] = std::ldexp(own.squares[i], 2 * exponent);
        own.squares_rest[i] = std::ldexp(own.squares_rest[i], 2 * exponent);
      }
      summarize_into(leaf, cache);
    };
    tree_.renew([](const Cache&) { return true; }, scaled, join_into);
  }

  void clear() { tree_.clear(); }

  std::uint64_t n_pos() const { return tree_.n_pos(); }
  std::uint64_t n_neg() const { return tree_.n_neg(); }
  std::uint64_t groups() const { return tree_.groups(); }
  ScorePosition position_of(double score) const { return tree_.position_of(score); }
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
      for (std::uint32_t i = 0; i < leaf.size; ++i)
        each(leaf.scores[i], leaf.n_pos[i], leaf.n_neg[i], leaf.pos.mass[i], leaf.neg.mass[i], leaf.pos.squares[i],
             leaf.neg.squares[i]);
    });
  }

  // Adds all of another one.
  void merge(const ScoreWeights& other) {
    other.visit([&](double score, std::uint32_t n_pos, std::uint32_t n_neg, double pos, double neg, double pos_sq, double neg_sq) {
      if (n_pos) add(score, true, n_pos, pos, pos_sq);
      if (n_neg) add(score, false, n_neg, neg, neg_sq);
    });
  }

  template <class Archive>
  void save(Archive& to) const {
    tree_.save(to);
  }
  template <class Archive>
  void load(Archive& from) {
    tree_.load(from);
    visit([&](double, std::uint32_t, std::uint32_t, auto... masses) {
      if (!((std::isfinite(masses) && masses >= 0) && ...)) from.refuse("a weight is not finite");
    });
  }

 private:
  struct Cache {
    bool stale = true;
    RangeSummary summary;
    void mark() { stale = true; }
  };
  // Weights of one class and their squares, by entry; the rests are the rounding errors of each.
  struct Masses {
    double mass[kTreeFan], squares[kTreeFan], mass_rest[kTreeFan], squares_rest[kTreeFan];

    void change(std::uint32_t place, double by, double by_squares) {
      grow(mass[place], mass_rest[place], by);
      grow(squares[place], squares_rest[place], by_squares);
    }
    // Adds a term to sum + rest; sum is the rounded result.
    static void grow(double& sum, double& rest, double term) {
      const double next = sum + term, taken = next - sum;
      rest += (sum - (next - taken)) + (term - taken);
      sum = next + rest;
      rest -= sum - next;
    }
    template <class Visit>
    void columns(Masses& other, Visit&& visit) {
      visit(mass, other.mass);
      visit(squares, other.squares);
      visit(mass_rest, other.mass_rest);
      visit(squares_rest, other.squares_rest);
    }
  };
  struct Leaf {
    std::uint32_t size = 0;
    double scores[kTreeFan];
    std::uint32_t n_pos[kTreeFan], n_neg[kTreeFan];
    Masses pos, neg;

    Masses& of(bool positive) { return positive ? pos : neg; }
    const Masses& of(bool positive) const { return positive ? pos : neg; }

    template <class Visit>
    void columns(Leaf& other, Visit&& visit) {
      visit(scores, other.scores);
      visit(n_pos, other.n_pos);
      visit(n_neg, other.n_neg);
      pos.columns(other.pos, visit);
      neg.columns(other.neg, visit);
    }
  };

  using Tree = CountedTree<Leaf, Cache>;

  static void summarize_into(const Leaf& leaf, Cache& cache) {
    const GroupView<double, double> groups{leaf.scores, leaf.pos.mass, leaf.neg.mass, leaf.pos.squares, leaf.neg.squares};
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
