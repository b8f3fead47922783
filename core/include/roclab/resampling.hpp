// The bootstrap: models are ranked once, and a replicate is one draw of row counts and one pass over them per model.
//
// Rows are numbered with all positives first; within a class as the first model orders them, so that its pass is sequential.
// A model is given by the group of every row: the rank of its score among the distinct scores of the model. In each replicate
// all models see the same draws, and replicate i is the same on every thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "roclab/array.hpp"
#include "roclab/curve_replicates.hpp"
#include "roclab/parallel.hpp"
#include "roclab/random.hpp"

namespace roclab {

// One class looked up by the other: the position of every query row among the sorted looked-up rows.
struct Lookup {
  Array<std::uint32_t> order;  // looked-up rows by ascending score; empty if they are numbered in this order
  Array<std::uint32_t> below;  // for each query row: looked-up rows of a lower score
  Array<std::uint32_t> up_to;  // of a lower or the same; empty if no row ties with one of the other class

  Lookup(const std::uint32_t* asking, std::size_t n_asking, const std::uint32_t* looked_up, std::size_t n_looked_up,
         std::size_t n_groups) {
    std::vector<std::uint32_t> starts(n_groups + 1, 0);
    for (std::size_t i = 0; i < n_looked_up; ++i) ++starts[looked_up[i] + 1];
    for (std::size_t group = 0; group < n_groups; ++group) starts[group + 1] += starts[group];
    below.resize(n_asking);
    up_to.resize(n_asking);
    bool ties = false;
    for (std::size_t i = 0; i < n_asking; ++i) {
      below[i] = starts[asking[i]];
      up_to[i] = starts[asking[i] + 1];
      ties |= below[i] != up_to[i];
    }
    if (!ties) up_to = {};
    if (std::is_sorted(looked_up, looked_up + n_looked_up)) return;
    order.resize(n_looked_up);
    for (std::size_t i = 0; i < n_looked_up; ++i) order[starts[looked_up[i]]++] = static_cast<std::uint32_t>(i);
  }

  std::uint32_t row(std::size_t place) const { return order.empty() ? static_cast<std::uint32_t>(place) : order[place]; }
  const std::uint32_t* upper() const { return up_to.empty() ? below.data() : up_to.data(); }
};

struct Replicate {
  double value, variance;  // of the AUC or scored AUC, by DeLong; NaN if a class was not drawn, or once for the variance
};

class Resampler {
 public:
  // `clusters`: for each row the cluster that is drawn instead, or null; with clusters `stratified` has no effect.
  Resampler(std::size_t n_pos, std::size_t n_neg, bool stratified, const std::uint32_t* clusters, std::size_t n_clusters)
      : n_pos_(n_pos), n_neg_(n_neg), stratified_(stratified), n_clusters_(n_clusters) {
    if (clusters) clusters_.assign(clusters, clusters + n_pos + n_neg);
  }

  std::size_t rows() const { return n_pos_ + n_neg_; }
  std::size_t models() const { return models_.size(); }

  // Weights of the rows, the same for all models; set before any model is added.
  void weigh(const double* weights) { weights_.assign(weights, weights + rows()); }

  // A model by the group of every row; `scores`, one for each row, if its scored AUC is needed.
  void add(const std::uint32_t* groups, std::size_t n_groups, const double* scores) {
    Model model{
        Lookup(groups, n_pos_, groups + n_pos_, n_neg_, n_groups), Lookup(groups + n_pos_, n_neg_, groups, n_pos_, n_groups), {}};
    if (scores) model.scores.assign(scores, scores + rows());
    models_.push_back(std::move(model));
  }

  // A model of which only curves are needed.
  void add_curve(const std::uint32_t* groups, std::size_t n_groups) { curves_.emplace_back(groups, n_pos_, n_neg_, n_groups); }
  std::size_t curves() const { return curves_.size(); }

  // The number of draws of each row in one replicate.
  void draw(std::uint64_t seed, std::uint64_t replicate, DrawCount* counts) const {
    std::vector<DrawCount> of_clusters(n_clusters_);
    draw(seed, replicate, counts, of_clusters.data());
  }

  // values[(i - first) * models + model] for the replicates i from first to first + count.
  void aucs(std::uint64_t seed, std::uint64_t first, std::size_t count, int threads, double* values) const {
    replicate_in_parallel(seed, first, count, threads, [&](const DrawCount* counts, Scratch& scratch, std::size_t at) {
      for (std::size_t k = 0; k < models(); ++k) values[at * models() + k] = auc(models_[k], counts, scratch);
    });
  }

