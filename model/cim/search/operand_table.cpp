#include "model/cim/search/operand_table.h"

#include <algorithm>
#include <limits>

#include "model/loopnest/tiles.h"

namespace nestor::cim {

// Cost policy (OutwardCost) of an operand's outward transfers. Stall model: a jump with transfer T at r
// remaining iterations has L >= T, so the steady part afterwards is at least T * (r - 1). The latency also
// includes one T of each transfer of the operand, so the stream is T * r plus the T of the other transfers.
// Miredo model: the stream is T * r of the jump home, or for O, T * (r + r / N) (latency_of() in
// miredo_recursion.h). Without a jump home, the fill or drain of T cycles is added to the largest P (eq.
// (6.5)). P_O starts at the time of one MVM and grows by at least M * (N - 1) in every loop, so it ends at no
// less than the time of all MVMs. The stream is then T plus the time of one MVM per iteration of the
// operand's relevant loops.
class OperandTable::OutwardBounds {
 public:
  struct Rest {
    Cost additive = no_cost;
    Int transfers = unreachable;
    Int stream = unreachable;
    void take_least(const Rest& other) {
      additive = std::min(additive, other.additive);
      transfers = std::min(transfers, other.transfers);
      stream = std::min(stream, other.stream);
    }
  };

  OutwardBounds(const CimProblem& problem, OperandTable& table)
      : problem_(problem), table_(table), stall_(problem.objective.latency_model == LatencyModel::stall) {
    if (stall_) return;
    busy_ = problem.machine.mvm_cycles;
    for (const FactorSet& set : table.setup().temporal) busy_ *= set.product();
  }

  void begin(const Content& content) {
    row_ = &table_.entries_[content.index * table_.chain_length()];
    const Int remaining = content.remaining;
    home_rounds_ = table_.operand() == Operand::O ? remaining + remaining / content.longest : remaining;
  }
  void take_least(TableIndex larger, Rest* grown) const {
    const Entry* next = &table_.entry(larger, 0);
    for (std::size_t c = 0; c < table_.chain_length(); ++c)
      grown[c].take_least({next[c].additive, next[c].transfers, next[c].stream});
  }
  Rest end(const Content& content, std::size_t position) const {
    if (position == 0) return {0, 0, 0};
    const Int cycles = row_[0].cycles;
    return {table_.relaxed_jump_cost(content.index, position, 0, 1), cycles, cycles + busy_};
  }
  Rest jump(const Content& content, std::size_t from, std::size_t to, const Rest& grown) const {
    const Int cycles = std::min(row_[to].cycles, row_[to].open_cycles);
    // Stall: with t = T and b = T * (r - 1) of this jump, and t' and b' of the later jumps, the stream is
    // max(b, b') + t + t'. The least t' and the least b' + t' give a lower bound. Miredo: see latency_of() in
    // miredo_recursion.h.
    Int stream = 0;
    if (stall_)
      stream = std::max(cycles * content.remaining + grown.transfers, cycles + grown.stream);
    else
      stream = std::max(to == 0 ? cycles * home_rounds_ : 0, grown.stream);
    return {table_.relaxed_jump_cost(content.index, from, to, content.remaining) + grown.additive,
            cycles + grown.transfers, stream};
  }
  bool fits(TableIndex index, std::size_t position) const { return table_.fits(index, position); }
  void store(std::size_t position, const Rest& best) {
    Entry& entry = row_[position];
    entry.additive = best.additive;
    entry.transfers = std::min(best.transfers, unreachable);
    entry.stream = std::min(best.stream, unreachable);
    if (best.transfers < unreachable) leave_out(entry);
  }

 private:
  // Clears the bounds that are switched off. The additive bound of eq14 is negative, so 0 would not be a
  // lower bound. It is therefore kept.
  void leave_out(Entry& entry) const {
    if (!problem_.techniques.transfers) entry.transfers = 0;
    if (!problem_.techniques.stream) entry.stream = 0;
    if (!problem_.techniques.additive && table_.energy_) entry.additive = 0;
  }

