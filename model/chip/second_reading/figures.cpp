#include <algorithm>
#include <utility>

#include "model/chip/second_reading/operator_reading.h"

namespace nestor::chip_reading {
namespace {

using Decimal = long double;

Int narrow(Wide value) { return static_cast<Int>(value); }
Decimal decimal(Wide value) { return static_cast<Decimal>(value); }

class Reading {
 public:
  Reading(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
          const chip::Decisions& decisions)
      : machine_(machine), network_(network), decisions_(decisions), rows_(network.operators.size()) {}

  chip::ChipEvaluation run() {
    const auto memory = read_memory(network_, decisions_);
    for (std::size_t i = 0; i < network_.operators.size(); ++i)
      operators_.push_back(read_operator(machine_, network_, decisions_, i));
    first_core_.resize(operators_.size());
    for (const auto& segment : decisions_.segments) place(segment);
    for (std::size_t s = 0; s < decisions_.segments.size(); ++s)
      segment(decisions_.segments[s], memory.segment_bytes[s]);
    for (std::size_t i = 0; i < operators_.size(); ++i) {
      fill(i);
      result_.operators.back().address = narrow(memory.addresses[network_.inputs.size() + i]);
    }
    energy_ += machine_.energy.leakage * static_cast<Decimal>(result_.latency_cycles);
    result_.energy_pj = static_cast<double>(energy_);
    result_.peak_power = static_cast<double>(peak_power_);
    if (result_.interval_cycles != 0)
      result_.images_per_second =
          static_cast<double>(machine_.clock / static_cast<Decimal>(result_.interval_cycles));
    return std::move(result_);
  }

 private:
  Wide several() const { return decisions_.segments.size() > 1 ? 1 : 0; }
  bool rewritten(std::size_t i) const {
    return several() != 0 && network_.operators[i].kind == chip::OperatorKind::array;
  }

  void place(const chip::SegmentDecision& segment) {
    Wide next = 0;
    for (std::size_t i = segment.first; i <= segment.last; ++i) {
      if (!operators_[i].on_array) continue;
      const auto& given = decisions_.operators[i].first_core;
      first_core_[i] = given ? Wide{*given} : next;
      next += operators_[i].cores;
    }
  }

  // Returns the number of steps from core a to core b through a tree of 2 x 2 blocks.
  Wide tree_way(Wide a, Wide b) const {
    Wide rows[2] = {a / machine_.cores.columns, b / machine_.cores.columns};
    Wide columns[2] = {a % machine_.cores.columns, b % machine_.cores.columns};
    Wide steps = 0;
    for (; rows[0] != rows[1] || columns[0] != columns[1]; steps = steps + 2)
      for (int end = 0; end < 2; ++end) {
        rows[end] = rows[end] / 2;
        columns[end] = columns[end] / 2;
      }
    return steps;
  }

  // Returns the cost between the farthest cores of two operators. In a mesh, it is the largest difference
  // between a core of one operator and a core of the other in row + column or in row - column.
  Wide way(std::size_t a, std::size_t b) const {
    const auto& noc = machine_.chip_noc;
    if (!operators_[a].on_array || !operators_[b].on_array || noc.kind == chip::NocKind::ideal) return 0;
    Wide costliest = 0;
    if (noc.kind == chip::NocKind::matrix) {
      for (Wide x = 0; x < operators_[a].cores; ++x)
        for (Wide y = 0; y < operators_[b].cores; ++y)
          costliest = larger(costliest, noc.cost[static_cast<std::size_t>(first_core_[a] + x)]
                                                [static_cast<std::size_t>(first_core_[b] + y)]);
      return costliest;
    }
    if (noc.kind == chip::NocKind::h_tree) {
      for (Wide x = 0; x < operators_[a].cores; ++x)
        for (Wide y = 0; y < operators_[b].cores; ++y)
          costliest = larger(costliest, tree_way(first_core_[a] + x, first_core_[b] + y));
      return costliest * noc.hop_cycles;
    }
    const auto extent = [&](std::size_t op, int sign) {
      Wide low = 0, high = 0;
      for (Wide x = 0; x < operators_[op].cores; ++x) {
        const Wide core = first_core_[op] + x;
        const Wide sum = core / machine_.cores.columns + sign * (core % machine_.cores.columns);
        low = x == 0 ? sum : smaller(low, sum);
        high = x == 0 ? sum : larger(high, sum);
      }
      return std::pair(low, high);
    };
    for (const int sign : {1, -1}) {
      const auto [low_a, high_a] = extent(a, sign);
      const auto [low_b, high_b] = extent(b, sign);
      costliest = larger(costliest, larger(high_a - low_b, high_b - low_a));
    }
    return costliest * noc.hop_cycles;
  }

