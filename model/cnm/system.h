// A compute-near-memory system: the number of units on each level and the cost of every step on them. The
// units belong to one of two targets: UPMEM (tasklets of a DPU share one pipeline and one DMA engine) or
// HBM-PIM (one command stream drives the units of a channel). A third target is the host itself. No figure of
// a target is fixed in code: io/cnm reads the figures from YAML and `--set` changes them. docs/models/cnm.md
// explains each figure.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "base/enum_words.h"

namespace nestor::cnm {

enum class Target : std::uint8_t { upmem, hbm_pim, host };
inline constexpr auto targets =
    enum_words<Target>({{Target::upmem, "upmem"}, {Target::hbm_pim, "hbm-pim"}, {Target::host, "host"}});

enum class Type : std::uint8_t { i8, i16, i32, i64, f16, bf16, f32, f64, index };
inline constexpr auto element_types = enum_words<Type>({{Type::i8, "i8"},
                                                        {Type::i16, "i16"},
                                                        {Type::i32, "i32"},
                                                        {Type::i64, "i64"},
                                                        {Type::f16, "f16"},
                                                        {Type::bf16, "bf16"},
                                                        {Type::f32, "f32"},
                                                        {Type::f64, "f64"},
                                                        {Type::index, "index"}});
constexpr bool is_real(Type type) { return type >= Type::f16 && type <= Type::f64; }
constexpr Int bytes_of(Type type) {
  constexpr std::array<Int, 9> bytes = {1, 2, 4, 8, 2, 2, 4, 8, 4};
  return bytes[static_cast<std::size_t>(type)];
}

enum class Op : std::uint8_t {
  move,
  add,
  sub,
  mul,
  div,
  bit_and,
  bit_or,
  bit_xor,
  shl,
  shr,
  lsladd,
  min,
  max,
  cmp,
  select,
  load,
  store
};
inline constexpr auto operations = enum_words<Op>({{Op::move, "move"},
                                                   {Op::add, "add"},
                                                   {Op::sub, "sub"},
                                                   {Op::mul, "mul"},
                                                   {Op::div, "div"},
                                                   {Op::bit_and, "and"},
                                                   {Op::bit_or, "or"},
                                                   {Op::bit_xor, "xor"},
                                                   {Op::shl, "shl"},
                                                   {Op::shr, "shr"},
                                                   {Op::lsladd, "lsladd"},
                                                   {Op::min, "min"},
                                                   {Op::max, "max"},
                                                   {Op::cmp, "cmp"},
                                                   {Op::select, "select"},
                                                   {Op::load, "load"},
                                                   {Op::store, "store"}});

constexpr bool accesses_memory(Op op) { return op == Op::load || op == Op::store; }

/// Number of slots of an operation or a call: `base`, plus k (docs/models/cnm.md, "Slots") or one slot per
/// `bytes_per_slot` bytes. A negative base means that the system does not support the operation.
struct SlotCost {
  Int base = -1;
  bool plus_k = false;
  Int bytes_per_slot = 0;
  bool is_barrier = false;  ///< only for a call: true if it waits for the other tasklets

