// The kernels without Python: every kernel runs on random data with heavy ties and agrees with counting all pairs.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "roclab/array.hpp"
#include "roclab/binary_labels.hpp"
#include "roclab/count_pairs.hpp"
#include "roclab/grouped_scores.hpp"
#include "roclab/grouping.hpp"
#include "roclab/hinge_loss.hpp"
#include "roclab/kernel_scores.hpp"
#include "roclab/logistic_loss.hpp"
#include "roclab/pair_exchanges.hpp"
#include "roclab/parallel.hpp"
#include "roclab/permutation.hpp"
#include "roclab/published_areas.hpp"
#include "roclab/range_summary.hpp"
#include "roclab/resampling.hpp"
#include "roclab/row_order.hpp"
#include "roclab/score_interval.hpp"
#include "roclab/score_slots.hpp"
#include "roclab/scored_pairs.hpp"
#include "roclab/shifted_pairs.hpp"
#include "roclab/slot_summary.hpp"
#include "roclab/whole_products.hpp"
#include "roclab/wilson_interval.hpp"

namespace {

using namespace roclab;

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b)); }

template <class T>
struct Sample {
  std::vector<std::uint8_t> labels;
  std::vector<T> scores;
};

template <class T>
Sample<T> draw(std::size_t n, double share, double levels, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Sample<T> sample;
  for (std::size_t i = 0; i < n; ++i) {
    const bool positive = uniform(random) < share;
    sample.labels.push_back(positive);
    sample.scores.push_back(static_cast<T>(std::round((normal(random) + positive) * levels)));
  }
  return sample;
}

// All pairs, one by one.
template <class T>
PairCounts by_pairs(const Sample<T>& sample) {
  PairCounts counts;
  for (std::size_t i = 0; i < sample.labels.size(); ++i) {
    std::uint64_t twice = 0;
    for (std::size_t j = 0; j < sample.labels.size(); ++j) {
      if (sample.labels[i] == sample.labels[j]) continue;
      const T a = sample.labels[i] ? sample.scores[i] : sample.scores[j];
      const T b = sample.labels[i] ? sample.scores[j] : sample.scores[i];
      twice += 2 * (a > b) + (a == b);
    }
    if (sample.labels[i]) {
      ++counts.pos;
      counts.twice_wins += twice;
      counts.pos_moment += Wide(twice) * twice;
    } else {
      ++counts.neg;
      counts.neg_moment += Wide(twice) * twice;
    }
  }
  return counts;
}

// The same for the scored AUC.
template <class T>
double scored_by_pairs(const Sample<T>& sample) {
  double gain = 0, pairs = 0;
  for (std::size_t i = 0; i < sample.labels.size(); ++i)
    for (std::size_t j = 0; j < sample.labels.size(); ++j) {
      if (!sample.labels[i] || sample.labels[j]) continue;
      gain += std::max(0.0, static_cast<double>(sample.scores[i]) - static_cast<double>(sample.scores[j]));
      ++pairs;
    }
  return gain / pairs;
}

bool equal(const PairCounts& a, const PairCounts& b) {
  return a.pos == b.pos && a.neg == b.neg && a.twice_wins == b.twice_wins && a.pos_moment == b.pos_moment &&
         a.neg_moment == b.neg_moment;
}

// Moving nothing leaves the AUC as it is, in both definitions of granular areas; moving far decides every pair.
template <class T>
void check_shifts(const Groups<T>& groups, const PairCounts& expected, int threads, const std::string& what) {
  std::vector<T> scores[2];
  std::vector<std::int64_t> mass[2];
  for (std::size_t i = 0; i < groups.scores.size(); ++i)
    for (const int label : {0, 1}) {
      const std::int64_t count = label ? groups.pos[i] : groups.neg[i];
      if (count) scores[label].push_back(groups.scores[i]), mass[label].push_back(count);
    }
  const ClassView<T, std::int64_t> pos{scores[1].data(), mass[1].data(), mass[1].size()};
  const ClassView<T, std::int64_t> neg{scores[0].data(), mass[0].data(), mass[0].size()};
  const std::vector<T> shifts{T(0), T(1) << 30, -(T(1) << 30)};
  const auto pairs = static_cast<std::int64_t>(expected.pos * expected.neg), ties = static_cast<std::int64_t>(expected.twice_wins);
  for (const TieRule rule : {TieRule::rounded, TieRule::exact}) {
    const auto wins = shifted_wins(pos, neg, shifts.data(), 3, rule, threads);
    check(wins == std::vector<std::int64_t>{ties, 2 * pairs, 0}, what + " shifted_wins");
  }
  const auto areas =
      published_areas(groups.scores.data(), groups.pos.data(), groups.neg.data(), groups.scores.size(), shifts.data(), 1, threads);
  check(close(areas[0].low, expected.auc()) && close(areas[0].up, expected.auc()), what + " published_areas");
}

