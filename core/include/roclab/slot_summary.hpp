// The summary of rows counted by slot, where the cuts are all scores of one class: no gap holds rows of both.
#pragma once

#include <cstddef>
#include <cstdint>

#include "range_summary.hpp"
#include "score.hpp"
#include "score_slots.hpp"

namespace roclab {

// Masses by slot: counts, or sums of weights with their squares.
template <class Mass>
struct SlotMasses {
  const Mass* pos;
  const Mass* neg;
  const Mass* pos_sq;
  const Mass* neg_sq;
};

// The distance of each cut from the one before; 0 for the first.
template <Score T>
std::vector<double> steps_of(const T* cuts, std::size_t n) {
  std::vector<double> steps(n, 0);
  for (std::size_t i = 1; i < n; ++i) steps[i] = step_between(cuts[i - 1], cuts[i]);
  return steps;
}

// The scored sums, without those that joining needs. The class of the cuts is `rare`, the other one `common`; gaps hold common
// rows. Negated scores with exchanged classes have the same differences, so common positives are treated as common negatives, with
// the cuts from high to low. All terms are positive, so nothing cancels.
//
// Glossary
//   a   of a rare row: sum over common rows beyond it of the weight times the distance
//   b   of a common row, likewise over rare rows
template <class Mass>
ScoredSums slot_scored_sums(const std::vector<double>& steps, const SlotMasses<Mass>& masses, const GapDistances& gaps,
                            bool rare_is_pos) {
  const std::size_t n = steps.size();
  // Cut, slot and gap in the order of the walk; a gap comes before its cut.
  auto cut = [&](std::size_t i) { return rare_is_pos ? i : n - 1 - i; };
  auto gap = [&](std::size_t i) { return rare_is_pos ? i : n - i; };
  auto step = [&](std::size_t i) { return steps[rare_is_pos ? i : n - i]; };
  auto mass = [](const Mass* of, std::size_t slot) { return static_cast<double>(of[slot]); };
  const Mass *rare = rare_is_pos ? masses.pos : masses.neg, *common = rare_is_pos ? masses.neg : masses.pos;
  const Mass *rare_sq = rare_is_pos ? masses.pos_sq : masses.neg_sq, *common_sq = rare_is_pos ? masses.neg_sq : masses.pos_sq;
  double gain = 0, rare_a = 0, rare_aa = 0, common_b = 0, common_bb = 0;
  detail::RunningSum a, passed;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t slot = 2 * cut(i) + 1;
    if (i > 0) a.add(step(i) * passed.value());
    a.add(gaps.linear[gap(i)]);
    passed.add(mass(common, 2 * gap(i)));
    const double value = a.value();
    gain += mass(rare, slot) * value;
    rare_a += mass(rare_sq, slot) * value;
    rare_aa += mass(rare_sq, slot) * value * value;
    passed.add(mass(common, slot));
  }
  detail::RunningSum b, ahead;
  for (std::size_t i = n; i-- > 0;) {
    const std::size_t slot = 2 * cut(i) + 1, between = gap(i);
    if (i + 1 < n) b.add(step(i + 1) * ahead.value());
    const double value = b.value();
    common_b += mass(common_sq, slot) * value;
    common_bb += mass(common_sq, slot) * value * value;
    ahead.add(mass(rare, slot));
    const double squares = mass(common_sq, 2 * between), rows = ahead.value();
    common_b += squares * value + rows * gaps.sq_linear[between];
    common_bb += squares * value * value + 2 * value * rows * gaps.sq_linear[between] + rows * rows * gaps.sq_square[between];
  }
  ScoredSums sums = ScoredSums::unknown();
  sums.gain = gain;
  sums.pos_a = rare_is_pos ? rare_a : common_b;
  sums.pos_aa = rare_is_pos ? rare_aa : common_bb;
  sums.neg_b = rare_is_pos ? common_b : rare_a;
  sums.neg_bb = rare_is_pos ? common_bb : rare_aa;
  sums.pos = sums.neg = sums.pos_sq = sums.neg_sq = 0;
  for (std::size_t slot = 0; slot <= 2 * n; ++slot) {
    sums.pos += mass(masses.pos, slot);
    sums.neg += mass(masses.neg, slot);
    sums.pos_sq += mass(masses.pos_sq, slot);
    sums.neg_sq += mass(masses.neg_sq, slot);
  }
  return sums;
}

}  // namespace roclab
