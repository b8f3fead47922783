// The AUC of a split: that of a ranking in which every child is one group of ties (Ferri, Flach and Hernandez-Orallo 2002).
//
// Glossary
//   P, N   mass of the positives and of the negatives of a node
//   p, n   the same for a child
//   D      excess of a split, an integer from 0 to PN: its AUC is 1/2 + D / (2PN)
// For two children D = |pN - nP|. Masses are integers (weights as multiples of a small unit), so that splits are compared
// exactly: which one is best depends neither on the order of the rows nor on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "wide_integers.hpp"

namespace roclab {

template <class Mass>
struct ClassMasses {
  Mass pos = 0, neg = 0;
  ClassMasses& operator+=(const ClassMasses& other) {
    pos += other.pos;
    neg += other.neg;
    return *this;
  }
};

// pN - nP: the proportion of the positives minus that of the negatives in this child, times PN.
template <class Product, class Mass>
Product lead(const ClassMasses<Mass>& child, const ClassMasses<Mass>& node) {
  return Product(child.pos) * Product(node.neg) - Product(child.neg) * Product(node.pos);
}

// Whether a child has a larger proportion of positives than another; that of an empty child is 0.
template <class Product, class Mass>
bool richer(const ClassMasses<Mass>& a, const ClassMasses<Mass>& b) {
  return Product(a.pos) * Product(b.neg) > Product(b.pos) * Product(a.neg);
}

// D of any number of children in descending order of their proportion of positives.
template <class Product, class Mass>
Product excess_of_ordered(const std::vector<ClassMasses<Mass>>& children) {
  Product twice_wins = 0;
  ClassMasses<Mass> above;
  for (const auto& child : children) {
    twice_wins += Product(child.neg) * (2 * Product(above.pos) + Product(child.pos));
    above += child;
  }
  return twice_wins - Product(above.pos) * Product(above.neg);
}

}  // namespace roclab
