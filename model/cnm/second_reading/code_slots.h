// The second reading's code of a tasklet: loops, transfers, accesses and operations with the loop variables
// that their addresses depend on, and how many slots the vendor's compiler makes of them. Private to
// model/cnm/second_reading.
#pragma once

#include <set>
#include <vector>

#include "model/cnm/program.h"

namespace nestor::cnm::second {

/// One thing that a tasklet does, or a loop. `vars`: loop variables in its address; dims count as steps,
/// dims + count as elements of a block, `group_var` as groups of steps.
struct Node {
  enum class What : std::uint8_t { loop, read, write, load, store, operation } what = What::loop;
  Int amount = 0;  ///< trips, bytes, slots
  std::size_t operand = 0;
  std::size_t variable = 0;  ///< of a loop
  std::set<std::size_t> vars{};
  std::vector<Node> body{};

  bool transfers() const { return what == What::read || what == What::write; }
  bool accesses() const { return what == What::load || what == What::store; }
};
using Code = std::vector<Node>;

/// Slots and transfers; `instructions` grows by what the code takes of the instruction memory.
Program slots_of(const Code& code, Int& instructions);

}  // namespace nestor::cnm::second
