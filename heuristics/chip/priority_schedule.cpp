#include "heuristics/chip/priority_schedule.h"

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "heuristics/chip/baselines.h"
#include "heuristics/priority/priority.h"
#include "model/chip/evaluate.h"
#include "model/chip/search/segment_graph.h"

namespace nestor::chip {
namespace {

constexpr std::uint32_t no_operator = std::numeric_limits<std::uint32_t>::max();
// Limit on the total rows of all schedules tried, which take less than 20 ms.
constexpr std::uint64_t effort = 3'000'000;
// Least number of schedules for which a search is worthwhile.
constexpr std::uint64_t least_passes = 64;
// Withholding a grant is also a step, so sequences have spare steps.
constexpr std::size_t spare_steps = 64;
constexpr std::size_t most_steps = 4096;
// Maximum number of options offered per operator: the next larger options that shorten the longest path.
constexpr std::size_t next_options = 8;
constexpr std::uint64_t patience = 64;

// One pipelined segment whose cores are granted step by step. Sequences have a fixed length, so that a
// derived sequence may contain more grants than the original.
class Grants {
 public:
  // The option granted to an operator. All operators start with option 0; granting option 0 withholds grants
  // from the operator until no other grant shortens the longest path. no_operator means that no grant does;
  // in a given sequence, it leaves the choice open.
  struct Choice {
    std::uint32_t op = no_operator;
    std::uint32_t option = 0;
  };
  using Priority = double;  // cycles saved on the longest path, per core granted
  using Cost = Int;

  Grants(const ChipProblem& problem, const SegmentDecision& segment, const OptionTable& options,
         std::uint64_t passes)
      : graph_(problem, segment.first, segment.last),
        options_(std::span(options).subspan(segment.first, segment.last - segment.first + 1)),
        cores_(problem.machine.cores.count()),
        passes_left_(passes) {
    std::size_t grants = 0;
    for (const auto& list : options_) grants += list.size() - 1;
    length_ = std::min(grants, most_steps) + spare_steps;
    reset();
  }

  std::size_t length() const { return length_; }
  bool spent() const { return passes_left_ == 0; }

  void reset() {
    taken_.assign(options_.size(), 0);
    held_.assign(options_.size(), 0);
    speeds_.clear();
    left_ = cores_;
    for (const auto& list : options_) {
      speeds_.push_back(speed_of(list.front()));
      left_ -= list.front().cores;
    }
    steps_ = 0;
    exhausted_ = false;
    known_ = false;
  }

  bool complete() const { return steps_ == length_; }
  // Later grants shorten the schedule, so the cost of a partial sequence is bounded only by 0.
  Cost cost() const { return complete() ? schedule_ : 0; }

  void apply(const Choice& choice) {
    ++steps_;
    if (choice.op == no_operator) {
      exhausted_ = true;
    } else if (choice.option == 0) {
      held_[choice.op] = 1;
    } else {
      const auto& list = options_[choice.op];
      left_ -= list[choice.option].cores - list[taken_[choice.op]].cores;
      taken_[choice.op] = choice.option;
      speeds_[choice.op] = speed_of(list[choice.option]);
      known_ = false;
    }
    if (complete()) schedule();
  }

  template <typename Visit>
  void for_each_choice(Visit&& visit) {
    if (!exhausted_ && !spent()) {
      schedule();
      if (visit_grants(0, visit) || visit_grants(1, visit)) return;
    }
    visit(Choice{}, 0.0);
  }

  template <typename Visit>
  void for_each_variant(const Choice& choice, Visit&& visit) {
    if (choice.op != no_operator && choice.option == 0) return visit(choice, 0.0);
    for_each_choice(visit);
  }

  // Withholds one grant and leaves all later grants open.
  std::size_t perturb(std::span<Choice> sequence, Random& random) {
    const auto used = static_cast<std::size_t>(
        std::find_if(sequence.begin(), sequence.end(), [](const Choice& c) { return c.op == no_operator; }) -
        sequence.begin());
    if (used == 0) return sequence.size();
    const auto at = static_cast<std::size_t>(random.below(used));
    if (sequence[at].option == 0) return sequence.size();
    sequence[at].option = 0;
    std::fill(sequence.begin() + static_cast<std::ptrdiff_t>(at) + 1, sequence.end(), Choice{});
    return at;
  }

