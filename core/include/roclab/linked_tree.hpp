// A balanced tree of distinct keys with the events of each class at them, and the nodes of each class in a linked list.
//
// Glossary
//   class         0 negative, 1 positive; the other one of c is 1 - c
//   list of c     the nodes with events of class c in order, between two sentinels at -inf and +inf
//   gap           of a node in the list of c: events of the other class from that node up to the next one in the list
//   head          events at smaller keys
// These are T and P of Tatti (2018), and a second P for the negatives. The tree TP of positive nodes of the paper is not kept:
// the counts in T find the last positive node up to a key on the path to that key.
//
// The tree is an AVL tree, so its height is O(log k). A node stores the counts of its left subtree, not of its whole subtree:
// heads are then summed along the path alone, and a node with its links fills one cache line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "roclab/array.hpp"

namespace roclab {

using Slot = std::int32_t;
using Count = std::int32_t;

// The sentinels. A missing child is kFirst, whose height is 0.
constexpr Slot kFirst = 0, kLast = 1;

class LinkedTree {
 public:
  struct Link {
    Slot prev = kFirst, next = kLast;
    Count gap = 0;
  };
  struct Node {
    double key = 0;
    Count count[2] = {0, 0}, left[2] = {0, 0};  // here, and in the left subtree
    Slot child[2] = {kFirst, kFirst};
    Link link[2];
    std::int32_t height = 1;
  };
  static_assert(sizeof(Node) == 64);

  // At most `most` keys.
  explicit LinkedTree(std::size_t most) : most_(most + 2) { clear(); }

  const Node& operator[](Slot slot) const { return nodes_[slot]; }

  void clear() {
    nodes_.clear();
    nodes_.resize(2);
    nodes_[kFirst].key = -std::numeric_limits<double>::infinity();
    nodes_[kLast].key = std::numeric_limits<double>::infinity();
    nodes_[kFirst].height = nodes_[kLast].height = 0;
    root_ = free_ = kFirst;
  }

  // The node at a key; kFirst if there is none. O(log k), like all that follow.
  Slot find(double key) const {
    Slot at = root_;
    while (at != kFirst && nodes_[at].key != key) at = nodes_[at].child[nodes_[at].key < key];
    return at;
  }

  // Events of each class at smaller keys: Algorithm 1 of the paper, with its comparison reversed.
  struct Head {
    Count count[2] = {0, 0};
  };
  Head head(double key) const {
    Head head;
    for (Slot at = root_; at != kFirst;) {
      const Node& node = nodes_[at];
      if (key < node.key) {
        at = node.child[0];
        continue;
      }
      const bool here = node.key == key;
      for (const int c : {0, 1}) head.count[c] += node.left[c] + (here ? 0 : node.count[c]);
      if (here) break;
      at = node.child[1];
    }
    return head;
  }

  Slot add(double key, int c) {
    const int other = 1 - c;
    if (free_ == kFirst && nodes_.size() == nodes_.capacity())
      nodes_.reserve(std::min(std::max<std::size_t>(16, 2 * nodes_.size()), most_));
    const Place place = locate(key);
    Slot at = place.node;
    nodes_[place.last[other]].link[other].gap += 1;
    count_on_way(key, c, 1);
    if (at == kFirst) at = open_slot(key);
    const bool first = nodes_[at].count[c]++ == 0;
    if (place.node == kFirst) attach(at);
    if (first) insert_link(place.last[c], at, c, place.head[other] - place.last_head[c]);
    return at;
  }

  // Removes an existing event. The slot of a node without events is reused.
  void remove(double key, int c) {
    const int other = 1 - c;
    const Place place = locate(key);
    const Slot at = place.node;
    nodes_[place.last[other]].link[other].gap -= 1;
    count_on_way(key, c, -1);
    if (--nodes_[at].count[c] == 0) remove_link(at, c);
    if (nodes_[at].count[other] == 0 && nodes_[at].count[c] == 0) detach(at);
  }

  // All nodes by ascending key: visit(slot).
  template <class Visit>
  void each(Visit&& visit) const {
    std::vector<Slot> open;
    for (Slot at = root_; at != kFirst || !open.empty();) {
      if (at != kFirst) {
        open.push_back(at);
        at = nodes_[at].child[0];
      } else {
        at = open.back();
        open.pop_back();
        visit(at);
        at = nodes_[at].child[1];
      }
    }
  }

