// Code of a tasklet as read_map builds it: loops, transfers, accesses and operations, with the loop variables
// in their addresses, and the number of slots that the vendor's compiler generates for this code. Private to
// model/cnm/second_reading.
#pragma once

#include <set>
#include <vector>

#include "model/cnm/program.h"

namespace nestor::cnm::second {

/// A single action of a tasklet, or a loop. `vars` are the loop variables in the action's address. With n
/// dims, variable d is for the steps of dim d, n + d for the elements of its block, and 2n for groups of
/// steps.
struct Node {
  enum class What : std::uint8_t { loop, read, write, load, store, operation } what = What::loop;
  Int amount = 0;  ///< number of trips, bytes or slots
  std::size_t operand = 0;
  std::size_t variable = 0;  ///< variable of a loop
  std::set<std::size_t> vars{};
  std::vector<Node> body{};

  bool transfers() const { return what == What::read || what == What::write; }
  bool accesses() const { return what == What::load || what == What::store; }
};
using Code = std::vector<Node>;

/// Returns the slots and transfers of the code, and adds the number of its instructions to `instructions`.
Program slots_of(const Code& code, Int& instructions);

}  // namespace nestor::cnm::second
