// The logistic loss over all pairs of a positive and a negative, with gradient and Hessian, without visiting all pairs.
//
//   F(s) = sum over positives j and negatives k of w_j w_k log(1 + exp(-(s_j - s_k) / gamma)) / (W_pos W_neg)
//
// The loss is analytic within pi * gamma of the real line. So over a box of width 2 gamma it equals its interpolant at kNodes
// Chebyshev points up to rho^-kNodes, rho = pi + sqrt(pi^2 + 1) = 6.4, which is below double precision. The examples of a box
// are replaced by masses at those points, which act on the points of every nearby box, and from there the values at the
// examples are interpolated. Boxes with few examples are used directly. Between distant boxes the loss is 0 or the distance, in
// double precision. One sort, then steps proportional to the number of rows and of non-empty boxes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "class_order.hpp"
#include "parallel.hpp"
#include "range_summary.hpp"

namespace roclab {

class LogisticLoss {
 public:
  // As for ClassOrder.
  LogisticLoss(const std::uint8_t* labels, const double* weights, std::size_t n, double gamma)
      : order_(labels, weights, n), gamma_(gamma), kernels_(make_kernels()) {}

  std::size_t rows() const { return order_.rows(); }

  // The loss at these finite scores, with the derivatives for which there are arrays.
  double evaluate(const double* scores, int threads, const RowDerivatives& rows) {
    order_.sort(scores, threads);
    for (const int label : {0, 1}) sides_[label] = place(label);
    const auto mass = [&](const Item& item) { return order_.mass(item); };
    const Points pos = condense(1, threads, mass), neg = condense(0, threads, mass);
    Array<double> at_pos(sides_[1].at.size()), at_neg(sides_[0].at.size());
    act(Kernel::loss, neg, 1, threads, at_pos);
    detail::RunningSum value;
    for (std::size_t i = 0; i < at_pos.size(); ++i) value.add(mass(items(1)[i]) * at_pos[i]);
    if (rows.gradient) {
      act(Kernel::slope, neg, 1, threads, at_pos);
      act(Kernel::slope, pos, 0, threads, at_neg);
      // The slope at a difference is -1 / (1 + exp(difference)); that of the negative has the opposite sign.
      scatter(1, at_pos, -order_.per_pair() / gamma_, rows.gradient);
      scatter(0, at_neg, order_.per_pair() / gamma_, rows.gradient);
    }
    if (rows.curvature) {
      act(Kernel::bend, neg, 1, threads, at_pos);
      act(Kernel::bend, pos, 0, threads, at_neg);
      scatter(1, at_pos, order_.per_pair() / gamma_ / gamma_, rows.curvature);
      scatter(0, at_neg, order_.per_pair() / gamma_ / gamma_, rows.curvature);
    }
    return order_.per_pair() * value.value();
  }

  // The product of the Hessian at the last scores with a vector.
  void hessian_product(const double* vector, int threads, double* product) const {
    for (const int label : {0, 1}) {
      const Points mass = condense(!label, threads, [&](const Item& item) { return order_.mass(item); });
      const Points products = condense(!label, threads, [&](const Item& item) { return order_.mass(item) * vector[item.row]; });
      Array<double> own(sides_[label].at.size()), others(own.size());
      act(Kernel::bend, mass, label, threads, own);
      act(Kernel::bend, products, label, threads, others);
      for (std::size_t i = 0; i < own.size(); ++i) own[i] = own[i] * vector[items(label)[i].row] - others[i];
      scatter(label, own, order_.per_pair() / gamma_ / gamma_, product);
    }
  }

 private:
  using Item = ClassOrder::Item;
  enum class Kernel { loss, slope, bend };

  static constexpr int kNodes = 20;
  static constexpr std::size_t kRun = 1024;  // examples summed at once
  static constexpr int kNear = 20;  // distance in boxes beyond which the loss is 0 or the distance: exp(-38) is below rounding

  // Examples of one class in one box, [2 * number - 1, 2 * number + 1) in units of gamma from the origin.
  struct Box {
    double number;
    std::size_t first, last;
    bool crowded() const { return last - first > kNodes; }
  };
  struct Side {
    std::vector<double> at;  // scores from the origin, in units of gamma
    std::vector<Box> boxes;
  };
  // Masses that represent the examples of one class: in each box those of its examples, or of the nodes; `first` of a box is
  // the index of its first mass.
  struct Points {
    std::vector<double> at, mass;
    std::vector<std::size_t> first;
    int label;
  };
  // A kernel between the nodes of two boxes, the second `kNear + offset` boxes below the first.
  using Between = std::array<std::array<double, kNodes>, kNodes>;

