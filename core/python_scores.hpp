// Scores from Python, of any of the types that roclab.checks leaves: float64, float32, int32, int64, uint64.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "python_arrays.hpp"
#include "python_errors.hpp"
#include "roclab/kernel_scores.hpp"

namespace roclab {

using AnyScores = nanobind::ndarray<nanobind::ro, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// Calls use(pointer to the first score), of the type of the array.
template <class Use>
auto with_scores(const AnyScores& array, Use&& use) {
  namespace nb = nanobind;
  const nb::dlpack::dtype type = array.dtype();
  if (type == nb::dtype<double>()) return use(static_cast<const double*>(array.data()));
  if (type == nb::dtype<float>()) return use(static_cast<const float*>(array.data()));
  if (type == nb::dtype<std::int64_t>()) return use(static_cast<const std::int64_t*>(array.data()));
  if (type == nb::dtype<std::int32_t>()) return use(static_cast<const std::int32_t*>(array.data()));
  if (type == nb::dtype<std::uint64_t>()) return use(static_cast<const std::uint64_t*>(array.data()));
  throw nb::type_error("scores are float64, float32, int32, int64 or uint64 here");
}

// Calls use(scores) with the scores of an array as a kernel takes them.
template <class Use>
auto with_kernel_scores(const AnyScores& array, int threads, bool more_to_come, Use&& use) {
  return with_scores(array, [&]<class T>(const T* first) {
    std::optional<KernelScores<T>> scores;
    {
      nanobind::gil_scoped_release nogil;
      scores.emplace(first, array.size(), threads, more_to_come);
    }
    return use(std::as_const(*scores));
  });
}

template <class Use>
auto with_kernel_scores(const AnyScores& array, int threads, Use&& use) {
  return with_kernel_scores(array, threads, false, std::forward<Use>(use));
}

template <class Result>
Result unless_nan(std::optional<Result>&& result) {
  if (!result) throw NanScore();
  return std::move(*result);
}

inline void refuse_nan(bool fine) {
  if (!fine) throw NanScore();
}

}  // namespace roclab
