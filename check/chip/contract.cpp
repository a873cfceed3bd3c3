#include "check/chip/contract.h"

#include <algorithm>
#include <tuple>

#include "check/chip/timing.h"

namespace nestor::check::chip {
namespace {

using Power = long double;

// The figures of a legal schedule.
class Figures {
 public:
  explicit Figures(const TimedSchedule& timed)
      : timed_(timed), problem_(timed.problem), machine_(problem_.machine), energies_(machine_.energy) {}

  Json all() {
    for (std::size_t r = 0; r < timed_.runs.size(); ++r) add_run(r);
    const Int latency = timed_.latency();
    const Wide energy = plus(energy_, times(energies_.leakage, Wide{latency}));
    Json throughput = {{"interval_cycles", interval_}};
    if (machine_.clock > 0 && interval_ > 0)
      throughput["images_per_second"] = machine_.clock / static_cast<double>(interval_);
    return {{"evaluation",
             {{"latency_cycles", latency},
              {"energy_pj", in_pj(energy, energies_.unit)},
              {"peak_power", static_cast<double>(peak_power_ / static_cast<Power>(energies_.unit))},
              {"peak_crossbars", peak_crossbars_},
              {"cores", most_cores_},
              {"l0_bits", l0_bits_},
              {"alu_ops", alu_ops_},
              {"rows_written", rows_written_},
              {"segments", segments_}}},
            {"throughput", throughput}};
  }

 private:
  const Decision& decision(std::size_t i) const { return timed_.schedule.decisions[i]; }
  const OperatorUse& use(std::size_t i) const { return timed_.uses[i]; }
  Int all_crossbars(std::size_t i) const { return times(decision(i).copies, use(i).crossbars); }
  bool is_rewritten(std::size_t i) const {
    return timed_.runs.size() > 1 && problem_.operators[i].kind == Kind::array;
  }

  void add_run(std::size_t r) {
    const Run& run = timed_.schedule.runs[r];
    const RunTimes& times_of = timed_.runs[r];
    Json operators = Json::array();
    Int cores = 0;
    Int crossbars = 0;
    Int slowest = 0;
    for (std::size_t i = run.first; i <= run.last; ++i) {
      const OperatorTiming& pace = timed_.paces[i];
      cores = plus(cores, pace.cores);
      crossbars = plus(crossbars, all_crossbars(i));
      const Int turns = ceiling(problem_.operators[i].rows, pace.lanes);
      slowest = std::max(slowest, plus(times(turns, pace.row), pace.in, pace.out));  // (5.9)
      operators.push_back(figures_of(i, run.is_stream));
      add_energy(i);
    }
    const Int weights = problem_.weight_bits(run.first, run.last);
    segments_.push_back({{"from", problem_.operators[run.first].name},
                         {"to", problem_.operators[run.last].name},
                         {"pipeline", run.is_stream ? Json("stream") : Json(run.is_pipelined)},
                         {"latency_cycles", times_of.latency()},
                         {"rewrite_cycles", times_of.rewriting},
                         {"schedule_cycles", times_of.schedule},
                         {"spill_cycles", times_of.spill},
                         {"cores", cores},
                         {"crossbars", crossbars},
                         {"l0_bytes", timed_.l0.run_bytes[r]},
                         {"weight_bits", weights},
                         {"operators", operators}});
    interval_ = plus(interval_, times_of.rewriting, slowest, times_of.spill);
    most_cores_ = std::max(most_cores_, cores);
    const SharedWork work = problem_.work(run, timed_.schedule.decisions);
    l0_bits_ = plus(l0_bits_, work.bits);
    alu_ops_ = plus(alu_ops_, work.operations);
    const Int rewritten = timed_.runs.size() > 1 ? weights : 0;
    spend(energies_.off_chip, plus(times(2, times_of.excess), rewritten));  // (6.2)
    find_peaks(run);
  }

  Json figures_of(std::size_t i, bool is_stream) const {
    const OperatorTiming& pace = timed_.paces[i];
    const auto& rows = timed_.rows[i];
    const bool on_array = decision(i).on_array;
    Json figures = {{"name", problem_.operators[i].name},
                    {"on", on_array ? "array" : "alu"},
                    {"copies", decision(i).copies},
                    {"parts", use(i).parts},
                    {"phases", decision(i).phases},
                    {"cores", pace.cores},
                    {"first_core", on_array ? Json(timed_.first_cores[i]) : Json(nullptr)},
                    {"crossbars", all_crossbars(i)},
                    {"mvm_cycles", use(i).mvm},
                    {"row_cycles", pace.row},
                    {"rows_at_once", pace.lanes},
                    {"in_cycles", pace.in},
                    {"out_cycles", pace.out},
                    {"start", rows.front().start},
                    {"first_row", rows.front().end},
                    {"end", plus(rows.back().end, pace.out)},
                    {"address", timed_.l0.addresses[i]}};
    if (is_stream) figures["run"] = rows.front().run;
    return figures;
  }

