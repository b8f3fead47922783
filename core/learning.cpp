// Python bindings for training: losses over pairs, and an order of the rows.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "modules.hpp"
#include "python_arrays.hpp"
#include "python_errors.hpp"
#include "roclab/array.hpp"
#include "roclab/hinge_loss.hpp"
#include "roclab/logistic_loss.hpp"
#include "roclab/row_order.hpp"
#include "sort_kernels.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace roclab;

namespace {

// A loss, a lock for sorting its rows, and whether the last evaluation was completed: a call may be interrupted.
template <class Loss>
struct Guarded {
  Loss loss;
  std::mutex lock;
  bool evaluated = false;
  template <class... Arguments>
  explicit Guarded(Arguments... arguments) : loss(arguments...) {}
};

template <class Loss, class Class>
void define_pair_loss(Class& loss) {
  loss.def(
          "evaluate",
          [](Guarded<Loss>& self, Input<double> scores, bool gradient, bool curvature, int threads) {
            Array<double> slopes(gradient ? scores.size() : 0), bends(curvature ? scores.size() : 0);
            double value;
            {
              nb::gil_scoped_release nogil;
              const std::lock_guard alone(self.lock);
              self.evaluated = false;
              value = self.loss.evaluate(scores.data(), threads,
                                         {gradient ? slopes.data() : nullptr, curvature ? bends.data() : nullptr});
              self.evaluated = true;
            }
            return nb::make_tuple(value, to_numpy(std::move(slopes)), to_numpy(std::move(bends)));
          },
          nb::arg("scores").noconvert(), "gradient"_a, "curvature"_a, "threads"_a)
      .def(
          "hessian_product",
          [](Guarded<Loss>& self, Input<double> vector, int threads) {
            Array<double> product(vector.size());
            bool evaluated;
            {
              nb::gil_scoped_release nogil;
              const std::lock_guard alone(self.lock);
              if ((evaluated = self.evaluated)) self.loss.hessian_product(vector.data(), threads, product.data());
            }
            if (!evaluated) refuse("unevaluated objective");
            return to_numpy(std::move(product));
          },
          nb::arg("vector").noconvert(), "threads"_a);
}

// Rows in the order that order_rows returns.
template <class Row>
void define_take_rows(nb::module_& m) {
  m.def(
      "take_rows",
      [](Input<double> values, Input<Row> order, std::size_t width, int threads) {
        Array<double> taken(order.size() * width);
        {
          nb::gil_scoped_release nogil;
          take_rows(values.data(), width, order.data(), order.size(), threads, taken.data());
        }
        return to_numpy(std::move(taken));
      },
      nb::arg("values").noconvert(), nb::arg("order").noconvert(), "width"_a, "threads"_a);
}

}  // namespace

void define_learning(nb::module_& m) {
  nb::class_<Guarded<HingeLoss>> hinge(m, "HingeLoss");
  hinge.def(
      "__init__",
      [](Guarded<HingeLoss>* self, Input<std::uint8_t> labels, std::optional<Input<double>> weights, double gamma, int power) {
        new (self) Guarded<HingeLoss>(labels.data(), data_or_null(weights), labels.size(), gamma, power);
      },
      nb::arg("labels").noconvert(), nb::arg("weights").noconvert().none(), "gamma"_a, "power"_a);
  define_pair_loss<HingeLoss>(hinge);

  nb::class_<Guarded<LogisticLoss>> logistic(m, "LogisticLoss");
  logistic.def(
      "__init__",
      [](Guarded<LogisticLoss>* self, Input<std::uint8_t> labels, std::optional<Input<double>> weights, double gamma) {
        new (self) Guarded<LogisticLoss>(labels.data(), data_or_null(weights), labels.size(), gamma);
      },
      nb::arg("labels").noconvert(), nb::arg("weights").noconvert().none(), "gamma"_a);
  define_pair_loss<LogisticLoss>(logistic);

  m.def(
      "hash_rows",
      [](Input<double> values, std::optional<Input<std::int64_t>> starts, std::optional<Input<std::int64_t>> columns,
         Input<std::uint8_t> labels, int threads) {
        Array<std::uint64_t> hashes(labels.size());
        {
          nb::gil_scoped_release nogil;
          const std::size_t width = labels.size() ? values.size() / labels.size() : 0;
          const NumberRows rows{values.data(), data_or_null(starts), data_or_null(columns), labels.size(), width};
          hash_rows(rows, labels.data(), threads, hashes.data());
        }
        return to_numpy(std::move(hashes));
      },
      nb::arg("values").noconvert(), nb::arg("starts").noconvert().none(), nb::arg("columns").noconvert().none(),
      nb::arg("labels").noconvert(), "threads"_a);
  define_take_rows<std::uint32_t>(m);
  define_take_rows<std::uint64_t>(m);
}
