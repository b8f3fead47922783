// The compressed list of weighted data, built in one pass: from each node to the last one that Eq. 3 allows.
//
// Glossary as in compressed_list.hpp, with masses instead of counts. Updates are not available for weights: the proof of the
// paper needs counts that change by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace roclab {

// Indices of the listed groups among `size` groups with these masses, highest score first; no sentinels. O(size + |L| log size).
template <class Mass>
std::vector<std::int64_t> compressed_places(const Mass* pos, std::size_t size, double eps) {
  std::vector<double> head(size + 1, 0.0);  // hp; +inf after the last group
  for (std::size_t i = 0; i < size; ++i) head[i + 1] = head[i] + static_cast<double>(pos[i]);
  std::vector<std::int64_t> places;
  std::size_t at = 0;
  for (double base = 0;; base = head[at + 1]) {
    // Among equal heads the last: it is positive then, or +inf.
    const auto beyond = std::upper_bound(head.begin() + static_cast<std::ptrdiff_t>(at), head.end(), base,
                                         [&](double b, double h) { return !(h - b <= eps * b); });
    at = static_cast<std::size_t>(beyond - head.begin()) - 1;
    if (at == size) return places;
    places.push_back(static_cast<std::int64_t>(at));
  }
}

}  // namespace roclab
