#include "check/chip/timing.h"

#include <algorithm>

namespace nestor::check::chip {
namespace {

// Positions in the list of operators between which a tensor is in L0, inclusive.
struct Life {
  std::size_t from = 0;
  std::size_t to = 0;
  bool meets(const Life& other) const { return from <= other.to && other.from <= to; }
};

// Returns the lives of all tensors, those that enter the network first. In a pipeline, all operators run at
// the same time.
std::vector<Life> lives_of(const Schedule& schedule, const CheckedChipProblem& problem) {
  const std::size_t inputs = problem.input_bytes.size();
  std::vector<Life> lives(inputs + problem.operators.size());
  for (const Run& run : schedule.runs)
    for (std::size_t i = run.first; i <= run.last; ++i) {
      lives[inputs + i] = {run.is_pipelined ? run.first : i, i};
      for (const Input& input : problem.operators[i].inputs) {
        Life& life = lives[input.is_outside ? input.from : inputs + input.from];
        life.to = std::max(life.to, run.is_pipelined ? run.last : i);
      }
    }
  for (const std::size_t output : problem.outputs) lives[inputs + output].to = problem.operators.size() - 1;
  return lives;
}

}  // namespace

L0Layout l0_layout(const Schedule& schedule, const CheckedChipProblem& problem) {
  const std::size_t inputs = problem.input_bytes.size();
  const auto lives = lives_of(schedule, problem);
  struct Part {
    Int begin, end;
    bool operator<(const Part& other) const { return begin < other.begin; }
  };
  std::vector<Part> parts;
  L0Layout layout;
  for (std::size_t t = 0; t < lives.size(); ++t) {
    const Int bytes = t < inputs ? problem.input_bytes[t] : problem.operators[t - inputs].bytes();
    std::vector<Part> taken;
    for (std::size_t other = 0; other < t; ++other)
      if (lives[other].meets(lives[t])) taken.push_back(parts[other]);
    std::sort(taken.begin(), taken.end());
    Int address = 0;
    for (const Part& part : taken) {
      if (plus(address, bytes) <= part.begin) break;
      address = std::max(address, part.end);
    }
    parts.push_back({address, plus(address, bytes)});
    if (t >= inputs) layout.addresses.push_back(address);
  }
  for (const Run& run : schedule.runs) {
    Int highest = 0;
    for (std::size_t t = 0; t < lives.size(); ++t)
      if (lives[t].meets({run.first, run.last})) highest = std::max(highest, parts[t].end);
    layout.run_bytes.push_back(highest);
  }
  return layout;
}

void run_rows(std::vector<Int>& rows, const OperatorTiming& pace) {
  const auto lanes = static_cast<std::size_t>(pace.lanes);
  for (std::size_t r = 0; r < rows.size(); ++r)
    rows[r] = plus(std::max(plus(rows[r], pace.in), r >= lanes ? rows[r - lanes] : 0), pace.row);
}

TimedSchedule::TimedSchedule(const CheckedChipProblem& of_problem, const Schedule& of_schedule)
    : problem(of_problem),
      schedule(of_schedule),
      uses(of_problem.operators.size()),
      paces(of_problem.operators.size()),
      first_cores(of_problem.operators.size()),
      ways(of_problem.operators.size()),
      l0(l0_layout(of_schedule, of_problem)),
      rows(of_problem.operators.size()) {
  for (const Run& run : schedule.runs) {
    Int next = 0;
    for (std::size_t i = run.first; i <= run.last; ++i) {
      const Decision& decision = schedule.decisions[i];
      uses[i] = problem.use(i, decision);
      paces[i] = problem.pace(i, decision, run.is_stream);
      first_cores[i] = decision.first_core.value_or(next);
      next = plus(next, paces[i].cores);
    }
  }
  for (std::size_t r = 0; r < schedule.runs.size(); ++r) runs.push_back(times_of(r));
}

Int TimedSchedule::latency() const {
  Int sum = 0;
  for (const RunTimes& run : runs) sum = plus(sum, run.latency());
  return sum;
}

RunTimes TimedSchedule::times_of(std::size_t r) {
  const Run& run = schedule.runs[r];
  const CheckedChipMachine& machine = problem.machine;
  Int before = 0;
  Int last = 0;
  for (std::size_t i = run.first; i <= run.last; ++i) {
    before = add_rows(run, i, before);
    last = std::max(last, before);
  }
  RunTimes times;
  times.rewriting = problem.rewriting(run.first, run.last);
  times.schedule = std::max(last, problem.least_time(problem.work(run, schedule.decisions)));
  const Int bits = check::times(8, l0.run_bytes[r]);
  times.excess = machine.l0_size == 0 ? 0 : std::max(Int{0}, bits - machine.l0_size);
  times.spill = at_rate(check::times(2, times.excess), machine.off_chip);
  return times;
}

// Adds the rows of an operator by (5.7) and (5.8), or (5.10). `before` is the end of the operator before it
// in the run. Returns the end of the last row's output.
Int TimedSchedule::add_rows(const Run& run, std::size_t i, Int before) {
  const Operator& op = problem.operators[i];
  const OperatorTiming& pace = paces[i];
  std::vector<Int>& in = ways[i];
  for (const Input& input : op.inputs)
    in.push_back(input.is_inside(run.first) ? problem.machine.noc.way(places(input.from), places(i)) : 0);
  if (run.is_stream) {
    rows[i] = stream_rows(*this, run, i);
    return plus(rows[i].back().end, pace.out);
  }
  std::vector<Int> times(static_cast<std::size_t>(op.rows), 0);
  if (!run.is_pipelined) {
    const Int farthest = in.empty() ? 0 : *std::max_element(in.begin(), in.end());
    std::fill(times.begin(), times.end(), plus(before, farthest, pace.gate));
  }
  for (std::size_t k = 0; k < op.inputs.size() && run.is_pipelined; ++k) {
    const Input& input = op.inputs[k];
    for (std::size_t r = 0; r < times.size(); ++r) {
      Int arrival = 0;
      if (input.is_inside(run.first)) {
        const Int needed = input.need(static_cast<Int>(r), problem.operators[input.from].rows);
        arrival = plus(rows[input.from][static_cast<std::size_t>(needed)].end, paces[input.from].out, in[k]);
      }
      times[r] = std::max(times[r], plus(arrival, input.is_gated ? pace.gate : 0));
    }
  }
  run_rows(times, pace);
  for (const Int end : times) rows[i].push_back({end - pace.row, end - pace.row, end});
  return plus(times.back(), pace.out);
}

}  // namespace nestor::check::chip
