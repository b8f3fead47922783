// The approximate window without Python, under the sanitizers: after every operation of random streams its invariants hold, and
// the AUC of all pairs is within its bounds.
#include "roclab/compressed_window.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "roclab/compressed_ranking.hpp"

namespace {

using namespace roclab;
using Events = std::vector<std::pair<bool, double>>;

void check_state(const CompressedWindow& window, const Events& inside, const std::string& what) {
  const std::string problem = window.problem();
  check(problem.empty(), what + ": " + problem);
  long twice = 0, pos = 0;
  for (const auto& [positive, high] : inside) {
    pos += positive;
    if (!positive) continue;
    for (const auto& [other, low] : inside)
      if (!other) twice += 2 * (high > low) + (high == low);
  }
  const long neg = static_cast<long>(inside.size()) - pos;
  check(window.n_pos() == pos && window.n_neg() == neg, what + ": counts");
  if (pos > 0 && window.eps() > 0)
    check(static_cast<double>(window.list(true).size()) <= 2 * std::log(pos) / std::log1p(window.eps()) + 4,
          what + ": size of list");
  if (pos == 0 || neg == 0) return check(std::isnan(window.auc()) && std::isnan(window.bounds().low), what + ": undefined");
  const double exact = static_cast<double>(twice) / static_cast<double>(2 * pos * neg), half = window.eps() / 2;
  const auto [low, high] = window.bounds();
  check(low <= exact && exact <= high, what + ": bounds");
  check(std::abs(window.auc() - exact) <= half * exact + 1e-15, what + ": error");
  if (window.flipped()) check(std::abs(window.auc_flipped() - exact) <= half * (1 - exact) + 1e-15, what + ": flipped error");
}

void run(double eps, unsigned seed) {
  std::mt19937 random(seed);
  const std::size_t size = 1 + random() % 200;
  const int levels = seed % 2 ? 6 : 1000;
  const unsigned rate = 2 + random() % 89;
  CompressedWindow window(size, eps, seed % 4 != 3);
  const std::string what = "eps " + std::to_string(eps) + " seed " + std::to_string(seed);
  Events inside;
  auto revert_any = [&] {
    const auto chosen = inside[random() % inside.size()];
    inside.erase(std::next(std::find(inside.rbegin(), inside.rend(), chosen)).base());
    check(window.revert(chosen.first, chosen.second), what + ": revert");
    check_state(window, inside, what);
  };
  for (int step = 0; step < 200; ++step) {
    if (inside.size() == size) inside.erase(inside.begin());
    inside.emplace_back(random() % 100 < rate, static_cast<double>(random() % levels) - levels / 2);
    window.update(inside.back().first, inside.back().second);
    check_state(window, inside, what);
    if (seed % 3 == 0 && random() % 2) revert_any();
  }

  std::vector<std::uint8_t> labels;
  std::vector<double> scores, listed[2];
  window.each_event([&](bool positive, double score) {
    labels.push_back(positive);
    scores.push_back(score);
  });
  for (const int c : {0, 1})
    for (std::size_t i = 1; i + 1 < window.list(c).size(); ++i)
      listed[c].push_back(CompressedWindow::score_of(window.list(c).key(i)));
  CompressedWindow again(size, eps, window.flipped());
  check(again.restore(labels.data(), scores.data(), scores.size(),
                      {{{listed[0].data(), listed[0].size()}, {listed[1].data(), listed[1].size()}}}),
        what + ": restore");
  check_state(again, inside, what + ", restored");
  listed[1].push_back(1e9);
  check(!again.restore(labels.data(), scores.data(), scores.size(),
                       {{{listed[0].data(), listed[0].size()}, {listed[1].data(), listed[1].size()}}}) &&
            again.events() == 0,
        what + ": a list that cannot be");

  while (!inside.empty()) revert_any();
  check(!window.revert(true, 0), what + ": revert from an empty window");
  window.update(true, 1);
  window.reset();
  check_state(window, {}, what + ", reset");
}

}  // namespace

int main() {
  for (const double eps : {0.0, 0.01, 0.1, 0.5, 1.0, 2.0, 10.0})
    for (unsigned seed = 0; seed < 12; ++seed) run(eps, seed);
  const std::vector<double> doubling{1, 2, 4, 8, 16}, none;
  check(compressed_places(doubling.data(), doubling.size(), 0.5) == std::vector<std::int64_t>{0, 1, 2, 3, 4}, "doubling weights");
  check(compressed_places(none.data(), 0, 0.5).empty(), "no groups");
  return report();
}
