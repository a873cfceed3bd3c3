#include "check/chip/claims.h"

#include "check/chip/rules.h"

namespace nestor::check::chip {
namespace {

constexpr std::array<const char*, 6> figure_words = {"cores", "row", "lanes", "in", "out", "gate"};

Int figure_of(const OperatorTiming& pace, const std::string& figure) {
  const std::array<Int, 6> figures = {pace.cores, pace.row, pace.lanes, pace.in, pace.out, pace.gate};
  for (std::size_t f = 0; f < figures.size(); ++f)
    if (figure == figure_words[f]) return figures[f];
  throw Unreadable("a split does not name a figure");
}

std::size_t below(const Json& number, std::size_t end, const std::string& what) {
  const Int value = integer(number, 0, what);
  if (static_cast<std::size_t>(value) >= end) throw Unreadable(what + " is invalid");
  return static_cast<std::size_t>(value);
}

// The proof tree of one run.
class Tree {
 public:
  Tree(const Segment& segment, const Json& run) : segment_(segment), steps_(member(run, "steps")) {
    if (!steps_.is_array() || steps_.empty()) throw Unreadable("a run has no steps");
    for (const Json& numbers : member(run, "paths")) paths_.push_back(way_through(segment, numbers));
  }

  /// Returns the reason why the tree does not prove that every schedule of these choices takes at least
  /// `limit` cycles. Returns an empty string if it does.
  std::string failure(Choices choices, Int limit, FollowedNetwork& followed) const {
    // Each step is used only once, so the steps form a tree without cycles.
    std::vector<bool> is_taken(steps_.size(), false);
    struct Open {
      std::size_t step;
      Choices choices;
    };
    std::vector<Open> open;
    const auto enter = [&](std::size_t step, Choices with) {
      if (is_taken[step]) throw Unreadable("two splits of a run lead to the same step");
      is_taken[step] = true;
      open.push_back({step, std::move(with)});
    };
    enter(0, std::move(choices));
    while (!open.empty()) {
      const Json& step = steps_[open.back().step];
      const Mix mix = mix_of(step);
      ProofNode node(segment_, mix, std::move(open.back().choices), limit);
      open.pop_back();
      ++followed.nodes;
      if (node.is_closed_by_bounds()) continue;
      if (!step.contains("split")) {
        if (const auto shortest = node.shortest_schedule(followed.beginnings))
          return "a schedule of " + std::to_string(*shortest) + " cycles";
        continue;
      }
      const Json& split = step["split"];
      if (!split.is_array() || split.size() != 3) throw Unreadable("a split is invalid");
      const std::size_t op = below(split[0], segment_.size(), "a split's operator");
      const auto figure = split[1].is_string() ? split[1].get<std::string>() : "";
      const Int most = integer(split[2], 0, "a split");
      const std::size_t child = below(member(step, "then"), steps_.size() - 1, "a split's step");
      for (const bool above : {false, true}) {
        Choices side = node.choices();
        std::erase_if(side[op],
                      [&](const OperatorTiming& pace) { return (figure_of(pace, figure) > most) != above; });
        if (!side[op].empty()) enter(child + (above ? 1 : 0), std::move(side));
      }
    }
    return "";
  }

 private:
  Mix mix_of(const Json& step) const {
    constexpr Int most_shares = Int{1} << 20;
    Mix mix;
    if (!step.contains("mix")) return mix;
    const Json& numbers = step["mix"];
    for (std::size_t at = 0; at + 1 < numbers.size(); at += 2) {
      mix.paths.push_back(&paths_[below(numbers[at], paths_.size(), "the number of a path in a mix")]);
      mix.shares.push_back(integer(numbers[at + 1], 1, "a share"));
      mix.whole = plus(mix.whole, mix.shares.back());
    }
    if (mix.whole > most_shares) throw Unreadable("the shares of a mix are too large");
    return mix;
  }

