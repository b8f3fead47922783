// Python bindings for trees of AUC splits.
#include "roclab/auc_split.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "roclab/auc_split_growth.hpp"
#include "roclab/auc_split_pruning.hpp"
#include "roclab/auc_split_tree.hpp"
#include "sort_kernels.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

void define_auc_split(nb::module_& m) {
  m.def(
      "split_excess",
      [](Input<std::int64_t> pos, Input<std::int64_t> neg) {
        std::vector<ClassMasses<std::int64_t>> children;
        for (std::size_t i = 0; i < pos.size(); ++i)
          if (pos(i) || neg(i)) children.push_back({pos(i), neg(i)});
        std::sort(children.begin(), children.end(), richer<SignedWide, std::int64_t>);
        return static_cast<double>(excess_of_ordered<SignedWide>(children));
      },
      nb::arg("pos").noconvert(), nb::arg("neg").noconvert());

  m.def(
      "grow_split_tree",
      [](Input<double> features, Input<std::uint8_t> labels, std::optional<Input<std::int64_t>> masses,
         Input<std::uint8_t> categorical, std::int64_t max_depth, std::int64_t min_samples_split, std::int64_t min_samples_leaf,
         std::int64_t max_leaf_nodes, std::uint64_t max_features, bool multiway, double alpha, std::uint64_t seed, int threads) {
        SplitTree tree;
        {
          nb::gil_scoped_release nogil;
          const TrainingRows data{features.data(), labels.size(), categorical.size(), labels.data(), categorical.data()};
          const SplitRules rules{max_depth, min_samples_split, min_samples_leaf, max_features, multiway, seed};
          tree = grow_split_tree(data, masses ? masses->data() : nullptr, rules, threads);
          if (max_leaf_nodes > 0) tree = with_splits(tree, largest_gains_first(gains_of(tree), max_leaf_nodes));
          if (alpha > 0) tree = with_splits(tree, worth_their_leaves(gains_of(tree), alpha));
        }
        nb::dict fields;
        fields["feature"] = to_numpy(std::move(tree.feature));
        fields["threshold"] = to_numpy(std::move(tree.threshold));
        fields["first_child"] = to_numpy(std::move(tree.first_child));
        fields["children"] = to_numpy(std::move(tree.children));
        fields["missing_to"] = to_numpy(std::move(tree.missing_to));
        fields["unseen_to"] = to_numpy(std::move(tree.unseen_to));
        fields["pos"] = to_numpy(std::move(tree.pos));
        fields["neg"] = to_numpy(std::move(tree.neg));
        fields["rows"] = to_numpy(std::move(tree.rows));
        fields["depth"] = to_numpy(std::move(tree.depth));
        fields["gain"] = to_numpy(std::move(tree.gain));
        fields["categories_end"] = to_numpy(std::move(tree.categories_end));
        fields["category"] = to_numpy(std::move(tree.category));
        fields["category_to"] = to_numpy(std::move(tree.category_to));
        return fields;
      },
      nb::arg("features").noconvert(), nb::arg("labels").noconvert(), nb::arg("masses").noconvert().none(),
      nb::arg("categorical").noconvert(), "max_depth"_a, "min_samples_split"_a, "min_samples_leaf"_a, "max_leaf_nodes"_a,
      "max_features"_a, "multiway"_a, "alpha"_a, "seed"_a, "threads"_a);

  m.def(
      "find_leaves",
      [](Input<double> features, std::size_t columns, Input<std::int32_t> feature, Input<double> threshold,
         Input<std::int64_t> first_child, Input<std::int32_t> missing_to, Input<std::int32_t> unseen_to,
         Input<std::int64_t> categories_end, Input<double> category, Input<std::int32_t> category_to, int threads) {
        const std::size_t rows = features.size() / columns;
        Array<std::int64_t> leaves(rows);
        {
          nb::gil_scoped_release nogil;
          const SplitTreeView tree{feature.data(),   threshold.data(),      first_child.data(), missing_to.data(),
                                   unseen_to.data(), categories_end.data(), category.data(),    category_to.data()};
          find_leaves(tree, features.data(), rows, columns, threads, leaves.data());
        }
        return to_numpy(std::move(leaves));
      },
      nb::arg("features").noconvert(), "columns"_a, nb::arg("feature").noconvert(), nb::arg("threshold").noconvert(),
      nb::arg("first_child").noconvert(), nb::arg("missing_to").noconvert(), nb::arg("unseen_to").noconvert(),
      nb::arg("categories_end").noconvert(), nb::arg("category").noconvert(), nb::arg("category_to").noconvert(), "threads"_a);

  m.def(
      "pruning_path",
      [](Input<double> gain, Input<std::int64_t> first_child, Input<std::int32_t> children) {
        std::vector<PruningStep> path;
        {
          nb::gil_scoped_release nogil;
          path = pruning_path({gain.data(), first_child.data(), children.data(), gain.size()});
        }
        Array<double> alpha(path.size()), auc(path.size());
        Array<std::int64_t> leaves(path.size());
        for (std::size_t i = 0; i < path.size(); ++i) alpha[i] = path[i].alpha, auc[i] = path[i].auc, leaves[i] = path[i].leaves;
        return nb::make_tuple(to_numpy(std::move(alpha)), to_numpy(std::move(auc)), to_numpy(std::move(leaves)));
      },
      nb::arg("gain").noconvert(), nb::arg("first_child").noconvert(), nb::arg("children").noconvert());
}
