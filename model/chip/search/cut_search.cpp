#include "model/chip/search/cut_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "model/chip/search/runs.h"

namespace nestor::chip {
namespace {

class CutSearch {
 public:
  CutSearch(const ChipProblem& problem, const CompileRequest& request, const CutScope& scope)
      : problem_(problem), request_(request), scope_(scope), equal_(problem), paths_(problem.size()) {
    const std::size_t n = problem.size();
    bound_.assign(n * n, never);
    rewriting_.assign(n * n, 0);
    shared_.assign(n * n, 0);
    if (scope.several != nullptr) bounds_of_single_operators(*scope.several, false);
    if (scope.single != nullptr) bounds_of_single_operators(*scope.single, true);
  }

  CutOutcome run(std::span<const Decisions> incumbents, Executor& executor, const StopSource& stop,
                 EngineObserver* observer) {
    CompileOutcome outcome;
    for (const Decisions& decisions : incumbents) offer(decisions);
    for (;;) {
      Int bound = shortest_path();
      while (bound < std::min(best_, scope_.latest + 1) && raise_known() && !stop.requested())
        bound = shortest_path();
      outcome.bound = static_cast<double>(std::min(bound, best_));
      outcome.counts = counts();
      if (observer != nullptr)
        observer->round_ended(
            {best_ >= never ? no_cost : static_cast<double>(best_), outcome.bound, outcome.counts.nodes});
      if (bound >= best_ || bound >= never) {
        outcome.status = decisions_ ? Status::optimal : Status::infeasible;
        break;
      }
      if (bound > scope_.latest) {
        outcome.status = Status::infeasible;
        break;
      }
      if (best_ < never && static_cast<double>(best_ - bound) <= request_.gap * static_cast<double>(best_)) {
        outcome.status = Status::gap_reached;
        break;
      }
      if (stop.requested()) {
        outcome.status = stop.status();
        break;
      }
      if (outcome.counts.nodes >= scope_.work_limit || !sharpen(executor, bound, stop)) {
        outcome.status = Status::work_limit;
        break;
      }
    }
    outcome.best = decisions_;
    outcome.objective = static_cast<double>(best_);
    if (request_.search.keep_proof)
      for (const Segment& segment : raised_)
        if (auto proof = proof_of(segment); !proof.steps.empty()) outcome.proof.push_back(std::move(proof));
    return {std::move(outcome), std::move(least_)};
  }

 private:
  struct Segment {
    std::size_t first;
    std::size_t last;
    bool operator<(const Segment& other) const {
      return first != other.first ? first < other.first : last < other.last;
    }
  };

  Int& bound_of(std::size_t first, std::size_t last) { return bound_[first * problem_.size() + last]; }
  bool whole(const Segment& segment) const {
    return segment.first == 0 && segment.last + 1 == problem_.size();
  }

  bool in_scope(const Segment& segment) const {
    return (whole(segment) ? scope_.single : scope_.several) != nullptr;
  }
  const OptionTable& options_of(const Segment& segment) const {
    return whole(segment) ? *scope_.single : *scope_.several;
  }

  // Initialises the bounds of the segments with these options: the longest of the least times of single
  // operators, and the least time of the shared units. Also computes the cycles to write weights.
  void bounds_of_single_operators(const OptionTable& table, bool single) {
    const std::size_t n = problem_.size();
    const ChipMachine& machine = problem_.machine;
    std::vector<Int> alone(n, never);
    std::vector<Int> cores(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      const auto& options = table[i];
      if (options.empty()) continue;
      cores[i] = options.front().cores;
      for (const LatencyOption& option : options) {
        cores[i] = std::min(cores[i], option.cores);
        alone[i] =
            std::min(alone[i], ceil_divide(problem_.network.operators[i].rows, option.lanes) * option.row +
                                   option.in + option.out);
      }
    }
    for (std::size_t first = 0; first < (single ? 1 : n); ++first) {
      Int longest = 0;
      Int taken = 0;
      Int bits = 0;
      Int operations = 0;
      Int weights = 0;
      bool written = false;
      for (std::size_t last = first; last < n; ++last) {
        const Operator& op = problem_.network.operators[last];
        longest = std::max(longest, alone[last]);
        taken += cores[last];
        if (longest >= never || taken > machine.cores.count()) break;
        bits += op.rows * problem_.facts[last].l0_bits;
        // A product that may run on crossbars need not use the digital unit.
        if (op.kind == OperatorKind::alu ||
            (op.kind == OperatorKind::product && !problem_.facts[last].may_use_array))
          operations += op.rows * op.alu_ops;
        if (op.kind == OperatorKind::array) {
          written = true;
          weights += op.matrix.rows * op.matrix.columns * op.matrix.groups * op.bits.W;
        }
        if (whole({first, last}) != single) continue;
        Int& shared = shared_[first * n + last];
        if (machine.l0.shared) shared = std::max(shared, cycles_for(bits, machine.l0.bandwidth));
        if (machine.alu_shared) shared = std::max(shared, cycles_for(operations, machine.chip_alu));
        bound_of(first, last) = std::max(longest, shared);
        if (written && !single)
          rewriting_[first * n + last] = std::max(machine.cell.rows * machine.cell.write_cycles,
                                                  cycles_for(weights, machine.off_chip_bandwidth));
      }
    }
  }

