#include "heuristics/chip/power_schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "heuristics/chip/baselines.h"
#include "model/chip/addresses.h"
#include "model/chip/peak.h"
#include "model/chip/search/floors.h"
#include "model/chip/search/options.h"
#include "model/chip/search/segment_graph.h"

namespace nestor::chip {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();
// Limit on the total rows of all graphs evaluated for one list of segments.
constexpr std::uint64_t power_effort = 20'000'000;
constexpr int halvings = 8;
constexpr int most_rounds = 4;
constexpr int most_idle = 16;

// An option of an operator. Its power is that of all its rows that run at once.
struct PowerOption {
  Speed speed;
  Int cores = 0;
  Int crossbars = 0;
  double power = 0;
  Int alone = 0;  ///< cycles of all rows if the operator never waits
  OperatorDecision decision;
};

bool is_no_worse(const PowerOption& a, const PowerOption& b) {
  return a.power <= b.power && a.cores <= b.cores && a.alone <= b.alone;
}

// Returns the options, without those for which another option takes no more power, cores and cycles. The
// first one has the fewest cores, and the least power among these.
std::vector<PowerOption> power_options(const ChipProblem& problem, std::size_t i, Levels levels) {
  const Operator& op = problem.network.operators[i];
  std::vector<PowerOption> all;
  const auto add = [&](const OperatorDecision& decision) {
    const OperatorTiming pace = timing_of(problem, i, decision, levels);
    const auto lanes = static_cast<double>(std::min(pace.lanes, op.rows));
    all.push_back({speed_of(pace), pace.cores, pace.crossbars, lanes * row_power(problem, i, pace),
                   cycles_alone(op, pace), decision});
  };
  if (problem.facts[i].may_use_alu) add({});
  if (op.kind != OperatorKind::alu && problem.facts[i].may_use_array)
    for (const Int parts : useful_parts(problem, i, levels))
      for (const Int copies : useful_copies(problem, i, parts, levels))
        // The fewest phases for each number of parts that are active at a time.
        for (Int phases = 1;;) {
          add({copies, parts, phases, op.kind == OperatorKind::product, {}});
          const Int active = ceil_divide(parts, phases);
          if (!levels.mvm || active == 1) break;
          phases = ceil_divide(parts, active - 1);
        }
  std::stable_sort(all.begin(), all.end(), [](const PowerOption& a, const PowerOption& b) {
    return std::tie(a.power, a.cores, a.alone) < std::tie(b.power, b.cores, b.alone);
  });
  auto kept = undominated(all, is_no_worse);
  const auto first = std::min_element(kept.begin(), kept.end(),
                                      [](const auto& a, const auto& b) { return a.cores < b.cores; });
  std::rotate(kept.begin(), first, first == kept.end() ? first : first + 1);
  return kept;
}

using PowerTable = std::vector<std::vector<PowerOption>>;

// Returns the largest number of crossbars that can be written at a time within a limit on power.
Int most_written(const ChipMachine& machine, double limit) {
  const double each = machine.cell.write_cycles > 0
                          ? machine.energy.write / static_cast<double>(machine.cell.write_cycles)
                          : 0;
  const auto all = static_cast<double>(machine.cores.count() * machine.crossbars.count());
  return each * all <= limit ? machine.cores.count() * machine.crossbars.count()
                             : static_cast<Int>(limit / each);
}

// Construction of one segment for different budgets.
class SegmentBuilder {
 public:
  SegmentBuilder(const ChipProblem& problem, const SegmentDecision& segment, const PowerTable& table,
                 Int crossbars)
      : problem_(problem),
        first_(segment.first),
        graph_(problem, segment.first, segment.last),
        table_(table),
        crossbars_(crossbars),
        taken_(graph_.size()),
        speeds_(graph_.size()) {
    for (std::size_t k = 0; k < graph_.size(); ++k) rows_ += static_cast<std::uint64_t>(graph_.rows(k));
  }

