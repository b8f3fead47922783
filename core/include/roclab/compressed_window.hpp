// Approximate AUC of a sliding window with bounded error: Tatti (2018), as corrected in docs/explanation.
//
// In the paper low scores are positive, so keys are negated scores.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "roclab/compressed_list.hpp"
#include "roclab/linked_tree.hpp"

namespace roclab {

class CompressedWindow {
 public:
  static constexpr std::size_t kMostEvents = std::size_t{1} << 30;  // slot and label share 32 bits, and 2U fits in 63

  struct Bounds {
    double low, high;
  };

  // size in [1, kMostEvents]; eps finite and not negative. Without `flipped` the list of negatives is not kept.
  CompressedWindow(std::size_t size, double eps, bool flipped)
      : size_(size), eps_(eps), flipped_(flipped), tree_(size), lists_{CompressedList(0, eps), CompressedList(1, eps)} {}

  std::size_t size() const { return size_; }
  double eps() const { return eps_; }
  bool flipped() const { return flipped_; }
  std::size_t events() const { return events_.size(); }
  Count n_pos() const { return total_.count[1]; }
  Count n_neg() const { return total_.count[0]; }

  // Adds an event; the oldest is removed first if the window is full. The score is finite.
  void update(bool positive, double score) {
    if (events_.size() == size_) {
      const std::uint32_t oldest = events_.front();
      events_.pop_front();
      remove(tree_[static_cast<Slot>(oldest >> 1)].key, oldest & 1);
    }
    const double key = key_of(score);
    const int c = positive;
    const Slot at = tree_.add(key, c);
    total_.count[c] += 1;
    events_.push_back(static_cast<std::uint32_t>(at) << 1 | static_cast<std::uint32_t>(positive));
    if (keeps(c)) lists_[c].add_own(tree_, key);
    if (keeps(1 - c)) lists_[1 - c].change_other(key, 1);
  }

  // Removes the newest event with this label and score; false if there is none.
  bool revert(bool positive, double score) {
    const double key = key_of(score);
    const Slot at = tree_.find(key);
    if (at == kFirst || tree_[at].count[positive] == 0) return false;
    const std::uint32_t event = static_cast<std::uint32_t>(at) << 1 | static_cast<std::uint32_t>(positive);
    events_.erase(std::next(std::find(events_.rbegin(), events_.rend(), event)).base());
    remove(key, positive);
    return true;
  }

  void reset() {
    tree_.clear();
    events_.clear();
    total_ = {};
    for (auto& list : lists_) list.clear();
  }

  // nan if a class is missing, like the others. |auc - exact| <= eps exact / 2.
  double auc() const { return share(lists_[1].estimate().twice); }

  // |auc_flipped - exact| <= eps (1 - exact) / 2.
  double auc_flipped() const { return share(twice_pairs() - lists_[0].estimate().twice); }

  // Bounds of the exact AUC by all lists that are kept. Never wider than the two inequalities imply.
  Bounds bounds() const {
    const AreaEstimate plain = lists_[1].estimate();
    std::int64_t low = plain.twice - plain.slack, high = plain.twice + plain.slack;
    if (flipped_) {
      const AreaEstimate losses = lists_[0].estimate();
      low = std::max(low, twice_pairs() - losses.twice - losses.slack);
      high = std::min(high, twice_pairs() - losses.twice + losses.slack);
    }
    return {share(low), share(high)};
  }

  const CompressedList& list(bool positive) const { return lists_[positive]; }
  const LinkedTree& tree() const { return tree_; }
  static double score_of(double key) { return 0.0 - key; }

  // All events from the oldest: visit(positive, score).
  template <class Visit>
  void each_event(Visit&& visit) const {
    for (const std::uint32_t event : events_) visit(bool(event & 1), score_of(tree_[static_cast<Slot>(event >> 1)].key));
  }