  const Segment& segment_;
  const Json& steps_;
  std::vector<Path> paths_;
};

// Lower bounds on the cycles of all runs of consecutive operators. The bound of a run is at least the bound
// of each of its parts, because a part that runs alone has at least as many cores, and its inputs arrive no
// later.
class Bounds {
 public:
  explicit Bounds(const CheckedChipProblem& problem)
      : problem_(problem), count_(problem.operators.size()), digital_(problem.defaults()) {
    for (std::size_t i = 0; i < count_; ++i) choices_.push_back(problem.paces(i));
    bounds_.assign(count_ * count_, 0);
    for (std::size_t i = 0; i < count_; ++i) {
      Int least = nowhere;
      for (const OperatorTiming& pace : choices_[i])
        least = std::min(
            least, plus(times(ceiling(problem.operators[i].rows, pace.lanes), pace.row), pace.in, pace.out));
      of(i, i) = least;
    }
  }

  Choices choices(std::size_t first, std::size_t last) const {
    return {choices_.begin() + static_cast<std::ptrdiff_t>(first),
            choices_.begin() + static_cast<std::ptrdiff_t>(last) + 1};
  }
  void prove(std::size_t first, std::size_t last, Int bound) {
    of(first, last) = std::max(of(first, last), bound);
  }

  /// Returns a lower bound on the network's time for any number of segments: the shortest path from cut to
  /// cut.
  Int least_of_all() {
    for (std::size_t length = 1; length < count_; ++length)
      for (std::size_t first = 0; first + length < count_; ++first)
        prove(first, first + length, std::max(of(first, first + length - 1), of(first + 1, first + length)));
    std::vector<Int> least(count_ + 1, nowhere);
    least[0] = 0;
    for (std::size_t first = 0; first < count_; ++first) {
      Int cores = 0;
      for (std::size_t last = first; last < count_; ++last) {
        if (choices_[last].empty()) break;
        cores = plus(cores, choices_[last].front().cores);  // the fewest cores
        if (cores > problem_.machine.cores) break;
        const SharedWork work = problem_.work({first, last}, digital_);
        const Int schedule = std::max(of(first, last), problem_.least_time(work));
        const Int sum = plus(least[first], schedule, problem_.rewriting(first, last));
        least[last + 1] = std::min(least[last + 1], sum);
      }
    }
    return least[count_];
  }

 private:
  Int& of(std::size_t first, std::size_t last) { return bounds_[first * count_ + last]; }

