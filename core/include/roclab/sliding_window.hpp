// The last so many events of a stream, with AUC at every moment.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "roclab/score_counts.hpp"
#include "roclab/score_weights.hpp"

namespace roclab {

// A queue of bounded length in one block of memory, which grows as it fills.
template <class T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : capacity_(capacity) {}

  std::size_t size() const { return values_.size() - gap_; }
  // The i-th oldest.
  T& operator[](std::size_t i) { return values_[place(i)]; }
  const T& operator[](std::size_t i) const { return values_[place(i)]; }

  void push(T value) {
    if (values_.size() < capacity_ && oldest_ == 0 && gap_ == 0) {
      values_.push_back(value);
      return;
    }
    if (gap_ == 0) straighten();
    if (gap_ == 0) {
      values_.push_back(value);
      return;
    }
    --gap_;
    values_[place(size() - 1)] = value;
  }
  T pop() {
    const T value = values_[oldest_];
    oldest_ = oldest_ + 1 == values_.size() ? 0 : oldest_ + 1;
    if (++gap_ == values_.size()) clear();
    return value;
  }
  void erase(std::size_t i) {
    for (; i + 1 < size(); ++i) (*this)[i] = (*this)[i + 1];
    if (++gap_ == values_.size()) clear();
  }
  void clear() {
    values_.clear();
    oldest_ = gap_ = 0;
  }

 private:
  std::size_t place(std::size_t i) const {
    const std::size_t at = oldest_ + i;
    return at < values_.size() ? at : at - values_.size();
  }
  // Full, but shorter than it may be: brings the oldest to the front so that it can grow.
  void straighten() {
    if (values_.size() == capacity_) return;
    std::rotate(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(oldest_), values_.end());
    oldest_ = 0;
  }

  std::size_t capacity_, oldest_ = 0, gap_ = 0;  // places that are free, behind the newest
  std::vector<T> values_;
};

class SlidingWindow {
 public:
  explicit SlidingWindow(std::uint64_t size) : capacity_(size), scores_(size), labels_(size), weights_(size) {}

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t size() const { return scores_.size(); }
  bool weighted() const { return weighted_ != nullptr; }

  void update(bool positive, double score, double weight = 1) {
    if (weight == 0) return;
    if (weight != 1 && !weighted_) start_weighing();
    if (size() == capacity_) drop_oldest();
    scores_.push(score);
    labels_.push(positive);
    if (weighted_) {
      weights_.push(weight);
      weighted_->add(score, positive, weight);
    } else {
      counts_.add(score, positive);
    }
  }

  // Takes the newest event with this label and score out; false if there is none.
  bool revert(bool positive, double score) {
    for (std::size_t i = size(); i-- > 0;) {
      if (scores_[i] != score || (labels_[i] != 0) != positive) continue;
      if (weighted_) {
        weighted_->remove(score, positive, weights_[i]);
        weights_.erase(i);
      } else {
        counts_.remove(score, positive);
      }
      scores_.erase(i);
      labels_.erase(i);
      return true;
    }
    return false;
  }

  void clear() {
    scores_.clear();
    labels_.clear();
    weights_.clear();
    counts_.clear();
    weighted_.reset();
  }

  // Calls with(contents), whose type depends on whether there are weights.
  template <class With>
  auto on_contents(With&& with) {
    return weighted_ ? with(*weighted_) : with(counts_);
  }

  template <class Archive>
  void save(Archive& to) const {
    to.put(capacity_);
    to.put(static_cast<std::uint64_t>(size()));
    to.put(static_cast<std::uint8_t>(weighted()));
    for (std::size_t i = 0; i < size(); ++i) to.put(scores_[i]);
    for (std::size_t i = 0; i < size(); ++i) to.put(labels_[i]);
    for (std::size_t i = 0; weighted() && i < size(); ++i) to.put(weights_[i]);
    weighted() ? weighted_->save(to) : counts_.save(to);
  }
  // Into a window of the same size.
  template <class Archive>
  void load(Archive& from) {
    clear();
    if (from.template get<std::uint64_t>() != capacity_) from.refuse("they are of a window of another size");
    const auto size = from.template get<std::uint64_t>();
    const bool weighted = from.template get<std::uint8_t>();
    for (std::uint64_t i = 0; i < size; ++i) scores_.push(from.template get<double>());
    for (std::uint64_t i = 0; i < size; ++i) labels_.push(from.template get<std::uint8_t>());
    for (std::uint64_t i = 0; weighted && i < size; ++i) weights_.push(from.template get<double>());
    if (weighted) {
      weighted_ = std::make_unique<ScoreWeights>();
      weighted_->load(from);
    } else {
      counts_.load(from);
    }
    from.finish();
  }

 private:
  void drop_oldest() {
    const double score = scores_.pop();
    const bool positive = labels_.pop();
    if (weighted_)
      weighted_->remove(score, positive, weights_.pop());
    else
      counts_.remove(score, positive);
  }

  // From the first weight that is not one.
  void start_weighing() {
    weighted_ = std::make_unique<ScoreWeights>();
    for (std::size_t i = 0; i < size(); ++i) {
      weights_.push(1);
      weighted_->add(scores_[i], labels_[i], 1);
    }
    counts_.clear();
  }

  std::uint64_t capacity_;
  Ring<double> scores_;
  Ring<std::uint8_t> labels_;
  Ring<double> weights_;  // empty without weights
  ScoreCounts counts_;    // empty with weights
  std::unique_ptr<ScoreWeights> weighted_;
};

}  // namespace roclab