  std::span<const Item> items(int label) const { return label ? order_.positives() : order_.negatives(); }

  static double node(int k) { return -std::cos(std::numbers::pi * (k + 0.5) / kNodes); }

  static double kernel(Kernel kind, double difference) {
    const double small = std::exp(-std::abs(difference));
    switch (kind) {
      case Kernel::loss: return std::max(-difference, 0.0) + std::log1p(small);
      case Kernel::slope: return (difference > 0 ? small : 1.0) / (1 + small);
      default: return small / ((1 + small) * (1 + small));
    }
  }

  static std::array<std::vector<Between>, 3> make_kernels() {
    std::array<std::vector<Between>, 3> all;
    for (const Kernel kind : {Kernel::loss, Kernel::slope, Kernel::bend}) {
      auto& between = all[static_cast<int>(kind)];
      between.resize(2 * kNear + 1);
      for (int offset = -kNear; offset <= kNear; ++offset)
        for (int a = 0; a < kNodes; ++a)
          for (int b = 0; b < kNodes; ++b) between[offset + kNear][a][b] = kernel(kind, 2.0 * offset + node(a) - node(b));
    }
    return all;
  }

  Side place(int label) const {
    // A score in the middle of the larger class, so that an outlier does not reduce the precision of the rest.
    const auto& larger = items(items(1).size() > items(0).size());
    const double origin = larger[larger.size() / 2].score;
    Side side;
    side.at.reserve(items(label).size());
    for (const Item& item : items(label)) {
      const double at = (item.score - origin) / gamma_, number = std::round(at / 2);
      if (side.boxes.empty() || side.boxes.back().number < number) side.boxes.push_back({number, side.at.size(), 0});
      side.at.push_back(at);
      side.boxes.back().last = side.at.size();
    }
    return side;
  }

  template <class MassOf>
  Points condense(int label, int threads, const MassOf& mass_of) const {
    const Side& side = sides_[label];
    Points points;
    points.label = label;
    std::size_t total = 0;
    for (const Box& box : side.boxes) {
      points.first.push_back(total);
      total += box.crowded() ? kNodes : box.last - box.first;
    }
    points.first.push_back(total);
    points.at.resize(total);
    points.mass.resize(total);
    parallel_for(side.boxes.size(), order_.useful(threads), [&](std::size_t b) {
      const Box& box = side.boxes[b];
      double* at = &points.at[points.first[b]];
      double* mass = &points.mass[points.first[b]];
      if (!box.crowded()) {
        for (std::size_t i = box.first; i < box.last; ++i) {
          *at++ = side.at[i];
          *mass++ = mass_of(items(label)[i]);
        }
        return;
      }
      double sums[kNodes] = {};  // of Chebyshev polynomials over the examples
      for (std::size_t i = box.first; i < box.last;) {
        double part[kNodes] = {};  // of a run of examples, so that rounding stays small if many scores are equal
        for (const std::size_t end = std::min(box.last, i + kRun); i < end; ++i) {
          const double x = side.at[i] - 2 * box.number, m = mass_of(items(label)[i]);
          double before = m, now = m * x;
          for (int q = 0; q < kNodes; ++q) {
            part[q] += before;
            const double next = 2 * x * now - before;
            before = now;
            now = next;
          }
        }
        for (int q = 0; q < kNodes; ++q) sums[q] += part[q];
      }
      for (int k = 0; k < kNodes; ++k) {
        at[k] = 2 * box.number + node(k);
        mass[k] = 0;
        for (int q = 0; q < kNodes; ++q) mass[k] += (q == 0 ? 1.0 : 2.0) / kNodes * sums[q] * chebyshev_[q][k];
      }
    });
    return points;
  }

