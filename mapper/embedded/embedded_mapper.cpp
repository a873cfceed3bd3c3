// SPDX-License-Identifier: Apache-2.0
#include "mapper/embedded/embedded_mapper.h"

#include <algorithm>
#include <memory>

namespace nestor::cim {
namespace {

constexpr std::size_t most_remembered = 1024;
constexpr Int level_part = 16;                 // the width of a level is its bound divided by this number
constexpr std::uint32_t looks_in_a_node = 16;  // number of skipped choices that count as one label
// Units of work:
constexpr std::uint32_t units_of_choice = 4;
constexpr std::uint32_t looks_in_a_unit = 8;  // factors that the cursor visits per unit
constexpr std::uint32_t units_of_setup = 32;  // for the lattices of an operand or a branch

// Tolerance of the engine's claims of optimality (solver/engine): costs closer than this are treated as
// equal.
Cost slightly_below(Cost cost) {
  if constexpr (latency_only) return cost;
  return cost < no_cost ? cost - (cost < 0 ? -cost : cost) * static_cast<Cost>(1e-9) : cost;
}

// Returns the width of a level. In integers it is rounded up, so that the same latencies are below the
// level's end as with doubles.
Cost width_of_level(Cost bound) {
  if constexpr (latency_only)
    return std::max<Cost>(static_cast<Cost>(ceil_divide(static_cast<Int>(bound), level_part)), 1);
  return std::max<Cost>((bound < 0 ? -bound : bound) / static_cast<Cost>(level_part), 1);
}

bool has_prime_factors(const CimProblem& problem) {
  for (std::size_t d = 0; d < dim_count; ++d)
    if (problem.factors[d] != prime_factors(problem.layer.bounds[d])) return false;
  return true;
}

// Calls act(search) with the active search. (std::visit may throw.)
template <typename Variant, typename Act>
auto with(Variant& variant, Act act) {
  if (auto* stall = std::get_if<0>(&variant)) return act(*stall);
  if (auto* miredo = std::get_if<1>(&variant)) return act(*miredo);
  if constexpr (!latency_only) return act(*std::get_if<2>(&variant));
  __builtin_unreachable();
}

constexpr std::size_t climber_index = std::variant_size_v<EmbeddedSearches> - 1;

// Replaces std::variant::emplace(), which ends with a get() that may throw and would thus add a call of abort
// to the core's object files.
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
      floor_(cost_floor(problem)),
      passed_over_(no_cost),
      symmetric_(is_symmetric(problem, problem.machine)),
      cursor_(problem_, problem_.machine, lattices_) {
  level_ = level_end_ = next_level_ = no_bound;
  prepare_search();
  for (std::size_t d = 0; d < dim_count; ++d)
    if (!lattices_[d].build(problem.factors[d], arena_)) {
      passed_over_ = floor_;
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

std::size_t EmbeddedMapper::most_bytes(const LayerShape& layer, const ChainLengths& chains) {
  constexpr std::size_t padding = 64;
  std::size_t lattices = 0;
  std::array<std::size_t, operand_count> contents{1, 1, 1};
  int depth = 0;
  for (const Dim dim : all_dims) {
    const FactorSet factors = prime_factors(layer.bound(dim));
    lattices += FactorLattice::bytes_needed(factors);
    depth += factors.size();
    for (const Operand operand : all_operands)
      if (layer.is_relevant(dim, operand)) contents[index_of(operand)] *= FactorLattice::size_of(factors);
  }
  std::size_t bytes = (2 + operand_count) * lattices;  // lattices of the problem, a branch and the tables
  for (std::size_t x = 0; x < operand_count; ++x)
    bytes += contents[x] * chains[x] * sizeof(OperandTable::Entry) + padding;
  const std::size_t frames =
      std::max(DepthFirst<StallBranch>::bytes_needed(depth), DepthFirst<MiredoBranch>::bytes_needed(depth));
  return bytes + Placement::bytes_of_lists(chains[0] + chains[1] + chains[2]) + frames;
}

bool EmbeddedMapper::step(std::uint64_t work, const StopSignal* stop, std::uint64_t most_nodes) {
  Slice slice(work, stop);
  while (stage_ != Stage::ended) {
    if (nodes_ >= most_nodes || slice.over()) return false;
    switch (stage_) {
      case Stage::choosing:
        if (may_climb())
          begin_climb();
        else
          choose(slice);
        break;
      case Stage::filling:
        fill_tables(slice);
        break;
      case Stage::searching:
        search(most_nodes - nodes_, slice);
        break;
      case Stage::bounding:
        find_bound(slice);
        break;
      case Stage::climbing:
        climb(most_nodes - nodes_, slice);
        break;
      case Stage::ended:
        break;
    }
  }
  return true;
}

// Processes the next choice. Opening a choice counts as one label, and so does skipping looks_in_a_node
// choices.
void EmbeddedMapper::choose(Slice& slice) {
  if (!all_seen_ && !reaches_choice(slice)) return;
  bool opens = false;
  if (all_seen_ || !is_choice(opens)) {
    if (all_seen_) stage_ = Stage::ended;
    all_seen_ = true;
    return;
  }
  if (opens)
    begin_operands(Stage::filling);
  else if (++looked_at_ % looks_in_a_node != 0)
    return;
  ++nodes_;
}

void EmbeddedMapper::search(std::uint64_t most_nodes, Slice& slice) {
  aim_ = cut();
  with(search_, [&](auto& below) {
    const std::uint64_t before = below.search.counts().expanded;
    const auto found = [&](Cost cost) {
      cost_ = cost;
      below.branch.solution(below.search, mapping_);
      climbed_ = false;
      aim_ = cut();
    };
    if (below.search.advance(aim_, most_nodes, slice, found) == SearchEnd::reached) stage_ = Stage::choosing;
    nodes_ += below.search.counts().expanded - before;
  });
}

// True if memory ran out and a climb may help. A climb can compute costs without tables only if the additive
// part is energy.
bool EmbeddedMapper::may_climb() const {
  return passed_over_ < cut() && !climbed_ && (all_seen_ || !found()) &&
         problem_.objective.additive_is_energy() && has_prime_factors(problem_);
}

void EmbeddedMapper::begin_climb() {
  put<climber_index>(search_, problem_);
  std::get_if<climber_index>(&search_)->start(found() ? &mapping_ : nullptr);
  stage_ = Stage::climbing;
}

void EmbeddedMapper::climb(std::uint64_t most_nodes, Slice& slice) {
  auto& climber = *std::get_if<climber_index>(&search_);
  nodes_ += climber.climb(most_nodes, slice, mapping_, cost_);
  if (!climber.ended()) return;
  climbed_ = true;
  prepare_search();
  stage_ = Stage::choosing;
}

Status EmbeddedMapper::status() const {
  if (passed_over_ < cut()) return Status::memory_limit;
  return found() ? Status::optimal : Status::infeasible;
}

Cost EmbeddedMapper::bound() const {
  const Cost open = all_seen_ ? no_cost : level_;
  return std::min(cost_, std::max(floor_, std::min(passed_over_, open)));
}

Cost EmbeddedMapper::cut() const {
  return problem_.objective.kind == ObjectiveKind::latency ? cost_ : slightly_below(cost_);
}

// Moves to the cursor's next choice, or to the first choice of a new pass. Returns false if the slice ends
// first.
bool EmbeddedMapper::reaches_choice(Slice& slice) {
  if (cursor_.settled()) {
    slice.charge(units_of_choice);
    if (at_choice_) {
      cursor_.to_next();
    } else {
      begin_level();
      cursor_.to_first();
    }
  }
  while (!cursor_.settled()) {
    if (slice.over()) return false;
    slice.charge(1 + cursor_.step() / looks_in_a_unit);
  }
  return true;
}

// Returns false at the end of a pass if no later level can improve the solution. Sets `opens` if the current
// choice must be opened: its bound is in this level and below the cost to beat.
bool EmbeddedMapper::is_choice(bool& opens) {
  at_choice_ = cursor_.at_choice();
  if (!at_choice_) return next_level_ < cut();
  steps_ = temporal_steps(cursor_.choice(), lattices_, problem_.machine.axes.size());
  const Cost bound =
      problem_.objective.combine(static_cast<Cost>(steps_ * problem_.machine.mvm_cycles), least_additive_);
  choice_bound_ = std::max(bound, floor_);
  if (bound >= level_end_) next_level_ = std::min(next_level_, bound);
  opens = bound >= level_ && bound < level_end_ && bound < cut() &&
          !(symmetric_ && mirror(cursor_.choice()) < cursor_.choice());  // its mirror image is searched
  return true;
}

// Starts a pass over all choices. The first pass only determines the least bound.
void EmbeddedMapper::begin_level() {
  level_ = next_level_;
  level_end_ = level_ == no_bound ? no_bound : level_ + width_of_level(level_);
  next_level_ = no_cost;
}

void EmbeddedMapper::begin_operands(Stage stage) {
  arena_.rewind(mark_);
  stage_ = stage;
  operand_ = 0;
  begun_ = false;
  outlook_ = {};
  outlook_additive_ = 0;
  waits_ = 0;
  accessed_ = {};
}

// Fills the tables of the operands one after another, in slices, and then opens the branch.
void EmbeddedMapper::fill_tables(Slice& slice) {
  if (operand_ == operand_count) return open_branch();
  OperandTable& table = tables_[operand_];
  if (!begun_) {
    slice.charge(units_of_setup);
    make_setup(problem_, lattices_, cursor_.choice(), static_cast<Operand>(operand_), table.setup_in_place());
    if (!table.begin(problem_, arena_)) return begin_operands(Stage::bounding);
    begun_ = true;
    filled_ = {};
  }
  if (!table.fill(problem_, filled_, slice)) return;
  begun_ = false;
  ++operand_;
}

// Computes the bound of a choice that does not fit, with memory for one content of one operand at a time. An
// operand for which even that is too much adds no cost. All known bounds of the choice are valid, so the
// greatest is used.
void EmbeddedMapper::find_bound(Slice& slice) {
  const Cost bound = std::max(choice_bound_, bound_without_tables());
  const bool tells_nothing_more = bound >= std::min(passed_over_, cut());
  if (operand_ == operand_count || tells_nothing_more) {
    passed_over_ = std::min(passed_over_, bound);
    stage_ = Stage::choosing;
    return;
  }
  OperandTable& table = tables_[operand_];
  if (!begun_) {
    slice.charge(units_of_setup);
    arena_.rewind(mark_);
    make_setup(problem_, lattices_, cursor_.choice(), static_cast<Operand>(operand_), table.setup_in_place());
    least_ = {};
    begun_ = table.begin_least(problem_, arena_);
    if (!begun_) {
      ++operand_;
      return;
    }
  }
  if (!table.find_least(problem_, least_, slice)) return;
  if (table.least().transfers >= unreachable) {  // the choice has no mapping
    stage_ = Stage::choosing;
    return;
  }
  outlook_.transfers[operand_] = table.least().transfers;
  outlook_.stream[operand_] = table.least().stream;
  outlook_additive_ += table.least().additive;
  waits_ = std::max(waits_, least_.waits);
  accessed_[operand_] = least_.accessed;
  begun_ = false;
  ++operand_;
}

Cost EmbeddedMapper::bound_without_tables() {
  Cost additive = least_additive_;
  if (problem_.follows_additive() && problem_.objective.additive_is_energy())
    additive =
        base_energy(problem_, steps_, accessed_[index_of(Operand::I)], accessed_[index_of(Operand::O)]) +
        outlook_additive_;
  return with(search_, [&](auto& below) {
    return below.branch.bound_without_tables(problem_, steps_, outlook_, waits_, additive);
  });
}

void EmbeddedMapper::open_branch() {
  const Placement::Tables tables{&tables_[0], &tables_[1], &tables_[2]};
  with(search_, [&](auto& below) { stage_ = open_branch(below, tables); });
  if (stage_ == Stage::bounding) begin_operands(Stage::bounding);
}

template <typename AnySearch>
EmbeddedMapper::Stage EmbeddedMapper::open_branch(AnySearch& below, const Placement::Tables& tables) {
  const auto setup = below.branch.prepare(problem_, lattices_, cursor_.choice(), tables, arena_);
  if (setup == BranchSetup::infeasible) return Stage::choosing;
  if (setup != BranchSetup::ready) return Stage::bounding;
  const Cost bound = below.branch.root_bound();
  if (bound >= cut()) return Stage::choosing;
  if (!below.search.start(below.branch, arena_, most_remembered)) {
    choice_bound_ = std::max(choice_bound_, bound);
    return Stage::bounding;
  }
  if (below.branch.max_depth() > 0) return Stage::searching;
  cost_ = bound;
  below.branch.solution(below.search, mapping_);
  climbed_ = false;
  return Stage::choosing;
}

}  // namespace nestor::cim