  std::vector<OperatorDecision> decisions() const {
    std::vector<OperatorDecision> result;
    for (std::size_t k = 0; k < options_.size(); ++k) result.push_back(options_[k][taken_[k]].decision);
    return result;
  }

 private:
  // Computes the schedule with the granted options, and its longest path.
  void schedule() {
    if (known_) return;
    schedule_ = graph_.heads(speeds_, times_);
    path_ = graph_.longest_path(speeds_, times_);
    known_ = true;
    if (passes_left_ > 0) --passes_left_;
  }

  // Visits the grants that fit and shorten the longest path, for operators whose grants are withheld (`held`
  // 1) or not (`held` 0). Returns true if there are any such grants.
  template <typename Visit>
  bool visit_grants(std::uint8_t held, Visit& visit) const {
    bool any = false;
    for (std::size_t k = 0; k < options_.size(); ++k) {
      if (path_.rows[k] == 0 || held_[k] != held) continue;
      const auto& list = options_[k];
      const Int length = path_.length(k, speeds_[k]);
      std::size_t offered = 0;
      for (std::size_t next = taken_[k] + 1; next < list.size() && offered < next_options; ++next) {
        const Int more = list[next].cores - list[taken_[k]].cores;
        if (more > left_) break;
        const Int gain = length - path_.length(k, speed_of(list[next]));
        if (gain <= 0) continue;
        any = true;
        ++offered;
        visit(Choice{static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(next)},
              static_cast<double>(gain) / std::max(0.5, static_cast<double>(more)));
      }
    }
    return any;
  }

  SegmentGraph graph_;
  std::span<const std::vector<LatencyOption>> options_;
  Int cores_;
  std::uint64_t passes_left_;
  std::size_t length_ = 0;
  std::vector<std::uint32_t> taken_;  ///< option of each operator
  std::vector<std::uint8_t> held_;
  std::vector<Speed> speeds_;
  Int left_ = 0;
  std::size_t steps_ = 0;
  bool exhausted_ = false;
  bool known_ = false;  ///< true if the three fields below correspond to the speeds
  Int schedule_ = 0;
  SegmentTimes times_;
  SegmentPath path_;
};

}  // namespace

std::optional<Decisions> priority_schedule(const ChipProblem& problem, Levels levels, std::uint64_t seed,
                                           const StopSource& stop) {
  Decisions decisions{levels, first_fit(problem, true), {}};
  decisions.operators = one_copy_each(problem);
  if (find_violation(problem, decisions)) return std::nullopt;
  std::uint64_t rows = 1;
  for (const auto& op : problem.network.operators) rows += static_cast<std::uint64_t>(op.rows);
  if (effort / rows < least_passes) return std::nullopt;
  Decisions start = decisions;
  Levels by_rows = levels;
  by_rows.stream = false;
  const OptionTable options = latency_options(problem, by_rows, {}, &stop);
  if (stop.requested()) return start;
  for (const auto& segment : decisions.segments) {
    Grants grants(problem, segment, options, effort / rows);
    std::vector<Grants::Choice> work(grants.length());
    std::vector<Grants::Choice> best(grants.length());
    priority::PrioritySearch<Grants> search(grants, work, best, seed);
    const auto ended = [&] { return grants.spent() || stop.requested(); };
    search.construct([&] { return stop.requested(); });
    search.improve(patience, ended);
    if (!search.found()) continue;
    grants.reset();
    for (const auto& choice : search.best()) grants.apply(choice);
    const auto found = grants.decisions();
    std::copy(found.begin(), found.end(),
              decisions.operators.begin() + static_cast<std::ptrdiff_t>(segment.first));
  }
  // The longest path ignores transfers between cores, so the result may be slower than the start.
  const bool worse = evaluate(problem, decisions).latency_cycles > evaluate(problem, start).latency_cycles;
  return worse ? start : decisions;
}

}  // namespace nestor::chip
