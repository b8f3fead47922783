// All events of a stream with exponentially decaying weights, and their current AUC.
//
// Instead of reducing the weights of all events, new events get larger weights. AUC does not change when all weights of a class
// are multiplied, so each class has a separate scale: when its weights have grown far enough they are divided by a power of two,
// which is exact, and a rare class keeps its events. The oldest events of a class are dropped as long as the dropped weight is a
// negligible proportion of its weight: without a proportion p of the weight of one class and q of the other, AUC changes by at
// most 1 - (1 - p)(1 - q).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "roclab/event_scores.hpp"

namespace roclab {

class DecayedWindow : public EventScores {
 public:
  DecayedWindow(double half_life, double tolerance) : half_life_(half_life), tolerance_(tolerance) { start_weighing(); }

  double half_life() const { return half_life_; }
  double tolerance() const { return tolerance_; }
  // Number of events seen.
  std::uint64_t n_seen() const { return n_seen_; }
  // Proportion of the weight of a class that was dropped.
  double dropped(bool positive) const { return of(positive).total > 0 ? of(positive).dropped / of(positive).total : 0; }
  // Factor from the kept weights of a class to those in which a new event has its given weight. It has a lower limit for a class
  // without recent events, so that sums of fourth powers do not underflow.
  double unit(bool positive) const { return std::exp2(-std::min(of(positive).age / half_life_, 200.0)); }

  void update(bool positive, double score, double weight = 1) {
    if (weight == 0) return;
    ++n_seen_;
    for (Class& each : classes_) each.age += 1;
    Class& own = of(positive);
    if (own.age > kMost * half_life_) rescale(positive);
    const double grown = weight * std::exp2(own.age / half_life_);
    add(score, positive, grown);
    own.events.push_back({score, grown, n_seen_});
    own.total += grown;
    while (own.events.size() > 1 && own.dropped + own.events.front().weight <= tolerance_ * own.total) {
      const Event oldest = own.events.front();
      own.events.pop_front();
      own.dropped += oldest.weight;
      remove(oldest.score, positive, oldest.weight);
    }
  }

  // Removes the newest event with these values, and sets the clock back if it was the last; false if there is none.
  bool revert(bool positive, double score, double weight = 1) {
    Class& own = of(positive);
    const auto found = std::find_if(own.events.rbegin(), own.events.rend(), [&](const Event& event) {
      if (event.score != score) return false;
      const double age = own.age - static_cast<double>(n_seen_ - event.number);  // of its class when the event was added
      const double grown = weight * std::exp2(age / half_life_);
      return std::abs(event.weight - grown) <= 1e-9 * grown;  // up to rounding
    });
    if (found == own.events.rend()) return false;
    const Event event = *found;
    own.events.erase(std::next(found).base());
    own.total -= event.weight;
    if (own.events.empty()) own.total = own.dropped = 0;
    remove(score, positive, event.weight);
    if (event.number == n_seen_) {
      --n_seen_;
      for (Class& each : classes_) each.age -= 1;
    }
    return true;
  }

  void clear() {
    EventScores::clear();
    start_weighing();
    classes_[0] = classes_[1] = Class();
    n_seen_ = 0;
  }

  template <class Archive>
  void save(Archive& to) const {
    EventScores::save(to);
    to.put(n_seen_);
    for (const Class& each : classes_) {
      to.put(each.age);
      to.put(each.total);
      to.put(each.dropped);
      for (const Event& event : each.events) {
        to.put(event.score);
        to.put(event.weight);
        to.put(event.number);
      }
    }
  }
  template <class Archive>
  void load(Archive& from) {
    clear();
    EventScores::load(from);
    if (!weighted()) from.refuse("they hold no weights");
    n_seen_ = from.template get<std::uint64_t>();
    std::vector<std::pair<double, bool>> all;
    for (Class& each : classes_) {
      each.age = from.template get<double>();
      each.total = from.template get<double>();
      each.dropped = from.template get<double>();
      for (std::uint64_t i = &each == classes_ ? n_neg() : n_pos(); i > 0; --i) {
        const auto score = from.template get<double>(), weight = from.template get<double>();
        each.events.push_back({score, weight, from.template get<std::uint64_t>()});
        all.emplace_back(score, &each != classes_);
      }
    }
    if (!holds(std::move(all))) from.refuse("their events are not those of their scores");
  }

 private:
  // Half-lives after which weights are scaled down: sums of fourth powers stay finite for weights up to kLargestWeight.
  static constexpr double kMost = 32;

  struct Event {
    double score, weight;
    std::uint64_t number;
  };
  struct Class {
    std::deque<Event> events;
    double age = 0;                 // events since a weight of one was one
    double total = 0, dropped = 0;  // weight of all events, and of the dropped ones
  };

  Class& of(bool positive) { return classes_[positive]; }
  const Class& of(bool positive) const { return classes_[positive]; }

  void rescale(bool positive) {
    Class& own = of(positive);
    const double half_lives = std::floor(own.age / half_life_);
    const int exponent = -static_cast<int>(std::min(half_lives, 5000.0));  // all weights are zero long before
    own.age = std::max(own.age - half_lives * half_life_, 0.0);
    own.total = std::ldexp(own.total, exponent);
    own.dropped = std::ldexp(own.dropped, exponent);
    for (Event& event : own.events) event.weight = std::ldexp(event.weight, exponent);
    weights().scale(positive, exponent);
  }

  double half_life_, tolerance_;
  std::uint64_t n_seen_ = 0;
  Class classes_[2];  // negative, positive
};

}  // namespace roclab