  bool known() const { return base >= 0 || is_barrier; }
  Int slots(Int k, Int bytes = 0) const {
    return (base < 0 ? 0 : base) + (plus_k ? k : 0) + (bytes_per_slot > 0 ? bytes / bytes_per_slot : 0);
  }
  friend bool operator==(const SlotCost&, const SlotCost&) = default;
};

/// k of a 32-bit multiplication (docs/models/cnm.md, "Slots") if the values of its factors are unknown.
inline constexpr Int default_multiply_k = 7;

struct Level {
  std::string name;
  Int size = 1;
};

/// Time of the DMA engine in cycles: setup + per_byte * bytes, and then `back` until the tasklet continues.
struct TransferTime {
  double setup = 0;
  double per_byte = 0;
  double back = 0;
};

struct Refresh {
  Int every = 0;  ///< 0 if there is no refresh
  Int busy = 0;
};

struct Dma {
  Int ports = 1;  ///< number of simultaneous transfers; 0: one per tasklet
  Int min_bytes = 8;
  Int max_bytes = 2048;
  Int align = 8;
  TransferTime read;
  TransferTime write;
  Refresh refresh;
};

struct Scratchpad {
  Int capacity = 0;
  Int reserved = 0;
  Int stack = 0;  ///< per tasklet
};

struct Host {
  double launch_ms = 0;
  double launch_ms_per_tasklet = 0;
  double reduce_ns = 0;
  double to_gbs = 0;    ///< per rank; 0 if transfers are not included in the time
  double from_gbs = 0;  ///< per rank
};

/// Connection to the host, for programs that are placed on several systems. A rate of 0 means no cost.
struct Link {
  double to_gbs = 0;
  double from_gbs = 0;
  double us = 0;  ///< latency of each transfer
};

/// Parameters of the simulations before extrapolation.
struct EngineSettings {
  double alpha = 0.003;
  Int k = 4;
  Int k_max = 16;
  Int whole = 64;
};

struct PimUnits {
  Int burst_bytes = 32;
  Int grf = 8;
  Int crf = 32;
  Int instructions_per_burst = 8;
  Int row_bursts = 32;
  Int reserved_row = 4096;
};

/// Memory timings in cycles, named as in the DRAM standards.
struct Dram {
  Int ranks = 2, banks = 16, groups = 4, queue = 64;
  Int BL = 4, RL = 20, WL = 8, tCCDS = 2, tCCDL = 4, tRCDRD = 14, tRCDWR = 10, tRAS = 33, tRP = 14, tRC = 47;
  Int tRRDS = 4, tRRDL = 6, tRTPL = 5, tWR = 16, tWTRL = 9, tRTRS = 1, XAW = 4, tXAW = 16, tREFI = 3900,
      tRFC = 350;
};

/// The host's own processor and memory.
struct Processor {
  double launch_ms = 0;
  double bandwidth_gbs = 1;
  std::array<double, element_types.values.size()> peak_gops{};  ///< by element type
};

struct System {
  std::string name;
  Target target = Target::upmem;
  double clock_mhz = 1;
  std::vector<Level> levels;  ///< outermost first; three levels, or none for the host
  Host host;
  Link link;

  // For UPMEM:
  Int gap = 11;  ///< cycles between two slots of one tasklet
  Scratchpad wram;
  Int iram_capacity = 0;
  Int iram_instruction = 1;
  Int mram_capacity = 0;
  Dma dma;
  std::map<Int, double> barrier;  ///< cycles by number of tasklets, sorted for interpolation
  /// By operation and element type; see cost().
  std::array<std::array<SlotCost, element_types.values.size()>, operations.values.size()> ops{};
  std::map<std::string, SlotCost, std::less<>> calls;  ///< by name, sorted for output
  EngineSettings engine;

  // For HBM-PIM:
  PimUnits pim;
  Dram dram;

  // For the host, which runs whole operations:
  Processor processor;

  SlotCost& cost(Op op, Type type) {
    return ops[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)];
  }
  const SlotCost& cost(Op op, Type type) const {
    return ops[static_cast<std::size_t>(op)][static_cast<std::size_t>(type)];
  }
};

/// Returns the cycles from the last arrival of `tasklets` tasklets to their release, rounded to a whole
/// cycle. They are interpolated linearly between the table's entries, and constant outside this range.
Int barrier_cycles(const System& system, Int tasklets);

/// Returns the number of ports of the DMA engine if this many tasklets share it.
inline Int ports_of(const Dma& dma, Int tasklets) { return dma.ports > 0 ? dma.ports : tasklets; }

/// Added before cycles are rounded down. A sum of decimal figures that is exactly a half may be less as a
/// double.
inline constexpr double half_up = 0.5 + 1e-9;
/// Return the cycles for which a transfer occupies the engine, and the cycles from then until the tasklet
/// continues.
Int busy_cycles(const TransferTime& time, Int bytes);
Int return_cycles(const TransferTime& time);

}  // namespace nestor::cnm
