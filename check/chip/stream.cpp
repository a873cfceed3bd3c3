// Schedule of streams, step by step (docs/models/chip.md (5.10)).
#include "check/chip/model.h"

namespace nestor::check::chip {
namespace {

struct Row {
  Int start = 0, run = 0, end = 0;
};

// Returns floor(sum / c), clamped to the indices of `count` elements.
Int element(Int sum, Int c, Int count) { return sum < 0 ? 0 : std::min(count - 1, sum / c); }

// The steps of an operator's row.
struct Steps {
  OperatorTiming pace;
  Int sharing = 1, rounds = 1, phases = 1, parts = 1;
  Int all() const { return times(rounds, phases); }
};

Steps steps_of(const CheckedChipProblem& problem, std::size_t i, const Decision& decision) {
  const Operator& op = problem.operators[i];
  Steps steps{.pace = problem.pace(i, decision, true)};
  steps.rounds = op.width;
  if (!decision.on_array) return steps;
  steps.sharing = std::min(decision.copies, op.width);
  steps.rounds = ceiling(op.width, steps.sharing);
  steps.phases = decision.phases;
  steps.parts = decision.parts == 0 ? problem.layouts[i].least_parts : decision.parts;
  return steps;
}

class Stream {
 public:
  Stream(const Run& run, const CheckedChipProblem& problem, const std::vector<Decision>& decisions)
      : run_(run), problem_(problem), decisions_(decisions), rows_(problem.operators.size()) {
    for (std::size_t i = 0; i < problem.operators.size(); ++i)
      steps_.push_back(steps_of(problem, i, decisions[i]));
  }

  Int schedule() {
    Int last = 0;
    for (std::size_t i = run_.first; i <= run_.last; ++i) {
      for (Int r = 0; r < problem_.operators[i].rows; ++r) rows_[i].push_back(row(i, r));
      last = std::max(last, plus(rows_[i].back().end, steps_[i].pace.out));
    }
    return last;
  }

 private:
  bool is_inside(const Input& input) const { return !input.is_outside && input.from >= run_.first; }

  Row row(std::size_t i, Int r) const {
    const Steps& own = steps_[i];
    Row row{own.pace.in, 0, 0};
    if (r >= own.pace.lanes)
      row.start = std::max(row.start, rows_[i][static_cast<std::size_t>(r - own.pace.lanes)].end);
    for (const Input& input : problem_.operators[i].inputs) {
      if (input.is_gated) {
        const Int came =
            is_inside(input) ? plus(rows_[input.from].back().end, steps_[input.from].pace.out) : Int{0};
        row.start = std::max(row.start, plus(came, own.pace.in, own.pace.gate));
      } else if (is_inside(input)) {
        row.start = std::max(row.start, plus(began(i, input, r, 0), lag(i, input, 0)));
        for (Int step = 0; step < own.all(); ++step) {
          const Int ahead = times(step, own.pace.row) / own.all();
          const Int wait = std::max<Int>(0, lag(i, input, step / own.phases) - ahead);
          row.run = std::max(row.run, plus(began(i, input, r, step % own.phases), wait));
        }
      }
    }
    row.run = std::max(row.run, row.start);
    row.end = plus(row.run, own.pace.row);
    return row;
  }

  // Returns the time at which the input row that a group of parts needs for row r starts to run.
  Int began(std::size_t i, const Input& input, Int r, Int group) const {
    const Operator& op = problem_.operators[i];
    const Steps& own = steps_[i];
    Int tap = input.taps - 1;
    if (decisions_[i].on_array && !problem_.layouts[i].is_packed) {
      const Int parts = times(group + 1, own.parts) / own.phases;
      const Int used = times(parts, rows_used(op, problem_.layouts[i], own.parts));
      tap = times(std::min(op.matrix_rows, used) - 1, input.taps) / op.matrix_rows;
    }
    const Int above = times(input.taps - 1 - tap, input.tap_step);
    const Int need =
        element(plus(times(input.a, r), input.b) - above, input.c, problem_.operators[input.from].rows);
    return rows_[input.from][static_cast<std::size_t>(need)].run;
  }

  // Returns the time from the start of the needed row until the windows of a round can be gathered.
  Int lag(std::size_t i, const Input& input, Int round) const {
    const Int width = problem_.operators[input.from].width;
    const Int window = std::min(problem_.operators[i].width, times(round + 1, steps_[i].sharing)) - 1;
    Int pixel = width - 1;
    if (input.pixels) {
      const auto& [a, b, c] = *input.pixels;
      pixel = element(plus(times(a, window), b), c, width);
    }
    const Steps& from = steps_[input.from];
    return plus(ceiling(times(pixel / from.sharing + 1, from.pace.row), from.rounds), from.pace.out,
                steps_[i].pace.in);
  }

  const Run& run_;
  const CheckedChipProblem& problem_;
  const std::vector<Decision>& decisions_;
  std::vector<Steps> steps_;
  std::vector<std::vector<Row>> rows_;
};

}  // namespace

Int stream_schedule(const Run& run, const CheckedChipProblem& problem,
                    const std::vector<Decision>& decisions) {
  return Stream(run, problem, decisions).schedule();
}

}  // namespace nestor::check::chip
