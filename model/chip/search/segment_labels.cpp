#include "model/chip/search/segment_labels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/tables/hash_table.h"
#include "model/chip/peak.h"
#include "model/chip/stream.h"

namespace nestor::chip {

void add_label(std::vector<SegmentLabel>& labels, SegmentLabel label, const CountingFigures& figures) {
  for (const auto& other : labels)
    if (figures.beats(other, label)) return;
  std::erase_if(labels, [&](const SegmentLabel& other) { return figures.beats(label, other); });
  labels.push_back(std::move(label));
}

SegmentLabels::SegmentLabels(const ChipProblem& problem, SegmentDecision segment, bool several,
                             const CompileRequest& request, CountingFigures figures)
    : problem_(problem),
      segment_(segment),
      several_(several),
      request_(request),
      figures_(figures),
      graph_(problem, segment.first, segment.last, segment.stream) {
  const std::size_t count = segment.last - segment.first + 1;
  times_.resize(problem.size());
  paces_.resize(problem.size());
  first_core_.assign(problem.size(), 0);
  chosen_.resize(count);
  ends_.assign(count, 0);
  speeds_.resize(count);
  least_energy_.assign(count + 1, 0);
  least_cores_.assign(count + 1, 0);
}

// Adds one unit of work. Returns false at the work limit or after a stop.
bool SegmentLabels::spend() {
  ++*work_;
  return *work_ < work_limit_ && ((*work_ & 15U) != 0 || !stop_->requested());
}

bool SegmentLabels::list_ways() {
  const std::size_t count = chosen_.size();
  for (std::size_t k = 0; k < count; ++k) {
    ways_.emplace_back();
    if (!ways_of(segment_.first + k, ways_.back())) return false;
    Speed best = slowest_speed;
    for (const Way& way : ways_.back()) best = best_of(best, speed_of(way.pace));
    best_speeds_.push_back(best);
  }
  for (std::size_t k = count; k-- > 0;) {
    double energy = HUGE_VAL;
    Int cores = SegmentSearch::never;
    for (const Way& way : ways_[k]) {
      energy = std::min(energy, way.energy);
      cores = std::min(cores, way.pace.cores);
    }
    least_energy_[k] = least_energy_[k + 1] + energy;
    least_cores_[k] = std::min(SegmentSearch::never, least_cores_[k + 1] + cores);
  }
  return true;
}

// Lists all different ways to run an operator, without those that are certainly dominated. Peak power may
// fall when a row becomes slower. With transfer costs, more cores may move the next operator to a better
// position. Therefore, only ways that agree in these figures are compared. If the digital unit is shared, a
// product on it never dominates the same product on crossbars, which relieves the unit.
bool SegmentLabels::ways_of(std::size_t i, std::vector<Way>& ways) {
  const Operator& op = problem_.network.operators[i];
  const ChipMachine& machine = problem_.machine;
  const bool places_count = has_noc_cost(machine);
  const bool unit_is_shared = machine.alu_shared && machine.chip_alu != left_out;
  // In a stream, a slower row may start earlier and deliver pixels earlier, so only ways whose rows have
  // equal structure are compared.
  const bool by_taps = !problem_.facts[i].layout.packed &&
                       std::any_of(op.inputs.begin(), op.inputs.end(),
                                   [](const auto& input) { return !input.gated && input.taps > 1; });
  HashMap<std::array<Int, 11>, std::vector<std::size_t>> alike;
  const auto add = [&](const OperatorDecision& decision) {
    Way way{decision, timing_of(problem_, i, decision, request_.levels), 0};
    if (segment_.stream) way.pace.in = way.pace.stream_in;
    way.energy = static_cast<double>(op.rows) * row_energy(problem_, i, way.pace);
    if (way.pace.on_array && (op.kind == OperatorKind::product || several_))
      way.energy += static_cast<double>(way.pace.crossbars * machine.cell.rows) * machine.energy.write;
    const OperatorTiming& b = way.pace;
    std::array<Int, 11> key = {places_count ? b.cores : 0};
    if (figures_.peak) key = {key[0], b.active, b.row, b.lanes, b.in, b.out, b.gate};
    if (segment_.stream) {
      key[7] = b.row;
      key[8] = b.sharing;
      key[9] = by_taps || figures_.peak ? b.phases : 0;
      key[10] = by_taps ? b.parts : 0;
    }
    auto& others = alike[key];
    for (const std::size_t at : others) {
      const OperatorTiming& a = ways[at].pace;
      const bool no_slower =
          a.row <= b.row && a.lanes >= b.lanes && a.in <= b.in && a.out <= b.out && a.gate <= b.gate;
      const bool no_busier = !unit_is_shared || a.on_array || !b.on_array;
      if (no_slower && no_busier && a.cores <= b.cores && (!figures_.peak || a.crossbars <= b.crossbars) &&
          ways[at].energy <= way.energy)
        return;
    }
    others.push_back(ways.size());
    ways.push_back(way);
  };
  if (problem_.facts[i].may_use_alu) add({});
  if (op.kind == OperatorKind::alu || !problem_.facts[i].may_use_array) return true;
  const CrossbarLayout& layout = problem_.facts[i].layout;
  const Int usable = problem_.facts[i].usable;
  const Int capacity = machine.cores.count() * usable;
  const Int most_parts =
      request_.levels.vvm ? std::min(layout.most_parts, capacity / layout.columns) : layout.least_parts;
  for (Int parts = layout.least_parts; parts <= most_parts; ++parts) {
    const Int m = layout.crossbars(parts);
    const Int held = request_.levels.mvm ? capacity / m : machine.cores.count() / ceil_divide(m, usable);
    const Int most = std::min(held, machine.mode == Mode::CM ? op.rows : op.rows * op.width);
    const Int most_phases = (figures_.peak || segment_.stream) && request_.levels.mvm ? parts : 1;
    for (Int copies = 1; copies <= most; ++copies)
      for (Int phases = 1; phases <= most_phases; ++phases) {
        add({copies, parts, phases, op.kind == OperatorKind::product, {}});
        if (!spend()) return false;
      }
  }
  return true;
}

bool SegmentLabels::run(std::uint64_t& work, std::uint64_t work_limit, const StopSource& stop) {
  work_ = &work;
  work_limit_ = work_limit;
  stop_ = &stop;
  if (!list_ways()) return false;
  if (least_cores_[0] > problem_.machine.cores.count()) return true;
  return descend(0, 0, 0);
}

bool SegmentLabels::descend(std::size_t k, Int cores, double energy) {
  if (k == ways_.size()) {
    finish(energy);
    return true;
  }
  const std::size_t i = segment_.first + k;
  for (const Way& way : ways_[k]) {
    const Int taken = cores + way.pace.cores;
    if (taken + least_cores_[k + 1] > problem_.machine.cores.count()) continue;
    if (!spend()) return false;
    paces_[i] = way.pace;
    chosen_[k] = way.decision;
    place(k, cores);
    double transfers = 0;
    for (const auto& input : problem_.network.operators[i].inputs) {
      if (problem_.network.is_input(input.tensor)) continue;
      const std::size_t j = problem_.network.producer(input.tensor);
      if (j < segment_.first) continue;
      const Operator& from = problem_.network.operators[j];
      const Int cost =
          chip_noc_cost(problem_.machine, {first_core_[j], paces_[j].cores}, {cores, way.pace.cores});
      transfers += static_cast<double>(cost * from.rows) *
                   static_cast<double>(from.width * from.channels * from.bits.O) *
                   problem_.machine.energy.noc;
    }
    const double so_far = energy + way.energy + transfers;
    if (hopeless(k + 1, so_far)) continue;
    if (!descend(k + 1, taken, so_far)) return false;
  }
  return true;
}

// Schedules the rows of an operator. All earlier operators of the segment must have been scheduled.
void SegmentLabels::place(std::size_t k, Int first_core) {
  const std::size_t i = segment_.first + k;
  const Operator& op = problem_.network.operators[i];
  const OperatorTiming& pace = paces_[i];
  first_core_[i] = first_core;
  auto& rows = times_[i];
  rows.resize(static_cast<std::size_t>(op.rows));
  if (segment_.stream) {
    ends_[k] = stream_rows(problem_, segment_.first, i, paces_, times_, [&](std::size_t j) {
      return chip_noc_cost(problem_.machine, {first_core_[j], paces_[j].cores}, {first_core, pace.cores});
    });
    speeds_[k] = speed_of(pace);
    graph_.set_rows(k, rows, speeds_[k], graph_times_);
    return;
  }
  Int transfer = 0;
  const auto cost_from = [&](std::size_t j) {
    return chip_noc_cost(problem_.machine, {first_core_[j], paces_[j].cores}, {first_core, pace.cores});
  };
  const auto inside = [&](const OperatorInput& input) {
    return !problem_.network.is_input(input.tensor) &&
           problem_.network.producer(input.tensor) >= segment_.first;
  };
  if (!segment_.pipeline)
    for (const auto& input : op.inputs)
      if (inside(input)) transfer = std::max(transfer, cost_from(problem_.network.producer(input.tensor)));
  const Int before = k == 0 ? 0 : ends_[k - 1];
  const auto lanes = static_cast<std::size_t>(pace.lanes);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    Int ready = 0;
    if (segment_.pipeline) {
      for (const auto& input : op.inputs) {
        const Int gate = input.gated ? pace.gate : 0;
        ready = std::max(ready, gate);
        if (!inside(input)) continue;
        const std::size_t j = problem_.network.producer(input.tensor);
        const Int row = needed_row(input, static_cast<Int>(r), problem_.network.operators[j].rows);
        ready = std::max(ready,
                         times_[j][static_cast<std::size_t>(row)].end + paces_[j].out + cost_from(j) + gate);
      }
    } else {
      ready = before + transfer + pace.gate;
    }
    rows[r].start = std::max(ready + pace.in, r >= lanes ? rows[r - lanes].end : 0);
    rows[r].run = rows[r].start;
    rows[r].end = rows[r].start + pace.row;
  }
  ends_[k] = rows.back().end + pace.out;
}