  // Sets path_ to the segments with the least sum of bounds and write times, and returns this sum.
  Int shortest_path() {
    const std::size_t n = problem_.size();
    std::vector<Int> least(n + 1, never);
    std::vector<std::size_t> from(n + 1, 0);
    least[0] = 0;
    for (std::size_t first = 0; first < n; ++first) {
      if (least[first] >= never) continue;
      for (std::size_t last = first; last < n; ++last) {
        const Int bound = bound_[first * n + last];
        if (bound >= never) {
          // Larger segments do not fit either, except that the whole network may have its own options.
          if (first > 0) break;
          continue;
        }
        const Int total = least[first] + bound + rewriting_[first * n + last];
        if (total < least[last + 1]) {
          least[last + 1] = total;
          from[last + 1] = first;
        }
      }
    }
    path_.clear();
    if (least[n] < never)
      for (std::size_t end = n; end > 0; end = from[end]) path_.push_back({from[end], end - 1});
    std::reverse(path_.begin(), path_.end());
    return least[n];
  }

  // Returns the earliest equal run, which has the same schedules. The whole network is equal to no other run.
  Segment earliest(const Segment& segment) const {
    const std::size_t start = equal_.earliest(segment.first, segment.last);
    return {start, segment.last - (segment.first - start)};
  }

  SegmentSearch& search_of(const Segment& of) {
    const Segment segment = earliest(of);
    auto& search = searches_[segment];
    if (!search)
      search = std::make_unique<SegmentSearch>(problem_, segment.first, segment.last, options_of(segment),
                                               request_.search, request_.levels.stream);
    return *search;
  }

  // Raises the bound of a segment and of all segments that contain it.
  void raise(const Segment& segment, Int bound) {
    raised_.insert(segment);
    for (std::size_t first = 0; first <= segment.first; ++first)
      for (std::size_t last = segment.last; last < problem_.size(); ++last)
        if (scope_.single == scope_.several || whole({first, last}) == whole(segment))
          bound_of(first, last) = std::max(bound_of(first, last), bound);
  }

  // Raises the bounds of the path's segments to their longest paths and to the bounds of searches of equal
  // segments. Returns true if any bound rises. A path of a single segment is left to its search.
  bool raise_known() {
    if (path_.size() < 2) return false;
    bool rises = false;
    for (const Segment& segment : path_) {
      Int bound = path_bound(segment);
      const auto found = searches_.find(earliest(segment));
      if (found != searches_.end() && found->second->feasible())
        bound = std::max(bound, found->second->bound());
      if (bound <= bound_of(segment.first, segment.last)) continue;
      raise(segment, bound);
      rises = true;
    }
    return rises;
  }

  Int path_bound(const Segment& segment) {
    auto& bounds = paths_[segment.first];
    if (bounds.empty()) {
      std::size_t end = segment.last;
      while (end + 1 < problem_.size() && bound_of(segment.first, end + 1) < never) ++end;
      bounds = path_bounds(problem_, *scope_.several, segment.first, end, request_.levels.stream);
    }
    return segment.last - segment.first < bounds.size() ? bounds[segment.last - segment.first] : 0;
  }

  // Returns the proof of the bound of a segment: that of its search, or its root alone if the longest path
  // bounds it.
  SegmentProof proof_of(const Segment& segment) {
    SegmentProof proof = search_of(segment).proof();
    proof.first = segment.first;
    proof.last = segment.last;
    if (whole(segment) || (!proof.steps.empty() && proof.bound >= path_bound(segment))) return proof;
    return {segment.first, segment.last, path_bound(segment), {}, {{}}};
  }