// With all scores of a class as cuts, counts by slot are exact, and so are the scored sums; rows in gaps are divided by gap.
template <class T>
void check_slots(const Sample<T>& sample, const Groups<T>& groups, const RangeSummary& expected, int threads,
                 const std::string& what) {
  const std::size_t n = sample.labels.size();
  for (const int rare : {0, 1}) {
    std::vector<T> cuts;
    for (std::size_t i = 0; i < groups.scores.size(); ++i)
      if (rare ? groups.pos[i] : groups.neg[i]) cuts.push_back(groups.scores[i]);
    SlotCounter<T> counter(cuts.data(), cuts.size(), threads);
    for (const std::size_t first : {std::size_t{0}, n / 3}) {
      const std::size_t rows = first ? n - first : n / 3;
      check(counter.add(sample.labels.data() + first, sample.scores.data() + first, rows), what + " slots");
    }
    counter.add_distances(sample.labels.data(), sample.scores.data(), nullptr, n, rare == 1);
    const auto pos = counter.counts(1), neg = counter.counts(0);
    std::vector<double> slots(pos.size());
    for (std::size_t slot = 0; slot < slots.size(); ++slot) slots[slot] = static_cast<double>(slot);
    const GroupView<double, std::int64_t> view{slots.data(), pos.data(), neg.data(), nullptr, nullptr};
    RangeSummary found = summarize_from(std::nullopt, view, slots.size(), threads);
    check(equal(found.counts, expected.counts), what + " slots, counts");
    const SlotMasses<std::int64_t> masses{pos.data(), neg.data(), pos.data(), neg.data()};
    found.scored = slot_scored_sums(steps_of(cuts.data(), cuts.size()), masses, counter.distances(), rare == 1);
    found.lowest = expected.lowest, found.highest = expected.highest;
    check(close(found.scored_auc(), expected.scored_auc()), what + " slots, scored AUC");
    const double variance = expected.scored_auc_variance();
    check(std::abs(found.scored_auc_variance() - variance) <= 1e-10 * variance, what + " slots, variance of the scored AUC");
    RowsByGap rows;
    check(counter.divide(sample.labels.data(), sample.scores.data(), n, rows), what + " divide");
    for (std::size_t segment = 0; segment + 1 < rows.begin.size(); ++segment)
      for (auto i = rows.begin[segment]; i < rows.begin[segment + 1]; ++i) {
        const std::size_t row = rows.order[static_cast<std::size_t>(i)], gap = segment / 2;
        const bool inside =
            (gap == 0 || cuts[gap - 1] < sample.scores[row]) && (gap == cuts.size() || sample.scores[row] < cuts[gap]);
        check(inside && sample.labels[row] == segment % 2, what + " rows in their gap");
      }
  }
  std::vector<std::uint32_t> group(n);
  // Groups 0, 1, 4 and 6 in two batches, the last one only in the second.
  GroupedScores<T> grouped;
  const std::size_t half = n / 2;
  for (std::size_t i = 0; i < n; ++i) group[i] = static_cast<std::uint32_t>(i >= half && i % 7 == 0 ? 6 : i * i % 5);
  check(grouped.add(group.data(), 5, sample.labels.data(), sample.scores.data(), half), what + " first rows by group");
  check(grouped.add(group.data() + half, 7, sample.labels.data() + half, sample.scores.data() + half, n - half),
        what + " further rows by group");
  check(grouped.bytes() >= n * sizeof(T), what + " bytes of rows by group");
  const GroupRows rows_of = grouped.rows();
  const GroupPairs by_group = grouped.pairs(threads);
  check(rows_of.groups == by_group.groups && std::is_sorted(rows_of.groups.begin(), rows_of.groups.end()), what + " groups");
  std::size_t rows_in_groups = 0;
  for (std::size_t place = 0; place < by_group.groups.size(); ++place) {
    Sample<T> part;
    for (std::size_t i = 0; i < n; ++i)
      if (group[i] == by_group.groups[place]) part.labels.push_back(sample.labels[i]), part.scores.push_back(sample.scores[i]);
    check(equal(by_group.pairs[place], by_pairs(part)), what + " pairs by group");
    check(rows_of.rows[place] == static_cast<std::int64_t>(part.labels.size()), what + " rows by group");
    rows_in_groups += part.labels.size();
  }
  check(rows_in_groups == n, what + " all rows by group");
}

