// Machine of the chip space: a chip of cores with crossbars, a global buffer (L0), a local buffer per core
// (L1), and digital units. The keys of an architecture of kind `chip` are described in docs/models/chip.md,
// section 1. A size or rate of 0 means that the key is missing: the buffer is then unlimited, or the rate
// ideal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "base/enum_words.h"

namespace nestor::chip {

/// Granularity of the programming interface: cores, crossbars, or single rows of cells.
enum class Mode : std::uint8_t { CM, XBM, WLM };
inline constexpr auto modes = enum_words<Mode>({{Mode::CM, "CM"}, {Mode::XBM, "XBM"}, {Mode::WLM, "WLM"}});
constexpr std::string_view to_string(Mode mode) { return modes.word(mode); }

inline constexpr Int left_out = 0;  ///< a size without limit, or an ideal rate

/// Returns the cycles that `amount` takes at `rate` per cycle, or 0 if the rate is ideal.
constexpr Int cycles_for(Int amount, Int rate) { return rate == left_out ? 0 : ceil_divide(amount, rate); }

struct Grid {
  Int rows = 1;
  Int columns = 1;
  Int count() const { return rows * columns; }
};

/// h_tree: a tree of 2 x 2 blocks. A transfer goes up to the smallest block that contains both ends, and down
/// again.
enum class NocKind : std::uint8_t { ideal, mesh, h_tree, matrix };

inline constexpr auto noc_kinds = enum_words<NocKind>({{NocKind::ideal, "ideal"},
                                                       {NocKind::mesh, "mesh"},
                                                       {NocKind::h_tree, "h-tree"},
                                                       {NocKind::matrix, "matrix"}});
constexpr std::string_view to_string(NocKind kind) { return noc_kinds.word(kind); }

/// Network between the cores of the chip, or between the crossbars of a core. Positions are numbered row by
/// row.
struct Noc {
  NocKind kind = NocKind::ideal;
  Int hop_cycles = 1;                  ///< mesh, h_tree
  std::vector<std::vector<Int>> cost;  ///< matrix: cost[from][to], in cycles
};

struct GlobalBuffer {
  Int size = left_out;       ///< bits
  Int bandwidth = left_out;  ///< bits per cycle of each operator's port, in each direction
  bool hidden = false;       ///< true if transfers after the first window overlap with computation
  bool shared = false;       ///< true if all transfers of a segment share one port and its rate
  bool strict = false;       ///< true if tensors that exceed the size are illegal instead of spilled
};

struct LocalBuffer {
  Int size = left_out;
  Int bandwidth = left_out;
};

struct CellArray {
  Int rows = 1;           ///< R
  Int columns = 1;        ///< C
  Int parallel_rows = 1;  ///< rho: rows active at once
  Int dac = left_out;     ///< bits; if missing, an input takes a single pass
  Int adc = left_out;     ///< bits; if missing, exact; used only by the functional simulator
  std::string type = "SRAM";
  Int cell_bits = 1;
  bool runtime_write = true;  ///< true if activations may be written as weights
  Int write_cycles = 0;       ///< cycles to write one row
};

/// Energies in pJ. `crossbar`, `adc`, `dac`: per active crossbar and cycle; `alu`: per operation; `l0`, `l1`,
/// `off_chip`: per bit; `noc`: per bit and cycle of cost; `write`: per row; `leakage`: per cycle.
struct Energies {
  double crossbar = 0, adc = 0, dac = 0, alu = 0, l0 = 0, l1 = 0, off_chip = 0, noc = 0, write = 0,
         leakage = 0;
};

/// One digital function of the chip (functions.h).
struct ChipFunction {
  std::string name;  ///< name by which programs call it
  std::string does;  ///< word of the function that it computes, normalised by function_word()
  Int ops = 1;       ///< operations per output element; for max, sum and the pools, per element read
  bool operator==(const ChipFunction&) const = default;
};

struct ChipMachine {
  std::string name;
  std::string source;
  Mode mode = Mode::CM;
  Grid cores;               ///< N = cores.count()
  Grid crossbars;           ///< crossbars of one core, X = crossbars.count()
  Int chip_alu = left_out;  ///< digital operations per cycle of one operator
  bool alu_shared = false;
  GlobalBuffer l0;
  Int off_chip_bandwidth = left_out;
  Noc chip_noc;
  Int core_alu = left_out;  ///< shift-and-add operations per cycle of a core
  LocalBuffer l1;
  Noc core_noc;
  CellArray cell;
  Energies energy;
  /// Numbers of operations per element that replace the defaults when ONNX is read ("pool", "Softmax", ...),
  /// in the order of the file.
  std::vector<std::pair<std::string, Int>> alu_ops;
  double clock = 0;  ///< Hz; 0: not specified
  /// Digital functions of the chip. If the list is missing, the chip has all functions at the default costs.
  std::optional<std::vector<ChipFunction>> functions;
};

/// Returns the largest cost between two crossbars of a core (docs/models/chip.md, section 5).
Int core_noc_cost(const ChipMachine& machine);

/// Range of consecutive cores.
struct CoreRange {
  Int first = 0;
  Int count = 0;
  Int end() const { return first + count; }
};

/// Returns the largest cost from a core of one range to a core of the other range, or 0 if a range is empty.
Int chip_noc_cost(const ChipMachine& machine, CoreRange from, CoreRange to);

/// True if a transfer between two cores can cost cycles. Otherwise, the placement of operators has no effect.
bool has_noc_cost(const ChipMachine& machine);

}  // namespace nestor::chip