  // Runs one round of search on the segment with the most operators among the segments of the path whose
  // optimum is unknown. Returns false if there is no such segment and the path's latency, as evaluated, is
  // above its bound; then only the bound is proved.
  bool sharpen(Executor& executor, Int total, const StopSource& stop) {
    const Segment* chosen = nullptr;
    std::size_t longest = 0;
    for (const Segment& segment : path_) {
      const SegmentSearch& search = search_of(segment);
      const Int known = bound_of(segment.first, segment.last);
      if (search.feasible() && search.best() <= known) continue;
      if (chosen == nullptr || segment.last - segment.first + 1 > longest) {
        chosen = &segment;
        longest = segment.last - segment.first + 1;
      }
    }
    if (chosen == nullptr) {
      take_path();
      return best_ <= total;
    }
    SegmentSearch& search = search_of(*chosen);
    Int& known = bound_of(chosen->first, chosen->last);
    // A schedule of this segment with `cutoff` cycles or more cannot lead to a better total.
    const Int end = std::min(best_, scope_.latest + 1);
    const Int cutoff = end >= never ? never : end - (total - known);
    if (search.feasible()) search.advance(executor, cutoff, stop);
    if (!search.feasible() || search.bound() > known)
      raise(*chosen, search.feasible() ? search.bound() : never);
    take_path();
    return true;
  }

  // Makes the schedules of the path's segments an incumbent, if every segment has a schedule and the total
  // improves.
  void take_path() {
    Decisions decisions{request_.levels, {}, {}};
    Int total = 0;
    for (const Segment& segment : path_) {
      const auto found = searches_.find(earliest(segment));
      if (found == searches_.end() || found->second->best() >= never) return;
      const std::size_t at = segment.first * problem_.size() + segment.last;
      total += std::max(found->second->best(), shared_[at]) + rewriting_[at];
      decisions.segments.push_back({segment.first, segment.last, true, request_.levels.stream});
      decisions.operators.insert(decisions.operators.end(), found->second->decisions().begin(),
                                 found->second->decisions().end());
    }
    if (total >= least_total_) return;
    least_total_ = total;
    least_ = decisions;
    if (total >= best_) return;
    const Int latency = evaluate(problem_, decisions).latency_cycles;
    if (latency >= best_) return;
    best_ = latency;
    decisions_ = std::move(decisions);
  }

  void offer(const Decisions& decisions) {
    const ChipEvaluation evaluation = evaluate(problem_, decisions);
    if (evaluation.latency_cycles >= best_) return;
    best_ = evaluation.latency_cycles;
    decisions_ = decisions;
    for (std::size_t s = 0; s < decisions.segments.size(); ++s) {
      const auto& segment = decisions.segments[s];
      if (!segment.pipeline || !in_scope({segment.first, segment.last})) continue;
      const auto begin = decisions.operators.begin();
      search_of({segment.first, segment.last})
          .offer({begin + static_cast<std::ptrdiff_t>(segment.first),
                  begin + static_cast<std::ptrdiff_t>(segment.last) + 1},
                 evaluation.segments[s].schedule_cycles);
    }
  }

  SegmentCounts counts() const {
    SegmentCounts sum;
    for (const auto& entry : searches_) {
      const SegmentCounts& counts = entry.second->counts();
      sum.nodes += counts.nodes;
      sum.knapsacks += counts.knapsacks;
      sum.programs += counts.programs;
      sum.reached += counts.reached;
      sum.mixed += counts.mixed;
      sum.shaved += counts.shaved;
      sum.tried += counts.tried;
      sum.labelled += counts.labelled;
      sum.listed += counts.listed;
      sum.labels += counts.labels;
    }
    return sum;
  }

  const ChipProblem& problem_;
  const CompileRequest& request_;
  const CutScope scope_;
  std::vector<Int> bound_;      ///< lower bounds on the cycles of every segment's schedule
  std::vector<Int> rewriting_;  ///< cycles to write the weights of every segment
  /// Least cycles that the shared buffer and digital unit allow for every segment.
  std::vector<Int> shared_;
  const EqualRuns equal_;
  std::vector<std::vector<Int>> paths_;  ///< lower bounds of runs by their first operator; empty: not known
  std::set<Segment> raised_;             ///< segments whose bounds were raised, in the order of proofs
  std::vector<Segment> path_;
  std::map<Segment, std::unique_ptr<SegmentSearch>> searches_;  ///< by the earliest equal segment
  Int best_ = never;
  std::optional<Decisions> decisions_;
  Int least_total_ = never;
  std::optional<Decisions> least_;
};

}  // namespace

CutOutcome search_cuts(const ChipProblem& problem, const CompileRequest& request, const CutScope& scope,
                       std::span<const Decisions> incumbents, Executor& executor, const StopSource& stop,
                       EngineObserver* observer) {
  return CutSearch(problem, request, scope).run(incumbents, executor, stop, observer);
}

}  // namespace nestor::chip