  // Chooses the options, and adds the rows of all evaluated graphs to `work`.
  void build(double budget, std::vector<OperatorDecision>& operators, std::uint64_t& work,
             const StopSource& stop) {
    budget_ = budget;
    cores_left_ = problem_.machine.cores.count();
    crossbars_left_ = crossbars_;
    power_left_ = budget;
    for (std::size_t k = 0; k < taken_.size(); ++k) take(k, 0, 1);
    for (int round = 0; round < most_rounds && !stop.requested(); ++round) {
      speed_up(work, stop);
      work += rows_ * taken_.size();
      if (!slow_down()) break;
    }
    for (std::size_t k = 0; k < taken_.size(); ++k) operators[first_ + k] = option(k).decision;
  }

 private:
  const PowerOption& option(std::size_t k) const { return table_[first_ + k][taken_[k]]; }

  // Subtracts (or, with sign -1, adds) what the operator's option uses, and sets its speed.
  void take(std::size_t k, std::size_t next, int sign) {
    taken_[k] = next;
    const PowerOption& now = option(k);
    cores_left_ -= sign * now.cores;
    power_left_ -= sign * now.power;
    if (is_written(k)) crossbars_left_ -= sign * now.crossbars;
    speeds_[k] = now.speed;
  }
  void replace(std::size_t k, std::size_t next) {
    take(k, taken_[k], -1);
    take(k, next, 1);
  }
  bool is_written(std::size_t k) const {
    return problem_.network.operators[first_ + k].kind == OperatorKind::array;
  }

  // Replaces options on the longest path one by one. A replacement may lengthen other paths, so the options
  // of the shortest schedule are kept, and the replacements end when several in a row gain nothing.
  void speed_up(std::uint64_t& work, const StopSource& stop) {
    Int least = std::numeric_limits<Int>::max();
    std::vector<std::size_t> best;
    for (int idle = 0; idle < most_idle && !stop.requested(); ++idle) {
      const Int schedule = graph_.heads(speeds_, times_);
      work += rows_;
      if (schedule < least) {
        least = schedule;
        best = taken_;
        idle = 0;
      }
      if (!replace_one(work)) break;
    }
    for (std::size_t k = 0; k < best.size(); ++k)
      if (taken_[k] != best[k]) replace(k, best[k]);
  }

  // Returns false if no option shortens the longest path within the budget. `times_` must be up to date.
  bool replace_one(std::uint64_t& work) {
    const SegmentPath path = graph_.longest_path(speeds_, times_);
    const auto cores = static_cast<double>(problem_.machine.cores.count());
    const auto crossbars = static_cast<double>(std::max<Int>(1, crossbars_));
    double best = 0;
    std::size_t at = 0;
    std::size_t next = 0;
    for (std::size_t k = 0; k < taken_.size(); ++k) {
      if (path.rows[k] == 0) continue;
      const PowerOption& now = option(k);
      const Int length = path.length(k, now.speed);
      const auto& list = table_[first_ + k];
      work += list.size();
      for (std::size_t o = 0; o < list.size(); ++o) {
        const Int gain = length - path.length(k, list[o].speed);
        if (gain <= 0) continue;
        const Int more_cores = list[o].cores - now.cores;
        const Int more_crossbars = is_written(k) ? list[o].crossbars - now.crossbars : 0;
        const double more_power = list[o].power - now.power;
        if (more_cores > cores_left_ || more_crossbars > crossbars_left_ ||
            (more_power > 0 && more_power > power_left_))
          continue;
        constexpr double least_share = 1e-5;
        const double share =
            std::max({least_share, static_cast<double>(more_cores) / cores,
                      static_cast<double>(more_crossbars) / crossbars, more_power / budget_});
        if (static_cast<double>(gain) / share <= best) continue;
        best = static_cast<double>(gain) / share;
        at = k;
        next = o;
      }
    }
    if (best > 0) replace(at, next);
    return best > 0;
  }