  void moments(std::uint64_t seed, std::uint64_t first, std::size_t count, int threads, Replicate* replicates) const {
    replicate_in_parallel(seed, first, count, threads, [&](const DrawCount* counts, Scratch& scratch, std::size_t at) {
      for (std::size_t k = 0; k < models(); ++k) replicates[at * models() + k] = moments(models_[k], counts, scratch);
    });
  }

  // rates[((i - first) * curves + curve) * n_places + k]: where the curve of replicate i is at the ascending place k on the axis.
  void rates(std::uint64_t seed, std::uint64_t first, std::size_t count, int threads, Axis axis, const double* places,
             std::size_t n_places, double* rates) const {
    replicate_in_parallel(seed, first, count, threads, [&](const DrawCount* counts, Scratch& scratch, std::size_t at) {
      for (std::size_t k = 0; k < curves(); ++k) {
        double* found = rates + (at * curves() + k) * n_places;
        if (weights_.empty()) rates_along(curves_[k], counts, nullptr, axis, places, n_places, scratch.counted, found);
        else rates_along(curves_[k], counts, weights_.data(), axis, places, n_places, scratch.weighed, found);
      }
    });
  }

 private:
  struct Model {
    Lookup pos_in_neg, neg_in_pos;  // positives looked up among negatives, and the reverse
    std::vector<double> scores;
  };

  struct Scratch {
    std::vector<DrawCount> counts, of_clusters;
    Array<std::uint32_t> drawn;      // draws among the lowest k looked-up rows
    Array<double> mass, score_mass;  // their weight, and weight times score
    CurveScratch<std::uint32_t> counted;
    CurveScratch<double> weighed;
  };

  // Sums over the rows of one class: c draws, w weight, a wins of the row against the other class.
  struct Sums {
    double mass = 0, mass_sq = 0;            // c w, c w^2
    double won = 0, sq_won = 0, won_sq = 0;  // c w a, c w^2 a, c w^2 a^2
  };

  template <class Evaluate>
  void replicate_in_parallel(std::uint64_t seed, std::uint64_t first, std::size_t count, int threads, Evaluate&& evaluate) const {
    const std::size_t tasks = std::min<std::size_t>(count, std::max(threads, 1) * std::size_t{4});
    parallel_for(tasks, threads, [&](std::size_t task) {
      Scratch scratch;
      scratch.counts.resize(rows());
      scratch.of_clusters.resize(n_clusters_);
      for (std::size_t at = count * task / tasks; at < count * (task + 1) / tasks; ++at) {
        pause();
        draw(seed, first + at, scratch.counts.data(), scratch.of_clusters.data());
        evaluate(scratch.counts.data(), scratch, at);
      }
    });
  }

  void draw(std::uint64_t seed, std::uint64_t replicate, DrawCount* counts, DrawCount* of_clusters) const {
    Random random(seed, replicate);
    if (!clusters_.empty()) {
      std::memset(of_clusters, 0, n_clusters_);
      draw_rows(random, n_clusters_, n_clusters_, of_clusters);
      for (std::size_t row = 0; row < rows(); ++row) counts[row] = of_clusters[clusters_[row]];
      return;
    }
    std::memset(counts, 0, rows());
    if (stratified_) {
      draw_rows(random, n_pos_, n_pos_, counts);
      draw_rows(random, n_neg_, n_neg_, counts + n_pos_);
    } else {
      draw_rows(random, rows(), rows(), counts);
    }
  }