// True if bounds show that every completion is dominated by a label or exceeds a limit.
bool SegmentLabels::hopeless(std::size_t next, double energy) {
  SegmentLabel least;
  for (std::size_t k = 0; k < next; ++k) {
    least.latency = segment_.pipeline ? std::max(least.latency, ends_[k]) : ends_[k];
    speeds_[k] = speed_of(paces_[segment_.first + k]);
    if (figures_.peak)
      least.peak = std::max(least.peak, row_power(problem_, segment_.first + k, paces_[segment_.first + k]));
  }
  if (segment_.pipeline && next < ways_.size()) {
    std::copy(best_speeds_.begin() + static_cast<std::ptrdiff_t>(next), best_speeds_.end(),
              speeds_.begin() + static_cast<std::ptrdiff_t>(next));
    least.latency = std::max(least.latency, graph_.heads(speeds_, graph_times_, next));
  }
  least.energy =
      energy + least_energy_[next] + problem_.machine.energy.leakage * static_cast<double>(least.latency);
  // A small margin covers sums of doubles in a different order.
  least.energy *= 1 - 1e-12;
  least.peak *= 1 - 1e-12;
  if (request_.limits.latency && least.latency > *request_.limits.latency) return true;
  if (request_.limits.energy && exceeds(least.energy, *request_.limits.energy)) return true;
  if (request_.limits.peak_power && exceeds(least.peak, *request_.limits.peak_power)) return true;
  return std::any_of(labels_.begin(), labels_.end(),
                     [&](const SegmentLabel& label) { return figures_.beats(label, least); });
}

