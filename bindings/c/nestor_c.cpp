// SPDX-License-Identifier: Apache-2.0
// The C API of the embedded search, with a cim::EmbeddedMapper in an arena. arguments.h checks the arguments.
#include <atomic>
#include <limits>
#include <new>

#include "bindings/c/arguments.h"
#include "mapper/embedded/embedded_mapper.h"
#include "model/cim/search/nest_cost.h"
#include "model/loopnest/canonical.h"

static_assert(NESTOR_MAX_MEMORIES == nestor::max_memories);
static_assert(NESTOR_MAX_AXES == nestor::max_axes);
static_assert(NESTOR_MAX_LOOPS == nestor::max_loops);
static_assert(NESTOR_DIMS == nestor::dim_count);
static_assert(NESTOR_OPERANDS == nestor::operand_count);
// Each limit has its own bits in NESTOR_ABI.
static_assert(NESTOR_MAX_MEMORIES < 0x80 && NESTOR_MAX_AXES < 0x100 && NESTOR_MAX_LOOPS < 0x100);
// Arrays and sets are copied by position, so the orders must agree.
static_assert(NESTOR_N == nestor::index_of(nestor::Dim::N) && NESTOR_K == nestor::index_of(nestor::Dim::K) &&
              NESTOR_C == nestor::index_of(nestor::Dim::C) && NESTOR_P == nestor::index_of(nestor::Dim::P) &&
              NESTOR_Q == nestor::index_of(nestor::Dim::Q) && NESTOR_R == nestor::index_of(nestor::Dim::R) &&
              NESTOR_S == nestor::index_of(nestor::Dim::S) && NESTOR_G == nestor::index_of(nestor::Dim::G));
static_assert(NESTOR_INPUT == nestor::index_of(nestor::Operand::I) &&
              NESTOR_WEIGHT == nestor::index_of(nestor::Operand::W) &&
              NESTOR_OUTPUT == nestor::index_of(nestor::Operand::O));

namespace {

using nestor::LayerShape;
using nestor::c::Verdict;
using nestor::cim::CimProblem;
using nestor::cim::EmbeddedMapper;

// Flag that nestor_cancel sets, possibly in an interrupt handler.
class CancelFlag final : public nestor::StopSignal {
 public:
  bool requested() const override { return raised_.load(std::memory_order_relaxed); }
  void raise() { raised_.store(true, std::memory_order_relaxed); }
  // Separate load and store, because some targets cannot exchange a byte atomically. A cancellation between
  // the two has no separate effect.
  bool lower() {
    const bool was_raised = requested();
    if (was_raised) raised_.store(false, std::memory_order_relaxed);
    return was_raised;
  }

 private:
  std::atomic<bool> raised_{false};
};

}  // namespace

// Head of an arena; the workspace follows it.
struct nestor_problem {
  CimProblem problem;
  std::uint64_t node_limit = std::numeric_limits<std::uint64_t>::max();
  CancelFlag cancelled;
  alignas(EmbeddedMapper) unsigned char mapper_bytes[sizeof(EmbeddedMapper)];

  EmbeddedMapper& mapper() { return *std::launder(reinterpret_cast<EmbeddedMapper*>(mapper_bytes)); }
  const EmbeddedMapper& mapper() const {
    return *std::launder(reinterpret_cast<const EmbeddedMapper*>(mapper_bytes));
  }
};

namespace {

constexpr std::size_t alignment = 16;  // of the head and of the workspace, on every target

constexpr std::size_t head_bytes() {
  return (sizeof(nestor_problem) + alignment - 1) / alignment * alignment;
}

nestor_status status_of(nestor::Status status) {
  if (status == nestor::Status::optimal) return NESTOR_OPTIMAL;
  return status == nestor::Status::infeasible ? NESTOR_INFEASIBLE : NESTOR_MEMORY_LIMIT;
}

}  // namespace

size_t nestor_arena_bytes(size_t workspace_bytes) {
  const std::size_t head = head_bytes() + alignment;
  return workspace_bytes > static_cast<std::size_t>(-1) - head ? 0 : head + workspace_bytes;
}

