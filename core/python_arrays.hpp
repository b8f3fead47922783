// Arrays from Python and to Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <utility>

namespace roclab {

template <class T>
using Input = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Output = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

template <class T>
const T* data_or_null(const std::optional<Input<T>>& values) {
  return values ? values->data() : nullptr;
}

template <class Values>
auto to_numpy(Values&& values) {
  using Kept = std::remove_cvref_t<Values>;
  auto* kept = new Kept(std::move(values));
  nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<Kept*>(p); });
  return Output<typename Kept::value_type>(kept->data(), {kept->size()}, owner);
}

}  // namespace roclab
