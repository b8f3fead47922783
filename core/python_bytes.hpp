// The state of a window as Python bytes.
#pragma once

#include <nanobind/nanobind.h>

#include "roclab/archive.hpp"

namespace roclab {

template <class Saved>
nanobind::bytes saved(const Saved& state) {
  Writer to;
  state.save(to);
  return nanobind::bytes(to.bytes.data(), to.bytes.size());
}

template <class Saved>
void load(Saved& state, nanobind::bytes data) {
  Reader from(data.c_str(), data.size());
  state.load(from);
  from.finish();
}

}  // namespace roclab