size_t nestor_workspace_bytes(const nestor_machine* machine, const nestor_layer* layer) {
  if (nestor::c::judge(machine, layer, nullptr).status != NESTOR_RUNNING) return 0;
  EmbeddedMapper::ChainLengths chains{};
  for (std::size_t m = 0; m < machine->memory_count; ++m)
    for (std::size_t x = 0; x < nestor::operand_count; ++x)
      chains[x] += static_cast<std::size_t>(nestor::c::holds(machine->memories[m], x));
  LayerShape shape;
  nestor::c::copy_layer(*layer, shape);
  return EmbeddedMapper::most_bytes(shape, chains);
}

nestor_status nestor_create_for(uint32_t abi, nestor_problem** problem, void* arena, size_t arena_bytes,
                                const nestor_machine* machine, const nestor_layer* layer,
                                const nestor_options* options) {
  if (problem != nullptr) *problem = nullptr;
  if (abi != NESTOR_ABI) return NESTOR_ABI_MISMATCH;
  if (problem == nullptr || arena == nullptr) return NESTOR_BAD_ARGUMENT;
  const Verdict verdict = nestor::c::judge(machine, layer, options);
  if (verdict.fault != nullptr) return verdict.status;
  const std::size_t padding = (alignment - reinterpret_cast<std::uintptr_t>(arena) % alignment) % alignment;
  if (arena_bytes < padding + head_bytes()) return NESTOR_ARENA_TOO_SMALL;
  auto* begin = static_cast<std::byte*>(arena) + padding;
  std::size_t workspace = arena_bytes - padding - head_bytes();
  if (options != nullptr && options->workspace_bytes > 0) {
    if (options->workspace_bytes > workspace) return NESTOR_ARENA_TOO_SMALL;
    workspace = options->workspace_bytes;
  }

  auto* state = new (begin) nestor_problem;
  nestor::c::copy_layer(*layer, state->problem.layer);
  nestor::c::copy_machine(*machine, state->problem.machine);
  for (std::size_t d = 0; d < nestor::dim_count; ++d)
    state->problem.factors[d] = nestor::prime_factors(state->problem.layer.bounds[d]);
  if (options != nullptr) {
    nestor::c::set_objective(*options, state->problem.objective);
    if (options->node_limit > 0) state->node_limit = options->node_limit;
  }
  state->problem.objective.leakage = state->problem.machine.leakage;
  new (state->mapper_bytes) EmbeddedMapper(state->problem, {begin + head_bytes(), workspace});
  *problem = state;
  return NESTOR_RUNNING;
}

const char* nestor_fault(const nestor_machine* machine, const nestor_layer* layer,
                         const nestor_options* options, unsigned* index) {
  const Verdict verdict = nestor::c::judge(machine, layer, options);
  if (index != nullptr) *index = verdict.index;
  return verdict.fault;
}

nestor_status nestor_step(nestor_problem* problem, uint64_t work) {
  if (problem == nullptr) return NESTOR_BAD_ARGUMENT;
  EmbeddedMapper& mapper = problem->mapper();
  if (mapper.step(work, &problem->cancelled, problem->node_limit)) return status_of(mapper.status());
  if (problem->cancelled.lower()) return NESTOR_CANCELLED;
  return mapper.nodes() >= problem->node_limit ? NESTOR_WORK_LIMIT : NESTOR_RUNNING;
}

nestor_status nestor_solve(nestor_problem* problem) {
  return nestor_step(problem, static_cast<std::uint64_t>(-1));
}

void nestor_cancel(nestor_problem* problem) {
  if (problem != nullptr) problem->cancelled.raise();
}

int nestor_has_mapping(const nestor_problem* problem) {
  return static_cast<int>(problem != nullptr && problem->mapper().found());
}

