// The last events of a stream, with their current AUC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "roclab/event_scores.hpp"
#include "roclab/ring.hpp"

namespace roclab {

class SlidingWindow : public EventScores {
 public:
  explicit SlidingWindow(std::uint64_t size) : capacity_(size), scores_(size), labels_(size), weights_(size) {}

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t size() const { return scores_.size(); }

  void update(bool positive, double score, double weight = 1) {
    if (weight == 0) return;
    if (weight != 1 && !weighted())
      for (std::size_t i = 0; i < size(); ++i) weights_.push(1);
    if (size() == capacity_) {
      const double oldest = scores_.pop();
      const bool label = labels_.pop();
      remove(oldest, label, weights_.size() ? weights_.pop() : 1);
    }
    scores_.push(score);
    labels_.push(positive);
    add(score, positive, weight);
    if (weighted()) weights_.push(weight);
  }

  // Removes the newest event with these values; false if there is none.
  bool revert(bool positive, double score, double weight = 1) {
    for (std::size_t i = size(); i-- > 0;) {
      if (scores_[i] != score || (labels_[i] != 0) != positive || (weighted() ? weights_[i] : 1) != weight) continue;
      remove(score, positive, weight);
      scores_.erase(i);
      labels_.erase(i);
      if (weighted()) weights_.erase(i);
      return true;
    }
    return false;
  }

  void clear() {
    EventScores::clear();
    scores_.clear();
    labels_.clear();
    weights_.clear();
  }

  template <class Archive>
  void save(Archive& to) const {
    EventScores::save(to);
    to.put(static_cast<std::uint64_t>(size()));
    for (std::size_t i = 0; i < size(); ++i) to.put(scores_[i]);
    for (std::size_t i = 0; i < size(); ++i) to.put(labels_[i]);
    for (std::size_t i = 0; weighted() && i < size(); ++i) to.put(weights_[i]);
  }
  template <class Archive>
  void load(Archive& from) {
    clear();
    EventScores::load(from);
    const auto size = from.template get<std::uint64_t>();
    if (size > capacity_ || size != events()) from.refuse("they hold another number of events than scores");
    for (std::uint64_t i = 0; i < size; ++i) scores_.push(from.template get<double>());
    for (std::uint64_t i = 0; i < size; ++i) labels_.push(from.template get<std::uint8_t>());
    for (std::uint64_t i = 0; weighted() && i < size; ++i) weights_.push(from.template get<double>());
    std::vector<std::pair<double, bool>> all;
    for (std::uint64_t i = 0; i < size; ++i) all.emplace_back(scores_[i], labels_[i] != 0);
    if (!holds(std::move(all))) from.refuse("their events are not those of their scores");
  }

 private:
  std::uint64_t capacity_;
  Ring<double> scores_;
  Ring<std::uint8_t> labels_;
  Ring<double> weights_;  // empty without weights
};

}  // namespace roclab
