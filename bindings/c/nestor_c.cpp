// The C API over the embedded search: checks and copies what comes in, since nothing from outside is trusted,
// and hands the rest to cim::EmbeddedMapper.
#include <atomic>
#include <new>

#include "bindings/c/nestor.h"
#include "mapper/embedded/embedded_mapper.h"

static_assert(NESTOR_MAX_MEMORIES == nestor::max_memories);
static_assert(NESTOR_MAX_AXES == nestor::max_axes);
static_assert(NESTOR_MAX_LOOPS == nestor::max_loops);
static_assert(NESTOR_DIMS == nestor::dim_count);
static_assert(NESTOR_OPERANDS == nestor::operand_count);
// Each has bits of its own in NESTOR_ABI.
static_assert(NESTOR_MAX_MEMORIES < 0x80 && NESTOR_MAX_AXES < 0x100 && NESTOR_MAX_LOOPS < 0x100);
// Arrays and sets are copied by position.
static_assert(NESTOR_N == nestor::index_of(nestor::Dim::N) && NESTOR_K == nestor::index_of(nestor::Dim::K) &&
              NESTOR_C == nestor::index_of(nestor::Dim::C) && NESTOR_P == nestor::index_of(nestor::Dim::P) &&
              NESTOR_Q == nestor::index_of(nestor::Dim::Q) && NESTOR_R == nestor::index_of(nestor::Dim::R) &&
              NESTOR_S == nestor::index_of(nestor::Dim::S));
static_assert(NESTOR_INPUT == nestor::index_of(nestor::Operand::I) &&
              NESTOR_WEIGHT == nestor::index_of(nestor::Operand::W) &&
              NESTOR_OUTPUT == nestor::index_of(nestor::Operand::O));

namespace {

using nestor::Architecture;
using nestor::Int;
using nestor::LayerShape;
using nestor::cim::CimProblem;
using nestor::cim::EmbeddedMapper;

// Raised by nestor_cancel, perhaps from an interrupt.
class CancelFlag final : public nestor::StopSignal {
 public:
  bool requested() const override { return raised_.load(std::memory_order_relaxed); }
  void raise() { raised_.store(true, std::memory_order_relaxed); }
  // Apart, since not every target exchanges a byte at once; what is raised in between counts as the same.
  bool lower() {
    const bool was_raised = requested();
    if (was_raised) raised_.store(false, std::memory_order_relaxed);
    return was_raised;
  }

 private:
  std::atomic<bool> raised_{false};
};

// Takes an energy over; false if it is none. Latency alone reads none.
bool copy_energy(double from, nestor::Cost& to) {
  if constexpr (nestor::latency_only) return true;
  to = static_cast<nestor::Cost>(from);
  return from >= 0 && from <= 1e30;
}

bool copy_memory(const nestor_memory& from, std::size_t axes, nestor::Memory& to) {
  for (const nestor::Operand operand : nestor::all_operands)
    if ((from.operands >> nestor::index_of(operand) & 1U) != 0) to.operands.insert(operand);
  to.capacity = from.capacity == 0 ? nestor::unlimited_capacity : from.capacity;
  to.bandwidth = from.bandwidth;
  to.double_buffer = from.double_buffer != 0;
  to.axes_above = from.axes_above;
  return from.operands < 1U << NESTOR_OPERANDS && from.capacity >= 0 && from.bandwidth > 0 &&
         from.axes_above <= axes && copy_energy(from.read_energy, to.read_energy) &&
         copy_energy(from.write_energy, to.write_energy);
}

bool copy_machine(const nestor_machine& from, Architecture& to) {
  if (from.memory_count > nestor::max_memories || from.axis_count > nestor::max_axes) return false;
  if (from.memories == nullptr || (from.axes == nullptr && from.axis_count > 0)) return false;
  bool good = from.mvm_cycles > 0 && copy_energy(from.mac_energy, to.mac_energy) &&
              copy_energy(from.leakage, to.leakage);
  std::uint8_t axes_above = 0;
  for (std::size_t m = 0; m < from.memory_count; ++m) {
    nestor::Memory memory;
    good &= copy_memory(from.memories[m], from.axis_count, memory) && memory.axes_above >= axes_above;
    axes_above = memory.axes_above;
    to.memories.push_back(memory);
  }
  for (std::size_t a = 0; a < from.axis_count; ++a) {
    nestor::Axis axis{.size = from.axes[a].size, .dims = {}};
    for (const nestor::Dim dim : nestor::all_dims)
      if ((from.axes[a].dims >> nestor::index_of(dim) & 1U) != 0) axis.dims.insert(dim);
    good &= axis.size > 0 && from.axes[a].dims < 1U << NESTOR_DIMS;
    to.axes.push_back(axis);
  }
  to.mvm_cycles = from.mvm_cycles;
  return good;
}

void copy_layer(const nestor_layer& from, LayerShape& to) {
  for (std::size_t d = 0; d < nestor::dim_count; ++d) to.bounds[d] = from.bounds[d];
  for (std::size_t direction = 0; direction < 2; ++direction) {
    to.stride[direction] = from.stride[direction];
    to.dilation[direction] = from.dilation[direction];
  }
  to.bits = {.input = from.input_bits,
             .weight = from.weight_bits,
             .output = from.output_bits,
             .partial_sum = from.partial_sum_bits};
}

// Whether every factor of every bound has its place in the arrays of a mapping.
bool has_room_for_loops(const nestor::FactorSets& factors, const LayerShape& layer) {
  int loops = 0;
  for (std::size_t d = 0; d < nestor::dim_count; ++d) {
    if (factors[d].product() != layer.bounds[d]) return false;
    loops += factors[d].size();
  }
  return loops <= static_cast<int>(nestor::max_loops);
}

nestor_status accept(const nestor_machine* machine, const nestor_layer* layer, LayerShape& shape,
                     Architecture& architecture) {
  if (machine == nullptr || layer == nullptr || !copy_machine(*machine, architecture))
    return NESTOR_BAD_ARGUMENT;
  copy_layer(*layer, shape);
  const auto refusal = nestor::cim::admit(shape, architecture);
  if (refusal == nestor::Refusal::none) return NESTOR_RUNNING;
  return refusal == nestor::Refusal::too_large ? NESTOR_TOO_LARGE : NESTOR_BAD_ARGUMENT;
}

bool set_objective(const nestor_options& options, nestor::cim::CimObjective& objective) {
  if (nestor::latency_only && options.objective != NESTOR_LATENCY) return false;
  switch (options.objective) {
    case NESTOR_LATENCY:
      objective.kind = nestor::cim::ObjectiveKind::latency;
      break;
    case NESTOR_ENERGY:
      objective.kind = nestor::cim::ObjectiveKind::energy;
      break;
    case NESTOR_EDP:
      objective.kind = nestor::cim::ObjectiveKind::edp;
      break;
    default:
      return false;
  }
  if (options.latency_model != NESTOR_STALL && options.latency_model != NESTOR_MIREDO) return false;
  objective.latency_model = options.latency_model == NESTOR_STALL ? nestor::cim::LatencyModel::stall
                                                                  : nestor::cim::LatencyModel::miredo;
  return true;
}

}  // namespace

