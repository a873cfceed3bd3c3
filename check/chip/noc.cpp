#include "check/chip/noc.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace nestor::check::chip {
namespace {

std::vector<std::vector<Int>> read_costs(const Json& node, std::size_t places) {
  std::vector<std::vector<Int>> costs;
  for (const Json& line : node) {
    costs.emplace_back();
    for (const Json& cost : line) costs.back().push_back(integer(cost, 0, "cost"));
    if (costs.back().size() != places) throw Unreadable("a noc has a cost that is not square");
  }
  if (costs.size() != places) throw Unreadable("a noc has a cost that is not square");
  return costs;
}

}  // namespace

Noc read_noc(const Json& holder, const std::array<Int, 2>& grid) {
  Noc noc{.rows = grid[0], .columns = grid[1]};
  if (!holder.contains("noc")) return noc;
  const Json& node = holder["noc"];
  if (node.contains("cost")) {  // the costs count, whatever the kind
    noc.kind = Noc::Kind::matrix;
    noc.cost = read_costs(node["cost"], static_cast<std::size_t>(times(grid[0], grid[1])));
    return noc;
  }
  const auto kind = word_of(node, "kind");
  if (kind == "matrix") throw Unreadable("a noc has no cost");
  noc.kind = kind == "mesh" ? Noc::Kind::mesh : kind == "h-tree" ? Noc::Kind::h_tree : Noc::Kind::ideal;
  if (node.contains("hop_cycles")) noc.hop = integer(node["hop_cycles"], 0, "hop_cycles");
  return noc;
}

Int Noc::between(Int from, Int to) const {
  if (kind == Kind::ideal) return 0;
  if (kind == Kind::matrix) return cost[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
  const Int up = std::abs(from / columns - to / columns);
  const Int across = std::abs(from % columns - to % columns);
  if (kind == Kind::mesh) return times(plus(up, across), hop);
  // The smallest block of 2^k x 2^k places with both ends is reached in k steps.
  Int steps = 0;
  while (from / columns >> steps != to / columns >> steps || from % columns >> steps != to % columns >> steps)
    ++steps;
  return times(2, steps, hop);
}

// Returns places of a range among which is its end of a costliest way: all of them for a matrix, otherwise
// the ends of its first two and its last two rows. The rows between these are complete and no more extreme.
// For a mesh, the cost is convex. For a tree, two ranges lie in one block if their extreme rows and columns
// do.
std::vector<Int> Noc::extremes(const Places& range) const {
  std::vector<Int> places;
  if (kind == Kind::matrix) {
    places.resize(static_cast<std::size_t>(range.count));
    std::iota(places.begin(), places.end(), range.first);
    return places;
  }
  const Int last = range.first + range.count - 1;
  const Int top = range.first / columns;
  const Int bottom = last / columns;
  for (const Int row : {top, std::min(top + 1, bottom), std::max(bottom - 1, top), bottom}) {
    places.push_back(std::max(range.first, row * columns));
    places.push_back(std::min(last, row * columns + columns - 1));
  }
  return places;
}

Int Noc::way(const Places& from, const Places& to) const {
  if (kind == Kind::ideal || from.count == 0 || to.count == 0) return 0;
  const auto ends = extremes(to);
  Int longest = 0;
  for (const Int start : extremes(from))
    for (const Int end : ends) longest = std::max(longest, between(start, end));
  return longest;
}

}  // namespace nestor::check::chip
