// `update` and `auc` as a plain CPython method and attribute. A stream may use both at every event, and the general call of
// nanobind would take a fifth of the time.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <exception>
#include <new>

#include "roclab/event_scores.hpp"
#include "roclab/pair_counts.hpp"
#include "stream_events.hpp"

namespace roclab {
namespace detail {

inline constexpr const char* kEventArguments[] = {"y_true", "y_score", "time", "sample_weight"};

// Sorts the arguments of a call by parameter; false, with a TypeError set, if they do not match.
inline bool place_arguments(PyObject* const* args, Py_ssize_t count, PyObject* keywords, PyObject* (&found)[4]) {
  if (count > 2) {
    PyErr_Format(PyExc_TypeError, "update() takes 2 positional arguments, y_true and y_score, but %zd were given", count);
    return false;
  }
  for (Py_ssize_t i = 0; i < count; ++i) found[i] = args[i];
  for (Py_ssize_t k = 0; keywords && k < PyTuple_Size(keywords); ++k) {
    PyObject* name = PyTuple_GetItem(keywords, k);
    std::size_t place = 0;
    while (place < 4 && PyUnicode_CompareWithASCIIString(name, kEventArguments[place]) != 0) ++place;
    if (place == 4) {
      PyErr_Format(PyExc_TypeError, "update() got an unexpected keyword argument %R", name);
      return false;
    }
    if (static_cast<Py_ssize_t>(place) < count) {
      PyErr_Format(PyExc_TypeError, "update() got multiple values for argument %R", name);
      return false;
    }
    found[place] = args[count + k];
  }
  for (std::size_t place = 0; place < 2; ++place)
    if (!found[place]) {
      PyErr_Format(PyExc_TypeError, "update() is missing the argument '%s'", kEventArguments[place]);
      return false;
    }
  return true;
}

template <class Window>
Window* window_of(PyObject* self) {
  if (nanobind::inst_ready(self)) return nanobind::inst_ptr<Window>(self);
  PyErr_Format(PyExc_TypeError, "%U.__init__() was not called", nanobind::type_name(nanobind::handle(self).type()).ptr());
  return nullptr;
}

// Calls `run`, which returns a Python object, and translates C++ exceptions.
template <class Run>
PyObject* guarded(Run run) noexcept {
  try {
    return run();
  } catch (nanobind::python_error& error) {
    error.restore();
  } catch (const TooManyEvents&) {
    set_refusal("too many events");
  } catch (const TooManyExamples&) {
    set_refusal("too many examples");
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

template <class Window>
PyObject* update_event(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) noexcept {
  PyObject* found[4] = {nullptr, nullptr, Py_None, Py_None};
  Window* window = window_of<Window>(self);
  if (!window || !place_arguments(args, count, keywords, found)) return nullptr;
  return guarded([&] {
    window->update(read_label(found[0]), read_score(found[1]), read_weight(found[3]));
    return Py_NewRef(Py_None);
  });
}

inline PyObject* auc_of(PyObject* self, void*) noexcept {
  EventScores* events = window_of<EventScores>(self);
  if (!events) return nullptr;
  return guarded([&] { return PyFloat_FromDouble(events->on_contents([](auto& contents) { return contents.auc(); })); });
}

}  // namespace detail

// Defines update(y_true, y_score, *, time=None, sample_weight=None) for a window class.
template <class Window>
void define_update(nanobind::handle type) {
  static PyMethodDef method = {"update", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&detail::update_event<Window>)),
                               METH_FASTCALL | METH_KEYWORDS,
                               "update($self, y_true, y_score, *, time=None, sample_weight=None)\n--\n\n"
                               "Add an event.\n\n"
                               "Parameters\n----------\n"
                               "y_true : bool or int\n    Target label: a boolean, 0/1 or -1/1.\n"
                               "y_score : float\n    Finite score, higher for the positive class.\n"
                               "time : object, optional\n    Time of the event, which this window ignores.\n"
                               "sample_weight : float, optional\n    Weight of the event. Events of weight 0 are ignored."};
  type.attr(method.ml_name) = nanobind::steal(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &method));
}

inline void define_auc(nanobind::handle type) {
  static PyGetSetDef attribute = {"auc", &detail::auc_of, nullptr,
                                  "The AUC; ties count half. Exact without weights; nan if a class is missing.", nullptr};
  type.attr(attribute.name) = nanobind::steal(PyDescr_NewGetSet(reinterpret_cast<PyTypeObject*>(type.ptr()), &attribute));
}

}  // namespace roclab