nestor_status nestor_get_mapping(const nestor_problem* problem, nestor_mapping* mapping) {
  if (problem == nullptr || mapping == nullptr) return NESTOR_BAD_ARGUMENT;
  if (!problem->mapper().found()) return NESTOR_NO_MAPPING;
  const nestor::Mapping& found = problem->mapper().mapping();
  for (std::size_t a = 0; a < nestor::max_axes; ++a)
    for (std::size_t d = 0; d < nestor::dim_count; ++d) mapping->spatial[a][d] = found.spatial[a][d];
  mapping->loop_count = static_cast<std::uint32_t>(found.loops.size());
  for (std::size_t i = 0; i < found.loops.size(); ++i) {
    nestor_loop& loop = mapping->loops[i];
    loop.dim = static_cast<std::uint8_t>(found.loops[i].dim);
    for (std::size_t x = 0; x < nestor::operand_count; ++x) loop.at[x] = found.loops[i].at[x];
    loop.factor = found.loops[i].factor;
  }
  for (std::size_t m = 0; m < nestor::max_memories; ++m)
    mapping->double_buffered[m] = found.double_buffered[m].bits();
  return NESTOR_RUNNING;
}

nestor_status nestor_evaluate(const nestor_problem* problem, const nestor_mapping* mapping,
                              nestor_evaluation* evaluation) {
  if (problem == nullptr || mapping == nullptr || evaluation == nullptr) return NESTOR_BAD_ARGUMENT;
  const CimProblem& of = problem->problem;
  nestor::Mapping read;
  if (!nestor::c::read_mapping(*mapping, of, read)) return NESTOR_BAD_ARGUMENT;
  nestor::normalise(read, of.layer, of.machine);
  const auto cost = nestor::cim::cost_of_nest(of, read);
  if (!cost) return NESTOR_INFEASIBLE;
  const auto latency = static_cast<nestor::Cost>(cost->latency);
  evaluation->cost = of.objective.combine(latency, cost->additive);
  evaluation->latency_cycles = cost->latency;
  if constexpr (nestor::latency_only)
    evaluation->energy_pj = 0;
  else
    evaluation->energy_pj = static_cast<double>(cost->additive + of.objective.leakage * latency);
  return NESTOR_RUNNING;
}

nestor_value nestor_cost(const nestor_problem* problem) {
  return problem == nullptr ? nestor::no_cost : problem->mapper().cost();
}
nestor_value nestor_bound(const nestor_problem* problem) {
  return problem == nullptr ? nestor::no_bound : problem->mapper().bound();
}
uint64_t nestor_nodes(const nestor_problem* problem) {
  return problem == nullptr ? 0 : problem->mapper().nodes();
}
size_t nestor_peak_bytes(const nestor_problem* problem) {
  return problem == nullptr ? 0 : head_bytes() + problem->mapper().peak_bytes();
}

const char* nestor_status_text(nestor_status status) {
  switch (nestor::c::raw(status)) {
    case NESTOR_RUNNING:
      return "running";
    case NESTOR_OPTIMAL:
      return "optimal";
    case NESTOR_INFEASIBLE:
      return "infeasible";
    case NESTOR_MEMORY_LIMIT:
      return "memory_limit";
    case NESTOR_WORK_LIMIT:
      return "work_limit";
    case NESTOR_CANCELLED:
      return "cancelled";
    case NESTOR_BAD_ARGUMENT:
      return "an argument is missing or invalid";
    case NESTOR_ARENA_TOO_SMALL:
      return "the arena is too small";
    case NESTOR_TOO_LARGE:
      return "the layer is too large";
    case NESTOR_ABI_MISMATCH:
      return "header and library are incompatible";
    case NESTOR_NO_MAPPING:
      return "no mapping has been found yet";
    case NESTOR_BAD_FILE:
      return "a file cannot be read or written";
    default:
      return "unknown status";
  }
}

uint32_t nestor_abi(void) { return NESTOR_ABI; }
uint32_t nestor_version(void) {
  return NESTOR_VERSION_MAJOR << 16 | NESTOR_VERSION_MINOR << 8 | NESTOR_VERSION_PATCH;
}
