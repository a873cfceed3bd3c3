#include "model/pim/search/branch.h"

#include <algorithm>

#include "model/loopnest/spatial_factors.h"

namespace nestor::pim {

BranchSetup PimBranch::prepare(const PimProblem& problem, const Lattices& lattices,
                               const SpatialChoice& choice, const Tables& tables, Arena& arena) {
  problem_ = &problem;
  tables_ = tables;
  root_bound_ = 0;
  needs_latency_ = problem.follows_latency();
  needs_energy_ = problem.follows_energy();
  if (!prepare_choice(lattices, choice, arena)) return BranchSetup::out_of_memory;
  for (std::size_t x = 0; x < operand_count; ++x) {
    chains_[x] = tables[x]->setup().chain;
    home_lanes_[x] = static_cast<double>(lanes_above(problem.machine.memories[chains_[x][0]], spatial_));
  }
  if (!has_prescribed_loops()) return BranchSetup::infeasible;
  const auto follow = [this](CouplingMemory& shared) { return must_follow(shared); };
  if (!find_shared_memories(chains_, problem.machine.memories.size(), shared_, slot_, follow))
    return BranchSetup::too_large;
  set_base_cost();
  counts_rows_ = false;
  hybrid_ = problem.machine.row_model == RowModel::hybrid;
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    const Memory& home = problem.machine.memories[problem.machine.home(operand)];
    has_rows_[x] = home.row > 0;
    below_dram_[x] = extents_below(problem.machine, home, spatial_);
    if (!has_rows_[x]) continue;
    const bool costs =
        (needs_latency_ && home.activation_cycles > 0) || (needs_energy_ && home.activation_energy > 0);
    counts_rows_ |= costs;
    row_floor_[x] = RowFloor(problem.layer, home, operand, times(below_dram_[x], temporal()));
  }
  has_joint_ = false;
  const Label start = root();
  root_bound_ =
      bound_of(start, {TransferTable::unstarted, TransferTable::unstarted, TransferTable::unstarted}, {});
  return root_bound_ < infinite ? BranchSetup::ready : BranchSetup::infeasible;
}

// True if the factors that remain for temporal loops suffice for the prescribed loops. Each prescribed loop
// can then be completed.
bool PimBranch::has_prescribed_loops() const {
  Extents left = temporal();
  for (const Loop& loop : problem_->constraints.outer_loops) {
    Int& remaining = left[index_of(loop.dim)];
    if (remaining % loop.factor != 0) return false;
    remaining /= loop.factor;
  }
  return true;
}

bool PimBranch::must_follow(CouplingMemory& shared) const {
  int present = 0;
  int visiting = 0;
  Int most = 0;
  for (const Operand operand : all_operands) {
    const auto x = index_of(operand);
    const std::size_t c = shared.position[x];
    present += static_cast<int>(shared.operands.contains(operand));
    if (c == 0) continue;
    ++visiting;
    const auto whole = static_cast<TableIndex>(tables_[x]->count() - 1);
    most += tables_[x]->elements(whole, c) * problem_->layer.bits.widest(operand);
  }
  const Memory& memory = problem_->machine.memories[shared.memory];
  shared.limits = visiting > 1 && memory.capacity < most;
  shared.turns = needs_latency_ && present > 1 && memory.shared_port;
  return shared.limits || shared.turns;
}

