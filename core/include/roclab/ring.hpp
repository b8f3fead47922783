// A queue of bounded length in one block of memory, which grows as it fills.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace roclab {

template <class T>
class Ring {
 public:
  explicit Ring(std::size_t capacity) : capacity_(capacity) {}

  std::size_t size() const { return values_.size() - gap_; }
  // The i-th oldest.
  T& operator[](std::size_t i) { return values_[place(i)]; }
  const T& operator[](std::size_t i) const { return values_[place(i)]; }

  void push(T value) {
    if (values_.size() < capacity_ && oldest_ == 0 && gap_ == 0) {
      values_.push_back(value);
      return;
    }
    if (gap_ == 0) straighten();
    if (gap_ == 0) {
      values_.push_back(value);
      return;
    }
    --gap_;
    values_[place(size() - 1)] = value;
  }
  T pop() {
    const T value = values_[oldest_];
    oldest_ = oldest_ + 1 == values_.size() ? 0 : oldest_ + 1;
    if (++gap_ == values_.size()) clear();
    return value;
  }
  void erase(std::size_t i) {
    for (; i + 1 < size(); ++i) (*this)[i] = (*this)[i + 1];
    if (++gap_ == values_.size()) clear();
  }
  void clear() {
    values_.clear();
    oldest_ = gap_ = 0;
  }

 private:
  std::size_t place(std::size_t i) const {
    const std::size_t at = oldest_ + i;
    return at < values_.size() ? at : at - values_.size();
  }
  // Full, but below its maximum length: moves the oldest to the front so that it can grow.
  void straighten() {
    if (values_.size() == capacity_) return;
    std::rotate(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(oldest_), values_.end());
    oldest_ = 0;
  }

  std::size_t capacity_, oldest_ = 0, gap_ = 0;  // free slots after the newest
  std::vector<T> values_;
};

}  // namespace roclab