  // Gives operators options of less power that do not lengthen the schedule. Returns true if this freed a
  // hundredth of the budget.
  bool slow_down() {
    const Int schedule = graph_.heads(speeds_, times_);
    double freed = 0;
    for (std::size_t k = 0; k < taken_.size(); ++k) {
      const auto& list = table_[first_ + k];
      std::size_t least = taken_[k];
      graph_.tails(speeds_, times_);
      for (std::size_t o = 0; o < list.size(); ++o)
        if (list[o].power < list[least].power && list[o].cores <= option(k).cores + cores_left_ &&
            (!is_written(k) || list[o].crossbars <= option(k).crossbars + crossbars_left_) &&
            graph_.with(k, list[o].speed, times_, scratch_) <= schedule)
          least = o;
      if (least == taken_[k]) continue;
      freed += option(k).power - list[least].power;
      replace(k, least);
      graph_.heads(speeds_, times_);
    }
    return freed > budget_ / 100;
  }

  const ChipProblem& problem_;
  std::size_t first_;
  SegmentGraph graph_;
  const PowerTable& table_;
  Int crossbars_;
  std::vector<std::size_t> taken_;
  std::vector<Speed> speeds_;
  std::uint64_t rows_ = 1;
  double budget_ = 0;
  Int cores_left_ = 0;
  Int crossbars_left_ = 0;
  double power_left_ = 0;
  SegmentTimes times_;
  std::vector<Int> scratch_;
};

// Schedules for one list of segments.
class PowerSearch {
 public:
  PowerSearch(const ChipProblem& problem, const CompileRequest& request, const PowerTable& table,
              std::vector<SegmentDecision> segments, const StopSource& stop)
      : problem_(problem),
        request_(request),
        stop_(stop),
        decisions_{request.levels, std::move(segments), {}} {
    const bool several = decisions_.segments.size() > 1;
    const Int crossbars = several
                              ? most_written(problem.machine, request.limits.peak_power.value_or(no_limit))
                              : std::numeric_limits<Int>::max();
    decisions_.operators.resize(problem.size());
    for (const auto& segment : decisions_.segments)
      builders_.emplace_back(problem, segment, table, crossbars);
    bytes_ = assign_addresses(problem, decisions_.segments).segment_bytes;
  }

  std::optional<Decisions> run() {
    if (request_.objective == CompileObjective::peak_power)
      least_peak();
    else
      for (std::size_t s = 0; s < builders_.size(); ++s) fastest(s);
    if (stop_.requested() || find_violation(problem_, decisions_)) return std::nullopt;
    return std::move(decisions_);
  }

 private:
  bool ended() const { return work_ >= power_effort * builders_.size() || stop_.requested(); }

  // Finds the largest budget with which a segment satisfies the limit on power.
  void fastest(std::size_t s) {
    const double limit = *request_.limits.peak_power;
    double low = limit;
    double high = 16 * limit;
    auto& segment = decisions_.segments[s];
    std::vector<OperatorDecision> best;
    Int least = std::numeric_limits<Int>::max();
    const auto keeps = [&](double budget) {
      builders_[s].build(budget, decisions_.operators, work_, stop_);
      const SegmentCost cost = cost_of_segment(problem_, decisions_, s, bytes_[s], times_);
      if (exceeds(cost.peak, limit)) return false;
      if (cost.latency < least) {
        least = cost.latency;
        best = decisions_.operators;
      }
      return true;
    };
    if (keeps(high)) return;
    if (!keeps(low)) {
      // All operators together exceed the limit even at their least power.
      segment.pipeline = false;
      return;
    }
    for (int half = 0; half < halvings && !ended(); ++half) {
      const double middle = std::sqrt(low * high);
      (keeps(middle) ? low : high) = middle;
    }
    std::copy(best.begin() + static_cast<std::ptrdiff_t>(segment.first),
              best.begin() + static_cast<std::ptrdiff_t>(segment.last) + 1,
              decisions_.operators.begin() + static_cast<std::ptrdiff_t>(segment.first));
  }

