// The events of a time window over a stream, which may arrive late, with their current AUC.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "roclab/event_scores.hpp"

namespace roclab {

class TimeWindow : public EventScores {
 public:
  TimeWindow(double duration, double lateness) : duration_(duration), lateness_(lateness) {}

  double duration() const { return duration_; }
  double lateness() const { return lateness_; }
  // The latest time seen.
  double now() const { return now_; }
  // Number of events that arrived too late.
  std::uint64_t n_late() const { return n_late_; }

  void update(bool positive, double score, double weight, double time) {
    if (now_ - time > lateness_ || now_ - time >= duration_) {
      ++n_late_;
      return;
    }
    advance(time);
    if (weight != 0) take_in({time, score, weight, positive});
  }

  // Advances the time: events older than the duration are removed.
  void advance(double time) {
    if (time <= now_) return;
    now_ = time;
    while (!events_.empty() && now_ - events_.front().time >= duration_) {
      const Event oldest = events_.front();
      std::pop_heap(events_.begin(), events_.end(), later);
      events_.pop_back();
      remove(oldest.score, oldest.positive, oldest.weight);
    }
  }

  // Removes an event with these values, which are all that it has; false if there is none.
  bool revert(bool positive, double score, double weight, double time) {
    for (std::size_t i = events_.size(); i-- > 0;) {
      const Event& event = events_[i];
      if (event.time != time || event.score != score || event.weight != weight || event.positive != positive) continue;
      events_[i] = events_.back();
      events_.pop_back();
      std::make_heap(events_.begin(), events_.end(), later);
      remove(score, positive, weight);
      return true;
    }
    return false;
  }

  // Adds the events of another window.
  void merge(const TimeWindow& other) {
    advance(other.now_);
    n_late_ += other.n_late_;
    const std::vector<Event> theirs = other.events_;  // a copy, since it may be this window
    for (const Event& event : theirs)
      if (now_ - event.time < duration_) take_in(event);
  }

  void clear() {
    EventScores::clear();
    events_.clear();
    now_ = kNever;
    n_late_ = 0;
  }

  template <class Archive>
  void save(Archive& to) const {
    EventScores::save(to);
    to.put(now_);
    to.put(n_late_);
    for (const Event& event : events_) {
      to.put(event.time);
      to.put(event.score);
      to.put(event.weight);
      to.put(static_cast<std::uint8_t>(event.positive));
    }
  }
  template <class Archive>
  void load(Archive& from) {
    clear();
    EventScores::load(from);
    now_ = from.template get<double>();
    n_late_ = from.template get<std::uint64_t>();
    std::vector<std::pair<double, bool>> all;
    for (std::uint64_t i = 0; i < events(); ++i) {
      const auto time = from.template get<double>(), score = from.template get<double>(), weight = from.template get<double>();
      events_.push_back({time, score, weight, from.template get<std::uint8_t>() != 0});
      all.emplace_back(score, events_.back().positive);
      if (!std::isfinite(time)) from.refuse("an event has no time");
    }
    if (!holds(std::move(all))) from.refuse("their events are not those of their scores");
    if (!std::is_heap(events_.begin(), events_.end(), later)) from.refuse("their events are not in order");
  }

 private:
  static constexpr double kNever = -std::numeric_limits<double>::infinity();

  struct Event {
    double time, score, weight;
    bool positive;
  };
  static bool later(const Event& a, const Event& b) { return a.time > b.time; }

  void take_in(Event event) {
    events_.push_back(event);
    std::push_heap(events_.begin(), events_.end(), later);
    add(event.score, event.positive, event.weight);
  }

  double duration_, lateness_, now_ = kNever;
  std::uint64_t n_late_ = 0;
  std::vector<Event> events_;  // a heap with the oldest in front
};

}  // namespace roclab
