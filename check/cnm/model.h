// A kernel mapped onto UPMEM, as in a result file, and its time. The code that reads the JSON and computes
// the time is independent of the rest of Nestor; its specification is docs/models/cnm.md. Cycles and times
// are integers and fractions, rounded only where the specification rounds.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/cnm/fraction.h"
#include "check/json.h"

namespace nestor::check::cnm {

inline constexpr Wide picoseconds_per_ms = 1'000'000'000;

/// One figure for each dim of the kernel, or an order of the dims.
using Tuple = std::vector<Int>;

/// Cost of transfers in one direction ("Systems"), in multiples of 1 / `unit` cycles.
struct TransferRate {
  Wide setup = 0, per_byte = 0, unit = 1;
  Int back = 0;  ///< latency in whole cycles
  Int busy(Int bytes) const;
};

struct CnmOperand;
struct CnmMachine {
  std::string name;
  std::array<Int, 3> levels{};  ///< numbers of ranks, of DPUs per rank, and of tasklets per DPU
  Int gap = 1;
  Int wram = 0, wram_reserved = 0, wram_stack = 0;
  Int iram = 0, instruction = 1;
  Int mram = 0;
  Int ports = 1;                                   ///< ports of the DMA engine; 0: one per tasklet
  Int least_bytes = 1, most_bytes = 1, align = 1;  ///< size limits and alignment of a transfer
  TransferRate read, write;
  Int refresh_every = 0, refresh_busy = 0;
  std::map<Int, Fraction> barrier;  ///< barrier cycles by number of tasklets
  Fraction alpha;                   ///< the coefficient alpha in section "The engine"
  Int k = 1, k_max = 1, whole = 0;
  Fraction cycle;                                     ///< cycle time; all times are in picoseconds
  Fraction launch, launch_per_tasklet, reduce;        ///< reduce: time to add a partial result
  Fraction to_byte, from_byte;                        ///< time per byte between host and rank, or 0
  std::map<std::string, std::pair<Int, bool>> slots;  ///< slots by "op.type"; k is added if the flag is true

  Int barrier_cycles(Int tasklets) const;
  Int ports_of(Int tasklets) const { return ports == 0 ? tasklets : ports; }
  Int most_elements(const CnmOperand& operand) const;            ///< maximum elements of one transfer
  bool is_small(const CnmOperand& operand, Int elements) const;  ///< true for an output too small for a
                                                                 ///< transfer
  Int padded(const CnmOperand& operand, Int elements) const;     ///< bytes, rounded up to the alignment
};

/// An index of an operand: a linear function of the dims.
struct Index {
  Tuple factors;
  Int constant = 0;
  /// Returns the number of elements from the first to the last one that the index reaches for these extents.
  Int reach(const Tuple& extents) const;
};

/// Value of `slots` for an operation that the machine lacks.
constexpr Int unknown = -1;

struct CnmOperand {
  std::string name;
  std::string type;
  Int bytes = 4;  ///< bytes of an element
  Tuple dims;
  std::vector<Index> map;
  bool is_output = false;
  bool is_argument = false;  ///< true for an argument of an operation of the region
  bool is_used = false;      ///< true for an argument or a yielded operand
  bool is_summed = false;    ///< true if its values are sums over a dim that it does not use
  Int load = 0, store = 0, move = 0;
  bool uses(std::size_t dim) const;
};

struct Kernel {
  std::string name;
  Tuple extents;
  std::vector<bool> reduction;
  std::vector<CnmOperand> operands;  ///< inputs, then outputs
  /// An operation of the region. `slots` is `unknown` if the machine lacks the operation, and 0 for a
  /// constant.
  struct Operation {
    Int slots = 0;
    bool is_number = false;
    std::string name{};  ///< name in the table of slots
    std::string number{};
    std::vector<std::size_t> arguments{};  ///< operands and operations, numbered as in yields
  };
  std::vector<Operation> region;
  std::vector<std::size_t> yields;     ///< per output: an operand, or operands.size() + a region operation
  Int add = 1, move = 1, address = 1;  ///< slots of index operations
  std::size_t dims() const { return extents.size(); }
};

struct CnmProblem {
  CnmMachine machine;
  Kernel kernel;
  Tuple least, most;  ///< limits on the extents of a mapping; padding can raise them above the kernel's
};

/// The parts of each dim at the tasklet level, and the work of a tasklet on its part ("Mappings").
struct Form {
  Tuple tasklets;  ///< parts of each dim over tasklets
  Tuple local, block, order;
  Int tasklet_count() const;
  Int steps_of(std::size_t dim) const { return local[dim] / block[dim]; }
};
struct KernelMapping {
  Tuple ranks, dpus;
  Form form;
  friend bool operator<(const KernelMapping& a, const KernelMapping& b);
};
Int product(const Tuple& tuple);

constexpr Int largest_extent = Int{1} << 45;
Tuple read_tuple(const Json& list, std::size_t dims, Int least);
CnmProblem read_problem(const Json& result);
/// Reads a kernel from its text in a result. The machine determines the slots of operations, together with
/// `k` for products.
Kernel read_kernel(const std::string& text, const CnmMachine& machine, Int k);
KernelMapping read_mapping(const Json& map, const CnmProblem& problem);

/// A step in the program of a tasklet. A `loop` returns to the step `start` while trips remain.
struct ProgramStep {
  enum class What : std::uint8_t { slots, read, write, barrier, leave, loop } what = What::slots;
  Int amount = 0;         ///< slots or bytes
  std::size_t start = 0;  ///< first step of a loop
  std::size_t loop = 0;   ///< number of the loop
};
struct ProgramLoop {
  Int trips = 1;
  std::size_t around = 0;  ///< number of the enclosing loop + 1, or 0
  bool is_innermost = true;
};
struct Program {
  std::vector<ProgramStep> steps;
  std::vector<ProgramLoop> loops;  ///< loops in the order of their first steps
  Fraction bound;                  ///< largest lower bound: by slots, by one tasklet, or by transfers
  std::vector<bool> is_read;       ///< per operand, true if old contents are read before it is written
};

/// Returns the program of a form, or nothing if the form breaks a rule of "Legality".
std::optional<Program> program_of(const CnmProblem& problem, const Form& form);

/// Returns the cycles of a run of all tasklets in which the loops have these trips ("The UPMEM machine").
Int cycles_of(const CnmMachine& machine, const Program& program, const Tuple& trips, Int tasklets);
/// Returns the estimated cycles ("The engine").
Fraction estimate(const CnmMachine& machine, const Program& program, Int tasklets);

/// Returns the time in picoseconds of the launch and of adding partial results on the host. `parts` are the
/// parts of each dim over all DPUs.
Fraction host_time(const CnmProblem& problem, const Form& form, const Tuple& parts);
/// Returns the time to transfer the bytes of the fullest rank, in which `dpus` DPUs are active.
Fraction transfer_time(const CnmProblem& problem, const Form& form, const Program& program, Int dpus);
/// Returns the bytes of an operand in a DPU. Data that tasklets share is counted once.
Int bytes_in_dpu(const CnmOperand& operand, const Form& form);

}  // namespace nestor::check::cnm