  // Finds the schedule of least peak among budgets that satisfy the limit on latency.
  void least_peak() {
    std::vector<OperatorDecision> best;
    double least = no_limit;
    const auto keeps = [&](double budget) {
      for (auto& builder : builders_) builder.build(budget, decisions_.operators, work_, stop_);
      Int latency = 0;
      double peak = 0;
      for (std::size_t s = 0; s < builders_.size(); ++s) {
        const SegmentCost cost = cost_of_segment(problem_, decisions_, s, bytes_[s], times_);
        latency += cost.latency;
        peak = std::max(peak, cost.peak);
      }
      if (request_.limits.latency && latency > *request_.limits.latency) return false;
      if (peak < least) {
        least = peak;
        best = decisions_.operators;
      }
      return true;
    };
    double low = power_floor(problem_, request_);
    double high = 1024 * low;
    if (!(low > 0) || keeps(low) || !keeps(high)) return;
    for (int half = 0; half < 2 * halvings && high > 1.01 * low && !ended(); ++half) {
      const double middle = std::sqrt(low * high);
      (keeps(middle) ? high : low) = middle;
    }
    decisions_.operators = best;
  }

  const ChipProblem& problem_;
  const CompileRequest& request_;
  const StopSource& stop_;
  Decisions decisions_;
  std::vector<SegmentBuilder> builders_;
  std::vector<Int> bytes_;
  std::uint64_t work_ = 0;
  Timetable times_;
};

// Divides the operators, in order, into segments whose cores fit the chip, and whose crossbars can be
// written within the limit on power.
std::vector<SegmentDecision> written_segments(const ChipProblem& problem, const PowerTable& table,
                                              double limit) {
  const Int most = most_written(problem.machine, limit);
  std::vector<SegmentDecision> segments;
  Int cores = 0;
  Int crossbars = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const PowerOption& least = table[i].front();
    const Int written = problem.network.operators[i].kind == OperatorKind::array ? least.crossbars : 0;
    if (i == 0 || cores + least.cores > problem.machine.cores.count() || crossbars + written > most) {
      segments.push_back({i, i, true});
      cores = crossbars = 0;
    }
    cores += least.cores;
    crossbars += written;
    segments.back().last = i;
  }
  return segments;
}

}  // namespace

std::vector<Decisions> power_schedules(const ChipProblem& problem, const CompileRequest& request,
                                       const std::vector<Decisions>& bases, const StopSource& stop) {
  std::vector<Decisions> found;
  if (!request.limits.peak_power && request.objective != CompileObjective::peak_power) return found;
  Levels levels = request.levels;
  levels.stream = false;
  const PowerTable table = options_of_all(problem, [&](std::size_t i) {
    return stop.requested() ? std::vector<PowerOption>() : power_options(problem, i, levels);
  });
  if (stop.requested()) return found;
  if (std::any_of(table.begin(), table.end(), [](const auto& options) { return options.empty(); }))
    return found;
  std::vector<std::vector<SegmentDecision>> lists;
  const auto add = [&](std::vector<SegmentDecision> segments) {
    for (auto& segment : segments) segment = {segment.first, segment.last, true};
    if (std::find(lists.begin(), lists.end(), segments) == lists.end()) lists.push_back(std::move(segments));
  };
  add(written_segments(problem, table, request.limits.peak_power.value_or(no_limit)));
  for (const auto& base : bases) add(base.segments);
  for (auto& segments : lists) {
    if (stop.requested()) break;
    if (auto schedule = PowerSearch(problem, request, table, std::move(segments), stop).run())
      found.push_back(std::move(*schedule));
  }
  return found;
}

}  // namespace nestor::chip