// Sets the cost that all completions have in common: compute, and the accesses of the innermost memories in
// all steps.
void PimBranch::set_base_cost() {
  const PimMachine& machine = problem_->machine;
  const Int steps = this->steps();
  base_latency_ = std::max(problem_->known_latency, compute_cycles(machine, steps));
  base_energy_ = energy_floor(*problem_);
  for (std::size_t x = 0; x < operand_count; ++x) {
    const auto operand = static_cast<Operand>(x);
    const bool output = operand == Operand::O;
    const std::size_t inner = tables_[x]->innermost();
    const Memory& held = memory(x, inner);
    const Int width = problem_->layer.bits.of(operand, true);
    const Int bits = tables_[x]->elements(0, inner) * width * steps;
    const Int cycles = pim::port_cycles(held, bits, output ? bits : 0);
    const std::uint8_t slot = slot_[tables_[x]->memory(inner)];
    const bool turns = slot != no_slot && shared_[slot].turns;
    const Int before = turns ? shared_[slot].held : 0;
    if (turns) shared_[slot].held += cycles;
    base_latency_ = std::max(base_latency_, before + cycles + held.access_latency);
    base_energy_ += static_cast<double>(bits * tables_[x]->setup().lanes_above[inner]) * home_lanes_[x] *
                    (output ? held.read_energy + held.write_energy : held.read_energy);
  }
  if (!needs_energy_) base_energy_ = 0;
  if (!needs_latency_) base_latency_ = 0;
}

PimBranch::Label PimBranch::root() const {
  Label label;
  for (std::size_t d = 0; d < dim_count; ++d) label.node[d] = lattices_[d].last();
  label.floor = root_bound_;
  label.energy = base_energy_;
  label.latency = base_latency_;
  for (std::size_t s = 0; s < shared_.size(); ++s) label.busy[s] = shared_[s].held;
  return label;
}

std::uint64_t PimBranch::key(const Label& label) const {
  std::uint64_t key = key_of_nodes(label.node);
  for (const std::uint8_t position : label.at) key = key << 4U | position;
  key = mix(key, static_cast<std::uint64_t>(label.started));
  for (const Operand operand : all_operands)
    if (in_dram(label, index_of(operand)))
      each_seen_loop(label.path, lattices_, problem_->layer, operand, [&](std::size_t dim, Int count) {
        key = mix(key, static_cast<std::uint64_t>(count) * (dim_count + 1) + dim);
      });
  for (const std::uint8_t left : label.left) key = mix(key, left);
  return key;
}

bool PimBranch::same_past(const Label& a, const Label& b) const {
  if (a.node != b.node || a.at != b.at || a.started != b.started || a.fixed != b.fixed || a.left != b.left)
    return false;
  for (std::size_t x = 0; x < operand_count; ++x) {
    if (a.left[x] == 0) continue;
    const Departure one = departure(a, x);
    const Departure other = departure(b, x);
    if (!(one.path == other.path) || one.buffered != other.buffered) return false;
  }
  for (const Operand operand : all_operands) {
    if (!in_dram(a, index_of(operand))) continue;
    SeenLoops loops;
    each_seen_loop(a.path, lattices_, problem_->layer, operand, [&](std::size_t dim, Int count) {
      loops.push_back({dim, count});
    });
    std::size_t same = 0;
    bool equal = true;
    each_seen_loop(b.path, lattices_, problem_->layer, operand, [&](std::size_t dim, Int count) {
      equal = equal && same < loops.size() && loops[same] == SeenLoop{dim, count};
      ++same;
    });
    if (!equal || same != loops.size()) return false;
  }
  return true;
}

// True if every figure to which a completion adds is no worse in `a`, and every rule that limits the
// completions of `a` also limits those of `b`.
bool PimBranch::dominates(const Label& a, const Label& b, double /*cut*/) const {
  if (a.latency > b.latency || a.energy > b.energy || a.pending > b.pending || a.sealed > b.sealed)
    return false;
  for (std::size_t s = 0; s < shared_.size(); ++s)
    if (a.taken[s] > b.taken[s] || a.busy[s] > b.busy[s]) return false;
  return same_past(a, b);
}

bool PimBranch::is_step(const Label& parent, const Label& child) const {
  for (std::size_t x = 0; x < operand_count; ++x)
    if (child.at[x] >= chains_[x].size() || child.left[x] > child.path.size() + 1) return false;
  if (!child.started || child.fixed_left < 1 || !child.path.is_within(lattices_)) return false;
  const int factors = parent.started ? factors_between(child.node, parent.node) : 0;
  return child.placed == parent.placed + factors &&
         (parent.started ? factors == 1 : child.node == parent.node);
}

