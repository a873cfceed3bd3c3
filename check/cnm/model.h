// A kernel mapped onto UPMEM, as a result file has it, and how long it takes: read here from the JSON itself
// and worked out by code that the rest of Nestor does not use, with docs/models/cnm.md as the contract.
// Cycles and times are whole numbers and fractions, never rounded but where the contract rounds.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/cnm/fraction.h"
#include "check/json.h"

namespace nestor::check::cnm {

/// One figure for each dim of the kernel, or positions of dims.
using Tuple = std::vector<Int>;

/// "Systems": of transfers one way, in `unit`s of a cycle.
struct TransferRate {
  Wide setup = 0, per_byte = 0, unit = 1;
  Int back = 0;  ///< whole cycles
  Int busy(Int bytes) const;
};

struct CnmOperand;
struct CnmMachine {
  std::string name;
  std::array<Int, 3> levels{};  ///< ranks, DPUs of a rank, tasklets of a DPU
  Int gap = 1;
  Int wram = 0, wram_reserved = 0, wram_stack = 0;
  Int iram = 0, instruction = 1;
  Int mram = 0;
  Int ports = 1;                                   ///< of the DMA engine; 0: one a tasklet
  Int least_bytes = 1, most_bytes = 1, align = 1;  ///< of a transfer
  TransferRate read, write;
  Int refresh_every = 0, refresh_busy = 0;
  std::map<Int, Fraction> barrier;  ///< cycles by tasklets
  Fraction alpha;                   ///< "The engine"
  Int k = 1, k_max = 1, whole = 0;
  Fraction cycle;                                     ///< picoseconds, as all that follows
  Fraction launch, launch_per_tasklet, reduce;        ///< reduce: of a partial result
  Fraction to_byte, from_byte;                        ///< of a byte between the host and a rank; 0: none
  std::map<std::string, std::pair<Int, bool>> slots;  ///< by "op.type"; with k more?

  Int barrier_cycles(Int tasklets) const;
  Int ports_of(Int tasklets) const { return ports == 0 ? tasklets : ports; }
  Int most_elements(const CnmOperand& operand) const;            ///< of a transfer
  bool is_small(const CnmOperand& operand, Int elements) const;  ///< an output, for a transfer
  Int padded(const CnmOperand& operand, Int elements) const;     ///< bytes, in whole units of the engine
};

/// An index of an operand: a sum of multiples of dims and a number.
struct Index {
  Tuple factors;
  Int constant = 0;
  /// From the first to the last element that it meets where the dims go so far.
  Int reach(const Tuple& extents) const;
};

/// What an operation takes that the machine does not have.
constexpr Int unknown = -1;

struct CnmOperand {
  std::string name;
  std::string type;
  Int bytes = 4;  ///< of an element
  Tuple dims;
  std::vector<Index> map;
  bool is_output = false;
  bool is_argument = false;  ///< of an operation of the region
  bool is_used = false;      ///< or yielded
  bool is_summed = false;    ///< over a dim that it does not use
  Int load = 0, store = 0, move = 0;
  bool uses(std::size_t dim) const;
};

struct Kernel {
  std::string name;
  Tuple extents;
  std::vector<bool> reduction;
  std::vector<CnmOperand> operands;  ///< inputs, then outputs
  /// The region: slots of every step, `unknown` where the machine lacks it. A number takes none.
  struct Operation {
    Int slots = 0;
    bool is_number = false;
    std::string name{};  ///< of the table of slots
    std::string number{};
    std::vector<std::size_t> arguments{};  ///< as yields
  };
  std::vector<Operation> region;
  std::vector<std::size_t> yields;     ///< by output: an operand, or operands.size() + a step of the region
  Int add = 1, move = 1, address = 1;  ///< of indices
  std::size_t dims() const { return extents.size(); }
};

struct CnmProblem {
  CnmMachine machine;
  Kernel kernel;
  Tuple least, most;  ///< extents that a mapping may have: with padding, not those of the kernel alone
};

/// "Mappings": parts of each dim on the three levels, then what a tasklet does with its part.
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
/// The kernel of a text as results have it; slots are those of the machine, k those of a product.
Kernel read_kernel(const std::string& text, const CnmMachine& machine, Int k);
KernelMapping read_mapping(const Json& map, const CnmProblem& problem);

/// What a tasklet runs. A `loop` leads back to the step `start` while trips are left.
struct ProgramStep {
  enum class What : std::uint8_t { slots, read, write, barrier, leave, loop } what = What::slots;
  Int amount = 0;         ///< slots, bytes
  std::size_t start = 0;  ///< of a loop
  std::size_t loop = 0;   ///< its number
};
struct ProgramLoop {
  Int trips = 1;
  std::size_t around = 0;  ///< its number + 1; 0: none
  bool is_innermost = true;
};
struct Program {
  std::vector<ProgramStep> steps;
  std::vector<ProgramLoop> loops;  ///< in the order of their beginnings
  Fraction bound;                  ///< cycles: the largest of the three
  std::vector<bool> is_read;       ///< by operand: what is there before it is written
};

/// The program of a form; nothing if a rule of "Legality" is broken.
std::optional<Program> program_of(const CnmProblem& problem, const Form& form);

/// "The UPMEM machine": cycles of a run of all tasklets with these trips.
Int cycles_of(const CnmMachine& machine, const Program& program, const Tuple& trips, Int tasklets);
/// "The engine".
Fraction estimate(const CnmMachine& machine, const Program& program, Int tasklets);

/// Launch, and partial results added by the host, in picoseconds; `parts`: of each dim over all DPUs.
Fraction host_time(const CnmProblem& problem, const Form& form, const Tuple& parts);
/// Of the fullest rank's bytes, so many DPUs of it at work.
Fraction transfer_time(const CnmProblem& problem, const Form& form, const Program& program, Int dpus);
/// Bytes of an operand in a DPU, what tasklets share once.
Int bytes_in_dpu(const CnmOperand& operand, const Form& form);

}  // namespace nestor::check::cnm
