// Tiles of the operands of a tasklet under a form ("Lowering" of docs/models/cnm.md).
#pragma once

#include "check/cnm/model.h"

namespace nestor::check::cnm {

struct View {
  Tuple local, tile;            ///< extents of the tasklet's part of the operand, and of its buffer
  std::size_t depth = 0;        ///< number of loops around the operand's requests
  std::size_t value_depth = 0;  ///< number of loops around the operand's value
  bool is_value = false;        ///< true for an output that is not in a buffer while it is summed
  bool stays = false;           ///< true for an output with partial sums in several tasklets
  bool is_gathered = false;
  bool is_read = false;
  std::size_t split() const;  ///< first of the dims that together form one run
  Int run() const;            ///< elements of a run
};

struct Tiling {
  std::vector<std::size_t> loops;  ///< dims, outermost first: over steps, then over elements of blocks
  std::size_t steps = 0;           ///< number of loops over steps
  std::vector<View> views;         ///< one view for each operand
  std::size_t gathering = 0;       ///< loop over whose steps outputs are gathered; beyond all loops if there
                                   ///< is none
  Int group = 1;                   ///< number of steps in a group
  Int wram = 0;                    ///< bytes of WRAM
  const char* fault = nullptr;     ///< the rule that blocks or buffers break
  bool is_step(std::size_t loop) const { return loop < steps; }
};

Tiling tile(const CnmProblem& problem, const Form& form);

}  // namespace nestor::check::cnm
