// The machine of the chip space: a chip of cores, a core of crossbars, a global buffer (L0), a local buffer
// per core (L1), digital units beside them. What a key of an architecture of kind `chip` means is in
// docs/models/chip.md, section 1. A size or rate of 0 was left out: the buffer is unlimited, the rate ideal.
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

/// What the programming interface shows: whole cores, crossbars, or single rows of cells.
enum class Mode : std::uint8_t { CM, XBM, WLM };
inline constexpr auto modes = enum_words<Mode>({{Mode::CM, "CM"}, {Mode::XBM, "XBM"}, {Mode::WLM, "WLM"}});
constexpr std::string_view to_string(Mode mode) { return modes.word(mode); }

inline constexpr Int left_out = 0;  ///< of a size: unlimited; of a rate: ideal

/// How long an amount takes at so much per cycle.
constexpr Int cycles_for(Int amount, Int rate) { return rate == left_out ? 0 : ceil_divide(amount, rate); }

struct Grid {
  Int rows = 1;
  Int columns = 1;
  Int count() const { return rows * columns; }
};

/// h_tree: a tree of 2 x 2 blocks; a transfer climbs to the block that holds both ends and down again.
enum class NocKind : std::uint8_t { ideal, mesh, h_tree, matrix };

inline constexpr auto noc_kinds = enum_words<NocKind>({{NocKind::ideal, "ideal"},
                                                       {NocKind::mesh, "mesh"},
                                                       {NocKind::h_tree, "h-tree"},
                                                       {NocKind::matrix, "matrix"}});
constexpr std::string_view to_string(NocKind kind) { return noc_kinds.word(kind); }

/// The network between the cores of the chip, or between the crossbars of a core. Positions are row by row.
struct Noc {
  NocKind kind = NocKind::ideal;
  Int hop_cycles = 1;                  ///< mesh, h_tree
  std::vector<std::vector<Int>> cost;  ///< matrix: cost[from][to], in cycles
};

struct GlobalBuffer {
  Int size = left_out;       ///< bits
  Int bandwidth = left_out;  ///< bits per cycle of an operator's own port, each direction
  bool hidden = false;       ///< transfers after the first window hide behind computing
  bool shared = false;       ///< a segment also lasts as long as all its bits take through one port
  bool strict = false;       ///< tensors beyond the size are illegal, not spilled
};

struct LocalBuffer {
  Int size = left_out;
  Int bandwidth = left_out;
};

struct CellArray {
  Int rows = 1;           ///< R
  Int columns = 1;        ///< C
  Int parallel_rows = 1;  ///< rho: rows active at once
  Int dac = left_out;     ///< bits; left out: an input takes one pass
  Int adc = left_out;     ///< bits; left out: exact (functional simulator only)
  std::string type = "SRAM";
  Int cell_bits = 1;
  bool runtime_write = true;  ///< activations may be written as weights
  Int write_cycles = 0;       ///< of one row
};

/// pJ. `crossbar`, `adc`, `dac` per active crossbar and cycle; `alu` per operation; `l0`, `l1`, `off_chip`
/// per bit; `noc` per bit and cycle of cost; `write` per row; `leakage` per cycle.
struct Energies {
  double crossbar = 0, adc = 0, dac = 0, alu = 0, l0 = 0, l1 = 0, off_chip = 0, noc = 0, write = 0,
         leakage = 0;
};

/// A digital function that the chip has (functions.h).
struct ChipFunction {
  std::string name;  ///< what programs call
  std::string does;  ///< the word that it computes, as function_word() spells it
  Int ops = 1;       ///< operations per output element; per element read of max, sum and the pools
  bool operator==(const ChipFunction&) const = default;
};

struct ChipMachine {
  std::string name;
  std::string source;
  Mode mode = Mode::CM;
  Grid cores;               ///< N = cores.count()
  Grid crossbars;           ///< of a core, X = crossbars.count()
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
  /// Replaces operations per element when ONNX is read ("pool", "Softmax", ...), in the order of the file.
  std::vector<std::pair<std::string, Int>> alu_ops;
  double clock = 0;  ///< Hz, 0: not given
  /// The digital functions that the chip has; nothing: all, at the usual costs.
  std::optional<std::vector<ChipFunction>> functions;
};

/// Largest cost between two crossbars of a core (docs/models/chip.md, section 5).
Int core_noc_cost(const ChipMachine& machine);

/// Consecutive cores.
struct CoreRange {
  Int first = 0;
  Int count = 0;
  Int end() const { return first + count; }
};

/// Largest cost from a core of one range to a core of another; 0 if one is empty.
Int chip_noc_cost(const ChipMachine& machine, CoreRange from, CoreRange to);

/// May a transfer between two cores cost anything? If not, where operators lie does not matter.
bool has_noc_cost(const ChipMachine& machine);

}  // namespace nestor::chip