template <class T>
void check_kernels(const char* type) {
  for (const std::size_t n : {0, 1, 2, 33, 700}) {
    for (const double share : {0.0, 0.04, 0.5, 0.9}) {
      for (const double levels : {1.0, 20.0, 1e6}) {
        const auto sample = draw<T>(n, share, levels, static_cast<unsigned>(n));
        const PairCounts expected = by_pairs(sample);
        const std::string what = std::string(type) + " n=" + std::to_string(n) + " share=" + std::to_string(share);
        for (const int threads : {1, 3}) {
          const auto direct = count_pairs(sample.labels.data(), sample.scores.data(), n, true, threads);
          check(direct && equal(*direct, expected), what + " count_pairs");
          const auto wins = count_pairs(sample.labels.data(), sample.scores.data(), n, false, threads);
          check(wins && wins->twice_wins == expected.twice_wins, what + " count_pairs, wins only");
          const auto groups = group_scores(sample.labels.data(), sample.scores.data(), n, threads);
          const GroupView<T, std::int64_t> view{groups->scores.data(), groups->pos.data(), groups->neg.data(), nullptr, nullptr};
          const RangeSummary summary = summarize(view, groups->scores.size(), threads);
          check(equal(summary.counts, expected), what + " group and summarize");
          if (expected.pos < 2 || expected.neg < 2) continue;
          if constexpr (std::same_as<T, std::int64_t>) check_shifts(*groups, expected, threads, what);
          check_slots(sample, *groups, summary, threads, what);
          const auto scored = scored_pairs(sample.labels.data(), sample.scores.data(), n, threads);
          const double value = scored_by_pairs(sample);
          check(std::abs(scored->scored_auc() - value) <= 1e-12 * value, what + " scored_pairs");
          const double variance = summary.scored_auc_variance();
          check(std::abs(scored->scored_auc_variance() - variance) <= 1e-10 * variance, what + " scored_pairs, variance");
        }
      }
    }
  }
}

// Beyond the size at which rows are divided by score, where counting all pairs would take too long.
void check_large() {
  const std::size_t n = 1300000;
  for (const double levels : {100.0, 1e9}) {
    const auto sample = draw<double>(n, 0.5, levels, 7);
    const auto direct = count_pairs(sample.labels.data(), sample.scores.data(), n, true, 2);
    const auto wins = count_pairs(sample.labels.data(), sample.scores.data(), n, false, 2);
    const auto groups = group_scores(sample.labels.data(), sample.scores.data(), n, 2);
    const GroupView<double, std::int64_t> view{groups->scores.data(), groups->pos.data(), groups->neg.data(), nullptr, nullptr};
    const RangeSummary summary = summarize(view, groups->scores.size(), 2);
    check(equal(*direct, summary.counts) && wins->twice_wins == direct->twice_wins, "large sample");
    const auto rows = order_rows<std::uint32_t>(sample.scores.data(), n, 2);
    bool ordered = true;
    for (std::size_t i = 1; i < n; ++i) {
      const double a = sample.scores[(*rows)[i - 1]], b = sample.scores[(*rows)[i]];
      ordered &= a < b || (a == b && (*rows)[i - 1] < (*rows)[i]);
    }
    check(ordered, "order of a large sample");
  }
}

