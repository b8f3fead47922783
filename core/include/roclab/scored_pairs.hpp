// The scored AUC and its variance without sorting all rows: the larger class is looked up in the sorted smaller one.
//
// Each row is measured from the nearest value of the smaller class, and running sums carry the distances beyond that value
// from one to the next. Every term is a distance, so nothing cancels, for any spread of the scores and far from zero.
// A smaller class that does not fit into cache is first divided by score, and the parts are joined.
//
// Glossary
//   gain    of a positive: sum over negatives of max(y - x, 0); of a negative: sum over positives of max(y - x, 0)
//   place   of a row among the distinct values of the smaller class: the number of values behind it
//   step    the distance of a row from the first value it has ahead of it: up if these are positives, down if negatives
//   reach   the distance of an example from that end of its range beyond which further pairs lie: the low end for a
//           positive, the high end for a negative
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "array.hpp"
#include "count_pairs.hpp"
#include "parallel.hpp"
#include "partition.hpp"
#include "range_summary.hpp"
#include "rank_table.hpp"

namespace roclab {

// Sums over all pairs of max(y - x, 0), and of its squared sums per positive and per negative.
struct ScoredPairs {
  std::uint64_t pos = 0, neg = 0;
  double gain = 0, pos_gain_sq = 0, neg_gain_sq = 0;

  double scored_auc() const {
    if (pos == 0 || neg == 0) return std::numeric_limits<double>::quiet_NaN();
    return gain / static_cast<double>(pos) / static_cast<double>(neg);
  }

  double scored_auc_variance() const {
    const double p = static_cast<double>(pos), n = static_cast<double>(neg), mean = scored_auc();
    return detail::class_variance(p * (p - 1), p, gain, pos_gain_sq, n, mean) +
           detail::class_variance(n * (n - 1), n, gain, neg_gain_sq, p, mean);
  }
};

namespace detail {

// Sums over the rows at one place.
struct PlaceSums {
  double rows, step, step_sq;
};

// Sums over the examples of one class in a range of scores.
struct GainSums {
  double count = 0, gain = 0, gain_sq = 0, reach = 0, reach_sq = 0, gain_reach = 0;

  // The sums after every example gains `weight` times its reach, plus `more`, from pairs beyond the range.
  GainSums raised(double weight, double more) const {
    GainSums sums = *this;
    sums.gain += weight * reach + more * count;
    sums.gain_sq += 2 * (weight * gain_reach + more * gain) + weight * (weight * reach_sq + 2 * more * reach) + more * more * count;
    return sums;
  }
};

struct BothGains {
  GainSums small, large;
};

// The distinct values of a sorted smaller class, and the places of rows among them.
template <Score T>
class GainTable {
 public:
  // `edge`, if there is one, lies at or beyond all rows, and beyond the values, on the side to which steps lead: rows beyond
  // all values, which gain nothing, are then measured too.
  [[gnu::noinline]] GainTable(const Array<T>& small, bool small_is_pos, std::optional<T> edge) : small_is_pos_(small_is_pos) {
    Array<T> values;
    values.reserve(small.size() + 1);
    repeats_.reserve(small.size() + 1);
    auto add = [&](T x, double repeats) {
      values.push_back(x);
      repeats_.push_back(repeats);
    };
    if (edge && !small_is_pos && (small.empty() || *edge < small[0])) add(*edge, 0);
    for (const T x : small) {
      if (values.empty() || values.back() < x) add(x, 0);
      ++repeats_.back();
    }
    if (edge && small_is_pos && (small.empty() || small.back() < *edge)) add(*edge, 0);
    const bool tied = values.size() < small.size() / 4;
    table_.emplace(std::move(values), tied ? 16 : 1);
  }

  std::size_t places() const { return table_->size() + 1; }

  // Adds rows to the sums of their places. True if a NaN was seen.
  [[gnu::noinline]] bool add_rows(const T* rows, std::size_t n, PlaceSums* sums) const {
    const T* values = table_->values();
    auto add = [](PlaceSums& place, double step) {
      place.rows += 1;
      place.step += step;
      place.step_sq += step * step;
    };
    // Equal values have a step of 0: a place is the number of values below a row, or not above it.
    if (small_is_pos_) {
      const std::size_t last = table_->size() - 1;
      return table_->template visit_places<false>(
          rows, n, {sums, sizeof *sums}, [=](T x, std::size_t at) { add(sums[at], step_between(x, values[std::min(at, last)])); });
    }
    return table_->template visit_places<true>(rows, n, {sums, sizeof *sums},
                                               [=](T x, std::size_t at) { add(sums[at], step_between(values[at - (at > 0)], x)); });
  }

