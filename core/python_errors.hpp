// Errors that reach Python in parts: what was found, what is needed, what to do. Placeholders in the texts stand for parameters,
// {y_score}, or for values that are passed beside the texts, so that braces in a value mean nothing.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>
#include <initializer_list>
#include <string>
#include <utility>

namespace roclab {

struct NanScore : std::exception {
  const char* what() const noexcept override { return "a score is NaN"; }
};

struct Message {
  const char* found;
  const char* needed = "";
  const char* fix = "";
};
using Values = std::initializer_list<std::pair<const char*, nanobind::object>>;

// The class that roclab registers; it is called with the parts and the values as keywords. Never freed, since Python ends first.
inline PyObject* input_error = nullptr;

// A value of a user as roclab.checks.options.shown() returns it: its repr, cut at 60 characters; NumPy's numbers as plain ones.
inline nanobind::object shown(nanobind::handle value) {
  nanobind::object plain = nanobind::borrow(value);
  if (nanobind::isinstance(value, nanobind::module_::import_("numpy").attr("generic"))) plain = value.attr("item")();
  return nanobind::repr(plain)[nanobind::slice(60)];
}

namespace detail {

// A text without a registered class to name its parameters: they have their own names.
inline std::string filled(const char* text, const nanobind::dict& values) {
  std::string all(text);
  for (std::size_t open = 0; (open = all.find('{', open)) != std::string::npos;) {
    const std::size_t close = all.find('}', open);
    const std::string name = all.substr(open + 1, close - open - 1);
    const std::string value = values.contains(name.c_str()) ? nanobind::str(values[name.c_str()]).c_str() : name;
    all.replace(open, close - open + 1, value);
    open += value.size();
  }
  return all;
}

}  // namespace detail

// Sets the error, which a translator of exceptions must do without throwing another one.
inline void set_input_error(const Message& message, Values values = {}) {
  nanobind::dict parts;
  for (const auto& [name, value] : values) parts[name] = value;
  if (!input_error) {
    std::string text = detail::filled(message.found, parts);
    if (*message.needed) text += "; " + detail::filled(message.needed, parts);
    text += ".";
    if (*message.fix) text += " " + detail::filled(message.fix, parts);
    PyErr_SetString(PyExc_ValueError, text.c_str());
    return;
  }
  parts["found"] = message.found;
  parts["needed"] = message.needed;
  parts["fix"] = message.fix;
  const nanobind::object error = nanobind::handle(input_error)(**parts);
  PyErr_SetObject(input_error, error.ptr());
}

[[noreturn]] inline void raise_input_error(const Message& message, Values values = {}) {
  set_input_error(message, values);
  throw nanobind::python_error();
}

}  // namespace roclab