// Points of a replicate's curve lie on it, on every axis and for any number of threads.
void check_curves(const Sample<std::int32_t>& sample, std::size_t n_pos, const std::vector<std::uint32_t>& groups,
                  std::size_t n_groups) {
  const std::size_t n = groups.size(), n_neg = n - n_pos;
  Resampler resampler(n_pos, n_neg, true, nullptr, 0);
  resampler.add_curve(groups.data(), n_groups);
  const std::vector<double> places{0, 0.1, 0.25, 0.5, 0.9, 1};
  const std::size_t k = places.size();
  std::vector<double> tprs(7 * k), again(7 * k), along(7);
  resampler.rates(3, 40, 7, 1, Axis{1, 0}, places.data(), k, tprs.data());
  resampler.rates(3, 40, 7, 4, Axis{1, 0}, places.data(), k, again.data());
  check(tprs == again, "curves on several threads");
  for (std::size_t i = 0; i < 7; ++i) {
    std::vector<DrawCount> counts(n);
    resampler.draw(3, 40 + i, counts.data());
    for (std::size_t at = 0; at < k; ++at) {
      // The highest of the curve at that FPR, over all neighbouring points.
      double highest = 0;
      for (std::size_t group = 0; group < n_groups; ++group) {
        double above[2] = {0, 0}, here[2] = {0, 0};
        for (std::size_t row = 0; row < n; ++row) {
          const double rate = counts[row] / static_cast<double>(sample.labels[row] ? n_pos : n_neg);
          if (groups[row] > group) above[sample.labels[row]] += rate;
          if (groups[row] == group) here[sample.labels[row]] += rate;
        }
        if (above[0] > places[at] + 1e-9) continue;
        const double share = here[0] > 0 ? std::min(1.0, (places[at] - above[0]) / here[0]) : 1.0;
        highest = std::max(highest, above[1] + share * here[1]);
      }
      check(close(tprs[i * k + at], highest), "TPR of a replicate");
    }
    const double place = 0.3 + 2 * tprs[i * k + 2], fpr = 0.25;
    resampler.rates(3, 40 + i, 1, 1, Axis{0.3 / fpr, 2}, &place, 1, &along[i]);
    check(close(along[i], tprs[i * k + 2]), "a point found along another axis");
  }
}

// A pair of models has the same exchanges alone and among others, for any order of rows and models.
void check_pair_exchanges() {
  const std::vector<std::uint8_t> positive{0, 0, 0, 1, 1, 1, 0, 1};
  // Twice the midranks; the second model has ties.
  const std::vector<std::uint32_t> ranks{1, 5, 3, 7, 15, 13, 9, 11, 2, 2, 6, 6, 11, 15, 11, 11, 9, 3, 1, 5, 13, 11, 7, 15};
  const PairExchanges three(positive.data(), ranks.data(), 8, 3, 1, 500);
  using Counts = std::pair<std::size_t, std::size_t>;
  check(three.reaching(0, 1, 0.25, 0.5, 0.0, 1000) == Counts(500, 500), "any distance is at least 0");
  check(three.reaching(0, 1, 0.25, 0.5, 30.0, 1000) == Counts(0, 500), "no exchange is that far");
  check(three.reaching(0, 1, 0.25, 0.5, 0.0, 40) == Counts(40, 40), "drawn until enough have been found");
  const Counts among = three.reaching(1, 2, 0.25, 0.5, 0.5, 1000);
  check(0 < among.first && among.first < 500, "some exchanges are that far");
  check(three.reaching(2, 1, 0.25, 0.5, 0.5, 1000) == among, "models in another order");
  // The last two models, with their rows in reverse.
  const std::vector<std::uint8_t> turned(positive.rbegin(), positive.rend());
  const std::vector<std::uint32_t> turned_ranks(ranks.rbegin(), ranks.rbegin() + 16);
  const PairExchanges two(turned.data(), turned_ranks.data(), 8, 2, 1, 500);
  check(two.reaching(0, 1, 0.25, 0.5, 0.5, 1000) == among, "a pair alone, its rows in another order");
}