  bool made_in(const chip::SegmentDecision& segment, std::size_t tensor) const {
    return tensor >= network_.inputs.size() + segment.first;
  }

  // Schedules the rows of operator i, where row r is ready at ready(r). Rows of one lane run one after
  // another.
  template <typename Ready>
  void run_rows(std::size_t i, Ready ready) {
    const auto& reading = operators_[i];
    const Wide count = network_.operators[i].rows;
    rows_[i].resize(static_cast<std::size_t>(count));
    for (Wide lane = 0; lane < reading.lanes && lane < count; ++lane) {
      // Latest of the times at which the rows so far are ready, each minus the time of the rows before it in
      // the lane.
      Wide latest = 0;
      Wide turn = 0;
      for (Wide r = lane; r < count; r += reading.lanes, ++turn) {
        latest = larger(latest, ready(r) - turn * reading.row);
        const Wide start = latest + turn * reading.row;
        rows_[i][static_cast<std::size_t>(r)] = {start, start, start + reading.row};
      }
    }
  }

  Wide seen(std::size_t i) const { return rows_[i].back().to + operators_[i].out; }

  void pipelined(std::size_t i, const chip::SegmentDecision& segment) {
    const auto& op = network_.operators[i];
    run_rows(i, [&](Wide r) {
      Wide latest = 0;
      for (const auto& input : op.inputs) {
        const Wide gate = input.gated ? operators_[i].gate : 0;
        Wide came = 0;
        if (made_in(segment, input.tensor)) {
          const std::size_t j = input.tensor - network_.inputs.size();
          const Wide last = network_.operators[j].rows - 1;
          Wide need = last;
          if (!input.gated) {
            const Wide over = Wide{input.need.a} * r + input.need.b;
            need = over < 0 ? 0 : smaller(last, over / input.need.c);
          }
          came = rows_[j][static_cast<std::size_t>(need)].to + operators_[j].out + ways_[j];
        }
        latest = larger(latest, came + gate);
      }
      return latest + operators_[i].in;
    });
  }

  void find_ways(std::size_t i, const chip::SegmentDecision& segment) {
    ways_.resize(operators_.size());
    for (const auto& input : network_.operators[i].inputs)
      if (made_in(segment, input.tensor)) {
        const std::size_t j = input.tensor - network_.inputs.size();
        ways_[j] = way(j, i);
      }
  }

  Wide schedule(const chip::SegmentDecision& segment) {
    Wide end = 0;
    for (std::size_t i = segment.first; i <= segment.last; ++i) {
      find_ways(i, segment);
      if (segment.stream) {
        rows_[i] = read_stream(machine_, network_, operators_, segment.first, i, rows_, ways_);
        end = larger(end, seen(i));
        continue;
      }
      if (segment.pipeline) {
        pipelined(i, segment);
        end = larger(end, seen(i));
        continue;
      }
      Wide ready = end + operators_[i].gate + operators_[i].in;
      Wide farthest = 0;
      for (const auto& input : network_.operators[i].inputs)
        if (made_in(segment, input.tensor))
          farthest = larger(farthest, ways_[input.tensor - network_.inputs.size()]);
      ready += farthest;
      run_rows(i, [ready](Wide) { return ready; });
      end = seen(i);
    }
    return end;
  }

