#include "model/chip/search/label_enumeration.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/chip/addresses.h"
#include "model/chip/peak.h"
#include "model/chip/search/segment_labels.h"

namespace nestor::chip {
namespace {

class Enumeration {
 public:
  Enumeration(const ChipProblem& problem, const CompileRequest& request, const StopSource& stop)
      : problem_(problem), request_(request), stop_(stop) {
    const ChipMachine& machine = problem.machine;
    figures_ = {request.objective == CompileObjective::latency || request.limits.latency.has_value(),
                request.objective == CompileObjective::energy || request.limits.energy.has_value(),
                request.objective == CompileObjective::peak_power || request.limits.peak_power.has_value()};
    buffer_counts_ = machine.l0.size != left_out;
    // A segment without pipelining is never faster, but fewer tensors are alive and fewer rows run at the
    // same time.
    const bool both_ways = buffer_counts_ || figures_.peak;
    // A stream is no slower than the same decisions in a pipelined segment and uses the same energy. Only its
    // peak may be higher.
    const bool streams = request.levels.stream;
    if (streams) ways_to_run_.push_back({0, 0, true, true});
    if (!streams || figures_.peak) ways_to_run_.push_back({0, 0, true});
    if (both_ways) ways_to_run_.push_back({0, 0, false});
  }

  void run(CompileOutcome& outcome, EngineObserver* observer) {
    if (outcome.best) offer(*outcome.best);
    // No schedule is below the bound.
    bound_ = outcome.bound;
    bool complete = extend({}, 0, {SegmentLabel{}}, false);
    if (complete) complete = extend({}, 0, {SegmentLabel{}}, true);
    outcome.labels += work_;
    if (complete || reached_bound())
      outcome.status = best_ ? Status::optimal : Status::infeasible;
    else
      outcome.status = stop_.requested() ? stop_.status() : Status::work_limit;
    outcome.best = best_;
    outcome.figures.reset();
    outcome.objective = objective_;
    if ((complete || reached_bound()) && best_) outcome.bound = objective_;
    outcome.bound = std::min(objective_, outcome.bound);
    if (observer != nullptr) observer->round_ended({objective_, outcome.bound, work_});
  }

 private:
  struct Key {
    SegmentDecision segment;
    bool several;
    bool operator<(const Key& other) const {
      return std::tuple(segment.first, segment.last, segment.pipeline, segment.stream, several) <
             std::tuple(other.segment.first, other.segment.last, other.segment.pipeline, other.segment.stream,
                        other.several);
    }
  };

  void offer(const Decisions& decisions) {
    const ChipEvaluation evaluation = evaluate(problem_, decisions);
    if (!keeps(evaluation, request_.limits)) return;
    const double figure = figure_of(evaluation, request_.objective);
    if (best_ && figure >= objective_) return;
    objective_ = figure;
    best_ = decisions;
  }

  bool reached_bound() const { return best_ && closes(bound_, objective_, request_.objective); }

  const std::vector<SegmentLabel>* labels_of(const SegmentDecision& segment, bool several) {
    const auto [at, fresh] = cache_.try_emplace(Key{segment, several});
    if (fresh) {
      SegmentLabels labels(problem_, segment, several, request_, figures_);
      if (!labels.run(work_, request_.work_limit, stop_)) return nullptr;
      at->second = labels.take();
    }
    return &at->second;
  }

  // Returns the costs of the last segment that depend on the cuts: writes and spills.
  SegmentLabel surroundings(const std::vector<SegmentDecision>& segments, bool several) const {
    const ChipMachine& machine = problem_.machine;
    const SegmentDecision& segment = segments.back();
    SegmentLabel extra;
    Int weights = 0;
    bool written = false;
    for (std::size_t i = segment.first; i <= segment.last && several; ++i) {
      const Operator& op = problem_.network.operators[i];
      if (op.kind != OperatorKind::array) continue;
      written = true;
      weights += op.matrix.rows * op.matrix.columns * op.matrix.groups * op.bits.W;
    }
    if (written) {
      extra.latency = std::max(machine.cell.rows * machine.cell.write_cycles,
                               cycles_for(weights, machine.off_chip_bandwidth));
      extra.energy = static_cast<double>(weights) * machine.energy.off_chip;
    }
    if (buffer_counts_) {
      const Int bytes = assign_addresses(problem_, segments).segment_bytes.back();
      const Int excess = std::max<Int>(0, 8 * bytes - machine.l0.size);
      extra.latency += cycles_for(2 * excess, machine.off_chip_bandwidth);
      extra.energy += 2 * static_cast<double>(excess) * machine.energy.off_chip;
      if (excess > 0 && machine.l0.strict) extra.latency = SegmentSearch::never;
    }
    extra.energy += machine.energy.leakage * static_cast<double>(extra.latency);
    return extra;
  }

