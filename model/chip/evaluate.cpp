#include "model/chip/evaluate.h"

#include <algorithm>

#include "model/chip/addresses.h"
#include "model/chip/operator_timing.h"
#include "model/chip/peak.h"
#include "model/chip/stream.h"

namespace nestor::chip {
namespace {

class Evaluator {
 public:
  Evaluator(const ChipProblem& problem, const Decisions& decisions, Timetable& times)
      : problem_(problem),
        network_(problem.network),
        machine_(problem.machine),
        decisions_(decisions),
        times_(times) {}

  ChipEvaluation run() {
    const std::size_t count = problem_.size();
    begin();
    for (std::size_t i = 0; i < count; ++i)
      paces_[i] = timing_of(problem_, i, decisions_.operators[i], decisions_.levels);
    const Addresses addresses = assign_addresses(problem_, decisions_.segments);
    for (std::size_t i = 0; i < count; ++i)
      result_.operators[i].address = addresses.tensors[network_.tensor_of(i)];
    for (std::size_t s = 0; s < decisions_.segments.size(); ++s)
      add_segment(decisions_.segments[s], addresses.segment_bytes[s]);
    result_.energy_pj += machine_.energy.leakage * static_cast<double>(result_.latency_cycles);
    if (result_.interval_cycles > 0)
      result_.images_per_second = machine_.clock / static_cast<double>(result_.interval_cycles);
    return std::move(result_);
  }

  SegmentCost run_segment(std::size_t s, Int l0_bytes) {
    begin();
    const SegmentDecision& segment = decisions_.segments[s];
    for (std::size_t i = segment.first; i <= segment.last; ++i)
      paces_[i] = timing_of(problem_, i, decisions_.operators[i], decisions_.levels);
    add_segment(segment, l0_bytes);
    return {result_.latency_cycles, result_.energy_pj, result_.peak_power};
  }

 private:
  void begin() {
    const std::size_t count = problem_.size();
    result_.operators.resize(count);
    times_.resize(count);
    first_core_.assign(count, 0);
    paces_.resize(count);
  }

  void add_segment(const SegmentDecision& decision, Int l0_bytes) {
    SegmentFigures figures;
    figures.decision = decision;
    figures.l0_bytes = l0_bytes;
    for (std::size_t i = decision.first; i <= decision.last && decision.stream; ++i)
      paces_[i].in = paces_[i].stream_in;
    place(figures);
    const Int end = decision.stream     ? streamed(decision)
                    : decision.pipeline ? pipelined(decision)
                                        : one_by_one(decision);
    Int bits = 0;
    Int operations = 0;
    bool has_array = false;
    double write_power = 0;
    Int slowest = 0;  // equation (5.9)
    const bool several = decisions_.segments.size() > 1;
    for (std::size_t i = decision.first; i <= decision.last; ++i) {
      const Operator& op = network_.operators[i];
      bits += op.rows * problem_.facts[i].l0_bits;
      if (!paces_[i].on_array) operations += op.rows * op.alu_ops;
      slowest = std::max(slowest, cycles_alone(op, paces_[i]));
      if (op.kind == OperatorKind::array) {
        has_array = true;
        figures.weight_bits += op.matrix.rows * op.matrix.columns * op.matrix.groups * op.bits.W;
      }
      add_energy(i, decision, several);
      if (op.kind == OperatorKind::array && several && machine_.cell.write_cycles > 0)
        write_power += static_cast<double>(paces_[i].crossbars) * machine_.energy.write /
                       static_cast<double>(machine_.cell.write_cycles);
      fill(i);
    }
    const bool rewritten = several && has_array;
    if (rewritten) {
      figures.rewrite_cycles = std::max(machine_.cell.rows * machine_.cell.write_cycles,
                                        cycles_for(figures.weight_bits, machine_.off_chip_bandwidth));
      result_.energy_pj += static_cast<double>(figures.weight_bits) * machine_.energy.off_chip;
    }
    figures.schedule_cycles = end;
    if (machine_.l0.shared)
      figures.schedule_cycles = std::max(figures.schedule_cycles, cycles_for(bits, machine_.l0.bandwidth));
    if (machine_.alu_shared)
      figures.schedule_cycles = std::max(figures.schedule_cycles, cycles_for(operations, machine_.chip_alu));
    const Int excess = machine_.l0.size == left_out ? 0 : std::max<Int>(0, 8 * l0_bytes - machine_.l0.size);
    figures.spill_cycles = cycles_for(2 * excess, machine_.off_chip_bandwidth);
    result_.energy_pj += 2 * static_cast<double>(excess) * machine_.energy.off_chip;
    figures.latency_cycles = figures.rewrite_cycles + figures.schedule_cycles + figures.spill_cycles;
    result_.interval_cycles += figures.rewrite_cycles + slowest + figures.spill_cycles;

    const Peak peak = peak_of(problem_, decision, paces_, times_);
    result_.peak_power = std::max({result_.peak_power, peak.power, write_power});
    result_.peak_crossbars = std::max(result_.peak_crossbars, peak.crossbars);
    result_.latency_cycles += figures.latency_cycles;
    result_.cores = std::max(result_.cores, figures.cores);
    result_.l0_bits += bits;
    result_.alu_ops += operations;
    result_.segments.push_back(figures);
  }