  const CheckedChipProblem& problem_;
  std::size_t count_;
  std::vector<Decision> digital_;  ///< decisions with all products digital
  std::vector<std::vector<OperatorTiming>> choices_;
  std::vector<Int> bounds_;
};

std::size_t place_of(const CheckedChipProblem& problem, const Json& run, const char* key) {
  const auto name = word_of(run, key);
  for (std::size_t i = 0; i < problem.operators.size(); ++i)
    if (problem.operators[i].name == name) return i;
  throw Unreadable("the proof belongs to a different network");
}

std::string levels_text(const Levels& levels) {
  return std::string("cg") + (levels.mvm ? ", mvm" : "") + (levels.stream ? ", stream" : "") +
         (levels.vvm ? ", vvm" : "");
}

// True if the options request exactly the levels that the decisions claim.
bool is_of_levels(const Json& options, const CheckedChipMachine& machine, const Levels& levels) {
  Levels asked{machine.mode != "CM", machine.mode == "WLM"};
  if (options.contains("levels")) {
    const auto words = "," + word_of(options, "levels") + ",";
    asked.mvm = asked.mvm && words.find(",mvm,") != std::string::npos;
    asked.vvm = asked.vvm && asked.mvm && words.find(",vvm,") != std::string::npos;
    asked.stream = asked.mvm && words.find(",stream,") != std::string::npos;
  }
  return asked.mvm == levels.mvm && asked.vvm == levels.vvm && asked.stream == levels.stream;
}

}  // namespace

void require_rules(const CheckedChipProblem& problem, const Schedule& schedule) {
  constexpr Int most_crossbars = Int{1} << 24;
  constexpr std::size_t most_operators = 3000;
  const CheckedChipMachine& machine = problem.machine;
  if (machine.l0_size != 0 && (machine.is_strict || machine.off_chip != 0))
    throw NotChecked("its global buffer may be too small");
  if (machine.noc.longest_way() > 0) throw NotChecked("transfers between its cores take cycles");
  if (times(machine.cores, machine.crossbars) > most_crossbars) throw NotChecked("its chip is too large");
  if (problem.operators.size() > most_operators) throw NotChecked("its network has too many operators");
  for (std::size_t i = 0; i < problem.operators.size() && machine.shares_alu; ++i)
    if (problem.operators[i].kind == Kind::product && problem.layouts[i].fits)
      throw NotChecked("its products may run on crossbars instead of the shared digital unit");
  for (const Decision& decision : schedule.decisions)
    if (decision.first_core) throw NotChecked("its decisions fix the cores of operators");
}

FollowedNetwork follow(const CheckedChipProblem& problem, Int least, const RunSource& runs) {
  FollowedNetwork followed;
  Bounds bounds(problem);
  for (Json run = runs(); !run.is_null(); run = runs()) {
    const std::size_t first = place_of(problem, run, "from");
    const std::size_t last = place_of(problem, run, "to");
    if (last < first) throw Unreadable("a run ends before it begins");
    const Int bound = integer(member(run, "bound"), 0, "a bound");
    if (bound > longest_time) throw NotChecked("its times are too large");
    ++followed.runs;
    const Segment segment(problem, first, last);
    const auto choices = bounds.choices(first, last);
    const bool is_possible =
        std::none_of(choices.begin(), choices.end(), [](const auto& paces) { return paces.empty(); });
    if (bound == 0 || !is_possible) continue;
    const auto failure = Tree(segment, run).failure(choices, bound, followed);
    if (!failure.empty()) {
      followed.failure = "the operators '" + problem.operators[first].name + "' to '" +
                         problem.operators[last].name + "' are claimed to take " + std::to_string(bound) +
                         " cycles, but there is " + failure;
      return followed;
    }
    bounds.prove(first, last, bound);
  }
  const Int shown = bounds.least_of_all();
  if (shown < least)
    followed.failure = "the bounds of its runs prove only " + std::to_string(shown) + " cycles";
  return followed;
}

Verdict check_result(const Json& result, const Json& head, const RunSource& runs) {
  try {
    const Json& options = member(result, "options");
    const Json& objective = member(result, "objective");
    if (word_of(objective, "name") != "latency") return {"not checked", "its objective is not latency"};
    if (options.contains("limit")) return {"not checked", "it was compiled with --limit"};
    if (!result.contains("lower_bound")) return {"not checked", "it has no lower bound"};
    const Json& decisions = member(result, "decisions");
    const auto problem = read_problem(member(result, "architecture"), member(result, "network"), decisions);
    if (!is_of_levels(options, problem.machine, problem.levels))
      return {"REFUTED", "its schedule has levels that were not requested"};
    const Schedule schedule = read_schedule(decisions, problem);
    require_rules(problem, schedule);
    if (const auto faults = broken_rules(schedule, problem); !faults.empty())
      return {"REFUTED", "its schedule is invalid: " + faults.front()};
    const Int latency = TimedSchedule(problem, schedule).latency();
    const Decimal value = parse_decimal(member(objective, "value").dump());
    const Decimal bound = parse_decimal(member(result, "lower_bound").dump());
    const auto is = [](const Decimal& number, Int whole) {
      return number.digits == times(Wide{whole}, power_of_ten(number.places));
    };
    if (!is(value, latency) ||
        integer(member(member(result, "evaluation"), "latency_cycles"), 0, "its latency") != latency)
      return {"REFUTED", "its schedule takes " + std::to_string(latency) + " cycles"};
    if (problem.levels.stream) throw NotChecked("its segments may be pixel-wise pipelines");
    const bool is_optimal = word_of(result, "status") == "optimal";
    const Wide least = ceiling(bound.digits, power_of_ten(bound.places));

    if (head.value("space", "") != "chip" || head.value("network", "") != problem.name ||
        head.value("architecture", "") != problem.machine.name)
      throw Unreadable("the proof belongs to a different network or machine");
    const auto followed = follow(problem, static_cast<Int>(least), runs);
    if (!followed.failure.empty()) return {"not proved", followed.failure};
    return {"verified", "with levels " + levels_text(problem.levels) + " no schedule takes fewer than " +
                            std::to_string(static_cast<Int>(least)) + " cycles" +
                            (is_optimal ? ", and the given schedule takes that many" : "") + " (" +
                            std::to_string(followed.runs) + " runs of operators in the proof, " +
                            std::to_string(followed.nodes) + " nodes, " +
                            std::to_string(followed.beginnings) + " beginnings of schedules)"};
  } catch (const NotChecked& reason) {
    return {"not checked", reason.what()};
  }
}

}  // namespace nestor::check::chip
