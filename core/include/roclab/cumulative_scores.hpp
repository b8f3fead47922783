// All events of a stream, with their current AUC.
#pragma once

#include <cstdint>
#include <limits>

#include "roclab/event_scores.hpp"

namespace roclab {

class CumulativeScores : public EventScores {
 public:
  void update(bool positive, double score, double weight = 1) {
    if (weight == 0) return;
    make_sure_of_room(positive, score, 1);
    add(score, positive, weight);
  }

  // Adds all events of another stream.
  void merge(CumulativeScores& other) {
    if (!PairCounts{n_pos() + other.n_pos(), n_neg() + other.n_neg(), 0, 0, 0}.fits()) throw TooManyExamples();
    other.on_contents([&](auto& contents) {
      contents.visit([&](double score, std::uint32_t pos, std::uint32_t neg, auto...) {
        make_sure_of_room(true, score, pos);
        make_sure_of_room(false, score, neg);
      });
    });
    if (&other != this) return EventScores::merge(other);
    CumulativeScores copy;
    copy.EventScores::merge(other);
    EventScores::merge(copy);
  }

  // Removes an event with these values; false if there is none. Of several events of one class and score only the sum of their
  // weights is known: there the weight of one must be less than the sum.
  bool revert(bool positive, double score, double weight = 1) {
    const std::uint64_t events = at(positive, score);
    if (events == 0 || (!weighted() && weight != 1)) return false;
    if (weighted()) {
      const double sum = weights().mass_at(score, positive), slack = 1e-9 * sum;  // of rounding in earlier changes
      if (weight == 0 || weight > sum + slack || (events == 1 && weight < sum - slack)) return false;
    }
    remove(score, positive, weight);
    return true;
  }

 private:
  // Events of one class and score are counted in 32 bits.
  void make_sure_of_room(bool positive, double score, std::uint64_t count) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if ((positive ? n_pos() : n_neg()) + count > most && at(positive, score) + count > most) throw TooManyEvents();
  }

  std::uint64_t at(bool positive, double score) {
    const ScorePosition found = on_contents([&](auto& contents) { return contents.position_of(score); });
    return positive ? found.pos_at : found.neg_at;
  }
};

}  // namespace roclab
