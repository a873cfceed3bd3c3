// Exact schedules of small netlists: a heuristic schedule first, then best-first search over the states of
// model/simd/exact_space. Copies cost 1 and computes nothing, so states are kept in buckets by cost plus
// bound; when no bucket below the best schedule is left, that schedule is proved optimal, and until then the
// lowest open bucket is a lower bound. What is too large for that is left to the heuristic and all the limits
// allow.
#include <algorithm>
#include <unordered_map>

#include "heuristics/simd/methods.h"
#include "heuristics/simd/nestor.h"
#include "model/simd/exact_space.h"

namespace nestor::simd {

namespace {

constexpr std::size_t state_limit = 12'000'000;
constexpr std::uint32_t nothing = ~std::uint32_t{0};
/// What the heuristic may spend. By work, not by time: the schedule must not depend on the clock.
constexpr std::uint64_t most_brief_work = 3'000'000, brief_work_per_gate = 20'000;

class BestFirst {
 public:
  BestFirst(const ExactSpace& space, std::uint32_t below) : space_(&space), below_(below), open_(below) {
    push(space.root(), nothing, {}, 0);
  }

  enum class End : std::uint8_t { found, exhausted, stopped, out_of_memory };

  /// Runs until a complete state is the cheapest, nothing below the limit is left, `stop()`, or there are as
  /// many states as memory is meant for.
  template <typename Stop>
  End run(Stop&& stop) {
    for (; lowest_ < below_; ++lowest_)
      while (!open_[lowest_].empty()) {
        if ((++work_ & 1023U) == 0 && stop()) return End::stopped;
        if (nodes_.size() > state_limit) return End::out_of_memory;
        const std::uint32_t index = open_[lowest_].back();
        open_[lowest_].pop_back();
        if (nodes_[index].closed) continue;
        const ExactSpace::State state = nodes_[index].state;
        if (space_->complete(state)) {
          last_ = index;
          return End::found;
        }
        const std::uint32_t cost = nodes_[index].cost;
        space_->expand(state, [&](const ExactSpace::State& child, const ExactSpace::Step& step) {
          push(child, index, step, cost + (step.compute ? 0 : 1));
        });
      }
    return End::exhausted;
  }

  /// No schedule below this cost exists.
  std::uint32_t bound() const { return lowest_; }
  std::uint64_t work() const { return work_; }
  std::vector<ExactSpace::Step> steps() const {
    std::vector<ExactSpace::Step> result;
    for (std::uint32_t at = last_; nodes_[at].parent != nothing; at = nodes_[at].parent)
      result.push_back(nodes_[at].step);
    std::reverse(result.begin(), result.end());
    return result;
  }

 private:
  struct Node {
    ExactSpace::State state;
    std::uint32_t parent = nothing;
    std::uint32_t cost = 0;
    ExactSpace::Step step;
    bool closed = false;  ///< dominated
  };

  struct Rival {
    ExactSpace::State form;  ///< canonical
    std::uint32_t cost = 0;
    std::uint32_t node = nothing;
  };

  void push(const ExactSpace::State& state, std::uint32_t parent, const ExactSpace::Step& step,
            std::uint32_t cost) {
    const std::uint32_t total = cost + space_->bound(state);
    if (total >= below_) return;
    auto& rivals = labels_[space_->key(state)];
    const ExactSpace::State form = space_->canonical(state);
    for (const Rival& rival : rivals)
      if (rival.cost <= cost && space_->dominates(rival.form, form)) return;
    std::erase_if(rivals, [&](const Rival& rival) {
      if (cost > rival.cost || !space_->dominates(form, rival.form)) return false;
      nodes_[rival.node].closed = true;
      return true;
    });
    rivals.push_back({form, cost, static_cast<std::uint32_t>(nodes_.size())});
    open_[total].push_back(static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back({state, parent, cost, step, false});
    lowest_ = std::min(lowest_, total);
  }

  const ExactSpace* space_;
  std::uint32_t below_;
  std::vector<std::vector<std::uint32_t>> open_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::vector<Rival>> labels_;
  std::uint32_t lowest_ = 0, last_ = nothing;
  std::uint64_t work_ = 0;
};

}  // namespace

bool run_exact(const MethodRun& run, ScheduleResult& result, std::uint64_t& work) {
  if (run.problem.value_count() > ExactSpace::most_values) return run_nestor(run, result, work);
  ScheduleRequest brief = run.request;
  const std::uint64_t enough = std::min(most_brief_work, brief_work_per_gate * run.problem.gate_count());
  brief.work_limit = brief.work_limit == 0 ? enough : std::min(brief.work_limit, enough);
  brief.planned_work = enough;
  brief.workers = 2;
  brief.time_limit = std::max(0.0, brief.time_limit - run.campaign.seconds());
  Campaign brief_campaign(brief);
  const MethodRun heuristic{run.netlist, run.problem, brief, brief_campaign, run.bound};
  const bool found = run_nestor(heuristic, result, work);
  result.planned_work = 0;
  result.completed = false;
  if (found) {
    run.campaign.note(result.copies, work);
    if (result.copies <= result.bound.copies) return true;
  } else {
    // The machine may be too tight for the heuristic only: search up to a count no small netlist needs.
    result.copies = 16 * run.problem.gate_count() + run.problem.input_count() + 64;
  }

  const auto space = ExactSpace::make(run.problem, result.copies - 1);
  if (!space) return run_nestor(run, result, work);  // on too many arrays
  BestFirst search(*space, result.copies);
  const std::uint64_t before = work;
  const auto end = search.run([&] { return run.campaign.over(before + search.work()); });
  work = before + search.work();
  if (end == BestFirst::End::found) {
    result.schedule = space->schedule(run.netlist, search.steps());
    result.copies = search.bound();
  }
  if (!found && end != BestFirst::End::found) return false;
  const bool cut_short = end == BestFirst::End::stopped || end == BestFirst::End::out_of_memory;
  result.completed = !cut_short;
  if (end == BestFirst::End::out_of_memory) result.status = Status::memory_limit;
  // The search computes every gate once; what it proves says nothing about schedules that may do so again.
  const bool proves = !run.request.recompute;
  if (proves && (search.bound() > result.bound.copies || !cut_short)) {
    result.bound.copies = cut_short ? search.bound() : result.copies;
    result.bound.argument =
        cut_short ? "exhaustive search left nothing cheaper open" : "exhaustive search found nothing cheaper";
  }
  run.campaign.note(result.copies, work);
  return true;
}

}  // namespace nestor::simd
