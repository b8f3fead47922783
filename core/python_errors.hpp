// Errors that reach Python: what users did wrong becomes the class that roclab registers.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <string>

namespace roclab {

struct NanScore : std::exception {
  const char* what() const noexcept override { return "a score is NaN"; }
};

// ValueError until another class is registered. Never freed: Python is gone by then.
inline PyObject* input_error = PyExc_ValueError;

[[noreturn]] inline void raise_input_error(const std::string& message) {
  PyErr_SetString(input_error, message.c_str());
  throw nanobind::python_error();
}

}  // namespace roclab
