// Scores of any type as the scores of a type that has kernels, so that each kernel is compiled for three types and not for five.
//
// Integers become signed integers of 64 bits with the same order and the same differences. Only where unsigned integers reach 2^63
// are their values different ones: there, or where other scores are to follow, 2^63 is subtracted from all of them.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "array.hpp"
#include "parallel.hpp"

namespace roclab {

template <class T>
using KernelScore = std::conditional_t<std::integral<T>, std::int64_t, T>;

template <class T>
class KernelScores {
 public:
  using Kernel = KernelScore<T>;

  // The scores are kept by the caller. With `more_to_come`, scores of several objects are compared with one another.
  KernelScores(const T* scores, std::size_t n, int threads, bool more_to_come = false) : size_(n) {
    if constexpr (std::same_as<T, Kernel>) {
      data_ = scores;
    } else {
      if constexpr (std::same_as<T, std::uint64_t>) {
        lowered_ = more_to_come || std::any_of(scores, scores + n, [](T x) { return x >> 63 != 0; });
        if (!lowered_) {
          data_ = reinterpret_cast<const Kernel*>(scores);
          return;
        }
      }
      copy_.resize(n);
      parallel_for((n + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
        const std::size_t end = std::min(n, (block + 1) * kBlock);
        for (std::size_t i = block * kBlock; i < end; ++i) copy_[i] = to_kernel(scores[i]);
      });
      data_ = copy_.data();
    }
  }

  KernelScores(const KernelScores&) = delete;
  KernelScores& operator=(const KernelScores&) = delete;

  const Kernel* data() const { return data_; }
  std::size_t size() const { return size_; }

  // Scores from a kernel in their own type.
  Array<T> restored(Array<Kernel>&& found) const {
    if constexpr (std::same_as<T, Kernel>) {
      return std::move(found);
    } else {
      Array<T> scores(found.size());
      for (std::size_t i = 0; i < found.size(); ++i) scores[i] = static_cast<T>(static_cast<std::uint64_t>(found[i]) ^ turned());
      return scores;
    }
  }

 private:
  static constexpr std::size_t kBlock = 1u << 17;

  // Subtracting 2^63 turns the highest bit over.
  std::uint64_t turned() const { return std::uint64_t{lowered_} << 63; }
  Kernel to_kernel(T x) const { return static_cast<Kernel>(static_cast<std::uint64_t>(x) ^ turned()); }

  const Kernel* data_ = nullptr;
  std::size_t size_;
  Array<Kernel> copy_;
  bool lowered_ = false;
};

}  // namespace roclab