  double figure(const SegmentLabel& label) const {
    if (request_.objective == CompileObjective::latency) return static_cast<double>(label.latency);
    return request_.objective == CompileObjective::energy ? label.energy : label.peak;
  }

  bool within_limits(const SegmentLabel& label) const {
    const FigureLimits& limits = request_.limits;
    return (!limits.latency || label.latency <= *limits.latency) &&
           (!limits.energy || !exceeds(label.energy * (1 - 1e-12), *limits.energy)) &&
           (!limits.peak_power || !exceeds(label.peak * (1 - 1e-12), *limits.peak_power));
  }

  // Tries all continuations of `segments`, which end before operator `first`. Returns false if the search
  // must not continue.
  bool extend(const std::vector<SegmentDecision>& segments, std::size_t first,
              const std::vector<SegmentLabel>& before, bool several) {
    const std::size_t n = problem_.size();
    if (first == n) {
      finish(segments, before);
      return !reached_bound();
    }
    for (std::size_t last = several ? first : n - 1; last < n; ++last) {
      if (several && first == 0 && last + 1 == n) break;
      for (SegmentDecision segment : ways_to_run_) {
        segment.first = first;
        segment.last = last;
        auto longer = segments;
        longer.push_back(segment);
        const SegmentLabel extra = surroundings(longer, several);
        if (extra.latency >= SegmentSearch::never) continue;
        const auto* labels = labels_of(longer.back(), several);
        if (labels == nullptr) return false;
        std::vector<SegmentLabel> joined;
        for (const auto& a : before)
          for (const auto& b : *labels) {
            join(joined, a, b, extra);
            if (work_ >= request_.work_limit || ((++joins_ & 255U) == 0 && stop_.requested())) return false;
          }
        if (!joined.empty() && !extend(longer, last + 1, joined, several)) return false;
      }
    }
    return true;
  }

  void join(std::vector<SegmentLabel>& joined, const SegmentLabel& a, const SegmentLabel& b,
            const SegmentLabel& extra) {
    SegmentLabel sum;
    sum.latency = a.latency + b.latency + extra.latency;
    sum.energy = a.energy + b.energy + extra.energy;
    sum.peak = std::max(a.peak, b.peak);
    if (!within_limits(sum)) return;
    if (best_ && figure(sum) >= objective_) return;
    sum.decisions = a.decisions;
    sum.decisions.insert(sum.decisions.end(), b.decisions.begin(), b.decisions.end());
    ++work_;
    add_label(joined, std::move(sum), figures_);
  }

  void finish(const std::vector<SegmentDecision>& segments, const std::vector<SegmentLabel>& labels) {
    for (const auto& label : labels) offer({request_.levels, segments, label.decisions});
  }

  const ChipProblem& problem_;
  const CompileRequest& request_;
  const StopSource& stop_;
  CountingFigures figures_;
  bool buffer_counts_ = false;
  std::vector<SegmentDecision> ways_to_run_;
  std::map<Key, std::vector<SegmentLabel>> cache_;  // a map, since callers keep pointers to its values
  std::optional<Decisions> best_;
  double objective_ = HUGE_VAL;
  double bound_ = 0;
  std::uint64_t work_ = 0;
  std::uint64_t joins_ = 0;
};

}  // namespace

void enumerate_labels(const ChipProblem& problem, const CompileRequest& request, CompileOutcome& outcome,
                      const StopSource& stop, EngineObserver* observer) {
  Enumeration(problem, request, stop).run(outcome, observer);
}

}  // namespace nestor::chip