  // Determines the first core of every operator (consecutive cores from 0 if the decisions specify none), and
  // adds up the cores and crossbars of the segment.
  void place(SegmentFigures& figures) {
    Int next = 0;
    for (std::size_t i = figures.decision.first; i <= figures.decision.last; ++i) {
      first_core_[i] = decisions_.operators[i].first_core.value_or(next);
      next += paces_[i].cores;
      figures.cores += paces_[i].cores;
      figures.crossbars += paces_[i].crossbars;
    }
  }

  bool inside(const SegmentDecision& segment, const OperatorInput& input) const {
    return !network_.is_input(input.tensor) && network_.producer(input.tensor) >= segment.first;
  }

  Int noc(std::size_t from, std::size_t to) const {
    return chip_noc_cost(machine_, {first_core_[from], paces_[from].cores},
                         {first_core_[to], paces_[to].cores});
  }

  // Schedules the rows of one operator: row r starts at ready(r) or later, and up to `lanes` rows run at a
  // time; eq. (5.8). Returns the end of the last row plus the cycles of its output.
  template <typename Ready>
  Int run_rows(std::size_t i, Ready ready) {
    const OperatorTiming& pace = paces_[i];
    auto& rows = times_[i];
    rows.resize(static_cast<std::size_t>(network_.operators[i].rows));
    const auto lanes = static_cast<std::size_t>(pace.lanes);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      rows[r].start = std::max(ready(static_cast<Int>(r)), r >= lanes ? rows[r - lanes].end : 0);
      rows[r].run = rows[r].start;
      rows[r].end = rows[r].start + pace.row;
    }
    return rows.back().end + pace.out;
  }

  // Equation (5.7).
  Int pipelined(const SegmentDecision& segment) {
    Int last = 0;
    for (std::size_t i = segment.first; i <= segment.last; ++i) {
      const Operator& op = network_.operators[i];
      const Int end = run_rows(i, [&](Int r) {
        Int latest = 0;
        for (const auto& input : op.inputs) {
          const Int gate = input.gated ? paces_[i].gate : 0;
          latest = std::max(latest, gate);
          if (!inside(segment, input)) continue;
          const std::size_t j = network_.producer(input.tensor);
          const Int row = needed_row(input, r, network_.operators[j].rows);
          latest = std::max(latest,
                            times_[j][static_cast<std::size_t>(row)].end + paces_[j].out + noc(j, i) + gate);
        }
        return paces_[i].in + latest;
      });
      last = std::max(last, end);
    }
    return last;
  }