// The head of an arena; the workspace follows it.
struct nestor_problem {
  CimProblem problem;
  std::uint64_t node_limit = 0;
  CancelFlag cancelled;
  alignas(EmbeddedMapper) unsigned char mapper_bytes[sizeof(EmbeddedMapper)];

  EmbeddedMapper& mapper() { return *std::launder(reinterpret_cast<EmbeddedMapper*>(mapper_bytes)); }
  const EmbeddedMapper& mapper() const {
    return *std::launder(reinterpret_cast<const EmbeddedMapper*>(mapper_bytes));
  }
};

namespace {

constexpr std::size_t alignment = 16;  // of the head and of the workspace, whatever the target

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
  LayerShape shape;
  Architecture architecture;
  if (accept(machine, layer, shape, architecture) != NESTOR_RUNNING) return 0;
  return EmbeddedMapper::most_bytes(nestor::cim::make_problem(shape, architecture, {}));
}

nestor_status nestor_create_for(uint32_t abi, nestor_problem** problem, void* arena, size_t arena_bytes,
                                const nestor_machine* machine, const nestor_layer* layer,
                                const nestor_options* options) {
  if (abi != NESTOR_ABI) return NESTOR_ABI_MISMATCH;
  if (problem == nullptr || arena == nullptr) return NESTOR_BAD_ARGUMENT;
  *problem = nullptr;
  const std::size_t padding = (alignment - reinterpret_cast<std::uintptr_t>(arena) % alignment) % alignment;
  if (arena_bytes < padding + head_bytes()) return NESTOR_ARENA_TOO_SMALL;
  auto* begin = static_cast<std::byte*>(arena) + padding;
  std::size_t workspace = arena_bytes - padding - head_bytes();

  auto* state = new (begin) nestor_problem;
  LayerShape& shape = state->problem.layer;
  const nestor_status accepted = accept(machine, layer, shape, state->problem.machine);
  if (accepted != NESTOR_RUNNING) return accepted;
  nestor::cim::CimObjective objective;
  if (options != nullptr) {
    if (!set_objective(*options, objective)) return NESTOR_BAD_ARGUMENT;
    if (options->workspace_bytes > workspace) return NESTOR_ARENA_TOO_SMALL;
    if (options->workspace_bytes > 0) workspace = options->workspace_bytes;
    state->node_limit = options->node_limit;
  }
  state->problem.objective = objective;
  state->problem.objective.leakage = state->problem.machine.leakage;
  state->problem.factors = nestor::prime_factors(shape.bounds);
  if (!has_room_for_loops(state->problem.factors, shape)) return NESTOR_TOO_LARGE;
  new (state->mapper_bytes) EmbeddedMapper(state->problem, {begin + head_bytes(), workspace});
  *problem = state;
  return NESTOR_RUNNING;
}

nestor_status nestor_step(nestor_problem* problem, uint64_t nodes) {
  if (problem == nullptr) return NESTOR_BAD_ARGUMENT;
  EmbeddedMapper& mapper = problem->mapper();
  if (problem->node_limit != 0) {
    const std::uint64_t left = problem->node_limit - mapper.nodes();
    if (nodes > left) nodes = left;
  }
  if (mapper.step(nodes, &problem->cancelled)) return status_of(mapper.status());
  if (problem->cancelled.lower()) return NESTOR_CANCELLED;
  return problem->node_limit != 0 && mapper.nodes() >= problem->node_limit ? NESTOR_WORK_LIMIT
                                                                           : NESTOR_RUNNING;
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
  switch (status) {
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
      return "an argument is missing or not valid";
    case NESTOR_ARENA_TOO_SMALL:
      return "the arena is too small";
    case NESTOR_TOO_LARGE:
      return "the layer is too large";
    case NESTOR_ABI_MISMATCH:
      return "header and library do not belong together";
    case NESTOR_NO_MAPPING:
      return "no mapping was found yet";
    case NESTOR_BAD_FILE:
      return "a file cannot be read or written";
  }
  return "unknown status";
}

uint32_t nestor_abi(void) { return NESTOR_ABI; }
uint32_t nestor_version(void) {
  return NESTOR_VERSION_MAJOR << 16 | NESTOR_VERSION_MINOR << 8 | NESTOR_VERSION_PATCH;
}