  void segment(const chip::SegmentDecision& decision, Wide l0_bytes) {
    chip::SegmentFigures figures;
    figures.decision = decision;
    for (std::size_t i = decision.first; i <= decision.last && decision.stream; ++i)
      operators_[i].in = operators_[i].stream_in;
    Wide cycles = schedule(decision);
    Wide bits = 0, operations = 0, weights = 0, cores = 0, crossbars = 0;
    bool arrays = false;
    for (std::size_t i = decision.first; i <= decision.last; ++i) {
      const auto& op = network_.operators[i];
      bits += operators_[i].row_bits * op.rows;
      if (!operators_[i].on_array) operations += Wide{op.alu_ops} * op.rows;
      cores += operators_[i].cores;
      crossbars += operators_[i].crossbars;
      if (op.kind != chip::OperatorKind::array) continue;
      arrays = true;
      weights += Wide{op.matrix.rows} * op.matrix.columns * op.matrix.groups * op.bits.W;
    }
    if (machine_.l0.shared) cycles = larger(cycles, passing_time(bits, machine_.l0.bandwidth));
    if (machine_.alu_shared) cycles = larger(cycles, passing_time(operations, machine_.chip_alu));
    const bool writes = several() != 0 && arrays;
    const Wide rewrite = !writes ? 0
                                 : larger(Wide{machine_.cell.rows} * machine_.cell.write_cycles,
                                          passing_time(weights, machine_.off_chip_bandwidth));
    const Wide excess = machine_.l0.size == chip::left_out ? 0 : larger(0, 8 * l0_bytes - machine_.l0.size);
    const Wide spill = passing_time(2 * excess, machine_.off_chip_bandwidth);
    figures.rewrite_cycles = narrow(rewrite);
    figures.schedule_cycles = narrow(cycles);
    figures.spill_cycles = narrow(spill);
    figures.latency_cycles = narrow(rewrite + cycles + spill);
    figures.cores = narrow(cores);
    figures.crossbars = narrow(crossbars);
    figures.l0_bytes = narrow(l0_bytes);
    figures.weight_bits = narrow(weights);
    result_.latency_cycles += figures.latency_cycles;
    // In a batch, each operator works on a different image, and the slowest operator determines the interval.
    Wide interval = 0;
    for (std::size_t i = decision.first; i <= decision.last; ++i) {
      const auto& reading = operators_[i];
      const Wide turns = round_up_division(network_.operators[i].rows, reading.lanes);
      interval = larger(interval, turns * reading.row + reading.in + reading.out);
    }
    result_.interval_cycles += narrow(interval + rewrite + spill);
    result_.cores = std::max(result_.cores, figures.cores);
    result_.l0_bits += narrow(bits);
    result_.alu_ops += narrow(operations);
    energy_ += machine_.energy.off_chip * decimal(2 * excess + (writes ? weights : 0));
    for (std::size_t i = decision.first; i <= decision.last; ++i) spend(i, decision);
    peaks(decision);
    result_.segments.push_back(figures);
  }

  // Returns the energy of a row outside its crossbars: buffers and digital operations.
  Decimal moving_energy(std::size_t i) const {
    const auto& e = machine_.energy;
    const auto& reading = operators_[i];
    const Decimal rest = reading.on_array ? decimal(reading.local_bits) * e.l1
                                          : static_cast<Decimal>(network_.operators[i].alu_ops) * e.alu;
    return decimal(reading.row_bits) * e.l0 + rest;
  }
  Decimal cell_energy() const {
    return static_cast<Decimal>(machine_.energy.crossbar) + machine_.energy.adc + machine_.energy.dac;
  }

  void spend(std::size_t i, const chip::SegmentDecision& segment) {
    const auto& op = network_.operators[i];
    const auto& reading = operators_[i];
    const Wide activity = op.width * reading.copy_crossbars * reading.active_cycles;
    energy_ += static_cast<Decimal>(op.rows) * (moving_energy(i) + decimal(activity) * cell_energy());
    if (reading.on_array && (op.kind == chip::OperatorKind::product || rewritten(i))) {
      const Wide written = reading.crossbars * machine_.cell.rows;
      result_.rows_written += narrow(written);
      energy_ += decimal(written) * machine_.energy.write;
    }
    for (const auto& input : op.inputs) {
      if (!made_in(segment, input.tensor)) continue;
      const std::size_t j = input.tensor - network_.inputs.size();
      const auto& from = network_.operators[j];
      energy_ +=
          decimal(way(j, i) * from.rows * from.width * from.channels * from.bits.O) * machine_.energy.noc;
    }
  }

