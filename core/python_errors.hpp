// Errors for Python. The core names what it refuses and passes the values as they are; a function that roclab registers returns
// the exception with its message.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>

namespace roclab {

struct NanScore : std::exception {
  const char* what() const noexcept override { return "a score is NaN"; }
};

// The registered function; never freed, since Python ends first.
inline PyObject* refusal = nullptr;

// Sets the Python error and throws nothing, as translators of exceptions require. Without a registered function, it is a
// ValueError with the kind and the values as arguments.
template <class... Values>
void set_refusal(const char* kind, const Values&... values) noexcept {
  const nanobind::object name = nanobind::steal(PyUnicode_FromString(kind));
  if (!name.is_valid()) return;
  PyObject* const arguments[] = {name.ptr(), values.ptr()...};
  PyObject* const make = refusal ? refusal : PyExc_ValueError;
  const nanobind::object error = nanobind::steal(PyObject_Vectorcall(make, arguments, 1 + sizeof...(values), nullptr));
  if (error.is_valid()) PyErr_SetObject(error.type().ptr(), error.ptr());
}

template <class... Values>
[[noreturn]] void refuse(const char* kind, const Values&... values) {
  set_refusal(kind, values...);
  throw nanobind::python_error();
}

}  // namespace roclab
