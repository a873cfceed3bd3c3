// Tiles of the operands that a tasklet holds under a form ("Lowering" of docs/models/cnm.md).
#pragma once

#include "check/cnm/model.h"

namespace nestor::check::cnm {

struct View {
  Tuple local, tile;            ///< extents of the operand, and of its buffer
  std::size_t depth = 0;        ///< loops around its requests
  std::size_t value_depth = 0;  ///< loops around its value
  bool is_value = false;        ///< an output that is no buffer while it is summed
  bool stays = false;           ///< an output whose parts lie with several tasklets
  bool is_gathered = false;
  bool is_read = false;
  std::size_t split() const;  ///< dims from here on lie in one run
  Int run() const;            ///< elements of it
};

struct Tiling {
  std::vector<std::size_t> loops;  ///< dims, the outermost first: over steps, then over elements of blocks
  std::size_t steps = 0;           ///< how many are over steps
  std::vector<View> views;         ///< by operand
  std::size_t gathering = 0;       ///< the loop over whose steps outputs are gathered; none: beyond all
  Int group = 1;                   ///< so many of its steps
  bool is_legal = true;            ///< as far as blocks and buffers go
  bool is_step(std::size_t loop) const { return loop < steps; }
};

Tiling tile(const CnmProblem& problem, const Form& form);

}  // namespace nestor::check::cnm