  void spend(Wide energy, Int amount) { energy_ = plus(energy_, times(energy, Wide{amount})); }

  // Returns the energy of a row outside its crossbars (6.1): its buffers, or digital operations.
  Wide energy_of_moves(std::size_t i) const {
    const Operator& op = problem_.operators[i];
    const Int local = times(op.width, plus(use(i).gathered, times(op.channels, op.out_bits)));
    return plus(times(energies_.l0, Wide{op.bits_of_row()}), decision(i).on_array
                                                                 ? times(energies_.l1, Wide{local})
                                                                 : times(energies_.alu, Wide{op.alu_ops}));
  }

  void add_energy(std::size_t i) {
    const Operator& op = problem_.operators[i];
    const Int activity = times(op.width, use(i).crossbars, use(i).active);
    const Wide of_row = plus(energy_of_moves(i), times(energies_.cell, Wide{activity}));
    spend(of_row, op.rows);
    if (decision(i).on_array && (op.kind == Kind::product || is_rewritten(i))) {
      const Int written = times(all_crossbars(i), machine_.rows);
      rows_written_ = plus(rows_written_, written);
      spend(energies_.write, written);
    }
    for (std::size_t k = 0; k < op.inputs.size(); ++k) {
      const Input& input = op.inputs[k];
      if (input.is_outside) continue;
      const Operator& from = problem_.operators[input.from];
      const Int bits = times(from.rows, from.width, from.channels, from.out_bits);
      spend(times(energies_.noc, Wide{bits}), timed_.ways[i][k]);
    }
  }

  // Active crossbars of a running row (6.3).
  Int active_crossbars(std::size_t i) const {
    const Int parts = ceiling(use(i).parts, decision(i).phases);
    return times(use(i).sharing, parts, problem_.layouts[i].columns);
  }

  // Finds the largest power at any time: of rows that run, or of rewriting.
  void find_peaks(const Run& run) {
    struct Change {
      Int time;
      bool is_start;
      std::size_t op;
      // At equal times, ends come first.
      bool operator<(const Change& other) const {
        return std::tuple(time, is_start, op) < std::tuple(other.time, other.is_start, other.op);
      }
    };
    std::vector<Change> changes;
    std::vector<Power> powers(problem_.operators.size());
    std::vector<Int> active(problem_.operators.size());
    Power writing = 0;
    for (std::size_t i = run.first; i <= run.last; ++i) {
      if (is_rewritten(i) && machine_.write_cycles > 0)
        writing += static_cast<Power>(times(energies_.write, Wide{all_crossbars(i)})) /
                   static_cast<Power>(machine_.write_cycles);
      const Int row = timed_.paces[i].row;
      if (row == 0) continue;
      active[i] = decision(i).on_array ? active_crossbars(i) : 0;
      powers[i] = static_cast<Power>(times(energies_.cell, Wide{active[i]})) +
                  static_cast<Power>(energy_of_moves(i)) / static_cast<Power>(row);
      const Int steps = times(use(i).rounds, decision(i).phases);
      for (const RowTimes& times_of : timed_.rows[i]) {
        changes.push_back({times_of.start, true, i});
        changes.push_back({times_of.end, false, i});
        // Between its first step and the others, a row of a stream may be idle (6.4).
        const Int rests = plus(times_of.start, ceiling(row, steps));
        const Int goes_on = plus(times_of.run, row / steps);
        if (times_of.run == times_of.start || rests >= goes_on) continue;
        changes.push_back({rests, false, i});
        changes.push_back({goes_on, true, i});
      }
    }
    std::sort(changes.begin(), changes.end());
    Power power = 0;
    Int crossbars = 0;
    for (const Change& change : changes) {
      power += change.is_start ? powers[change.op] : -powers[change.op];
      crossbars += change.is_start ? active[change.op] : -active[change.op];
      peak_power_ = std::max(peak_power_, power);
      peak_crossbars_ = std::max(peak_crossbars_, crossbars);
    }
    peak_power_ = std::max(peak_power_, writing);
  }

  const TimedSchedule& timed_;
  const CheckedChipProblem& problem_;
  const CheckedChipMachine& machine_;
  const Energies& energies_;
  Json segments_ = Json::array();
  Wide energy_ = 0;
  Power peak_power_ = 0;
  Int peak_crossbars_ = 0;
  Int most_cores_ = 0;
  Int l0_bits_ = 0;
  Int alu_ops_ = 0;
  Int rows_written_ = 0;
  Int interval_ = 0;
};

}  // namespace

Contract contract_of(const Json& architecture, const Json& network, const Json& decisions) {
  return contract_or_fault([&]() -> Contract {
    const auto problem = read_problem(architecture, network, decisions);
    const Schedule schedule = read_schedule(decisions, problem);
    if (auto faults = broken_rules(schedule, problem); !faults.empty()) return {std::move(faults), {}};
    return {{}, Figures(TimedSchedule(problem, schedule)).all()};
  });
}

}  // namespace nestor::check::chip
