// Python bindings for the bootstrap and for permutations.
#include "roclab/resampling.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "roclab/pair_exchanges.hpp"
#include "roclab/permutation.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

void define_resampling(nb::module_& m) {
  using Groups = Input<std::uint32_t>;
  nb::class_<Resampler>(m, "Resampler")
      .def(
          "__init__",
          [](Resampler* self, std::size_t n_pos, std::size_t n_neg, bool stratified, std::optional<Groups> clusters,
             std::size_t n_clusters) { new (self) Resampler(n_pos, n_neg, stratified, data_or_null(clusters), n_clusters); },
          "n_pos"_a, "n_neg"_a, "stratified"_a, nb::arg("clusters").noconvert().none(), "n_clusters"_a)
      .def(
          "weigh", [](Resampler& self, Input<double> weights) { self.weigh(weights.data()); }, nb::arg("weights").noconvert())
      .def(
          "add",
          [](Resampler& self, Groups groups, std::size_t n_groups, std::optional<Input<double>> scores) {
            nb::gil_scoped_release nogil;
            self.add(groups.data(), n_groups, data_or_null(scores));
          },
          nb::arg("groups").noconvert(), "n_groups"_a, nb::arg("scores").noconvert().none())
      .def(
          "add_curve",
          [](Resampler& self, Groups groups, std::size_t n_groups) {
            nb::gil_scoped_release nogil;
            self.add_curve(groups.data(), n_groups);
          },
          nb::arg("groups").noconvert(), "n_groups"_a)
      .def(
          "rates",
          [](const Resampler& self, std::uint64_t seed, std::uint64_t first, std::size_t count, int threads, double across,
             double up, Input<double> places) {
            Array<double> rates(count * self.curves() * places.size());
            {
              nb::gil_scoped_release nogil;
              self.rates(seed, first, count, threads, Axis{across, up}, places.data(), places.size(), rates.data());
            }
            return to_numpy(std::move(rates));
          },
          "seed"_a, "first"_a, "count"_a, "threads"_a, "across"_a, "up"_a, nb::arg("places").noconvert())
      .def(
          "draw",
          [](const Resampler& self, std::uint64_t seed, std::uint64_t replicate) {
            Array<DrawCount> counts(self.rows());
            {
              nb::gil_scoped_release nogil;
              self.draw(seed, replicate, counts.data());
            }
            return to_numpy(std::move(counts));
          },
          "seed"_a, "replicate"_a)
      .def(
          "aucs",
          [](const Resampler& self, std::uint64_t seed, std::uint64_t first, std::size_t count, int threads) {
            Array<double> values(count * self.models());
            {
              nb::gil_scoped_release nogil;
              self.aucs(seed, first, count, threads, values.data());
            }
            return to_numpy(std::move(values));
          },
          "seed"_a, "first"_a, "count"_a, "threads"_a)
      .def(
          "moments",
          [](const Resampler& self, std::uint64_t seed, std::uint64_t first, std::size_t count, int threads) {
            std::vector<Replicate> replicates(count * self.models());
            Array<double> values(replicates.size()), variances(replicates.size());
            {
              nb::gil_scoped_release nogil;
              self.moments(seed, first, count, threads, replicates.data());
              for (std::size_t i = 0; i < replicates.size(); ++i) {
                values[i] = replicates[i].value;
                variances[i] = replicates[i].variance;
              }
            }
            return nb::make_tuple(to_numpy(std::move(values)), to_numpy(std::move(variances)));
          },
          "seed"_a, "first"_a, "count"_a, "threads"_a);

  nb::enum_<Exchange>(m, "Exchange")
      .value("labels", Exchange::labels)
      .value("columns", Exchange::columns)
      .value("pairs", Exchange::pairs);
  nb::class_<Permuter>(m, "Permuter")
      .def(
          "__init__",
          [](Permuter* self, Exchange exchange, Input<std::uint8_t> positive, Input<std::uint8_t> column,
             std::optional<Groups> example, Input<std::uint8_t> ends, std::size_t n_examples) {
            new (self)
                Permuter(exchange, positive.data(), column.data(), data_or_null(example), ends.data(), ends.size(), n_examples);
          },
          "exchange"_a, nb::arg("positive").noconvert(), nb::arg("column").noconvert(), nb::arg("example").noconvert().none(),
          nb::arg("ends").noconvert(), "n_examples"_a)
      .def(
          "differences",
          [](const Permuter& self, std::uint64_t seed, std::uint64_t first, std::size_t count, int threads) {
            Array<double> values(count);
            {
              nb::gil_scoped_release nogil;
              self.differences(seed, first, count, threads, values.data());
            }
            return to_numpy(std::move(values));
          },
          "seed"_a, "first"_a, "count"_a, "threads"_a)
      .def("reaching", &Permuter::reaching, nb::call_guard<nb::gil_scoped_release>(), "seed"_a, "count"_a, "threads"_a,
           "correlation"_a, "weight"_a, "distance"_a);
  nb::class_<PairExchanges>(m, "PairExchanges")
      .def(
          "__init__",
          [](PairExchanges* self, Input<std::uint8_t> positive, Groups ranks, std::uint64_t seed, std::size_t count) {
            const std::size_t rows = positive.size();
            const auto n_pos = static_cast<std::size_t>(std::count(positive.data(), positive.data() + rows, 1));
            if (n_pos * (rows - n_pos) > PairExchanges::kMostPairs) throw std::invalid_argument("too many rows to exchange");
            new (self) PairExchanges(positive.data(), ranks.data(), rows, rows ? ranks.size() / rows : 0, seed, count);
          },
          nb::arg("positive").noconvert(), nb::arg("ranks").noconvert(), "seed"_a, "count"_a)
      .def(
          "reaching",
          [](const PairExchanges& self, std::size_t first, std::size_t second, double correlation, double weight, double distance,
             std::size_t enough) {
            std::pair<std::size_t, std::size_t> found;
            {
              nb::gil_scoped_release nogil;
              found = self.reaching(first, second, correlation, weight, distance, enough);
            }
            return nb::make_tuple(found.first, found.second);
          },
          "first"_a, "second"_a, "correlation"_a, "weight"_a, "distance"_a, "enough"_a);
}
