// A network compiled to a crossbar chip, as in a result file, and the cost of its schedules. The code that
// reads the JSON and computes the cost is independent of the rest of Nestor; its specification is
// docs/models/chip.md. Numbers are integers and never rounded.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/json.h"

namespace nestor::check::chip {

using check::Json;
using check::NotChecked;
using check::Verdict;

/// The chip (section 1). A rate of 0 means that no cycles are spent, and a size of 0 is unlimited.
struct CheckedChipMachine {
  std::string name;
  std::string mode;
  Int cores = 1;
  Int crossbars = 1;  ///< crossbars of a core
  Int way = 0;        ///< largest cost of a transfer between two crossbars of a core
  Int alu = 0, core_alu = 0, l0 = 0, l1 = 0, off_chip = 0;
  Int l1_size = 0;
  bool is_hidden = false, shares_l0 = false, shares_alu = false;
  Int rows = 1, columns = 1, parallel_rows = 1;  ///< size of a crossbar, and rows read in parallel
  Int dac = 0, cell_bits = 1, write_cycles = 0;
  bool writes_at_run_time = false;
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
  std::size_t from = 0;    ///< index of the operator that computes the input, if any
  bool is_gated = false;
  Int a = 0, b = 0, c = 1;
  /// For streams: coefficients of the pixel that a window waits for (not set: the last pixel), the number of
  /// equal blocks of matrix rows, and the distance between the input rows that these blocks need.
  std::optional<std::array<Int, 3>> pixels;
  Int taps = 1, tap_step = 0;
  /// Returns the last row of the input, which has `rows` rows, that output row r needs.
  Int need(Int r, Int rows) const;
};

struct Operator {
  std::string name;
  Kind kind = Kind::alu;
  Int rows = 1, width = 1, channels = 1, in_channels = 0, row_in = 0, alu_ops = 0;
  Int matrix_rows = 1, matrix_columns = 1, groups = 1;
  Int in_bits = 8, weight_bits = 8, out_bits = 8;
  std::vector<Input> inputs;
  bool is_gated() const;
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
  Int parts = 0;
  Int phases = 1;
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

/// Pace of an operator: the figures of its decision that determine the schedule (section 5), and the cores
/// that the decision takes.
struct OperatorTiming {
  Int cores = 0, row = 0, lanes = 1, in = 0, out = 0, gate = 0;
  bool operator==(const OperatorTiming&) const = default;
};

struct CheckedChipProblem {
  CheckedChipMachine machine;
  std::string name;
  std::vector<Operator> operators;
  std::vector<MatrixLayout> layouts;
  Levels levels;

  /// Returns the pace of a decision. In a stream, the window arrives in one portion per phase.
  OperatorTiming pace(std::size_t op, const Decision& decision, bool is_stream = false) const;
  /// Returns all paces of legal decisions for the operator, except those that another pace dominates in all
  /// figures.
  std::vector<OperatorTiming> paces(std::size_t op) const;
  /// Return the cycles for writing the weights of a run (0 if it is the whole network), and the minimum
  /// cycles of the units that its operators share.
  Int rewriting(std::size_t first, std::size_t last) const;
  Int shared(std::size_t first, std::size_t last) const;
  bool is_whole(std::size_t first, std::size_t last) const {
    return first == 0 && last + 1 == operators.size();
  }
};

struct Schedule {
  std::vector<Run> runs;
  std::vector<Decision> decisions;  ///< indexed by operator
};

CheckedChipProblem read_problem(const Json& result);
Schedule read_schedule(const Json& decisions, const CheckedChipProblem& problem);
/// Returns the reason why a schedule is illegal, or an empty string.
std::string fault_of(const Schedule& schedule, const CheckedChipProblem& problem);
Int latency_of(const Schedule& schedule, const CheckedChipProblem& problem);

/// Returns the crossbar rows that the largest part uses if the matrix is cut into `parts` parts.
Int rows_used(const Operator& op, const MatrixLayout& layout, Int parts);
/// Returns the cycles of a run that is a stream, by (5.10).
Int stream_schedule(const Run& run, const CheckedChipProblem& problem,
                    const std::vector<Decision>& decisions);

}  // namespace nestor::check::chip
