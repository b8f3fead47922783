// One event from Python: its label, score, weight and time, each of any numeric type.
//
// Valid values take one short inline path. Only a value that is refused is examined again, out of line.
#pragma once

#include <nanobind/nanobind.h>

#include <cmath>

#include "python_errors.hpp"
#include "roclab/weight_limits.hpp"

namespace roclab {

[[gnu::noinline]] inline double converted_or_nan(nanobind::handle value) {
  if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr())) return std::nan("");  // strings of NumPy have __float__
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1 || !PyErr_Occurred()) return number;
  const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError);
  PyErr_Clear();
  return too_large ? HUGE_VAL : std::nan("");
}

// The value of an exact float.
inline double float_value(nanobind::handle value) {
#ifdef Py_LIMITED_API
  return PyFloat_AsDouble(value.ptr());
#else
  return PyFloat_AS_DOUBLE(value.ptr());
#endif
}

// Infinite if it is too large, nan if it is not a number.
inline double number_or_nan(nanobind::handle value) {
  return PyFloat_CheckExact(value.ptr()) ? float_value(value) : converted_or_nan(value);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_label(nanobind::handle y_true) { refuse("label", y_true); }

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_score(nanobind::handle y_score) {
  const bool is_text = PyUnicode_Check(y_score.ptr()) || PyBytes_Check(y_score.ptr());
  const bool is_number = !is_text && nanobind::hasattr(y_score, "__float__");
  refuse(is_number || !std::isnan(number_or_nan(y_score)) ? "infinite or missing score" : "score", y_score);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_weight(nanobind::handle sample_weight) {
  const double value = number_or_nan(sample_weight);
  refuse(std::isfinite(value) && value >= 0 ? "extreme weight" : "weight", sample_weight);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_time(nanobind::handle time) { refuse("time", time); }

inline bool read_label(nanobind::handle y_true) {
  if (y_true.ptr() == Py_True) return true;
  if (y_true.ptr() == Py_False) return false;
  const double number = number_or_nan(y_true);
  if (number == 1) return true;
  if (number == 0 || number == -1) return false;
  refuse_label(y_true);
}

inline double read_score(nanobind::handle y_score) {
  const double score = number_or_nan(y_score);
  if (std::isfinite(score)) return score;
  refuse_score(y_score);
}

// 1 for None.
inline double read_weight(nanobind::handle sample_weight) {
  if (sample_weight.is_none()) return 1;
  const double value = number_or_nan(sample_weight);
  if (is_weight(value)) return value;
  refuse_weight(sample_weight);
}

inline double read_time(nanobind::handle time) {
  const double value = number_or_nan(time);
  if (std::isfinite(value)) return value;
  refuse_time(time);
}

}  // namespace roclab
