// Numbers to bytes and back, in the order of the machine: little-endian everywhere that roclab is built for.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "roclab/tree_nodes.hpp"

namespace roclab {

static_assert(std::endian::native == std::endian::little, "bytes are exchanged between machines as they lie in memory");

struct BadBytes : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Writer {
 public:
  template <class T>
  void put(const T& value) {
    put(&value, 1);
  }
  template <class T>
  void put(const T* values, std::size_t count) {
    bytes.append(reinterpret_cast<const char*>(values), count * sizeof(T));
  }

  std::string bytes;
};

class Reader {
 public:
  Reader(const char* data, std::size_t size) : at_(data), left_(size) {}

  template <class T>
  T get() {
    T value;
    get(&value, 1);
    return value;
  }
  template <class T>
  void get(T* values, std::size_t count) {
    if (count > left_ / sizeof(T)) throw BadBytes("they end too early");
    std::memcpy(values, at_, count * sizeof(T));
    at_ += count * sizeof(T);
    left_ -= count * sizeof(T);
  }
  // Of a tree: invalid counts are refused here, since the tree does not check itself.
  int height() {
    const auto height = get<std::uint32_t>();
    if (height > 16) throw BadBytes("a tree is too high");
    return static_cast<int>(height);
  }
  std::uint32_t size(std::uint32_t least) {
    const auto size = get<std::uint32_t>();
    if (size < least || size > kTreeFan) throw BadBytes("a node has no such size");
    return size;
  }
  [[noreturn]] static void refuse(const char* reason) { throw BadBytes(reason); }
  void finish() const {
    if (left_) throw BadBytes("they go on too long");
  }

 private:
  const char* at_;
  std::size_t left_;
};

}  // namespace roclab
