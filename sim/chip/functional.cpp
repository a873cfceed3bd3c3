#include "sim/chip/functional.h"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>
#include <map>
#include <set>
#include <utility>

#include "model/chip/program/constants.h"
#include "sim/chip/array_unit.h"
#include "sim/chip/check.h"
#include "sim/chip/digital.h"

namespace nestor::sim::chip {
namespace {

using chip_program::Segment;
using chip_program::Tensor;
using chip_program::Thread;
using nestor::chip::FunctionKind;

constexpr Int most_bytes = Int{1} << 30;
constexpr Int most_kept = Int{1} << 28;  // limit on the number of elements of all results

// Executes threads one after another, and rows in order. Every other order that waits, lanes and `parallel`
// allow gives the same results, as prove_order() (order.h) verifies.
class FunctionalMachinery {
 public:
  FunctionalMachinery(const Program& program, const nestor::chip::ChipMachine& machine,
                      const WalkLimits& limits, const ExecutionInput& input)
      : program_(program),
        machine_(machine),
        limits_(limits),
        input_(input),
        memory_(program.l0_bytes),
        arrays_(program, machine, memory_) {
    execution_.results.resize(program.operators.size());
  }

  std::variant<Execution, Fault> run();

  MaybeFault wait(std::size_t, Int, std::optional<Int>) { return std::nullopt; }
  MaybeFault run_begins() { return std::nullopt; }
  MaybeFault row_begins(Int) { return std::nullopt; }
  MaybeFault row_ends(Int) { return std::nullopt; }
  MaybeFault group(std::span<const Op> ops);

 private:
  MaybeFault one(const Op& op);
  MaybeFault digital(const Op& op);
  const Tensor* tensor_at(Int address) const;
  MaybeFault fill_inputs();
  MaybeFault keep_touched();
  void keep(std::size_t op);