// A replicate is the AUC of the rows that were drawn; all methods agree, for any number of threads.
void check_resampling() {
  const std::size_t n = 700;
  auto sample = draw<std::int32_t>(n, 0.3, 3, 11);
  std::stable_sort(sample.labels.begin(), sample.labels.end(), std::greater<>());  // positives first
  const std::size_t n_pos = std::count(sample.labels.begin(), sample.labels.end(), 1);
  const auto lowest = *std::min_element(sample.scores.begin(), sample.scores.end());
  std::vector<std::uint32_t> groups;
  for (const auto score : sample.scores) groups.push_back(static_cast<std::uint32_t>(score - lowest));
  const std::size_t n_groups = *std::max_element(groups.begin(), groups.end()) + 1;
  for (const bool stratified : {true, false}) {
    Resampler resampler(n_pos, n - n_pos, stratified, nullptr, 0);
    resampler.add(groups.data(), n_groups, nullptr);
    constexpr std::size_t kCount = 9;
    std::vector<double> one(kCount), two(kCount);
    std::vector<Replicate> moments(kCount);
    resampler.aucs(5, 100, kCount, 1, one.data());
    resampler.aucs(5, 100, kCount, 3, two.data());
    resampler.moments(5, 100, kCount, 2, moments.data());
    for (std::size_t i = 0; i < kCount; ++i) {
      std::vector<DrawCount> counts(n);
      resampler.draw(5, 100 + i, counts.data());
      Sample<std::int32_t> drawn;
      for (std::size_t row = 0; row < n; ++row)
        for (int times = 0; times < counts[row]; ++times) {
          drawn.labels.push_back(sample.labels[row]);
          drawn.scores.push_back(sample.scores[row]);
        }
      const PairCounts expected = by_pairs(drawn);
      check(drawn.labels.size() == n, "number of rows drawn");
      check(close(one[i], expected.auc()) && one[i] == two[i], "AUC of a replicate");
      check(close(moments[i].value, expected.auc()) && close(moments[i].variance, expected.auc_variance()),
            "moments of a replicate");
    }
  }
  check_curves(sample, n_pos, groups, n_groups);
  const std::vector<std::uint8_t> positive{0, 1, 0, 1}, column(4, 0), ends(4, 1);
  const Permuter permuter(Exchange::labels, positive.data(), column.data(), nullptr, ends.data(), 4, 0);
  std::vector<double> differences(50), again(50);
  permuter.differences(1, 0, 50, 1, differences.data());
  permuter.differences(1, 0, 50, 4, again.data());
  check(differences == again, "permutations on several threads");
  for (const double difference : differences) check(std::abs(difference) <= 0.5, "an AUC with labels exchanged");
  // Two samples of two positives and two negatives.
  const std::vector<std::uint8_t> both{0, 0, 1, 0, 1, 0, 1, 1}, sample_of{0, 1, 0, 0, 1, 1, 1, 0}, each(8, 1);
  const Permuter samples(Exchange::columns, both.data(), sample_of.data(), nullptr, each.data(), 8, 0);
  check(samples.reaching(1, 500, 1, 0.25, 0.5, 0.0) == 500, "any distance is at least 0");
  check(samples.reaching(1, 500, 1, 0.25, 0.5, 0.1) == samples.reaching(1, 500, 4, 0.25, 0.5, 0.1), "exchanges on several threads");
  check(samples.reaching(1, 500, 1, 0.25, 0.5, 30.0) == 0, "no exchange is that far");
  check_pair_exchanges();
}