  // A violated invariant, for tests; empty if there is none. O(k).
  std::string problem() const {
    std::string found;
    subtree_height(root_, found);
    Head seen;
    Slot last[2] = {kFirst, kFirst};
    Count gap[2] = {0, 0};
    double before = nodes_[kFirst].key;
    auto close_gap = [&](int c, Slot next) {
      const Link& link = nodes_[last[c]].link[c];
      if (link.next != next || nodes_[next].link[c].prev != last[c]) found = "the list of a class misses a node or holds too many";
      if (link.gap != gap[c]) found = "a gap counter of the list of a class is wrong";
      last[c] = next;
      gap[c] = 0;
    };
    each([&](Slot at) {
      const Node& node = nodes_[at];
      if (!(before < node.key)) found = "keys do not ascend";
      if (node.count[0] < 0 || node.count[1] < 0 || node.count[0] + node.count[1] == 0) found = "a node holds no events";
      const Head here = head(node.key);
      for (const int c : {0, 1}) {
        if (here.count[c] != seen.count[c]) found = "a head is wrong";
        if (node.count[c]) close_gap(c, at);
      }
      for (const int c : {0, 1}) {
        gap[c] += node.count[1 - c];
        seen.count[c] += node.count[c];
      }
      before = node.key;
    });
    for (const int c : {0, 1}) close_gap(c, kLast);
    return found;
  }

 private:
  static constexpr int kHighest = 64;  // an AVL tree of 2^31 nodes has height 45

  // Where a key is, or would be: the path is in way_.
  struct Place {
    Slot node = kFirst;
    Count head[2] = {0, 0};
    Slot last[2] = {kFirst, kFirst};  // of the list of each class, up to and including the key
    Count last_head[2] = {0, 0};      // events of the other class before those
  };

  Place locate(double key) {
    Place place;
    Count inside[2] = {0, 0};  // events of c in the left subtree of last[c], if the last node of c is in there
    depth_ = 0;
    for (Slot at = root_; at != kFirst;) {
      way_[depth_++] = at;
      const Node& node = nodes_[at];
      if (key < node.key) {
        at = node.child[0];
        continue;
      }
      for (const int c : {0, 1}) {
        if (node.count[c] || node.left[c]) {
          inside[c] = node.count[c] ? 0 : node.left[c];
          place.last[c] = node.count[c] ? at : node.child[0];
          place.last_head[c] = place.head[1 - c] + (node.count[c] ? node.left[1 - c] : 0);
        }
      }
      for (const int c : {0, 1}) place.head[c] += node.left[c];
      if (node.key == key) {
        place.node = at;
        break;
      }
      for (const int c : {0, 1}) place.head[c] += node.count[c];
      at = node.child[1];
    }
    for (const int c : {0, 1})
      if (inside[c]) find_last(c, inside[c], place);
    return place;
  }

  // The last node with events of c in the subtree of place.last[c], which holds `all` of them.
  void find_last(int c, Count all, Place& place) const {
    for (Slot at = place.last[c];;) {
      const Node& node = nodes_[at];
      const Count right = all - node.left[c] - node.count[c];
      if (right > 0) {
        place.last_head[c] += node.left[1 - c] + node.count[1 - c];
        at = node.child[1];
        all = right;
      } else if (node.count[c] > 0) {
        place.last_head[c] += node.left[1 - c];
        place.last[c] = at;
        return;
      } else {
        at = node.child[0];
        all = node.left[c];
      }
    }
  }

  void count_on_way(double key, int c, Count change) {
    for (int i = 0; i < depth_; ++i) {
      Node& node = nodes_[way_[i]];
      if (key < node.key) node.left[c] += change;
    }
  }

  // ADD and REMOVE of the paper, where `between` events of the other class lie in [prev, at).
  void insert_link(Slot prev, Slot at, int c, Count between) {
    Link &before = nodes_[prev].link[c], &link = nodes_[at].link[c];
    link = {prev, before.next, before.gap - between};
    nodes_[before.next].link[c].prev = at;
    before.next = at;
    before.gap = between;
  }
  void remove_link(Slot at, int c) {
    const Link link = nodes_[at].link[c];
    nodes_[link.prev].link[c].gap += link.gap;
    nodes_[link.prev].link[c].next = link.next;
    nodes_[link.next].link[c].prev = link.prev;
  }