void SegmentLabels::finish(double energy) {
  const ChipMachine& machine = problem_.machine;
  SegmentLabel label;
  Int bits = 0;
  Int operations = 0;
  double writing = 0;
  for (std::size_t k = 0; k < ways_.size(); ++k) {
    const std::size_t i = segment_.first + k;
    const Operator& op = problem_.network.operators[i];
    label.latency = segment_.pipeline ? std::max(label.latency, ends_[k]) : ends_[k];
    bits += op.rows * problem_.facts[i].l0_bits;
    if (!paces_[i].on_array) operations += op.rows * op.alu_ops;
    if (op.kind == OperatorKind::array && several_ && machine.cell.write_cycles > 0)
      writing += static_cast<double>(paces_[i].crossbars) * machine.energy.write /
                 static_cast<double>(machine.cell.write_cycles);
  }
  if (machine.l0.shared) label.latency = std::max(label.latency, cycles_for(bits, machine.l0.bandwidth));
  if (machine.alu_shared) label.latency = std::max(label.latency, cycles_for(operations, machine.chip_alu));
  label.energy = energy + machine.energy.leakage * static_cast<double>(label.latency);
  if (figures_.peak) label.peak = std::max(writing, peak_of(problem_, segment_, paces_, times_).power);
  label.decisions = chosen_;
  add_label(labels_, std::move(label), figures_);
}

}  // namespace nestor::chip