// Losses over pairs, at scores far from zero, by one order after another.
void check_losses() {
  const double gamma = 0.75, offset = 1e4;
  const auto sample = draw<double>(3000, 0.3, 4, 5);
  const std::size_t n = sample.labels.size();
  std::vector<double> scores(n), weights(n), gradient(n), curvature(n), product(n), ones(n, 1.0);
  for (std::size_t i = 0; i < n; ++i) scores[i] = offset + sample.scores[i] / 4, weights[i] = 1 + static_cast<double>(i % 3);
  double total[2] = {0, 0};
  for (std::size_t i = 0; i < n; ++i) total[sample.labels[i]] += weights[i];
  for (const int power : {0, 1, 2, 3}) {  // 0 is the logistic loss
    long double value = 0;                // two million terms
    std::vector<double> slopes(n, 0.0);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n && sample.labels[j]; ++k) {
        if (sample.labels[k]) continue;
        const double d = scores[j] - scores[k], mass = weights[j] * weights[k] / total[0] / total[1];
        if (power && d >= gamma) continue;
        value +=
            mass * (power ? std::pow(gamma - d, power) : std::max(-d / gamma, 0.0) + std::log1p(std::exp(-std::abs(d) / gamma)));
        const double slope = mass * (power ? power * std::pow(gamma - d, power - 1) : 1 / (1 + std::exp(d / gamma)) / gamma);
        slopes[j] -= slope;
        slopes[k] += slope;
      }
    auto check_loss = [&](auto loss) {
      loss.evaluate(weights.data(), 2, {});  // leaves another order behind
      check(close(loss.evaluate(scores.data(), 2, {gradient.data(), curvature.data()}), static_cast<double>(value)),
            "loss over pairs");
      bool same = true;
      for (std::size_t i = 0; i < n; ++i) same &= std::abs(gradient[i] - slopes[i]) < 1e-14;
      check(same, "gradient of a loss over pairs");
      loss.hessian_product(ones.data(), 2, product.data());
      bool flat = true, convex = true;
      for (std::size_t i = 0; i < n; ++i) flat &= std::abs(product[i]) < 1e-14, convex &= curvature[i] >= 0;
      check(flat && convex, "Hessian of a loss over pairs: no curvature where all scores move alike");
    };
    if (power) check_loss(HingeLoss(sample.labels.data(), weights.data(), n, gamma, power));
    else check_loss(LogisticLoss(sample.labels.data(), weights.data(), n, gamma));
  }
}

void check_row_hashes() {
  // Three rows of two columns, the last one as the first; then the same without its zeros.
  const std::vector<double> dense{0, 1.5, 2, 0, -0.0, 1.5}, values{1.5, 2, 1.5};
  const std::vector<std::int64_t> starts{0, 1, 2, 3}, columns{1, 0, 1};
  const std::vector<std::uint8_t> labels{1, 0, 1}, other{1, 0, 0};
  for (const bool sparse : {false, true}) {
    const NumberRows rows{sparse ? values.data() : dense.data(), sparse ? starts.data() : nullptr,
                          sparse ? columns.data() : nullptr, 3, 2};
    std::uint64_t hashes[3], with_other[3];
    hash_rows(rows, labels.data(), 2, hashes);
    hash_rows(rows, other.data(), 1, with_other);
    check(hashes[0] == hashes[2] && hashes[0] != hashes[1], "hashes of equal rows and of others");
    check(hashes[0] == with_other[0] && with_other[0] != with_other[2], "hashes of rows with other labels");
  }
}

void check_spare_blocks() {
  constexpr std::size_t large = 3u << 20;  // doubles, in a block that is kept
  double* first = nullptr;
  {
    Array<double> array(large);
    first = array.data();
  }
  check(Array<double>(large / 2).data() != first, "a block of another size");
  check(Array<double>(large).data() == first, "a block used again");
  // Many threads at once: no two of them may hold the same block.
  std::atomic<bool> whole{true};
  parallel_for(64, 4, [&](std::size_t task) {
    for (std::size_t round = 0; round < 8; ++round) {
      Array<std::size_t> array((large << ((task + round) % 3)) / 2);
      for (std::size_t i = 0; i < array.size(); i += 4096) array[i] = 64 * round + task;
      for (std::size_t i = 0; i < array.size(); i += 4096) whole = whole && array[i] == 64 * round + task;
    }
  });
  check(whole, "blocks of several threads");
}

void check_whole_products() {
  std::mt19937_64 random(5);
  for (const int bits : {22, 23, 53}) {
    const std::size_t count = 6, length = 40'000, stride = length + 3;
    std::vector<double> values(count * stride);
    std::uniform_int_distribution<std::int64_t> number(-(std::int64_t{1} << bits), std::int64_t{1} << bits);
    for (double& value : values) value = static_cast<double>(number(random));
    const WholeRows rows{values.data(), count, length, stride};
    const auto products = whole_products(rows, 1);
    bool exact = products == whole_products(rows, 3);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j) {
        SignedWide sum = 0;
        for (std::size_t c = 0; c < length; ++c)
          sum += SignedWide(static_cast<std::int64_t>(rows[i][c])) * static_cast<std::int64_t>(rows[j][c]);
        exact = exact && products[i * count + j] == sum;
      }
    check(exact, "products of whole numbers");
  }
}

