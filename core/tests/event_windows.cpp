// Windows over a stream without Python, under the sanitizers: after every operation of thousands of random streams,
// their values agree with those of all pairs of their events, and their saved state is restored bit by bit.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "roclab/archive.hpp"
#include "roclab/cumulative_scores.hpp"
#include "roclab/decayed_window.hpp"
#include "roclab/sliding_window.hpp"
#include "roclab/time_window.hpp"

namespace {

using namespace roclab;

struct Event {
  bool positive;
  double score, weight, time;
};
using Events = std::vector<Event>;

double credit(double y, double x) { return (y > x) + 0.5 * (y == x); }

// AUC by all pairs, with weights.
double auc_of(const Events& inside) {
  double won = 0, pairs = 0;
  for (const Event& y : inside)
    for (const Event& x : inside)
      if (y.positive && !x.positive) {
        won += y.weight * x.weight * credit(y.score, x.score);
        pairs += y.weight * x.weight;
      }
  return won / pairs;
}

// Whole numbers 2U, 4A and 4B by all pairs.
PairCounts counts_of(const Events& inside) {
  PairCounts all;
  for (const Event& one : inside) {
    std::uint64_t place = 0;
    for (const Event& other : inside)
      if (other.positive != one.positive)
        place += static_cast<std::uint64_t>(2 * (one.positive ? credit(one.score, other.score) : credit(other.score, one.score)));
    ++(one.positive ? all.pos : all.neg);
    (one.positive ? all.pos_moment : all.neg_moment) += Wide(place) * place;
    if (one.positive) all.twice_wins += place;
  }
  return all;
}

// Sum of t^3 - q^2 / t over scores, t and q the sums of weights and of squared weights.
double tied_of(const Events& inside) {
  std::map<double, std::pair<double, double>> at;
  for (const Event& one : inside) {
    at[one.score].first += one.weight;
    at[one.score].second += one.weight * one.weight;
  }
  double all = 0;
  for (const auto& [score, sums] : at) all += sums.first * sums.first * sums.first - sums.second * sums.second / sums.first;
  return all;
}

bool same(double a, double b, double tolerance) {
  return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

template <class Window>
void check_state(Window& window, const Events& inside, const std::string& what) {
  const PairCounts expected = counts_of(inside);
  check(window.n_pos() == expected.pos && window.n_neg() == expected.neg, what + ": events");
  const RangeSummary found = window.on_contents([](auto& contents) { return RangeSummary(contents.summary()); });
  if (window.weighted()) {
    check(same(found.tied, tied_of(inside), 1e-9), what + ": weighted ties");
    return check(same(found.auc(), auc_of(inside), 1e-12), what + ": weighted AUC");
  }
  check(found.tied == tied_of(inside), what + ": ties");
  check(found.counts.twice_wins == expected.twice_wins, what + ": 2U");
  check(found.counts.pos_moment == expected.pos_moment && found.counts.neg_moment == expected.neg_moment, what + ": 4A and 4B");
}

template <class Window>
void check_restored(const Window& window, Window& again, const std::string& what) {
  Writer to, twice;
  window.save(to);
  Reader from(to.bytes.data(), to.bytes.size());
  again.load(from);
  from.finish();
  again.save(twice);
  check(to.bytes == twice.bytes, what + ": restored");
}

struct Source {
  std::mt19937 random;
  int levels;
  unsigned rate;
  bool weights, bursts;

  explicit Source(unsigned seed)
      : random(seed), levels(seed % 3 ? 7 : 2000), rate(2 + random() % 89), weights(seed % 4 == 1), bursts(seed % 5 == 2) {}

  unsigned draw(unsigned below) { return static_cast<unsigned>(random() % below); }
  Event event(double time) {
    const bool positive = bursts ? (static_cast<long>(time) / 30) % 2 : draw(100) < rate;
    return {positive, static_cast<double>(draw(static_cast<unsigned>(levels))) / 4 + positive, weights ? 0.25 * (1 + draw(8)) : 1.0,
            time};
  }
};

void run_sliding(unsigned seed) {
  Source source(seed);
  const std::size_t size = 1 + source.draw(120);
  SlidingWindow window(size), again(size);
  Events inside;
  const std::string what = "sliding window, seed " + std::to_string(seed);
  auto revert_any = [&] {
    const Event chosen = inside[source.draw(static_cast<unsigned>(inside.size()))];
    const auto newest = std::find_if(inside.rbegin(), inside.rend(), [&](const Event& event) {
      return event.positive == chosen.positive && event.score == chosen.score && event.weight == chosen.weight;
    });
    check(window.revert(chosen.positive, chosen.score, chosen.weight), what + ": revert");
    check(!window.revert(chosen.positive, chosen.score, 99), what + ": revert with another weight");
    inside.erase(std::next(newest).base());
  };
  for (int step = 0; step < 300; ++step) {
    if (!inside.empty() && source.draw(8) == 0) {
      revert_any();
    } else {
      const Event event = source.event(step);
      window.update(event.positive, event.score, event.weight);
      if (inside.size() == size) inside.erase(inside.begin());
      inside.push_back(event);
    }
    check_state(window, inside, what);
    if (step % 50 == 0) check_restored(window, again, what);
  }
  while (!inside.empty()) {
    revert_any();
    check_state(window, inside, what + ", drained");
  }
}

void run_time(unsigned seed) {
  Source source(seed);
  const double duration = 1 + source.draw(90), lateness = source.draw(static_cast<unsigned>(duration) + 1);
  TimeWindow window(duration, lateness), again(duration, lateness);
  Events all;
  double now = -1e300;
  std::uint64_t late = 0;
  const std::string what = "time window, seed " + std::to_string(seed);
  for (int step = 0; step < 300; ++step) {
    const Event event = source.event(step / 2 - static_cast<int>(source.draw(static_cast<unsigned>(lateness) + 4)));
    window.update(event.positive, event.score, event.weight, event.time);
    if (event.time < now - lateness || event.time <= now - duration) ++late;
    else all.push_back(event);
    now = std::max(now, event.time);
    Events inside;
    for (const Event& each : all)
      if (each.time > now - duration) inside.push_back(each);
    check(window.n_late() == late && window.now() == now, what + ": clock");
    check_state(window, inside, what);
    if (step % 50 == 0) check_restored(window, again, what);
  }
  std::erase_if(all, [&](const Event& each) { return each.time <= now - duration; });
  check(!window.revert(true, -1, 1, now), what + ": nothing to revert");
  for (; all.size() > 2; all.pop_back()) {
    const Event& last = all.back();
    check(!window.revert(last.positive, last.score, 99, last.time), what + ": revert with another weight");
    check(window.revert(last.positive, last.score, last.weight, last.time), what + ": revert");
  }
  check_state(window, all, what + ", reverted");
  window.advance(now + duration);
  check(window.events() == 0, what + ": all gone");
}

// Halves of a stream, merged, are the stream; reverting events restores the earlier state.
void run_cumulative(unsigned seed) {
  Source source(seed);
  CumulativeScores here, there, again;
  Events all;
  const std::string what = "all events, seed " + std::to_string(seed);
  for (int step = 0; step < 120; ++step) {
    const Event event = source.event(step);
    (source.draw(2) ? here : there).update(event.positive, event.score, event.weight);
    all.push_back(event);
  }
  here.merge(there);
  check_state(here, all, what + ", merged");
  check_restored(here, again, what);
  while (all.size() > 60) {
    const Event last = all.back();
    check(here.revert(last.positive, last.score, last.weight), what + ": revert");
    all.pop_back();
    check_state(here, all, what);
  }
  check(!here.revert(true, -1, 1), what + ": nothing to revert");
  here.merge(here);
  Events doubled = all;
  doubled.insert(doubled.end(), all.begin(), all.end());
  check_state(here, doubled, what + ", doubled");
}

void run_decayed(unsigned seed) {
  Source source(seed);
  const double half_life = 0.25 * (1 + source.draw(80)), tolerance = seed % 2 ? 1e-15 : 1e-4;
  DecayedWindow window(half_life, tolerance), again(half_life, tolerance);
  Events all;
  const std::string what = "decay, seed " + std::to_string(seed);
  for (int step = 0; step < 400; ++step) {
    const Event event = source.event(step);
    window.update(event.positive, event.score, event.weight);
    all.push_back(event);
    if (step % 7) continue;
    // The newest of each class has weight one: AUC is the same, and old weights do not underflow.
    Events inside = all;
    double last[2] = {0, 0};
    for (const Event& each : inside) last[each.positive] = each.time;
    for (Event& each : inside) each.weight *= std::exp2((each.time - last[each.positive]) / half_life);
    const double share = window.dropped(true) + window.dropped(false);
    check(window.dropped(true) <= tolerance && window.dropped(false) <= tolerance, what + ": dropped");
    check(same(window.on_contents([](auto& contents) { return contents.auc(); }), auc_of(inside), share + 1e-12), what + ": AUC");
    check_restored(window, again, what);
  }
  const double most = half_life * std::log2((1.5 * half_life + 1) / tolerance) + 1 + (source.weights ? 3 * half_life : 0);
  check(static_cast<double>(std::max(window.n_pos(), window.n_neg())) <= most, what + ": events kept");
  if (half_life < 4) return;  // the last events may have been dropped
  for (int i = 0; i < 5; ++i, all.pop_back()) {
    check(!window.revert(all.back().positive, all.back().score, 99), what + ": revert with another weight");
    check(window.revert(all.back().positive, all.back().score, all.back().weight), what + ": revert");
    check(window.n_seen() == all.size() - 1, what + ": events seen");
  }
}

}  // namespace

int main() {
  for (unsigned seed = 0; seed < 500; ++seed) {
    run_sliding(seed);
    run_time(seed);
    run_cumulative(seed);
    run_decayed(seed);
  }
  return report();
}
