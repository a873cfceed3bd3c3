// The contract of the simd space: what a result must state about a schedule, recomputed from the statements
// of its text and from its netlist (docs/models/simd.md). For `nestor verify`.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/contract.h"

namespace nestor::check::simd {

/// A netlist. Node 0 is the constant 0; inputs and then gates follow, each gate after its fanins. A signal is
/// twice a node, plus 1 if it is negated.
struct Netlist {
  using Signal = std::uint32_t;
  struct Gate {
    bool is_xor = false;  ///< otherwise a majority
    std::array<Signal, 3> fanins{};
  };
  struct Output {
    std::string_view name;
    Signal signal = 0;
  };
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> gate_names;  ///< parallel to `gates`
  std::vector<Gate> gates;
  std::vector<Output> outputs;
};

/// The statements of a schedule's text, with their lines (from 1). Names are escaped as in the text.
struct Schedule {
  using Line = std::uint32_t;
  struct Place {
    std::uint32_t array = 0;
    std::uint32_t row = 0;
  };
  struct Operand {
    bool is_constant = false;
    bool is_negated = false;  ///< for a constant: its value
    std::uint32_t row = 0;
  };
  struct Input {
    Line line = 0;
    std::string_view name;
    Place place;
  };
  enum class Kind : std::uint8_t { copy, xor3, maj3 };
  struct Step {
    Kind kind = Kind::copy;
    Line line = 0;
    Place to;
    Place from;  ///< source of a copy
    std::array<Operand, 3> operands;
    std::string_view node;  ///< the node to compute
  };
  struct Output {
    Line line = 0;
    std::string_view name;
    std::string_view input;  ///< name of the input, if the output is an input
    bool is_constant = false;
    bool is_negated = false;  ///< for a constant: its value
    Place place;              ///< if the output is neither an input nor a constant
  };
  std::uint32_t rows = 0;
  std::uint32_t array_limit = 0;  ///< 0: no limit
  bool recompute = false;         ///< true if a node may be computed more than once
  std::vector<Input> inputs;
  std::vector<Step> steps;
  std::vector<Output> outputs;
};

/// Energies of instructions.
struct Energies {
  double compute = 0;
  double copy = 0;
  double copy_step = 0;  ///< for each array that a copy passes over
};

struct ScheduleClaim {
  const Schedule& schedule;
  const Netlist& netlist;  ///< the netlist whose nodes are computed
  const Netlist& source;   ///< defines the values of the outputs; the same netlist unless it was mapped
  Energies energies;
  std::uint64_t random_patterns = 0;  ///< number of patterns to compare if there are too many for all
};

struct ScheduleContract {
  std::string fault;        ///< the first rule that the schedule breaks; "" if it breaks none
  Schedule::Line line = 0;  ///< line of the fault; 0: the whole text
  /// Counts, energy, copies by pair of arrays, occupancy, and `verified`. Null if there is a fault.
  Json figures;
};

ScheduleContract contract_of(const ScheduleClaim& claim);

}  // namespace nestor::check::simd