  // What all examples gain from one another, where `sums` hold the rows of the larger class, and of the smaller one too if
  // `with_small`. `low` and `high` are the ends of the range, from which reaches are measured.
  [[gnu::noinline]] BothGains gains(const PlaceSums* sums, bool with_small, T low, T high) const {
    const std::size_t size = table_->size();
    const T* values = table_->values();
    // The k-th value in the direction of the steps, counted from the end that has no values beyond it.
    auto value = [&](std::size_t k) { return small_is_pos_ ? k : size - 1 - k; };
    auto place = [&](std::size_t k) { return small_is_pos_ ? k : size - k; };
    auto between = [&](std::size_t k, std::size_t next) {
      return small_is_pos_ ? step_between(values[value(k)], values[value(next)])
                           : step_between(values[value(next)], values[value(k)]);
    };
    const T near = small_is_pos_ ? low : high, far = small_is_pos_ ? high : low;
    auto from = [&](T end, T x) { return x < end ? step_between(x, end) : step_between(end, x); };
    BothGains both;
    RunningSum gained;  // by a value from the rows behind it
    double behind = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const PlaceSums& here = sums[place(k)];
      const double repeats = repeats_[value(k)];
      if (k > 0) gained.add(between(k - 1, k) * behind);
      gained.add(here.step);
      behind += here.rows - (with_small ? repeats : 0);
      add(both.small, repeats, gained.value(), from(near, values[value(k)]));
    }
    RunningSum lost;  // by a row at a value to the values ahead of it
    double ahead = 0;
    for (std::size_t k = size; k-- > 0;) {
      const PlaceSums& here = sums[place(k)];
      const double rows = here.rows - (with_small ? repeats_[value(k)] : 0);
      if (k + 1 < size) lost.add(between(k, k + 1) * ahead);
      ahead += repeats_[value(k)];
      add(both.large, rows, lost.value(), from(far, values[value(k)]));
      // The rest of the gain, `ahead` times the step, and of the reach, the step.
      const double gain = lost.value(), reach = from(far, values[value(k)]);
      both.large.gain += ahead * here.step;
      both.large.gain_sq += ahead * (2 * gain * here.step + ahead * here.step_sq);
      both.large.reach += here.step;
      both.large.reach_sq += 2 * reach * here.step + here.step_sq;
      both.large.gain_reach += gain * here.step + ahead * (reach * here.step + here.step_sq);
    }
    // Rows beyond all values gain nothing, but infinite ones must be noticed.
    const PlaceSums& beyond = sums[place(size)];
    if (!std::isfinite(beyond.step)) both.large.gain = std::numeric_limits<double>::quiet_NaN();
    return both;
  }

 private:
  static void add(GainSums& sums, double count, double gain, double reach) {
    sums.count += count;
    sums.gain += count * gain;
    sums.gain_sq += count * gain * gain;
    sums.reach += count * reach;
    sums.reach_sq += count * reach * reach;
    sums.gain_reach += count * gain * reach;
  }

