#include "mapper/embedded/embedded_mapper.h"

#include <algorithm>
#include <memory>

namespace nestor::cim {
namespace {

constexpr std::size_t most_remembered = 1024;
constexpr Int level_part = 16;                 // a level is as wide as this part of its bound
constexpr std::uint32_t looks_in_a_node = 16;  // choices that are passed by in the time of a label
constexpr std::uint64_t poll_interval = 16;    // mappings of a climb between two questions whether to stop

// As the engine claims optimality (solver/engine): costs closer than this count as equal.
Cost slightly_below(Cost cost) {
  if constexpr (latency_only) return cost;
  return cost < no_cost ? cost - (cost < 0 ? -cost : cost) * static_cast<Cost>(1e-9) : cost;
}

// Rounded up in integers: the same latencies lie below its end as in doubles.
Cost width_of_level(Cost bound) {
  if constexpr (latency_only)
    return std::max<Cost>(static_cast<Cost>(ceil_divide(static_cast<Int>(bound), level_part)), 1);
  return std::max<Cost>((bound < 0 ? -bound : bound) / static_cast<Cost>(level_part), 1);
}

std::size_t lattice_bytes(const FactorSets& factors) {
  std::size_t bytes = 0;
  for (const FactorSet& set : factors) bytes += FactorLattice::bytes_needed(set);
  return bytes;
}

int most_depth(const CimProblem& problem) {
  int depth = 0;
  for (const FactorSet& set : problem.factors) depth += set.size();
  return depth;
}

// Calls act(search) with the search that there is. (std::visit may throw.)
template <typename Variant, typename Act>
auto with(Variant& variant, Act act) {
  if (auto* stall = std::get_if<0>(&variant)) return act(*stall);
  if (auto* miredo = std::get_if<1>(&variant)) return act(*miredo);
  if constexpr (!latency_only) return act(*std::get_if<2>(&variant));
  __builtin_unreachable();
}

constexpr std::size_t climber_index = std::variant_size_v<EmbeddedSearches> - 1;

// emplace() ends in a get() that may throw, and so leaves a call of abort in the objects of the core.
template <std::size_t Index, typename Variant, typename... Arguments>
void put(Variant& variant, Arguments&... arguments) {
  std::destroy_at(&variant);
  std::construct_at(&variant, std::in_place_index<Index>, arguments...);
}

}  // namespace

EmbeddedMapper::EmbeddedMapper(const CimProblem& problem, const Arena& arena)
    : problem_(problem),
      arena_(arena),
      least_additive_(additive_floor(problem)),
      symmetric_(is_symmetric(problem, problem.machine)),
      cursor_(problem_, problem_.machine, lattices_),
      passed_over_(no_cost) {
  level_ = level_end_ = next_level_ = no_bound;
  prepare_search();
  for (std::size_t d = 0; d < dim_count; ++d)
    if (!lattices_[d].build(problem.factors[d], arena_)) {
      pass_over(problem.objective.combine(0, least_additive_));
      all_seen_ = true;
      return;
    }
  mark_ = arena_.mark();
}

void EmbeddedMapper::prepare_search() {
  constexpr std::size_t without_latency = climber_index - 1;
  if (!problem_.follows_latency())
    put<without_latency>(search_);
  else if (problem_.objective.latency_model == LatencyModel::miredo)
    put<1>(search_);
  else
    put<0>(search_);
}

std::size_t EmbeddedMapper::most_bytes(const CimProblem& problem) {
  std::size_t bytes = std::max(DepthFirst<StallBranch>::bytes_needed(most_depth(problem)),
                               DepthFirst<MiredoBranch>::bytes_needed(most_depth(problem)));
  for (const Operand operand : all_operands) {
    OperandSetup setup;
    for (std::size_t m = 0; m < problem.machine.memories.size(); ++m)
      if (problem.machine.memories[m].operands.contains(operand))
        setup.chain.push_back(static_cast<std::uint8_t>(m));
    for (const Dim dim : all_dims)
      if (problem.layer.is_relevant(dim, operand))
        setup.temporal[index_of(dim)] = problem.factors[index_of(dim)];
    bytes += OperandTable::bytes_needed(setup);
  }
  return bytes + 2 * lattice_bytes(problem.factors);  // those of the problem and those of a branch
}

bool EmbeddedMapper::step(std::uint64_t nodes, const StopSignal* stop) {
  while (stage_ != Stage::ended) {
    if (nodes == 0 || (stop != nullptr && stop->requested())) return false;
    if (stage_ == Stage::choosing) {
      if (may_climb())
        begin_climb();
      else
        nodes -= choose();
      continue;
    }
    if (stage_ == Stage::climbing) {
      nodes -= climb(nodes);
      continue;
    }
    aim_ = cut();
    with(search_, [&](auto& below) {
      const std::uint64_t before = below.search.counts().expanded;
      const auto found = [&](Cost cost) {
        cost_ = cost;
        mapping_ = below.branch.solution(below.search);
        climbed_ = false;
        aim_ = cut();
      };
      if (below.search.advance(aim_, {.work = nodes, .stop = stop}, found) == SearchEnd::reached)
        stage_ = Stage::choosing;
      const std::uint64_t done = below.search.counts().expanded - before;
      nodes_ += done;
      nodes -= done;
    });
  }
  return true;
}

// Looks at the next choice. Opening it takes about as long as a label; looking at a few others that are not
// opened, too. Returns the labels that this counts as.
std::uint64_t EmbeddedMapper::choose() {
  bool opened = false;
  if (all_seen_ || !next_choice(opened)) {
    stage_ = all_seen_ ? Stage::ended : Stage::choosing;
    all_seen_ = true;
    return 0;
  }
  if (opened && open_branch()) stage_ = Stage::searching;
  if (!opened && ++looked_at_ % looks_in_a_node != 0) return 0;
  ++nodes_;
  return 1;
}

// Where memory fell short, and only for latency, whose figures a climb has without tables.
bool EmbeddedMapper::may_climb() const {
  return passed_over_ < cut() && !climbed_ && (all_seen_ || !found()) &&
         problem_.objective.kind == ObjectiveKind::latency && !problem_.constraints.limits_additive() &&
         problem_.factors == prime_factors(problem_.layer.bounds);
}

void EmbeddedMapper::begin_climb() {
  put<climber_index>(search_, problem_);
  std::get_if<climber_index>(&search_)->start(found() ? &mapping_ : nullptr);
  stage_ = Stage::climbing;
}

std::uint64_t EmbeddedMapper::climb(std::uint64_t nodes) {
  auto& climber = *std::get_if<climber_index>(&search_);
  Int cycles = found() ? static_cast<Int>(cost_) : std::numeric_limits<Int>::max();
  const std::uint64_t looked = climber.climb(std::min(nodes, poll_interval), mapping_, cycles);
  if (cycles < std::numeric_limits<Int>::max()) cost_ = static_cast<Cost>(cycles);
  nodes_ += looked;
  if (climber.ended()) {
    climbed_ = true;
    prepare_search();
    stage_ = Stage::choosing;
  }
  return looked;
}

Status EmbeddedMapper::status() const {
  if (passed_over_ < cut()) return Status::memory_limit;
  return found() ? Status::optimal : Status::infeasible;
}

Cost EmbeddedMapper::bound() const {
  const Cost open = all_seen_ ? no_cost : level_;
  return std::min({cost_, passed_over_, open});
}

Cost EmbeddedMapper::cut() const {
  return problem_.objective.kind == ObjectiveKind::latency ? cost_ : slightly_below(cost_);
}

void EmbeddedMapper::pass_over(Cost bound) { passed_over_ = std::min(passed_over_, bound); }

Cost EmbeddedMapper::trivial_bound() const {
  const Int steps = temporal_steps(cursor_.choice(), lattices_, problem_.machine.axes.size());
  return problem_.objective.combine(static_cast<Cost>(steps * problem_.machine.mvm_cycles), least_additive_);
}

// To the next choice in the order of the cursor, or of a new pass; false if no choice is left that may hold
// something better. `opens`: it belongs to this level.
bool EmbeddedMapper::next_choice(bool& opens) {
  at_choice_ = at_choice_ ? cursor_.next() : begin_level() && cursor_.first();
  if (!at_choice_) return next_level_ < cut();
  const Cost bound = trivial_bound();
  if (bound >= level_end_) next_level_ = std::min(next_level_, bound);
  opens = bound >= level_ && bound < level_end_ && bound < cut() &&
          !(symmetric_ && mirror(cursor_.choice()) < cursor_.choice());  // its twin is there
  return true;
}

// The first pass only finds the least bound.
bool EmbeddedMapper::begin_level() {
  level_ = next_level_;
  level_end_ = level_ == no_bound ? no_bound : level_ + width_of_level(level_);
  next_level_ = no_cost;
  return true;
}

bool EmbeddedMapper::open_branch() {
  arena_.rewind(mark_);
  Placement::Tables tables{};
  for (const Operand operand : all_operands) {
    OperandTable& table = tables_[index_of(operand)];
    if (!table.build(problem_, make_setup(problem_, lattices_, cursor_.choice(), operand), arena_)) {
      pass_over(trivial_bound());
      return false;
    }
    tables[index_of(operand)] = &table;
  }
  return with(search_, [&](auto& search) { return open_branch(search, tables); });
}

template <typename AnySearch>
bool EmbeddedMapper::open_branch(AnySearch& search, const Placement::Tables& tables) {
  const auto setup = search.branch.prepare(problem_, lattices_, cursor_.choice(), tables, arena_);
  if (setup == BranchSetup::infeasible) return false;
  if (setup != BranchSetup::ready) {
    pass_over(trivial_bound());
    return false;
  }
  const Cost bound = search.branch.root_bound();
  if (bound >= cut()) return false;
  if (!search.search.start(search.branch, arena_, most_remembered)) {
    pass_over(bound);
    return false;
  }
  if (search.branch.max_depth() > 0) return true;
  cost_ = bound;
  mapping_ = search.branch.solution(search.search);
  climbed_ = false;
  return false;
}

}  // namespace nestor::cim