  // The sums of `sources` of one class at every example of the class `label`.
  void act(Kernel kind, const Points& sources, int label, int threads, Array<double>& result) const {
    const Side &to = sides_[label], &from = sides_[sources.label];
    // In either direction the difference is the score of the positive minus that of the negative.
    const double sign = label ? 1 : -1;
    // Negatives far above positives lose by the distance; sums from the far end on, distances from the origin.
    const std::size_t n = from.boxes.size();
    std::vector<double> mass(n + 1, 0.0), moment(n + 1, 0.0);
    for (std::size_t b = 0; b < n; ++b) {
      mass[b + 1] = mass[b];
      moment[b + 1] = moment[b];
      for (std::size_t i = sources.first[b]; i < sources.first[b + 1]; ++i) {
        mass[b + 1] += sources.mass[i];
        moment[b + 1] += sources.mass[i] * sources.at[i];
      }
    }
    const auto& between = kernels_[static_cast<int>(kind)];
    parallel_for(to.boxes.size(), order_.useful(threads), [&](std::size_t t) {
      const Box& box = to.boxes[t];
      // By differences, which are exact where it matters: a very large number plus kNear is that number again.
      auto boxes_below = [&](auto&& is_below) {
        return std::partition_point(from.boxes.begin(), from.boxes.end(),
                                    [&](const Box& other) { return is_below(other.number - box.number); }) -
               from.boxes.begin();
      };
      const std::size_t low = boxes_below([](double apart) { return apart < -kNear; });
      const std::size_t high = boxes_below([](double apart) { return apart <= kNear; });
      // Far negatives are those above, seen from a positive; far positives those below, seen from a negative.
      const double far_mass = kind == Kernel::bend ? 0 : label ? mass[n] - mass[high] : mass[low];
      const double far_moment = label ? moment[n] - moment[high] : moment[low];
      auto far = [&](double at) { return kind == Kernel::loss ? sign * (far_moment - far_mass * at) : far_mass; };
      auto directly = [&](double at, std::size_t b) {
        double sum = 0;
        for (std::size_t i = sources.first[b]; i < sources.first[b + 1]; ++i)
          sum += sources.mass[i] * kernel(kind, sign * (at - sources.at[i]));
        return sum;
      };
      if (!box.crowded()) {
        for (std::size_t i = box.first; i < box.last; ++i) {
          double sum = far(to.at[i]);
          for (std::size_t b = low; b < high; ++b) sum += directly(to.at[i], b);
          result[i] = sum;
        }
        return;
      }
      double values[kNodes];
      for (int k = 0; k < kNodes; ++k) values[k] = far(2 * box.number + node(k));
      for (std::size_t b = low; b < high; ++b) {
        if (!from.boxes[b].crowded()) {
          for (int k = 0; k < kNodes; ++k) values[k] += directly(2 * box.number + node(k), b);
          continue;
        }
        // Mirrored, a negative and a positive are exchanged; nodes are symmetric about the middle of their box.
        const int offset = static_cast<int>(sign * (box.number - from.boxes[b].number));
        const Between& weights = between[offset + kNear];
        const double* mass_at = &sources.mass[sources.first[b]];
        for (int k = 0; k < kNodes; ++k) {
          const auto& row = weights[label ? k : kNodes - 1 - k];
          double sum = 0;
          for (int i = 0; i < kNodes; ++i) sum += row[i] * mass_at[label ? i : kNodes - 1 - i];
          values[k] += sum;
        }
      }
      double coefficients[kNodes];
      for (int q = 0; q < kNodes; ++q) {
        coefficients[q] = 0;
        for (int k = 0; k < kNodes; ++k) coefficients[q] += (q == 0 ? 1.0 : 2.0) / kNodes * values[k] * chebyshev_[q][k];
      }
      for (std::size_t i = box.first; i < box.last; ++i) {
        const double x = to.at[i] - 2 * box.number;
        double next = 0, after = 0;  // Clenshaw's recurrence
        for (int q = kNodes - 1; q > 0; --q) {
          const double now = coefficients[q] + 2 * x * next - after;
          after = next;
          next = now;
        }
        result[i] = coefficients[0] + x * next - after;
      }
    });
  }

  void scatter(int label, const Array<double>& values, double factor, double* rows) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Item& item = items(label)[i];
      rows[item.row] = factor * order_.mass(item) * values[i];
    }
  }

  static std::array<std::array<double, kNodes>, kNodes> make_chebyshev() {
    std::array<std::array<double, kNodes>, kNodes> values;
    for (int q = 0; q < kNodes; ++q)
      for (int k = 0; k < kNodes; ++k) values[q][k] = std::cos(q * std::acos(node(k)));
    return values;
  }

  ClassOrder order_;
  double gamma_;
  std::array<std::vector<Between>, 3> kernels_;
  std::array<std::array<double, kNodes>, kNodes> chebyshev_ = make_chebyshev();  // T_q at node k
  Side sides_[2];
};

}  // namespace roclab
