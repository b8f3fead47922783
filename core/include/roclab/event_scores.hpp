// Scores of events that are added and removed: counted while every weight is one, weighted after the first other weight.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "roclab/score_counts.hpp"
#include "roclab/score_weights.hpp"

namespace roclab {

class EventScores {
 public:
  bool weighted() const { return weights_ != nullptr; }
  std::uint64_t n_pos() const { return weights_ ? weights_->n_pos() : counts_.n_pos(); }
  std::uint64_t n_neg() const { return weights_ ? weights_->n_neg() : counts_.n_neg(); }
  std::uint64_t events() const { return n_pos() + n_neg(); }

  void add(double score, bool positive, double weight) {
    if (weight != 1 && !weights_) start_weighing();
    if (weights_) weights_->add(score, positive, weight);
    else counts_.add(score, positive);
  }

  // The event must exist, with this weight.
  void remove(double score, bool positive, double weight) {
    if (weights_) weights_->remove(score, positive, weight);
    else counts_.remove(score, positive);
  }

  // Calls with(contents), whose type depends on whether there are weights.
  template <class With>
  auto on_contents(With&& with) {
    return weights_ ? with(*weights_) : with(counts_);
  }

  void merge(const EventScores& other) {
    if (other.weights_ && !weights_) start_weighing();
    if (!weights_) return counts_.merge(other.counts_);
    if (other.weights_) return weights_->merge(*other.weights_);
    weigh(other.counts_);
  }

  void clear() {
    counts_.clear();
    weights_.reset();
  }

  template <class Archive>
  void save(Archive& to) const {
    to.put(static_cast<std::uint8_t>(weighted()));
    weights_ ? weights_->save(to) : counts_.save(to);
  }
  template <class Archive>
  void load(Archive& from) {
    clear();
    if (from.template get<std::uint8_t>()) {
      weights_ = std::make_unique<ScoreWeights>();
      weights_->load(from);
    } else {
      counts_.load(from);
    }
  }

 protected:
  void start_weighing() {
    weights_ = std::make_unique<ScoreWeights>();
    weigh(counts_);
    counts_.clear();
  }
  ScoreWeights& weights() { return *weights_; }

  // Whether these labels and scores are those of the events; for checks of restored data.
  bool holds(std::vector<std::pair<double, bool>> others) {
    std::sort(others.begin(), others.end());
    auto next = others.begin();
    bool same = others.size() == events();
    on_contents([&](auto& contents) {
      contents.visit([&](double score, std::uint32_t pos, std::uint32_t neg, auto...) {
        for (const auto& [positive, count] : {std::pair{false, neg}, std::pair{true, pos}})
          for (std::uint32_t i = 0; same && i < count; ++i, ++next) same = next->first == score && next->second == positive;
      });
    });
    return same;
  }

 private:
  void weigh(const ScoreCounts& counted) {
    counted.visit([&](double score, std::uint32_t pos, std::uint32_t neg) {
      if (pos) weights_->add(score, true, pos, pos, pos);
      if (neg) weights_->add(score, false, neg, neg, neg);
    });
  }

  ScoreCounts counts_;  // empty with weights
  std::unique_ptr<ScoreWeights> weights_;
};

}  // namespace roclab
