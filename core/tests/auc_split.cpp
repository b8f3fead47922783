// Trees of AUC splits without Python: splits against all pairs, threads, rows without a value, pruning.
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "roclab/auc_split_growth.hpp"
#include "roclab/auc_split_pruning.hpp"

namespace {

using namespace roclab;

constexpr std::size_t kColumns = 4;
const std::uint8_t kCategorical[kColumns] = {0, 0, 1, 0};

struct Data {
  std::vector<double> features;
  std::vector<std::uint8_t> labels;
  std::vector<std::int64_t> masses;
  TrainingRows rows() const { return {features.data(), labels.size(), kColumns, labels.data(), kCategorical}; }
};

Data draw(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  Data data;
  for (std::size_t row = 0; row < n; ++row) {
    double sum = 0;
    for (std::size_t column = 0; column < kColumns; ++column) {
      const double value = static_cast<double>(random() % 6);
      sum += value;
      data.features.push_back(random() % 5 ? value : std::numeric_limits<double>::quiet_NaN());
    }
    data.labels.push_back(static_cast<std::uint8_t>(row < 2 ? row : sum + static_cast<double>(random() % 8) > 14));
    data.masses.push_back(1 + static_cast<std::int64_t>(random() % (std::uint64_t{1} << 40)));
  }
  return data;
}

SplitRules rules(std::int64_t max_depth, std::int64_t min_leaf, bool multiway) {
  return {max_depth, 2, min_leaf, kColumns, multiway, 7};
}

bool same(const SplitTree& a, const SplitTree& b) {
  return a.feature == b.feature && a.first_child == b.first_child && a.pos == b.pos && a.neg == b.neg && a.category == b.category &&
         a.gain == b.gain && a.missing_to == b.missing_to;
}

// Each node holds the rows that reach it, and the gain of a split is that of all pairs.
void check_tree(const Data& data, const SplitTree& tree, const std::int64_t* masses, const std::string& what) {
  const std::size_t n = data.labels.size();
  std::vector<std::int64_t> leaves(n);
  const SplitTreeView view{tree.feature.data(),   tree.threshold.data(),      tree.first_child.data(), tree.missing_to.data(),
                           tree.unseen_to.data(), tree.categories_end.data(), tree.category.data(),    tree.category_to.data()};
  find_leaves(view, data.features.data(), n, kColumns, 2, leaves.data());
  std::vector<std::int64_t> rows(tree.size(), 0), pos(tree.size(), 0), neg(tree.size(), 0);
  for (std::size_t row = 0; row < n; ++row) {
    ++rows[leaves[row]];
    (data.labels[row] ? pos : neg)[leaves[row]] += masses ? masses[row] : 1;
  }
  for (std::size_t node = tree.size(); node-- > 0;) {
    for (std::int32_t i = 0; i < tree.children[node]; ++i) {
      const std::int64_t child = tree.first_child[node] + i;
      rows[node] += rows[child], pos[node] += pos[child], neg[node] += neg[child];
      check(rows[child] > 0, what + ": no empty child");
    }
    check(rows[node] == tree.rows[node] && pos[node] == tree.pos[node] && neg[node] == tree.neg[node], what + ": masses of a node");
    if (tree.children[node] == 0) continue;
    double wins = 0;
    for (std::int32_t a = 0; a < tree.children[node]; ++a)
      for (std::int32_t b = 0; b < tree.children[node]; ++b) {
        const std::int64_t i = tree.first_child[node] + a, j = tree.first_child[node] + b;
        const double p = static_cast<double>(pos[i]), q = static_cast<double>(neg[j]);
        const double si = p / (p + static_cast<double>(neg[i])),
                     sj = static_cast<double>(pos[j]) / (static_cast<double>(pos[j]) + q);
        wins += p * q * (si > sj ? 1 : si == sj ? 0.5 : 0);
      }
    const double pairs = static_cast<double>(tree.pos[0]) * static_cast<double>(tree.neg[0]);
    const double own = static_cast<double>(pos[node]) * static_cast<double>(neg[node]);
    check(std::abs((wins - own / 2) / pairs - tree.gain[node]) < 1e-12, what + ": gain of a split");
  }
}

}  // namespace

int main() {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const Data data = draw(seed < 38 ? 3 + 7 * seed : 20000, seed);
    for (const bool multiway : {false, true})
      for (const std::int64_t* masses : {static_cast<const std::int64_t*>(nullptr), data.masses.data()}) {
        const SplitRules all = rules(1000, 1, multiway), few = rules(4, 3, multiway);
        const std::string what = "seed " + std::to_string(seed);
        const SplitTree tree = grow_split_tree(data.rows(), masses, all, 1);
        check_tree(data, tree, masses, what);
        check_tree(data, grow_split_tree(data.rows(), masses, few, 1), masses, what + ", few");
        check(same(tree, grow_split_tree(data.rows(), masses, all, 3)), what + ": threads");
        const auto path = pruning_path(gains_of(tree));
        for (std::size_t i = 0; i + 1 < path.size(); i += 1 + path.size() / 20) {
          const SplitTree pruned = with_splits(tree, worth_their_leaves(gains_of(tree), (path[i].alpha + path[i + 1].alpha) / 2));
          std::int64_t leaves = 0;
          for (const auto children : pruned.children) leaves += children == 0;
          check(leaves == path[i].leaves, what + ": leaves of the path");
          check_tree(data, pruned, masses, what + ", pruned");
        }
        const SplitTree five = with_splits(tree, largest_gains_first(gains_of(tree), 5));
        std::int64_t leaves = 0;
        for (const auto children : five.children) leaves += children == 0;
        check(leaves <= 5, what + ": five leaves");
        check_tree(data, five, masses, what + ", five leaves");
      }
  }
  return report();
}