std::uint64_t PimBranch::kept_step(const Label& parent, const Label& child, bool& /*mirrored*/) const {
  NestStep step{.at = child.at};
  for (std::size_t d = 0; d < dim_count; ++d) {
    if (parent.node[d] == child.node[d]) continue;
    step.dim = static_cast<std::uint8_t>(d);
    step.factor = lattices_[d].value(parent.node[d]) / lattices_[d].value(child.node[d]);
  }
  for (std::size_t x = 0; x < operand_count; ++x) step.moved[x] = child.at[x] != parent.at[x];
  return pack(step);
}

double PimBranch::preference(const Label& label) const { return combine(label.latency, label.energy); }

double PimBranch::combine(Int latency, double energy) const {
  const Constraints& constraints = problem_->constraints;
  if (latency > constraints.max_latency || energy > constraints.max_additive) return infinite;
  if (staircase_.count > 0 && staircase_.cover(latency, energy)) return infinite;
  return problem_->objective.combine(static_cast<double>(latency), energy);
}

// Returns a lower bound on the cost of every completion. It is exact if all loops are placed.
double PimBranch::bound_of(const Label& label, const std::array<TableIndex, operand_count>& index,
                           const std::array<Outside, operand_count>& outside) const {
  Int latency = label.latency;
  double energy = label.energy;
  double opening = 0;  // energy of the rows that operands in DRAM must still open
  std::array<Int, max_shared_memories> busy = label.busy;
  for (std::size_t x = 0; x < operand_count; ++x) {
    const TransferTable& table = *tables_[x];
    const Int repeats = outside[x].irrelevant;
    const double ahead = table.energy(index[x], label.at[x], repeats);
    if (ahead == infinite) return infinite;
    Int rows = 0;
    if (in_dram(label, x) && counts_rows_ && !hybrid_ && problem_->techniques.transfers)
      rows = std::max(label.opened[x], row_floor_[x].activations(label.path, lattices_, problem_->layer));
    if (rows > 0) opening += activation_energy(x, rows);
    if (needs_energy_) energy += energy_ahead(x, index[x], label.at[x], repeats, rows);
    if (!needs_latency_ || label.at[x] == table.innermost()) continue;
    const Memory& here = memory(x, label.at[x]);
    Int leaving = rows * here.activation_cycles;
    if (problem_->techniques.stream) {
      latency = std::max(latency, whole_cycles(table.busiest(index[x], label.at[x], repeats)));
      leaving += whole_cycles(table.leaving(index[x], label.at[x], repeats));
      leaving = std::max(leaving, whole_cycles(table.leaving_rows(index[x], label.at[x], repeats)));
    }
    latency = std::max(latency, leaving + here.access_latency);
    const std::uint8_t slot = slot_[table.memory(label.at[x])];
    if (slot == no_slot || !shared_[slot].turns) continue;
    busy[slot] += leaving;
    latency = std::max(latency, busy[slot] + here.access_latency);
  }
  if (has_joint_) energy = std::max(energy, joint_energy(label, opening));
  return combine(latency, energy);
}

// Returns a lower bound on the energy of every completion from the table of all operands together.
double PimBranch::joint_energy(const Label& label, double opening) const {
  const RestEnergy rest = label.started ? joint_.rest(label.node, label.at, label.sealed) : joint_.start();
  return less_rounding(label.energy + std::max(rest.total, rest.bits + opening));
}

std::size_t PimBranch::own_table_bytes() {
  if (!JointTable::supports(*problem_)) return 0;
  return joint_.prepare(*problem_, lattices_, tables_, home_lanes_) ? joint_.least_bytes() : 0;
}