  const CimProblem& problem_;
  OperandTable& table_;
  bool stall_;
  Int busy_ = 0;          // miredo: time of the MVMs of the operand's relevant loops
  Entry* row_ = nullptr;  // row of the current content
  Int home_rounds_ = 1;   // r, or r + r / N for O, of the jump home
};

std::size_t OperandTable::bytes_needed(const OperandSetup& setup) {
  return ContentTable::bytes_needed(setup) + alignof(Entry) +
         count_of(setup) * setup.chain.size() * sizeof(Entry);
}

bool OperandTable::build(const CimProblem& problem, const OperandSetup& setup, Arena& arena, bool bounds) {
  if (!ContentTable::build(problem, setup, arena) || !allocate(count(), arena)) return false;
  prepare(problem);
  EndlessSlice endless;
  ContentPlace place;
  fill_sizes(problem, place, endless);
  if (!bounds) return true;
  place = {};
  OutwardBounds cost(problem, *this);
  return fill_outward(*this, cost, place, endless);
}

bool OperandTable::begin(const CimProblem& problem, Arena& arena) {
  if (!ContentTable::build(problem, arena) || !allocate(count(), arena)) return false;
  prepare(problem);
  return true;
}

bool OperandTable::fill(const CimProblem& problem, Progress& progress, Slice& slice) {
  if (!progress.sized) {
    if (!fill_sizes(problem, progress.place, slice)) return false;
    progress = {.sized = true, .place = {}};
  }
  OutwardBounds cost(problem, *this);
  return fill_outward(*this, cost, progress.place, slice);
}

// One row contains the sizes of the current content, the other the results per chain position.
bool OperandTable::begin_least(const CimProblem& problem, Arena& arena) {
  if (!ContentTable::build(problem, arena) || !allocate(2, arena)) return false;
  prepare(problem);
  return true;
}

bool OperandTable::find_least(const CimProblem& problem, Least& progress, Slice& slice) {
  using Rest = OutwardBounds::Rest;
  OutwardBounds cost(problem, *this);
  Entry* found = entries_ + chain_length();
  const auto found_at = [&](std::size_t c) {
    return Rest{found[c].additive, found[c].transfers, found[c].stream};
  };
  found[0] = {};
  for (; progress.position < chain_length(); ++progress.position, progress.place = {}) {
    const std::size_t c = progress.position;
    auto& [next, node] = progress.place;
    if (next == 0) progress.waits = unreachable;  // only the innermost memory's value is used
    Rest best = next == 0 ? Rest{} : found_at(c);
    const auto keep = [&] {
      found[c].additive = best.additive;
      found[c].transfers = best.transfers;
      found[c].stream = best.stream;
    };
    for (; next < count(); ++next, step_up(lattices(), node)) {
      if (slice.over()) return keep(), false;
      slice.charge(static_cast<std::uint32_t>(3 * c + 2));
      size_content(problem, node, c + 1, entries_);
      if (next == 0) progress.accessed = entries_[c].elements * setup().lanes_above[c];
      if (!fits(0, c)) continue;
      Content content;
      for (std::size_t d = 0; d < dim_count; ++d) {
        content.remaining *= lattice(d).remaining(node[d]);
        content.longest = std::max(content.longest, lattice(d).remaining(node[d]));
      }
      cost.begin(content);
      const bool ends = next + 1 == count() && may_end(c);
      const bool doubles =
          problem.machine.memories[memory(c)].double_buffer && 2 * entries_[c].elements <= most_elements_[c];
      if (ends) best.take_least(cost.end(content, c));
      if (ends || doubles) progress.waits = 0;
      for (std::size_t to = 0; to < c && !ends; ++to) {
        if (!may_jump(c, to)) continue;
        best.take_least(cost.jump(content, c, to, found_at(to)));
        const Int cycles = std::min(entries_[to].cycles, entries_[to].open_cycles);
        progress.waits = std::min(progress.waits, cycles * (content.remaining - 1));
      }
    }
    best.transfers = std::min(best.transfers, unreachable);
    best.stream = std::min(best.stream, unreachable);
    keep();
  }
  return true;
}

bool OperandTable::allocate(std::size_t contents, Arena& arena) {
  entries_ = arena.allocate<Entry>(contents * chain_length());
  return entries_ != nullptr;
}

// Sets all values that do not depend on contents.
void OperandTable::prepare(const CimProblem& problem) {
  const BitWidths& bits = problem.layer.bits;
  final_width_ = bits.of(operand());
  open_width_ = bits.of(operand(), true);
  energy_ = problem.objective.additive_is_energy();
  priced_ = problem.follows_additive();
  for (std::size_t c = 0; c < chain_length(); ++c) {
    const Memory& memory = problem.machine.memories[setup().chain[c]];
    read_cost_[c] = memory.read_energy * static_cast<Cost>(setup().lanes_above[c]);
    write_cost_[c] = memory.write_energy * static_cast<Cost>(setup().lanes_above[c]);
    residence_weight_[c] =
        energy_ || c == 0 ? 0 : -problem.objective.additive_weight * static_cast<Cost>(setup().chain[c]);
    const Int narrowest = std::min(stored_width(c, true), stored_width(c, false));
    most_elements_[c] = c == 0 ? std::numeric_limits<Int>::max() : memory.capacity / narrowest;
  }
}

// Equations (7.1) to (7.4) of docs/models/cim.md.
Cost OperandTable::transfer_cost(TableIndex index, std::size_t from, std::size_t source, Int outward,
                                 Int inward, Int width) const {
  if (latency_only || !energy_) return 0;
  const Int copied_width = reduced_above(from) ? open_width_ : width;
  const auto unique = static_cast<Cost>(entry(index, source).elements * width);
  const auto copies = static_cast<Cost>(entry(index, from).elements * copied_width);
  return transfer_energy(outward, inward, {unique, read_cost_[source], write_cost_[source]},
                         {copies, read_cost_[from], write_cost_[from]});
}

// Computes the elements and transfer times, eq. (5.1), of every content in every memory.
template <typename AnySlice>
bool OperandTable::fill_sizes(const CimProblem& problem, ContentPlace& place, AnySlice& slice) {
  for (; place.next < count(); ++place.next, step_up(lattices(), place.node)) {
    if (slice.over()) return false;
    slice.charge(static_cast<std::uint32_t>(chain_length()));
    size_content(problem, place.node, chain_length(), &entries_[place.next * chain_length()]);
  }
  return true;
}

// Computes the elements and transfer times of one content in the first `positions` memories of the chain.
void OperandTable::size_content(const CimProblem& problem, const std::array<LatticeNode, dim_count>& node,
                                std::size_t positions, Entry* row) const {
  const bool rows = slides(problem.layer, operand(), 0);
  const bool columns = slides(problem.layer, operand(), 1);
  const Extents content = extents_of(node);
  for (std::size_t c = 0; c < positions; ++c) {
    Entry& entry = row[c];
    entry = {};
    const Extents& below = setup().below[c];  // 1 for irrelevant dimensions
    entry.elements = elements_of(problem.layer, rows, columns,
                                 [&](Dim dim) { return content[index_of(dim)] * below[index_of(dim)]; });
    const Int bandwidth = problem.machine.memories[memory(c)].bandwidth;
    entry.cycles = ceil_divide(entry.elements * final_width_, bandwidth);
    const bool widens = open_width_ != final_width_;
    entry.open_cycles = widens ? ceil_divide(entry.elements * open_width_, bandwidth) : entry.cycles;
  }
}

Cost OperandTable::relaxed_jump_cost(TableIndex index, std::size_t from, std::size_t to,
                                     Int remaining) const {
  if (latency_only || !priced_) return 0;
  const bool output = operand() == Operand::O;
  // For the negative weights of eq14, the largest stored width is safe; for transfers, the smallest.
  const auto [narrow, wide] = std::minmax(final_width_, open_width_);
  if (!energy_) return residence_cost(from, entry(index, from).elements * wide);
  return transfer_cost(index, from, to, output ? remaining : 0, output ? 0 : remaining, narrow);
}

}  // namespace nestor::cim