void check_slots() {
  const std::vector<double> cuts{0.2, 0.4}, scores{0.1, 0.4, 0.3, 0.9, 0.2};
  const std::vector<std::uint8_t> labels{0, 1, 0, 1, 1};
  SlotCounter<double> counter(cuts.data(), cuts.size(), 2);
  std::vector<std::uint32_t> slots(scores.size());
  check(counter.locate(labels.data(), scores.data(), scores.size(), slots.data()), "rows without NaN");
  check(slots == std::vector<std::uint32_t>{0, 3, 2, 4, 1}, "slots of rows");
  check(counter.counts(1) == std::vector<std::int64_t>{0, 1, 0, 1, 1}, "positives by slot");
}

// Integers of other types have the same order as signed ones of 64 bits, and come back as they were.
template <class T>
void check_converted(T least, const std::string& what) {
  auto sample = draw<T>(500, 0.3, 3, 5);
  for (T& score : sample.scores) score = static_cast<T>(score % 64 + 64 + least);
  const KernelScores<T> scores(sample.scores.data(), sample.scores.size(), 2);
  auto groups = group_scores(sample.labels.data(), scores.data(), scores.size(), 1);
  const auto counts = count_pairs(sample.labels.data(), scores.data(), scores.size(), true, 1);
  check(equal(*counts, by_pairs(sample)), what + " count_pairs");
  std::vector<T> distinct = sample.scores;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const Array<T> restored = scores.restored(std::move(groups->scores));
  check(std::equal(distinct.begin(), distinct.end(), restored.begin(), restored.end()), what + " restored");
}

void check_the_rest() {
  const std::vector<std::uint8_t> labels{0, 1, 0, 1};
  const std::vector<double> scores{0.1, std::numeric_limits<double>::quiet_NaN(), 0.4, 0.8}, weights{1, 2, 1, 2};
  check(!count_pairs(labels.data(), scores.data(), 4, false, 1), "NaN in count_pairs");
  check(!group_scores(labels.data(), scores.data(), 4, 1), "NaN in group_scores");
  check(!order_rows<std::uint32_t>(scores.data(), 4, 1), "NaN in order_rows");

  const std::vector<double> tied{0.1, 0.4, 0.4, 0.8};
  const auto groups = group_weighted(labels.data(), tied.data(), weights.data(), 4, 1);
  const GroupView<double, double> view{groups->scores.data(), groups->pos.data(), groups->neg.data(), groups->pos_squared.data(),
                                       groups->neg_squared.data()};
  check(close(summarize(view, groups->scores.size(), 1).auc(), 0.875), "weighted AUC");

  for (const auto& [low, high] :
       {wilson_interval(1, 0, 10, 20, 1.96), score_interval(1, 10, 20, 1.96), newcombe_interval(1, 10, 20, 1.96)})
    check(low > 0.5 && low < 1 && high == 1, "interval at AUC 1");

  const std::vector<int> signs{1, -1, 1};
  std::vector<std::uint8_t> read(3);
  const LabelValues seen = binary_labels(signs.data(), 3, read.data());
  check(seen.minus_one && !seen.zero && !seen.other && read[0] == 1 && read[1] == 0, "labels -1 and 1");
}

}  // namespace

int main() {
  check_kernels<double>("double");
  check_kernels<float>("float");
  check_converted<std::int32_t>(0, "int32");
  check_converted<std::uint64_t>(0, "uint64");
  check_converted<std::uint64_t>(std::uint64_t{1} << 63, "large uint64");
  check_kernels<std::int64_t>("int64");
  check_large();
  check_resampling();
  check_losses();
  check_row_hashes();
  check_spare_blocks();
  check_whole_products();
  check_slots();
  check_the_rest();
  return report();
}
