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

/// Slots of an operation or a function: a sum such as "16 + k + bytes/4". `barrier` releases all tasklets.
struct SlotCost {
  Int base = 0, bytes_per_slot = 0;
  bool plus_k = false, is_barrier = false;
  Int of(Int k) const { return plus(base, plus_k ? k : 0); }
  friend bool operator==(const SlotCost&, const SlotCost&) = default;
};
SlotCost read_slots(const Json& stated);

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
  Fraction cycle;                               ///< cycle time; all times are in picoseconds
  Fraction launch, launch_per_tasklet, reduce;  ///< reduce: time to add a partial result
  Fraction to_byte, from_byte;                  ///< time per byte between host and rank, or 0
  std::map<std::string, SlotCost> slots;        ///< slots by "op.type"

  Int barrier_cycles(Int tasklets) const;
  Int ports_of(Int tasklets) const { return ports == 0 ? tasklets : ports; }
  Int most_elements(const CnmOperand& operand) const;            ///< maximum elements of one transfer
  bool is_small(const CnmOperand& operand, Int elements) const;  ///< true for an output too small for a
                                                                 ///< transfer
  Int padded(const CnmOperand& operand, Int elements) const;     ///< bytes, rounded up to the alignment
  bool can_transfer(Int bytes) const {
    return bytes >= least_bytes && bytes <= most_bytes && bytes % align == 0;
  }
};

/// An index of an operand: a linear function of the dims.
struct Index {
  Tuple factors;
  Int constant = 0;
  friend bool operator==(const Index&, const Index&) = default;
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

/// Returns the bytes of an element of a type. Throws Unreadable for unknown types.
Int bytes_of(const std::string& type);

struct Kernel {
  std::string name;
  std::string library_call{};    ///< the program of the library that computes it, or empty
  bool repeats_operand = false;  ///< true if an operand occurs twice, through different maps
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
  std::optional<Int> collect{};  ///< elements of small outputs that are gathered, if the mapping states it
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
CnmMachine read_machine(const Json& architecture);
CnmProblem read_problem(const Json& result);
/// Reads a kernel from its text in a result. The machine determines the slots of operations, together with
/// `k` for products.
Kernel read_kernel(const std::string& text, const CnmMachine& machine, Int k);
/// Throws NotChecked if the rules of proofs do not cover the kernel.
void require_provable(const Kernel& kernel);
KernelMapping read_mapping(const Json& map, const CnmProblem& problem);

/// A step in the program of a tasklet. A `loop` returns to the step `start` while trips remain.
struct ProgramStep {
  enum class What : std::uint8_t { slots, read, write, barrier, leave, loop } what = What::slots;
  Int amount = 0;         ///< slots or bytes
  std::size_t start = 0;  ///< first step of a loop
  std::size_t loop = 0;   ///< number of the loop
  friend bool operator==(const ProgramStep&, const ProgramStep&) = default;
};
struct ProgramLoop {
  Int trips = 1;
  std::size_t around = 0;  ///< number of the enclosing loop + 1, or 0
  bool is_innermost = true;
  friend bool operator==(const ProgramLoop&, const ProgramLoop&) = default;
};
struct Program {
  std::vector<ProgramStep> steps;
  std::vector<ProgramLoop> loops;  ///< loops in the order of their first steps
  Wide issue = 0, tasklet = 0;     ///< lower bounds on the cycles: all slots, and one tasklet by itself
  Fraction dma;                    ///< lower bound on the cycles: all transfers, divided by the ports
  Fraction bound;                  ///< the largest of the three
  std::vector<bool> is_read;       ///< per operand, true if old contents are read before it is written
  Int wram = 0, iram = 0;          ///< bytes in each memory of a DPU
};
/// Sums over the steps that a tasklet runs.
struct StepSums {
  Wide slots = 0, engine = 0, waits = 0;
  void add_transfer(const CnmMachine& machine, bool is_read, Int bytes, Wide times);
};
/// Sets the bounds of a program. Only the first tasklet runs the steps of `alone`.
void set_bounds(const CnmMachine& machine, const StepSums& shared, const StepSums& alone, Int tasklets,
                Program& program);

/// Returns the program of a form. If the form breaks a rule of "Legality", returns nothing and sets `fault`.
std::optional<Program> program_of(const CnmProblem& problem, const Form& form, std::string* fault = nullptr);

/// Cycles, and those of each cause in the order of `causes`.
struct Run {
  Int cycles = 0;
  std::array<Int, 4> causes{};
};
inline constexpr std::array<const char*, 4> causes = {"issue", "barrier", "dma", "gap"};
/// Returns the run of all tasklets in which the loops have these trips ("The UPMEM machine"). Counts causes
/// only if they are wanted. Reduces `events_left` by the number of events; throws NotChecked if it becomes
/// negative.
Run run_of(const CnmMachine& machine, const Program& program, const Tuple& trips, Int tasklets,
           bool wants_causes, Int& events_left);

/// The estimate of "The engine", and how it was made. Causes have the precision of long double.
struct Estimated {
  Fraction cycles;
  std::array<long double, 4> causes{};
  Int runs = 0, simulated = 0, k = 0;
  bool is_linear = true;
};
Estimated estimate(const CnmMachine& machine, const Program& program, Int tasklets, bool wants_causes);

/// Returns the picoseconds of a launch.
Fraction launch_time(const CnmMachine& machine, Int tasklets);
/// Returns the number of results, beyond the first of each element, that the host adds. `parts` are the parts
/// of each dim over all DPUs.
Int partial_results(const CnmProblem& problem, const Form& form, const Tuple& parts);
/// Returns the picoseconds of the launch and of adding partial results on the host.
Fraction host_time(const CnmProblem& problem, const Form& form, const Tuple& parts);
/// Returns the picoseconds to transfer the bytes of the fullest rank, in which `dpus` DPUs are active.
Fraction transfer_time(const CnmProblem& problem, const Form& form, const Program& program, Int dpus);
/// Bytes to and from the fullest rank, in which `dpus` DPUs are active.
struct RankBytes {
  Int in = 0, out = 0;
};
RankBytes bytes_of_rank(const CnmProblem& problem, const Form& form, const Program& program, Int dpus);
/// Returns the bytes of an operand in a DPU. Data that tasklets share is counted once.
Int bytes_in_dpu(const CnmOperand& operand, const Form& form);
/// Returns the bytes of all operands in a DPU.
Int bytes_in_mram(const Kernel& kernel, const Form& form);

}  // namespace nestor::check::cnm
