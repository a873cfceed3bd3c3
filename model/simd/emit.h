// From an evaluated sequence to instructions: rows are given to values as they come and go, and saved values
// are laid into the pool's arrays, the lowest-numbered first.
#pragma once

#include "model/simd/evaluator.h"
#include "model/simd/schedule.h"

namespace nestor::simd {

/// `transfers` as recorded by an evaluation of `sequence` with `working`.
Schedule emit(const Netlist& netlist, const Sequence& sequence, const WorkingArrays& working,
              std::span<const Transfer> transfers);

}  // namespace nestor::simd