double PimBranch::energy_after(const Label& stepped, const MovePerOperand& moves,
                               const std::array<TableIndex, operand_count>& index,
                               const std::array<Outside, operand_count>& outside) const {
  double energy = stepped.energy;
  JointTable::Positions at{};
  for (std::size_t x = 0; x < operand_count; ++x) {
    at[x] = moves[x]->to;
    energy += moves[x]->energy;
    if (in_dram(stepped, x) && at[x] != 0 && counts_rows_ && !hybrid_)
      energy += activation_energy(x, row_floor(stepped, x, index[x], outside[x]));
  }
  return less_rounding(energy + joint_.rest(stepped.node, at, stepped.sealed).total);
}

TableWork PimBranch::moves_of(const TableWork& work) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / moves_per_expansion;
  return {std::min(work.worth, most) * moves_per_expansion, std::min(work.most, most) * moves_per_expansion,
          work.stop};
}

std::uint64_t PimBranch::fill_own_table(double limit, const TableWork& work, Arena& arena) {
  const double energy = energy_of_cost(limit, base_latency_) - base_energy_;
  const auto fill = joint_.fill(tables_, energy, moves_of(work), arena);
  if (fill == JointTable::Fill::arena_too_small) return 0;
  has_joint_ = fill == JointTable::Fill::done;
  if (has_joint_)
    root_bound_ = std::max(
        root_bound_,
        bound_of(root(), {TransferTable::unstarted, TransferTable::unstarted, TransferTable::unstarted}, {}));
  return 1 + joint_.moves() / moves_per_expansion;
}

std::uint64_t PimBranch::fill_starts(double limit, const TableWork& work, Arena& arena,
                                     std::span<double> energies) {
  const auto fill = joint_.fill(tables_, limit - base_energy_, moves_of(work), arena, energies);
  if (fill == JointTable::Fill::arena_too_small) return 0;
  // A table that was given up bounds only what the branch has in common.
  for (double& energy : energies)
    energy = fill == JointTable::Fill::done ? less_rounding(base_energy_ + energy) : base_energy_;
  return 1 + joint_.moves() / moves_per_expansion;
}

std::size_t PimBranch::start_of(const Extents& temporal) const {
  JointTable::Nodes node{};
  for (std::size_t d = 0; d < dim_count; ++d)
    while (lattices_[d].value(node[d]) != temporal[d]) ++node[d];
  return joint_.row_of(node);
}

double PimBranch::energy_of_cost(double cost, Int latency) const {
  const auto enough = [&](double energy) { return combine(latency, energy) >= cost; };
  double high = std::max(base_energy_, 1.0);
  while (high < infinite && !enough(high)) high *= 2;
  double low = 0;
  constexpr int halvings = 40;
  for (int i = 0; i < halvings && high < infinite; ++i) {
    const double middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

double PimBranch::energy_ahead(std::size_t x, TableIndex index, std::size_t position, Int repeats,
                               Int rows) const {
  const TransferTable& table = *tables_[x];
  const double opening = activation_energy(x, rows);
  if (!problem_->techniques.additive) return opening;
  return std::max(table.energy(index, position, repeats) * home_lanes_[x] + opening,
                  table.energy_rows(index, position, repeats) * home_lanes_[x]);
}

double PimBranch::load_ahead(const Label& label, const std::array<TableIndex, operand_count>& index,
                             const std::array<Outside, operand_count>& outside) const {
  constexpr double optimism = 4;  // estimated ratio of remaining costs to their bounds
  double load = 0;
  for (std::size_t x = 0; x < operand_count; ++x) {
    load += optimism * tables_[x]->leaving(index[x], label.at[x], outside[x].irrelevant);
    if (in_dram(label, x) && counts_rows_ && !hybrid_)
      load +=
          optimism * static_cast<double>(row_floor_[x].activations(label.path, lattices_, problem_->layer) *
                                         memory(x, 0).activation_cycles);
  }
  return load;
}

}  // namespace nestor::pim