  // Equation (5.10).
  Int streamed(const SegmentDecision& segment) {
    Int last = 0;
    for (std::size_t i = segment.first; i <= segment.last; ++i)
      last = std::max(last, stream_rows(problem_, segment.first, i, paces_, times_,
                                        [&](std::size_t j) { return noc(j, i); }));
    return last;
  }

  Int one_by_one(const SegmentDecision& segment) {
    Int end = 0;
    for (std::size_t i = segment.first; i <= segment.last; ++i) {
      Int transfer = 0;
      for (const auto& input : network_.operators[i].inputs)
        if (inside(segment, input)) transfer = std::max(transfer, noc(network_.producer(input.tensor), i));
      const Int ready = end + transfer + paces_[i].gate + paces_[i].in;
      end = run_rows(i, [ready](Int) { return ready; });
    }
    return end;
  }

  // Adds the energy of the rows, eq. (6.1), and of writes and tensor transfers, eq. (6.2). add_segment() adds
  // the energy of off-chip transfers.
  void add_energy(std::size_t i, const SegmentDecision& segment, bool several) {
    const Operator& op = network_.operators[i];
    const Energies& e = machine_.energy;
    result_.energy_pj += static_cast<double>(op.rows) * row_energy(problem_, i, paces_[i]);
    const bool written = paces_[i].on_array && (op.kind == OperatorKind::product || several);
    if (written) {
      const Int rows = paces_[i].crossbars * machine_.cell.rows;
      result_.rows_written += rows;
      result_.energy_pj += static_cast<double>(rows) * e.write;
    }
    for (const auto& input : op.inputs) {
      if (!inside(segment, input)) continue;
      const std::size_t j = network_.producer(input.tensor);
      const Operator& from = network_.operators[j];
      result_.energy_pj += static_cast<double>(noc(j, i) * from.rows) *
                           static_cast<double>(from.width * from.channels * from.bits.O) * e.noc;
    }
  }

  void fill(std::size_t i) {
    const OperatorTiming& pace = paces_[i];
    const auto& decision = decisions_.operators[i];
    OperatorFigures& figures = result_.operators[i];
    figures.on_array = pace.on_array;
    if (pace.on_array) {
      figures.copies = decision.copies;
      figures.parts = decision.parts == 0 ? problem_.facts[i].layout.least_parts : decision.parts;
      figures.phases = decision.phases;
      figures.first_core = first_core_[i];
    }
    figures.cores = pace.cores;
    figures.crossbars = pace.crossbars;
    figures.mvm_cycles = pace.mvm;
    figures.row_cycles = pace.row;
    figures.rows_at_once = pace.lanes;
    figures.in_cycles = pace.in;
    figures.out_cycles = pace.out;
    figures.start = times_[i].front().start;
    figures.run = times_[i].front().run;
    figures.first_row = times_[i].front().end;
    figures.end = times_[i].back().end + pace.out;
  }

  const ChipProblem& problem_;
  const ChipNetwork& network_;
  const ChipMachine& machine_;
  const Decisions& decisions_;
  Timetable& times_;
  std::vector<OperatorTiming> paces_;
  std::vector<Int> first_core_;
  ChipEvaluation result_;
};

}  // namespace

SegmentCost cost_of_segment(const ChipProblem& problem, const Decisions& decisions, std::size_t s,
                            Int l0_bytes, Timetable& times) {
  return Evaluator(problem, decisions, times).run_segment(s, l0_bytes);
}

ChipEvaluation evaluate(const ChipProblem& problem, const Decisions& decisions, Timetable& times) {
  return Evaluator(problem, decisions, times).run();
}

ChipEvaluation evaluate(const ChipProblem& problem, const Decisions& decisions) {
  Timetable times;
  return evaluate(problem, decisions, times);
}

}  // namespace nestor::chip