  Slot open_slot(double key) {
    Slot at = free_;
    if (at == kFirst) {
      at = static_cast<Slot>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[at].child[0];
      nodes_[at] = Node();
    }
    nodes_[at].key = key;
    return at;
  }

  // At the end of the path. The nodes on it have already counted its event, as it must before they are rotated.
  void attach(Slot at) {
    if (depth_ == 0) {
      root_ = at;
    } else {
      Node& parent = nodes_[way_[depth_ - 1]];
      parent.child[parent.key < nodes_[at].key] = at;
    }
    balance_way();
  }

  // Removes the node at the end of the path. If it has two children, the next higher node replaces it.
  void detach(Slot at) {
    const int place = depth_ - 1;
    if (nodes_[at].child[0] != kFirst && nodes_[at].child[1] != kFirst) {
      for (Slot down = nodes_[at].child[1]; down != kFirst; down = nodes_[down].child[0]) way_[depth_++] = down;
      const Slot heir = way_[--depth_];
      for (int i = place + 1; i < depth_; ++i)
        for (const int c : {0, 1}) nodes_[way_[i]].left[c] -= nodes_[heir].count[c];
      nodes_[way_[depth_ - 1]].child[depth_ - 1 == place] = nodes_[heir].child[1];
      for (const int c : {0, 1}) {
        nodes_[heir].left[c] = nodes_[at].left[c];
        nodes_[heir].child[c] = nodes_[at].child[c];
      }
      nodes_[heir].height = nodes_[at].height;
      replace_child(place, at, heir);
      way_[place] = heir;
    } else {
      replace_child(place, at, nodes_[at].child[nodes_[at].child[0] == kFirst]);
      --depth_;
    }
    nodes_[at].child[0] = free_;
    free_ = at;
    balance_way();
  }

  void replace_child(int depth, Slot from, Slot to) {
    if (depth == 0) {
      root_ = to;
    } else {
      Node& parent = nodes_[way_[depth - 1]];
      parent.child[parent.child[1] == from] = to;
    }
  }

  int height_below(Slot at, int side) const { return nodes_[nodes_[at].child[side]].height; }
  void measure(Slot at) { nodes_[at].height = 1 + std::max(height_below(at, 0), height_below(at, 1)); }

  void balance_way() {
    for (int i = depth_ - 1; i >= 0; --i) {
      const Slot at = way_[i];
      const int before = nodes_[at].height, lean = height_below(at, 1) - height_below(at, 0);
      Slot top = at;
      if (lean > 1 || lean < -1) {
        const int heavy = lean > 0;
        const Slot child = nodes_[at].child[heavy];
        if (height_below(child, 1 - heavy) > height_below(child, heavy)) nodes_[at].child[heavy] = rotate(child, heavy);
        top = rotate(at, 1 - heavy);
        replace_child(i, at, top);
      } else {
        measure(at);
      }
      if (nodes_[top].height == before) return;
    }
  }

  // Rotates a subtree towards `side` (0 left): the child on the other side becomes its root.
  Slot rotate(Slot at, int side) {
    const Slot top = nodes_[at].child[1 - side];
    Node &low = nodes_[at], &high = nodes_[top];
    low.child[1 - side] = high.child[side];
    high.child[side] = at;
    for (const int c : {0, 1}) {
      if (side == 0) high.left[c] += low.left[c] + low.count[c];
      else low.left[c] -= high.left[c] + high.count[c];
    }
    measure(at);
    measure(top);
    return top;
  }

  int subtree_height(Slot at, std::string& found) const {
    if (at == kFirst) return 0;
    const int left = subtree_height(nodes_[at].child[0], found), right = subtree_height(nodes_[at].child[1], found);
    if (left - right > 1 || right - left > 1) found = "the tree is out of balance";
    if (nodes_[at].height != 1 + std::max(left, right)) found = "a height is wrong";
    return nodes_[at].height;
  }

  std::size_t most_;
  Array<Node> nodes_;
  Slot root_ = kFirst, free_ = kFirst;
  Slot way_[kHighest];
  int depth_ = 0;
};

}  // namespace roclab