  // Without weights, in integers: the smaller class queries, since the other is summed in order.
  double auc(const Model& model, const DrawCount* counts, Scratch& scratch) const {
    if (!weights_.empty() || !model.scores.empty()) return moments(model, counts, scratch).value;
    const bool pos_asks = n_pos_ <= n_neg_;
    const Lookup& lookup = pos_asks ? model.pos_in_neg : model.neg_in_pos;
    const DrawCount* asking = pos_asks ? counts : counts + n_pos_;
    const DrawCount* looked_up = pos_asks ? counts + n_pos_ : counts;
    const std::size_t n_asking = std::min(n_pos_, n_neg_), n_looked_up = std::max(n_pos_, n_neg_);
    scratch.drawn.resize(n_looked_up + 1);
    std::uint32_t* drawn = scratch.drawn.data();
    std::uint32_t sum = drawn[0] = 0;
    if (lookup.order.empty())
      for (std::size_t k = 0; k < n_looked_up; ++k) drawn[k + 1] = sum += looked_up[k];
    else
      for (std::size_t k = 0; k < n_looked_up; ++k) drawn[k + 1] = sum += looked_up[lookup.order[k]];
    const std::uint32_t *below = lookup.below.data(), *upper = lookup.upper();
    std::uint64_t n_drawn = 0, twice = 0;
    for (std::size_t i = 0; i < n_asking; ++i) {
      n_drawn += asking[i];
      twice += asking[i] * (std::uint64_t{drawn[below[i]]} + drawn[upper[i]]);
    }
    const double pairs = 2.0 * static_cast<double>(n_drawn) * sum;
    if (pairs == 0) return std::numeric_limits<double>::quiet_NaN();
    return (pos_asks ? static_cast<double>(twice) : pairs - static_cast<double>(twice)) / pairs;
  }

  Replicate moments(const Model& model, const DrawCount* counts, Scratch& scratch) const {
    const Sums pos = side<true>(model, counts, scratch), neg = side<false>(model, counts, scratch);
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (pos.mass == 0 || neg.mass == 0) return {nan, nan};
    const double value = pos.won / (pos.mass * neg.mass);
    return {value, spread(pos, neg.mass, value) + spread(neg, pos.mass, value)};
  }

  // The contribution of one class to DeLong's variance, with squared weights.
  static double spread(const Sums& own, double other_mass, double value) {
    const double effective = own.mass * own.mass / own.mass_sq;
    if (effective <= 1) return std::numeric_limits<double>::quiet_NaN();
    const double sum = own.won_sq / (other_mass * other_mass) - 2 * value * own.sq_won / other_mass + value * value * own.mass_sq;
    return std::max(sum, 0.0) / (own.mass * own.mass) * effective / (effective - 1);
  }

  template <bool kPositives>
  Sums side(const Model& model, const DrawCount* counts, Scratch& scratch) const {
    const Lookup& lookup = kPositives ? model.pos_in_neg : model.neg_in_pos;
    const std::size_t own = kPositives ? 0 : n_pos_, other = kPositives ? n_pos_ : 0;
    const std::size_t n_own = kPositives ? n_pos_ : n_neg_, n_other = kPositives ? n_neg_ : n_pos_;
    const double* weights = weights_.empty() ? nullptr : weights_.data();
    const double* scores = model.scores.empty() ? nullptr : model.scores.data();
    scratch.mass.resize(n_other + 1);
    scratch.score_mass.resize(scores ? n_other + 1 : 0);
    double *mass = scratch.mass.data(), *score_mass = scratch.score_mass.data();
    double sum = mass[0] = 0, score_sum = 0;
    if (scores) score_mass[0] = 0;
    for (std::size_t k = 0; k < n_other; ++k) {
      const std::size_t row = other + lookup.row(k);
      const double drawn = counts[row] * (weights ? weights[row] : 1.0);
      mass[k + 1] = sum += drawn;
      if (scores) score_mass[k + 1] = score_sum += drawn * scores[row];
    }
    const std::uint32_t *below = lookup.below.data(), *upper = lookup.upper();
    Sums sums;
    for (std::size_t i = 0; i < n_own; ++i) {
      const std::size_t row = own + i;
      if (!counts[row]) continue;
      const double weight = weights ? weights[row] : 1.0, drawn = counts[row] * weight;
      double won;
      if (scores)
        won = kPositives ? scores[row] * mass[below[i]] - score_mass[below[i]]
                         : (score_sum - score_mass[upper[i]]) - scores[row] * (sum - mass[upper[i]]);
      else won = kPositives ? (mass[below[i]] + mass[upper[i]]) / 2 : sum - (mass[below[i]] + mass[upper[i]]) / 2;
      sums.mass += drawn;
      sums.mass_sq += drawn * weight;
      sums.won += drawn * won;
      sums.sq_won += drawn * weight * won;
      sums.won_sq += drawn * weight * won * won;
    }
    return sums;
  }

  std::size_t n_pos_, n_neg_;
  bool stratified_;
  std::size_t n_clusters_;
  std::vector<std::uint32_t> clusters_;
  std::vector<double> weights_;
  std::vector<Model> models_;
  std::vector<GroupedRows> curves_;
};

}  // namespace roclab
