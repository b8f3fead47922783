// The polynomial hinge over all pairs of a positive and a negative, with gradient and Hessian, in O(n log n).
//
//   F(s) = sum over positives j and negatives k of w_j w_k (gamma - (s_j - s_k))_+^p / (W_pos W_neg),  p = 1, 2 or 3
//
// (Castro and Braga 2008; in log-linear time Rust and Hocking 2023.) A pair counts if s_j - s_k < gamma, the difference rounded
// to a double as in the definition.
//
// Positives are shifted down by gamma and merged with the negatives; then a negative counts against every positive before it.
// The merged order is divided into chunks that fit into cache. Sums of powers of distances (see pair_moments.hpp) are carried
// from the chunks below and above, and then one sweep upwards gives the gradient of the negatives and one downwards that of the
// positives. Chunks depend on the data alone, so the result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "class_order.hpp"
#include "pair_moments.hpp"
#include "parallel.hpp"

namespace roclab {

class HingeLoss {
 public:
  // As for ClassOrder.
  HingeLoss(const std::uint8_t* labels, const double* weights, std::size_t n, double gamma, int power)
      : order_(labels, weights, n), gamma_(gamma), power_(power) {}

  std::size_t rows() const { return order_.rows(); }

  // The loss at these finite scores, with the derivatives for which there are arrays.
  double evaluate(const double* scores, int threads, const RowDerivatives& rows) {
    order_.sort(scores, threads);
    cut(threads);
    switch (power_) {
      case 1: return sweep<1>(threads, rows);
      case 2: return sweep<2>(threads, rows);
      default: return sweep<3>(threads, rows);
    }
  }

  // The product of the Hessian at the last scores with a vector.
  void hessian_product(const double* vector, int threads, double* product) const {
    switch (power_) {
      case 1: std::fill(product, product + rows(), 0.0); break;
      case 2: multiply<2>(vector, threads, product); break;
      default: multiply<3>(vector, threads, product);
    }
  }

 private:
  using Item = ClassOrder::Item;

  static constexpr std::size_t kChunk = 1024;  // merged elements swept at once

  // Start of a chunk: the number of positives and negatives before it, and in `origin` the score of its first element, shifted
  // down by gamma if that is a positive.
  struct Cut {
    std::size_t pos, neg;
    double origin;
  };

  // One merged chunk. An element has mass in its class only, so that a sweep needs no branch on the class.
  struct Chunk {
    std::size_t size;
    double step[kChunk + 1];  // from the previous element, or the origin; the last one to the origin of the next chunk
    double pos[kChunk], neg[kChunk];
    std::uint32_t row[kChunk];
  };

  // Whether a positive, shifted down by gamma, lies below a negative.
  bool counts(const Item& pos, const Item& neg) const { return pos.score - neg.score < gamma_; }

  void cut(int threads) {
    const Item *pos = order_.positives().data(), *neg = order_.negatives().data();
    const std::size_t n_pos = order_.positives().size(), n_neg = order_.negatives().size(), n = n_pos + n_neg;
    cuts_.resize((n + kChunk - 1) / kChunk + 1);
    parallel_for(cuts_.size() / 64 + 1, order_.useful(threads), [&](std::size_t task) {
      for (std::size_t c = task * 64; c < std::min(cuts_.size(), (task + 1) * 64); ++c) {
        const std::size_t before = std::min(c * kChunk, n);
        std::size_t low = before > n_neg ? before - n_neg : 0, high = std::min(before, n_pos);
        while (low < high) {
          const std::size_t middle = (low + high) / 2;
          if (counts(pos[middle], neg[before - 1 - middle])) low = middle + 1;
          else high = middle;
        }
        const std::size_t i = low, k = before - low;
        const bool pos_first = i < n_pos && (k == n_neg || counts(pos[i], neg[k]));
        const double origin = before == n ? std::max(pos[n_pos - 1].score - gamma_, neg[n_neg - 1].score)
                              : pos_first ? pos[i].score - gamma_
                                          : neg[k].score;
        cuts_[c] = {i, k, origin};
      }
    });
  }

  double place(const Item& pos, const Cut& from) const { return (pos.score - from.origin) - gamma_; }
  static double place_of_negative(const Item& neg, const Cut& from) { return neg.score - from.origin; }

  void merge(std::size_t c, Chunk& chunk) const {
    const Cut &from = cuts_[c], &to = cuts_[c + 1];
    const Item *pos = order_.positives().data() + from.pos, *neg = order_.negatives().data() + from.neg;
    const std::size_t n_pos = to.pos - from.pos, n_neg = to.neg - from.neg;
    double score[kChunk + 2], shift[kChunk + 2];  // with the origins at both ends
    score[0] = from.origin;
    shift[0] = 0;
    auto put = [&](std::size_t at, const Item& item, bool is_pos) {
      const double weight = order_.mass(item);
      score[at + 1] = item.score;
      shift[at + 1] = is_pos ? gamma_ : 0.0;
      chunk.pos[at] = is_pos ? weight : 0.0;
      chunk.neg[at] = is_pos ? 0.0 : weight;
      chunk.row[at] = item.row;
    };
    std::size_t i = 0, k = 0, at = 0;
    while (i < n_pos && k < n_neg) {
      // Arithmetic instead of a branch: the class of the next element is unpredictable.
      const bool is_pos = counts(pos[i], neg[k]);
      const Item* const next = is_pos ? pos + i : neg + k;
      put(at++, *next, is_pos);
      i += is_pos;
      k += !is_pos;
    }
    for (; i < n_pos; ++i) put(at++, pos[i], true);
    for (; k < n_neg; ++k) put(at++, neg[k], false);
    chunk.size = at;
    score[at + 1] = to.origin;
    shift[at + 1] = 0;
    // Scores before shifts: neighbours may be far from zero, but not far from each other.
    for (std::size_t at = 0; at <= chunk.size; ++at) chunk.step[at] = (score[at + 1] - score[at]) - (shift[at + 1] - shift[at]);
  }