  // Finds the peak in the sorted starts and ends; at equal times, ends come first.
  void peaks(const chip::SegmentDecision& segment) {
    std::vector<std::pair<Wide, std::size_t>> starts, ends;
    Decimal writing = 0;
    for (std::size_t i = segment.first; i <= segment.last; ++i) {
      if (rewritten(i) && machine_.cell.write_cycles > 0)
        writing += decimal(operators_[i].crossbars) * machine_.energy.write /
                   static_cast<Decimal>(machine_.cell.write_cycles);
      if (operators_[i].row == 0) continue;
      for (const Span& row : rows_[i]) {
        starts.emplace_back(row.from, i);
        ends.emplace_back(row.to, i);
        if (row.run == row.from) continue;
        // The row may be idle between its first step and its other steps.
        const Wide steps = operators_[i].rounds * operators_[i].phases;
        const Wide rests = row.from + round_up_division(operators_[i].row, steps);
        const Wide goes_on = row.run + operators_[i].row / steps;
        if (rests >= goes_on) continue;
        ends.emplace_back(rests, i);
        starts.emplace_back(goes_on, i);
      }
    }
    std::sort(starts.begin(), starts.end());
    std::sort(ends.begin(), ends.end());
    std::vector<Decimal> powers(operators_.size());
    for (std::size_t i = segment.first; i <= segment.last; ++i)
      if (operators_[i].row > 0)
        powers[i] =
            decimal(operators_[i].active) * cell_energy() + moving_energy(i) / decimal(operators_[i].row);
    Decimal power = 0;
    Wide crossbars = 0;
    Wide most = 0;
    std::size_t ended = 0;
    for (const auto& [when, i] : starts) {
      for (; ended < ends.size() && ends[ended].first <= when; ++ended) {
        power -= powers[ends[ended].second];
        crossbars -= operators_[ends[ended].second].active;
      }
      power += powers[i];
      crossbars += operators_[i].active;
      most = larger(most, crossbars);
      peak_power_ = std::max(peak_power_, power);
    }
    peak_power_ = std::max(peak_power_, writing);
    result_.peak_crossbars = std::max(result_.peak_crossbars, narrow(most));
  }

  void fill(std::size_t i) {
    const auto& reading = operators_[i];
    chip::OperatorFigures figures;
    figures.on_array = reading.on_array;
    figures.copies = narrow(reading.copies);
    figures.parts = narrow(reading.parts);
    figures.phases = narrow(reading.phases);
    figures.cores = narrow(reading.cores);
    if (reading.on_array) figures.first_core = narrow(first_core_[i]);
    figures.crossbars = narrow(reading.crossbars);
    figures.mvm_cycles = narrow(reading.mvm);
    figures.row_cycles = narrow(reading.row);
    figures.rows_at_once = narrow(reading.lanes);
    figures.in_cycles = narrow(reading.in);
    figures.out_cycles = narrow(reading.out);
    figures.start = narrow(rows_[i].front().from);
    figures.run = narrow(rows_[i].front().run);
    figures.first_row = narrow(rows_[i].front().to);
    figures.end = narrow(seen(i));
    result_.operators.push_back(figures);
  }

  const chip::ChipMachine& machine_;
  const chip::ChipNetwork& network_;
  const chip::Decisions& decisions_;
  std::vector<OperatorReading> operators_;
  std::vector<Wide> first_core_;
  std::vector<std::vector<Span>> rows_;
  std::vector<Wide> ways_;  ///< transfer costs from the producers of the current operator's inputs
  chip::ChipEvaluation result_;
  Decimal energy_ = 0;
  Decimal peak_power_ = 0;
};

}  // namespace

chip::ChipEvaluation recompute(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                               const chip::Decisions& decisions) {
  return Reading(machine, network, decisions).run();
}

}  // namespace nestor::chip_reading
