// A network compiled to a crossbar chip, as in a result file, and the cost of its schedules. The code that
// reads the JSON and computes the cost is independent of the rest of Nestor; its specification is
// docs/models/chip.md. Numbers are integers and never rounded, except the clock.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/chip/noc.h"

namespace nestor::check::chip {

using check::Json;
using check::NotChecked;
using check::Verdict;

/// Energies of section 1, in units of `1 / unit` pJ. `cell`: of an active crossbar and its converters, per
/// cycle.
struct Energies {
  Wide unit = 1;
  Wide cell = 0, alu = 0, l0 = 0, l1 = 0, off_chip = 0, noc = 0, write = 0, leakage = 0;
};

/// The chip (section 1). A rate of 0 means that no cycles are spent, and a size of 0 is unlimited.
struct CheckedChipMachine {
  std::string name;
  std::string mode;
  Int cores = 1;
  Int crossbars = 1;  ///< crossbars of a core
  Noc noc;            ///< between cores
  Int way = 0;        ///< largest cost of a transfer between two crossbars of a core
  Int alu = 0, core_alu = 0, l0 = 0, l1 = 0, off_chip = 0;
  Int l0_size = 0, l1_size = 0;
  bool is_hidden = false, is_strict = false, shares_l0 = false, shares_alu = false;
  Int rows = 1, columns = 1, parallel_rows = 1;  ///< size of a crossbar, and rows read in parallel
  Int dac = 0, cell_bits = 1, write_cycles = 0;
  bool writes_at_run_time = false;
  Energies energy;
  double clock = 0;  ///< Hz; 0 if unknown
  /// Digital functions of the chip: their names, and the words for what they compute. Not set if the chip has
  /// all functions.
  std::optional<std::map<std::string, std::string>> functions;

  bool computes(const std::string& word) const;
  /// True if products of activations can run on the digital unit.
  bool multiplies() const { return computes("mul") && computes("add"); }
};

enum class Kind { array, alu, product };

/// An input that a row of an operator waits for (section 2).
struct Input {
  bool is_outside = true;  ///< true for an input of the network
  std::size_t from = 0;    ///< index of the operator that computes the input, or of the network's input
  bool is_gated = false;
  Int a = 0, b = 0, c = 1;
  /// For streams: coefficients of the pixel that a window waits for (not set: the last pixel), the number of
  /// equal blocks of matrix rows, and the distance between the input rows that these blocks need.
  std::optional<std::array<Int, 3>> pixels{};
  Int taps = 1, tap_step = 0;
  /// Returns the last row of the input, which has `rows` rows, that output row r needs.
  Int need(Int r, Int rows) const;
  /// True if an operator of the run that begins at operator `first` computes the input.
  bool is_inside(std::size_t first) const { return !is_outside && from >= first; }
};

struct Operator {
  std::string name;
  Kind kind = Kind::alu;
  Int rows = 1, width = 1, channels = 1, in_channels = 0, row_in = 0, alu_ops = 0;
  Int matrix_rows = 1, matrix_columns = 1, groups = 1;
  Int in_bits = 8, weight_bits = 8, out_bits = 8;
  std::vector<Input> inputs;
  bool is_gated() const;
  Int bits_of_row() const;  ///< through L0, in both directions
  Int bytes() const;        ///< of its tensor
};

/// The levels on which decisions are allowed, and the decision for one operator (section 4).
struct Levels {
  bool mvm = false;
  bool vvm = false;
  bool stream = false;
};
struct Decision {
  bool on_array = false;
  Int copies = 1;
  Int parts = 0;  ///< 0: the least number
  Int phases = 1;
  std::optional<Int> first_core;
};
struct Run {
  std::size_t first = 0;
  std::size_t last = 0;
  bool is_pipelined = true;
  bool is_stream = false;
};

/// Placement of a matrix on crossbars (section 3).
struct MatrixLayout {
  Int held = 0;     ///< crossbars of a core that its L1 can serve
  Int columns = 1;  ///< crossbars that each part takes
  Int least_parts = 1;
  Int most_parts = 1;
  bool is_packed = false;
  bool fits = false;  ///< true if the operator fits the crossbars of the chip
};

/// What an operator uses under a decision (sections 3 and 5). On the digital unit, it uses no crossbars.
struct OperatorUse {
  Int parts = 0;      ///< v
  Int crossbars = 0;  ///< m: of one copy
  Int sharing = 1;    ///< d: copies that share the windows of a row
  Int rounds = 1;     ///< n: of a row
  Int slices = 1;     ///< passes of an input
  Int active = 0;     ///< a: cycles of an MVM in which a crossbar is active
  Int mvm = 0;        ///< t: cycles of an MVM
  Int gathered = 0;   ///< bits that an MVM takes from L1
};

/// Pace of an operator: the figures of its decision that determine the schedule (section 5), and the cores
/// that the decision takes.
struct OperatorTiming {
  Int cores = 0, row = 0, lanes = 1, in = 0, out = 0, gate = 0;
  bool operator==(const OperatorTiming&) const = default;
};

/// Work of a run for the units that its operators may share: bits through L0, and digital operations.
struct SharedWork {
  Int bits = 0;
  Int operations = 0;
};

struct CheckedChipProblem {
  CheckedChipMachine machine;
  std::string name;
  std::vector<Operator> operators;
  std::vector<MatrixLayout> layouts;
  std::vector<Int> input_bytes;      ///< of the tensors that enter the network
  std::vector<std::size_t> outputs;  ///< operators whose tensors leave the network
  Levels levels;

  OperatorUse use(std::size_t op, const Decision& decision) const;
  /// Returns the pace of a decision. In a stream, the window arrives in one portion per phase.
  OperatorTiming pace(std::size_t op, const Decision& decision, bool is_stream = false) const;
  /// Returns all paces of legal decisions for the operator, except those that another pace dominates in all
  /// figures.
  std::vector<OperatorTiming> paces(std::size_t op) const;
  /// Returns the decisions that a file leaves out: arrays on crossbars, and everything else digital.
  std::vector<Decision> defaults() const;
  /// Returns the cycles for writing the weights of a run, or 0 if it is the whole network.
  Int rewriting(std::size_t first, std::size_t last) const;
  SharedWork work(const Run& run, const std::vector<Decision>& decisions) const;
  /// Returns the least cycles of a run with this work.
  Int least_time(const SharedWork& work) const;
  /// Returns the bits of the weights that operators hold on crossbars.
  Int weight_bits(std::size_t first, std::size_t last) const;
  bool is_whole(std::size_t first, std::size_t last) const {
    return first == 0 && last + 1 == operators.size();
  }
};

struct Schedule {
  std::vector<Run> runs;
  std::vector<Decision> decisions;  ///< indexed by operator
};

CheckedChipProblem read_problem(const Json& architecture, const Json& network, const Json& decisions);
Schedule read_schedule(const Json& decisions, const CheckedChipProblem& problem);
/// Returns every broken rule as a sentence. Cores and buffers are checked only if no other rule is broken.
std::vector<std::string> broken_rules(const Schedule& schedule, const CheckedChipProblem& problem);

/// Returns the cycles for an amount at a rate. A rate of 0 is ideal and takes no cycles.
inline Int at_rate(Int amount, Int rate) { return rate == 0 ? 0 : ceiling(amount, rate); }
/// Returns the crossbar rows that the largest part uses if the matrix is cut into `parts` parts.
Int rows_used(const Operator& op, const MatrixLayout& layout, Int parts);

}  // namespace nestor::check::chip