  // The sums below and above each chunk, measured from its ends. `mass_of` returns the mass of an example.
  template <int Top>
  struct Surroundings {
    std::vector<PairMoments<Top>> below, above;
  };
  template <int Top, class MassOf>
  Surroundings<Top> surroundings(int threads, bool both, const MassOf& mass_of) const {
    const std::size_t chunks = cuts_.size() - 1;
    Surroundings<Top> found{std::vector<PairMoments<Top>>(chunks + 1), std::vector<PairMoments<Top>>(chunks + 1)};
    parallel_for(chunks, order_.useful(threads), [&](std::size_t c) {
      const Cut &from = cuts_[c], &to = cuts_[c + 1];
      PairMoments<Top> up, down;
      for (std::size_t i = from.pos; i < to.pos; ++i) up.add(mass_of(order_.positives()[i]), -place(order_.positives()[i], to));
      found.below[c + 1] = up;
      if (!both) return;
      for (std::size_t k = from.neg; k < to.neg; ++k)
        down.add(mass_of(order_.negatives()[k]), place_of_negative(order_.negatives()[k], from));
      found.above[c] = down;
    });
    auto join = [&](PairMoments<Top> passed, PairMoments<Top>& next, std::size_t c) {
      passed.move(cuts_[c + 1].origin - cuts_[c].origin);
      next += passed;
    };
    for (std::size_t c = 0; c < chunks; ++c) join(found.below[c], found.below[c + 1], c);
    for (std::size_t c = chunks; both && c-- > 0;) join(found.above[c + 1], found.above[c], c);
    return found;
  }

  template <int P>
  double sweep(int threads, const RowDerivatives& rows) const {
    const bool derivatives = rows.gradient || rows.curvature;
    const auto around = surroundings<P>(threads, derivatives, [&](const Item& item) { return order_.mass(item); });
    const std::size_t chunks = cuts_.size() - 1;
    std::vector<double> values(chunks);
    const double slope = P * order_.per_pair(), bend = P * (P - 1) * order_.per_pair();
    parallel_for(chunks, order_.useful(threads), [&](std::size_t c) {
      Chunk chunk;
      merge(c, chunk);
      double gradient[kChunk], curvature[kChunk];
      double value = 0;
      PairMoments<P> below = around.below[c];
      for (std::size_t i = 0; i < chunk.size; ++i) {
        below.move(chunk.step[i]);
        value += chunk.neg[i] * below[P];
        gradient[i] = chunk.neg[i] * below[P - 1];
        if constexpr (P > 1) curvature[i] = chunk.neg[i] * below[P - 2];
        below.pass(chunk.pos[i]);
      }
      values[c] = value;
      if (!derivatives) return;
      PairMoments<(P > 1 ? P - 1 : 0)> above;
      for (int q = 0; q < P; ++q) above.moments[q] = around.above[c + 1][q];
      for (std::size_t i = chunk.size; i-- > 0;) {
        above.move(chunk.step[i + 1]);
        gradient[i] -= chunk.pos[i] * above[P - 1];
        if constexpr (P > 1) curvature[i] += chunk.pos[i] * above[P - 2];
        above.pass(chunk.neg[i]);
      }
      if (rows.gradient)
        for (std::size_t i = 0; i < chunk.size; ++i) rows.gradient[chunk.row[i]] = slope * gradient[i];
      if (rows.curvature)
        for (std::size_t i = 0; i < chunk.size; ++i) rows.curvature[chunk.row[i]] = P > 1 ? bend * curvature[i] : 0.0;
    });
    double total = 0;
    for (const double value : values) total += value;
    return order_.per_pair() * total;
  }

  template <int P>
  void multiply(const double* vector, int threads, double* product) const {
    constexpr int Top = P - 2;
    const auto mass_around = surroundings<Top>(threads, true, [&](const Item& item) { return order_.mass(item); });
    const auto product_around =
        surroundings<Top>(threads, true, [&](const Item& item) { return order_.mass(item) * vector[item.row]; });
    const double bend = P * (P - 1) * order_.per_pair();
    parallel_for(cuts_.size() - 1, order_.useful(threads), [&](std::size_t c) {
      Chunk chunk;
      merge(c, chunk);
      double own[kChunk], result[kChunk];
      for (std::size_t i = 0; i < chunk.size; ++i) own[i] = vector[chunk.row[i]];
      PairMoments<Top> mass = mass_around.below[c], products = product_around.below[c];
      for (std::size_t i = 0; i < chunk.size; ++i) {
        mass.move(chunk.step[i]);
        products.move(chunk.step[i]);
        result[i] = chunk.neg[i] * (own[i] * mass[Top] - products[Top]);
        mass.pass(chunk.pos[i]);
        products.pass(chunk.pos[i] * own[i]);
      }
      mass = mass_around.above[c + 1];
      products = product_around.above[c + 1];
      for (std::size_t i = chunk.size; i-- > 0;) {
        mass.move(chunk.step[i + 1]);
        products.move(chunk.step[i + 1]);
        result[i] += chunk.pos[i] * (own[i] * mass[Top] - products[Top]);
        mass.pass(chunk.neg[i]);
        products.pass(chunk.neg[i] * own[i]);
      }
      for (std::size_t i = 0; i < chunk.size; ++i) product[chunk.row[i]] = bend * result[i];
    });
  }

  ClassOrder order_;
  double gamma_;
  int power_;
  std::vector<Cut> cuts_;
};

}  // namespace roclab
