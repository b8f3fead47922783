// Unweighted examples by score, added or removed one at a time, with their current AUC.
//
// 2U (see pair_counts.hpp) is updated with every change, and so are 4A and 4B after the first reading of the variance: integers,
// which stay exact. A new example raises the placements of all examples of the other class on one side of it by the same amount,
// so that the sum of their squares grows by a multiple of the sum of their placements; and that sum is known from the pairs won
// below its score. Beyond 2^63 pairs, which only merging can reach, the moments are computed when they are read. The sums of
// the scored AUC and of ties are joined when they are read, along the changed paths.
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
    if (keeps_moments() && !wins_fit(counts_.pos + (positive ? count : 0), counts_.neg + (positive ? 0 : count)))
      tree_.count_wins(false);
    const ScorePosition at = tree_.add(score, positive, count, [](Leaf&, std::uint32_t) {});
    if (keeps_moments()) {
      const PairCounts change = brought(counts_, positive, at, count);
      counts_.pos_moment += change.pos_moment;
      counts_.neg_moment += change.neg_moment;
    }
    counts_.twice_wins += Wide(count) * place(counts_, positive, at);
    (positive ? counts_.pos : counts_.neg) += count;
  }

  // The example must exist.
  void remove(double score, bool positive) {
    const ScorePosition at = tree_.remove(score, positive, [](Leaf&, std::uint32_t) {});
    --(positive ? counts_.pos : counts_.neg);
    counts_.twice_wins -= place(counts_, positive, at);
    if (!keeps_moments()) return;
    const PairCounts change = brought(counts_, positive, at, 1);
    counts_.pos_moment -= change.pos_moment;
    counts_.neg_moment -= change.neg_moment;
  }

  void clear() {
    tree_.clear();
    counts_ = {};
  }

  std::uint64_t n_pos() const { return counts_.pos; }
  std::uint64_t n_neg() const { return counts_.neg; }
  std::uint64_t groups() const { return tree_.groups(); }
  ScorePosition position_of(double score) const { return tree_.position_of(score); }
  double score_at(std::uint64_t rank) const { return tree_.score_at(rank); }

  double auc() const { return counts_.auc(); }
  double auc_variance() { return with_moments().auc_variance(); }

  RangeSummary summary() {
    RangeSummary all;
    all.counts = with_moments();
    const Cache& top = renewed();
    all.scored = *top.scored;
    all.tied = top.tied;
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

  // Adds all of another one.
  void merge(const ScoreCounts& other) {
    other.visit([&](double score, std::uint32_t pos, std::uint32_t neg) {
      if (pos) add(score, true, pos);
      if (neg) add(score, false, neg);
    });
  }

  template <class Archive>
  void save(Archive& to) const {
    tree_.save(to);
  }
  template <class Archive>
  void load(Archive& from) {
    tree_.load(from);
    counts_ = counted();
    if (!counts_.fits()) from.refuse("they hold more events than can be counted");
  }

 private:
  struct Cache {
    bool stale = true;
    std::unique_ptr<ScoredSums> scored;  // only after its first reading
    double tied = 0;                     // as in RangeSummary
    void mark() { stale = true; }
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

  // Twice the number of pairs fits into the 64 bits in which the tree counts wins.
  static bool wins_fit(std::uint64_t pos, std::uint64_t neg) { return ((Wide(pos) * neg) >> 63) == 0; }
  bool keeps_moments() const { return tree_.counts_wins(); }

  PairCounts with_moments() {
    if (keeps_moments()) return counts_;
    const PairCounts all = counted();
    if (wins_fit(all.pos, all.neg)) {
      tree_.count_wins(true);
      counts_ = all;
    }
    return all;
  }

  // Twice the pairs that an example wins (positive) or loses (negative), from the state without it.
  static std::uint64_t place(const PairCounts& without, bool positive, const ScorePosition& at) {
    return positive ? 2 * at.neg_below + at.neg_at : 2 * (without.pos - at.pos_below - at.pos_at) + at.pos_at;
  }

  // The moments that m examples of one score and class add to the state without them. Each raises the placements of the other
  // class by 2 on its side and by 1 at its score: (x + 2m)^2 - x^2 = 4mx + 4m^2, and (x + m)^2 - x^2 = 2mx + m^2.
  static PairCounts brought(const PairCounts& without, bool positive, const ScorePosition& at, std::uint64_t m) {
    const Wide own = place(without, positive, at), count = m;
    const std::uint64_t pos_above = without.pos - at.pos_below - at.pos_at;
    Wide beyond, meeting;           // examples of the other class on its side, and at its score
    Wide places_beyond, places_at;  // sums of their placements
    if (positive) {
      beyond = at.neg_below, meeting = at.neg_at;
      places_beyond = at.wins_below + 2 * Wide(at.neg_below) * (pos_above + at.pos_at);
      places_at = meeting * (2 * pos_above + at.pos_at);
    } else {
      beyond = pos_above, meeting = at.pos_at;
      places_at = meeting * (2 * at.neg_below + at.neg_at);
      places_beyond = without.twice_wins - at.wins_below - places_at;
    }
    const Wide same = count * own * own;
    const Wide other = count * (4 * places_beyond + 2 * places_at + count * (4 * beyond + meeting));
    return {0, 0, 0, positive ? same : other, positive ? other : same};
  }

  // From the content of the tree.
  PairCounts counted() const {
    PairCounts all{tree_.n_pos(), tree_.n_neg(), 0, 0, 0};
    std::uint64_t pos_below = 0, neg_below = 0;
    visit([&](double, std::uint32_t pos, std::uint32_t neg) {
      const Wide a = 2 * neg_below + neg, b = 2 * (all.pos - pos_below - pos) + pos;
      all.twice_wins += pos * a;
      all.pos_moment += pos * a * a;
      all.neg_moment += neg * b * b;
      pos_below += pos;
      neg_below += neg;
    });
    return all;
  }

  const Cache& renewed() {
    auto keep = [](Cache& cache, const ScoredSums& sums, double tied) {
      if (!cache.scored) cache.scored = std::make_unique<ScoredSums>();
      *cache.scored = sums;
      cache.tied = tied;
      cache.stale = false;
    };
    return tree_.renew([](const Cache& cache) { return cache.stale; },
                       [&](const Leaf& leaf, Cache& cache) {
                         const GroupView<double, std::uint32_t> groups{leaf.scores, leaf.n_pos, leaf.n_neg, nullptr, nullptr};
                         double tied = 0;
                         for (std::uint32_t i = 0; i < leaf.size; ++i) {
                           const double examples = static_cast<double>(leaf.n_pos[i]) + static_cast<double>(leaf.n_neg[i]);
                           tied += detail::tied_mass(examples, examples);
                         }
                         keep(cache, leaf.size ? detail::scored_sums(groups, leaf.size, leaf.scores[leaf.size / 2]) : ScoredSums{},
                              tied);
                       },
                       [&](const typename Tree::Inner& inner, Cache& cache) {
                         ScoredSums all;
                         double tied = 0;
                         for (std::uint32_t c = 0; c < inner.size; ++c) {
                           all = join(all, *inner.cache[c].scored);
                           tied += inner.cache[c].tied;
                         }
                         keep(cache, all, tied);
                       });
  }

  Tree tree_;
  PairCounts counts_;  // the moments only while they are kept
};

}  // namespace roclab
