// The scored AUC and its variance without sorting all rows: the larger class is looked up in the sorted smaller one.
//
// Glossary. Positives have scores y, negatives x, both measured from an origin inside the data. For a positive,
// a = sum over negatives of max(y - x, 0); for a negative, b = sum over positives of max(y - x, 0).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "array.hpp"
#include "count_pairs.hpp"
#include "parallel.hpp"
#include "range_summary.hpp"
#include "rank_table.hpp"

namespace roclab {

// Sums over all pairs of max(y - x, 0), and of its squared sums per positive and per negative.
struct ScoredPairs {
  std::uint64_t pos = 0, neg = 0;
  double gain = 0, pos_aa = 0, neg_bb = 0;
  bool nan = false;

  double scored_auc() const {
    if (pos == 0 || neg == 0) return std::numeric_limits<double>::quiet_NaN();
    return gain / static_cast<double>(pos) / static_cast<double>(neg);
  }

  double scored_auc_variance() const {
    const double p = static_cast<double>(pos), n = static_cast<double>(neg), mean = scored_auc();
    return detail::class_variance(p * (p - 1), p, gain, pos_aa, n, mean) +
           detail::class_variance(n * (n - 1), n, gain, neg_bb, p, mean);
  }
};

namespace detail {

// How many values lie beyond a place, and their sum.
struct Beyond {
  double count, sum;
};

// Rows found at each place, and the sums of a row's gain and its square.
struct PlaceSums {
  std::vector<std::uint32_t> count;
  std::vector<double> score;
  double gain = 0, square = 0;
};

}  // namespace detail

// Nothing if the smaller class is too large for this way to pay; then a ranking is the better one. Labels are 0 or 1.
template <Score T>
std::optional<ScoredPairs> scored_pairs(const std::uint8_t* labels, const T* scores, std::size_t n, int threads) {
  using namespace detail;
  if (n < kThreadRows) threads = 1;
  const auto before = positives_before(labels, n, threads);
  ScoredPairs result;
  result.pos = before.back();
  result.neg = n - result.pos;
  const bool small_is_pos = result.pos <= result.neg;
  if (std::min(result.pos, result.neg) > kWholeMoments) return std::nullopt;
  if (result.pos == 0 || result.neg == 0) return result;
  Array<T> small = gather_class(labels, scores, n, small_is_pos, before, threads);
  for (const T x : small) result.nan |= is_nan(x);
  if (result.nan) return result;
  sort_scores(small, threads);
  const double origin = static_cast<double>(small[small.size() / 2]);
  Array<T> values;
  std::vector<double> repeats;
  for (const T x : small) {
    if (values.empty() || values.back() < x) {
      values.push_back(x);
      repeats.push_back(0);
    }
    ++repeats.back();
  }
  // What a row gains: from the positives above it, or over the negatives below it. Equal scores add nothing either way.
  const std::size_t places = values.size() + 1;
  std::vector<Beyond> beyond(places, {0, 0});
  for (std::size_t i = 0; i + 1 < places; ++i) {
    const std::size_t k = small_is_pos ? places - 2 - i : i;
    const Beyond& last = beyond[small_is_pos ? k + 1 : k];
    beyond[small_is_pos ? k : k + 1] = {last.count + repeats[k], last.sum + repeats[k] * distance(values[k], origin)};
  }
  const double sign = small_is_pos ? 1 : -1;
  auto gain_of = [&](double score, std::size_t at) { return sign * (beyond[at].sum - score * beyond[at].count); };

  const RankTable<T> table(values, values.size() < small.size() / 4 ? 16 : 1);
  // As many slabs whatever the threads, so that sums are rounded alike.
  const std::size_t slabs = n < kThreadRows ? 1 : std::max<std::size_t>(8, n / kSlab + 1);
  std::vector<PlaceSums> sums(slabs);
  std::vector<char> nan(slabs, 0);
  parallel_for(slabs, threads, [&](std::size_t slab) {
    PlaceSums own{std::vector<std::uint32_t>(places, 0), std::vector<double>(places, 0.0)};
    const std::size_t first = n * slab / slabs, last = n * (slab + 1) / slabs;
    nan[slab] = table.visit_places(scores + first, last - first, [&](T x, std::size_t at) {
      const double score = distance(x, origin), gain = gain_of(score, at);
      ++own.count[at];
      own.score[at] += score;
      own.gain += gain;
      own.square += gain * gain;
    });
    sums[slab] = std::move(own);
  });
  double gain = 0, square = 0;
  for (std::size_t slab = 0; slab < slabs; ++slab) {
    result.nan |= nan[slab] != 0;
    gain += sums[slab].gain;
    square += sums[slab].square;
  }
  if (result.nan) return result;

  // The smaller class was looked up in itself too, which is taken off again; then it is its turn to gain.
  double small_square = 0, rows = 0, score_sum = 0;
  const std::size_t size = values.size();
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t k = small_is_pos ? i : size - 1 - i, at = small_is_pos ? k : k + 1;
    const double score = distance(values[k], origin), own = gain_of(score, k);
    gain -= repeats[k] * own;
    square -= repeats[k] * own * own;
    for (const PlaceSums& slab : sums) {
      rows += slab.count[at];
      score_sum += slab.score[at];
    }
    // Rows at place k are not above value k; the smaller class's own at value k have place k.
    rows -= small_is_pos ? repeats[k] : (k + 1 < size ? repeats[k + 1] : 0);
    score_sum -= small_is_pos ? repeats[k] * score : (k + 1 < size ? repeats[k + 1] * distance(values[k + 1], origin) : 0);
    const double share = sign * (score * rows - score_sum);
    small_square += repeats[k] * share * share;
  }
  result.gain = gain;
  result.pos_aa = small_is_pos ? small_square : square;
  result.neg_bb = small_is_pos ? square : small_square;
  return result;
}

}  // namespace roclab
