// Sums of powers of distances from a point that moves along the score axis.
//
// moments[q] is the sum over passed examples of mass * distance^q. When the point moves by a step, every distance grows by it,
// and the binomial theorem gives the new sums from the old ones. All terms have one sign, so nothing cancels, however far from
// zero the scores lie; textbook prefix sums of powers of the scores themselves lose all precision there.
#pragma once

#include <array>

namespace roclab {

template <int Top>
struct PairMoments {
  static_assert(0 <= Top && Top <= 3);
  std::array<double, Top + 1> moments{};

  double operator[](int q) const { return moments[q]; }
  void pass(double mass) { moments[0] += mass; }

  [[gnu::always_inline]] void move(double step) {
    auto& m = moments;
    if constexpr (Top >= 3) m[3] += step * (3 * m[2] + step * (3 * m[1] + step * m[0]));
    if constexpr (Top >= 2) m[2] += step * (2 * m[1] + step * m[0]);
    if constexpr (Top >= 1) m[1] += step * m[0];
  }

  // An example at a distance.
  [[gnu::always_inline]] void add(double mass, double distance) {
    for (double& moment : moments) {
      moment += mass;
      mass *= distance;
    }
  }

  PairMoments& operator+=(const PairMoments& other) {
    for (int q = 0; q <= Top; ++q) moments[q] += other.moments[q];
    return *this;
  }
};

}  // namespace roclab