  bool small_is_pos_;
  std::vector<double> repeats_;
  std::optional<RankTable<T>> table_;
};

// One part of the rows: the gains within it, and the sums needed to join it with others.
template <Score T>
struct ScoredPart {
  GainSums pos, neg;
  T low{}, high{};
  bool empty = true;
};

template <Score T>
ScoredPart<T> scored_part(Partition<T>& rows, std::size_t part) {
  const std::size_t size[2] = {rows.size(part, 0), rows.size(part, 1)};
  if (size[0] + size[1] == 0) return {};
  const bool small_is_pos = size[1] <= size[0];
  const T* small = rows.segment(part, small_is_pos);
  const T* large = rows.segment(part, !small_is_pos);
  Array<T> sorted(small, small + size[small_is_pos]);
  sort_scores(sorted, 1);
  T low = large[0], high = large[0];
  for (std::size_t i = 1; i < size[!small_is_pos]; ++i) {
    low = large[i] < low ? large[i] : low;
    high = large[i] > high ? large[i] : high;
  }
  const GainTable<T> table(sorted, small_is_pos, small_is_pos ? high : low);
  if (!sorted.empty()) low = std::min(low, sorted.front()), high = std::max(high, sorted.back());
  std::vector<PlaceSums> sums(table.places(), PlaceSums{});
  table.add_rows(large, size[!small_is_pos], sums.data());
  const BothGains both = table.gains(sums.data(), false, low, high);
  return {small_is_pos ? both.small : both.large, small_is_pos ? both.large : both.small, low, high, false};
}

template <Score T>
void join_parts(const std::vector<ScoredPart<T>>& parts, ScoredPairs& result) {
  auto sweep = [&](bool up) {
    GainSums total;
    double passed = 0, more = 0;  // examples of the other class in the parts behind, and their distances
    const ScoredPart<T>* last = nullptr;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const ScoredPart<T>& part = parts[up ? i : parts.size() - 1 - i];
      if (part.empty) continue;
      if (last) {
        const GainSums& left = up ? last->neg : last->pos;
        const double width = step_between(last->low, last->high);
        const double gap = up ? step_between(last->high, part.low) : step_between(part.high, last->low);
        more += passed * (width + gap) + left.reach + left.count * gap;
        passed += left.count;
      }
      const GainSums raised = (up ? part.pos : part.neg).raised(passed, more);
      total.gain += raised.gain;
      total.gain_sq += raised.gain_sq;
      last = &part;
    }
    return total;
  };
  const GainSums pos = sweep(true), neg = sweep(false);
  result.gain = pos.gain;
  result.pos_gain_sq = pos.gain_sq;
  result.neg_gain_sq = neg.gain_sq;
}

}  // namespace detail

// Nothing if a score is NaN; sums that are not finite if one is infinite. Labels are 0 or 1.
template <Score T>
std::optional<ScoredPairs> scored_pairs(const std::uint8_t* labels, const T* scores, std::size_t n, int threads) {
  using namespace detail;
  if (n < kThreadRows) threads = 1;
  const auto before = positives_before(labels, n, threads);
  ScoredPairs result;
  result.pos = before.back();
  result.neg = n - result.pos;
  const bool small_is_pos = result.pos <= result.neg;
  const std::size_t small_size = std::min(result.pos, result.neg);
  if (small_size > kWholeMoments && !mostly_tied(labels, scores, n, small_is_pos)) {
    auto rows = partition_rows(labels, scores, n, small_size / kPart, threads);
    if (!rows) return std::nullopt;
    std::vector<ScoredPart<T>> parts(rows->parts());
    parallel_for(parts.size(), threads, [&](std::size_t part) { parts[part] = scored_part(*rows, part); });
    join_parts(parts, result);
    return result;
  }
  Array<T> small = gather_class(labels, scores, n, small_is_pos, before, threads);
  for (const T x : small)
    if (is_nan(x)) return std::nullopt;
  if (small.empty()) return std::any_of(scores, scores + n, is_nan<T>) ? std::nullopt : std::optional(result);
  sort_scores(small, threads);
  const T low = small.front(), high = small.back();
  const GainTable<T> table(small, small_is_pos, std::nullopt);
  // The number of slabs does not depend on the threads, so that rounding is the same; limited by their memory.
  const std::size_t places = table.places();
  const std::size_t slabs = n < kThreadRows ? 1 : std::clamp<std::size_t>(n / (8 * places), 2, 8);
  Array<PlaceSums> sums(slabs * places);
  std::vector<char> nan(slabs, 0);
  parallel_for(slabs, threads, [&](std::size_t slab) {
    const std::size_t first = n * slab / slabs, last = n * (slab + 1) / slabs;
    PlaceSums* own = sums.data() + slab * places;
    std::fill(own, own + places, PlaceSums{});
    nan[slab] = table.add_rows(scores + first, last - first, own);
  });
  for (std::size_t slab = 0; slab < slabs; ++slab)
    if (nan[slab]) return std::nullopt;
  for (std::size_t i = places; i < sums.size(); ++i) {
    PlaceSums& place = sums[i % places];
    place.rows += sums[i].rows;
    place.step += sums[i].step;
    place.step_sq += sums[i].step_sq;
  }
  const BothGains both = table.gains(sums.data(), true, low, high);
  result.gain = both.large.gain;
  result.pos_gain_sq = small_is_pos ? both.small.gain_sq : both.large.gain_sq;
  result.neg_gain_sq = small_is_pos ? both.large.gain_sq : both.small.gain_sq;
  return result;
}

}  // namespace roclab