  const Program& program_;
  const nestor::chip::ChipMachine& machine_;
  const WalkLimits& limits_;
  const ExecutionInput& input_;
  L0 memory_;
  ArrayUnit arrays_;
  std::map<std::size_t, Digital> digital_;
  std::set<std::size_t> touched_;  ///< operators with results in L0 that are not yet recorded
  Execution execution_;
  Int kept_ = 0;
};

// Writes the inputs to L0. Tensors that no operator produces are inputs.
MaybeFault FunctionalMachinery::fill_inputs() {
  boost::dynamic_bitset<> made(program_.tensors.size());
  for (const auto& op : program_.operators) made[op.output] = true;
  const auto* next = input_.elements;
  for (std::size_t t = 0; t < program_.tensors.size(); ++t) {
    if (made[t]) continue;
    const Tensor& tensor = program_.tensors[t];
    const Int bytes = bytes_for(tensor.bits);
    const Int seed = chip_program::seed_of(tensor.name);
    const Int elements = tensor.rows * tensor.width * tensor.channels;
    const auto* given = std::exchange(next, nullptr);
    if (given != nullptr && static_cast<Int>(given->size()) != elements)
      return Fault{fmt::format("the input has {} elements, but tensor '{}' has {}", given->size(),
                               tensor.name, elements)};
    for (Int i = 0; i < elements; ++i) {
      memory_.write(tensor.address + i * bytes, bytes,
                    given != nullptr ? (*given)[static_cast<std::size_t>(i)]
                                     : chip_program::element(seed, i, tensor.bits));
    }
  }
  return std::nullopt;
}

void FunctionalMachinery::keep(std::size_t op) {
  const Tensor& tensor = program_.tensors[program_.operators[op].output];
  const Int bytes = bytes_for(tensor.bits);
  auto& result = execution_.results[op];
  result.clear();
  for (Int i = 0; i < tensor.rows * tensor.width * tensor.channels; ++i) {
    result.push_back(memory_.read(tensor.address + i * bytes, bytes));
  }
}

MaybeFault FunctionalMachinery::keep_touched() {
  for (const std::size_t op : touched_) {
    const Tensor& tensor = program_.tensors[program_.operators[op].output];
    kept_ += tensor.rows * tensor.width * tensor.channels;
    if (kept_ > most_kept) return Fault{"the results have more than 2^28 elements"};
    keep(op);
  }
  touched_.clear();
  return std::nullopt;
}

const Tensor* FunctionalMachinery::tensor_at(Int address) const {
  for (const Tensor& tensor : program_.tensors) {
    const Int bytes = tensor.rows * tensor.width * tensor.channels * bytes_for(tensor.bits);
    if (address >= tensor.address && address < tensor.address + bytes) return &tensor;
  }
  return nullptr;
}

// Executes an element-wise operation on addresses. The tensor at the destination determines the width of the
// elements.
MaybeFault FunctionalMachinery::digital(const Op& op) {
  const std::size_t count = op.statement->arguments.size();
  const Int length = op.at[count - 1];
  const Int destination = op.at[count - 2];
  const Tensor* to = tensor_at(destination);
  for (std::size_t i = 0; i + 1 < count; i += 2) {
    if (op.at[i] != in_l0) return Fault{"digital operations must work on L0"};
  }
  if (to == nullptr || length < 0 || length > program_.l0_bytes)
    return Fault{"a digital operation outside all tensors"};
  const Int bytes = bytes_for(to->bits);
  for (std::size_t i = 1; i + 1 < count; i += 2) {
    if (!memory_.holds(op.at[i], length * bytes)) return Fault{"a digital operation beyond L0"};
  }
  const Digital* unit = nullptr;
  if (program_.numbers) {
    const auto maker = std::find_if(program_.operators.begin(), program_.operators.end(),
                                    [&](const auto& each) { return &program_.tensors[each.output] == to; });
    if (op.statement->function != FunctionKind::relu || maker == program_.operators.end() ||
        maker->type != FunctionKind::relu)
      return Fault{"a digital operation on addresses must be a separate relu"};
    const auto index = static_cast<std::size_t>(maker - program_.operators.begin());
    unit = &digital_.try_emplace(index, program_, index).first->second;
  }
  for (Int i = 0; i < length; ++i) {
    Int value = memory_.read(op.at[1] + i * bytes, bytes);
    if (op.statement->function == FunctionKind::relu)
      value = unit != nullptr ? unit->relu(value) : std::max<Int>(0, value);
    for (std::size_t s = 3; s + 2 < count; s += 2) {
      const Int other = memory_.read(op.at[s] + i * bytes, bytes);
      value = op.statement->function == FunctionKind::subtract ? value - other : value + other;
    }
    memory_.write(destination + i * bytes, bytes, unit != nullptr ? value : saturated(value, to->bits));
  }
  for (std::size_t i = 0; i < program_.operators.size(); ++i) {
    if (&program_.tensors[program_.operators[i].output] == to) touched_.insert(i);
  }
  return std::nullopt;
}

MaybeFault FunctionalMachinery::one(const Op& op) {
  if (auto fault = check(program_, machine_, op)) return fault;
  switch (op.kind()) {
    case Kind::write_crossbar:
      return arrays_.write(op.op(), op.at[0], op.at[1], op.at[2], 0, machine_.cell.rows);
    case Kind::write_rows:
      return arrays_.write(op.op(), op.at[0], op.at[3], op.at[4], op.at[1], op.at[2]);
    case Kind::read_core:
      return arrays_.read_core(op.op(), op);
    case Kind::gather:
      return arrays_.gather(op.op(), op.at[0], op.at[1], op.at[2]);
    case Kind::store:
      return arrays_.store(op.op(), op.at[0], op.at[1], op.at[2]);
    case Kind::read_rows:
      return arrays_.read(op.at[0], op.at[1], op.at[2]);
    case Kind::read_crossbars:
      for (Int i = 0; i < op.at[1]; ++i) {
        if (auto fault = arrays_.read_all(op.at[0] + i)) return fault;
      }
      return std::nullopt;
    case Kind::digital_row: {
      // If an operator consists of several functions, the last function writes its values.
      const auto& calls = program_.operators[op.op()].calls;
      if (!calls.empty() && op.statement->call != calls.back()) return std::nullopt;
      auto [unit, is_new] = digital_.try_emplace(op.op(), program_, op.op());
      return unit->second.row(memory_, op.at[0]);
    }
    case Kind::digital:
      return digital(op);
    default:
      return Fault{"mov between buffers can be timed but not executed; use mov.window for windows"};
  }
}

MaybeFault FunctionalMachinery::group(std::span<const Op> ops) {
  for (const Op& op : ops) {
    if (auto fault = one(op)) return fault;
  }
  return std::nullopt;
}

std::variant<Execution, Fault> FunctionalMachinery::run() {
  if (auto fault = fill_inputs()) return *std::move(fault);
  std::size_t done = 0;
  for (const Segment& segment : program_.segments) {
    arrays_.forget();
    Walker<FunctionalMachinery> writes(*this, limits_);
    if (auto fault = writes.run(segment.writes)) return *std::move(fault);
    for (const Thread& thread : segment.threads) {
      Walker<FunctionalMachinery> walker(*this, limits_);
      if (auto fault = walker.run(thread.body)) return *std::move(fault);
      touched_.insert(thread.op);
      if (input_.progress) input_.progress(++done, program_.operators.size());
      if (segment.pipeline) continue;
      // The next thread can reuse the memory of this thread's results.
      if (auto fault = keep_touched()) return *std::move(fault);
    }
    if (auto fault = keep_touched()) return *std::move(fault);
  }
  return std::move(execution_);
}

}  // namespace

std::variant<Execution, Fault> execute(const Program& program, const nestor::chip::ChipMachine& machine,
                                       const WalkLimits& limits, const ExecutionInput& input) {
  if (auto fault = check(program, machine)) return *std::move(fault);
  if (auto fault = check_numbers(program)) return *std::move(fault);
  if (program.l0_bytes > most_bytes)
    return Fault{"programs with an L0 of more than 1 GiB cannot be executed"};
  return FunctionalMachinery(program, machine, limits, input).run();
}

}  // namespace nestor::sim::chip