  // The state after the given events, at most the size of the window, with lists of these scores (descending, without
  // sentinels). False, and an empty window, if no such state exists.
  struct Listed {
    const double* scores;
    std::size_t count;
  };
  bool restore(const std::uint8_t* labels, const double* scores, std::size_t events, const std::array<Listed, 2>& listed) {
    reset();
    for (std::size_t i = 0; i < events; ++i) {
      const Slot at = tree_.add(key_of(scores[i]), labels[i]);
      total_.count[labels[i]] += 1;
      events_.push_back(static_cast<std::uint32_t>(at) << 1 | labels[i]);
    }
    for (const int c : {0, 1}) {
      if (!keeps(c)) continue;
      std::vector<double> keys;
      for (std::size_t i = 0; i < listed[c].count; ++i) keys.push_back(key_of(listed[c].scores[i]));
      if (!lists_[c].restore(tree_, keys.data(), keys.size(), total_) || !lists_[c].problem(tree_, total_).empty()) {
        reset();
        return false;
      }
    }
    return true;
  }

  template <class Archive>
  void save(Archive& to) const {
    to.put(static_cast<std::uint64_t>(events()));
    each_event([&](bool positive, double score) {
      to.put(static_cast<std::uint8_t>(positive));
      to.put(score);
    });
    for (const CompressedList& list : lists_) {
      to.put(static_cast<std::uint64_t>(list.size() - 2));
      for (std::size_t i = 1; i + 1 < list.size(); ++i) to.put(score_of(list.key(i)));
    }
  }
  template <class Archive>
  void load(Archive& from) {
    auto score = [&] {
      const auto read = from.template get<double>();
      if (!std::isfinite(read)) from.refuse("a score is not finite");
      return read;
    };
    const auto events = from.template get<std::uint64_t>();
    if (events > size_) from.refuse("they hold more events than the window");
    std::vector<std::uint8_t> labels;
    std::vector<double> scores, listed[2];
    for (std::uint64_t i = 0; i < events; ++i) {
      labels.push_back(from.template get<std::uint8_t>() != 0);
      scores.push_back(score());
    }
    for (auto& list : listed)
      for (auto nodes = from.template get<std::uint64_t>(); nodes > 0; --nodes) list.push_back(score());
    if ((!flipped_ && !listed[0].empty()) ||
        !restore(labels.data(), scores.data(), scores.size(),
                 {{{listed[0].data(), listed[0].size()}, {listed[1].data(), listed[1].size()}}}))
      from.refuse("their lists are not those of their events");
  }

  // A violated invariant, for tests; empty if there is none. O(k log k).
  std::string problem() const {
    std::string found = tree_.problem();
    if (!found.empty()) return "tree: " + found;
    for (const int c : {0, 1}) {
      if (keeps(c)) found = lists_[c].problem(tree_, total_);
      if (!found.empty()) return std::string(c ? "list: " : "flipped list: ") + found;
    }
    return {};
  }

 private:
  static double key_of(double score) { return 0.0 - score; }  // one key for 0 and -0

  bool keeps(int c) const { return c == 1 || flipped_; }

  void remove(double key, int c) {
    std::size_t from = 0;
    if (keeps(c)) from = lists_[c].begin_removal(tree_, key);
    tree_.remove(key, c);
    total_.count[c] -= 1;
    if (keeps(c)) lists_[c].end_removal(tree_, from);
    if (keeps(1 - c)) lists_[1 - c].change_other(key, -1);
  }

  std::int64_t twice_pairs() const { return 2 * std::int64_t{n_pos()} * n_neg(); }
  double share(std::int64_t twice) const {
    if (n_pos() == 0 || n_neg() == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(twice) / static_cast<double>(twice_pairs());
  }

  std::size_t size_;
  double eps_;
  bool flipped_;
  LinkedTree tree_;
  std::array<CompressedList, 2> lists_;  // of negatives: the algorithm with labels flipped; of positives: C
  LinkedTree::Head total_;
  std::deque<std::uint32_t> events_;  // twice the slot, plus the label; the oldest first
};

}  // namespace roclab
