// Costs of a compiled network (docs/models/chip.md, sections 5 and 6): the figures that `evaluate` returns
// and that all outputs show. Cycles, bits and counts are exact; energies and powers are sums of doubles in a
// fixed order.
#pragma once

#include <optional>
#include <vector>

#include "model/chip/decisions.h"
#include "model/chip/network.h"

namespace nestor::chip {

struct OperatorFigures {
  bool on_array = false;
  Int copies = 1;
  Int parts = 0;
  Int phases = 1;
  Int cores = 0;
  std::optional<Int> first_core;
  Int crossbars = 0;     ///< D * m: crossbars of all copies
  Int mvm_cycles = 0;    ///< t: cycles of an MVM
  Int row_cycles = 0;    ///< row: cycles of an output row
  Int rows_at_once = 1;  ///< q
  Int in_cycles = 0;
  Int out_cycles = 0;
  Int start = 0;      ///< S(0): start of the first row
  Int run = 0;        ///< B(0) in a stream, otherwise equal to `start`
  Int first_row = 0;  ///< F(0): end of the first row
  Int end = 0;        ///< F(H-1) + out: time when the result is visible
  Int address = 0;    ///< byte address in L0
};

struct SegmentFigures {
  SegmentDecision decision;
  Int latency_cycles = 0;  ///< rewrite + schedule + spill
  Int rewrite_cycles = 0;
  Int schedule_cycles = 0;
  Int spill_cycles = 0;
  Int cores = 0;
  Int crossbars = 0;
  Int l0_bytes = 0;
  Int weight_bits = 0;
};

struct ChipEvaluation {
  Int latency_cycles = 0;
  double energy_pj = 0;
  double peak_power = 0;  ///< pJ per cycle
  Int peak_crossbars = 0;
  Int cores = 0;  ///< number of cores of the segment with the most cores
  Int l0_bits = 0;
  Int alu_ops = 0;
  Int rows_written = 0;
  Int interval_cycles = 0;       ///< cycles per image of a batch (5.9)
  double images_per_second = 0;  ///< for a batch; 0 if the clock is unknown or the interval is 0
  std::vector<SegmentFigures> segments;
  std::vector<OperatorFigures> operators;  ///< one per operator of the network
};

}  // namespace nestor::chip
