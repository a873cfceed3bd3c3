// Rows of streams, step by step (docs/models/chip.md (5.10)).
#include "check/chip/timing.h"

namespace nestor::check::chip {
namespace {

// Returns floor(sum / c), clamped to the indices of `count` elements.
Int element(Int sum, Int c, Int count) { return sum < 0 ? 0 : std::min(count - 1, sum / c); }

class Stream {
 public:
  Stream(const TimedSchedule& timed, const Run& run, std::size_t i)
      : timed_(timed),
        problem_(timed.problem),
        run_(run),
        op_(problem_.operators[i]),
        layout_(problem_.layouts[i]),
        decision_(timed.schedule.decisions[i]),
        own_(timed.uses[i]),
        pace_(timed.paces[i]),
        ways_(timed.ways[i]) {
    for (std::size_t k = 0; k < op_.inputs.size(); ++k)
      waits_.push_back(op_.inputs[k].is_gated || !op_.inputs[k].is_inside(run.first) ? Waits{}
                                                                                     : waits_for(k));
  }

  std::vector<RowTimes> rows() const {
    std::vector<RowTimes> rows;
    for (Int r = 0; r < op_.rows; ++r) {
      rows.push_back(row(r));
      RowTimes& row = rows.back();
      if (r >= pace_.lanes)
        row.start = std::max(row.start, rows[static_cast<std::size_t>(r - pace_.lanes)].end);
      row.run = std::max(row.run, row.start);
      row.end = plus(row.run, pace_.row);
    }
    return rows;
  }

 private:
  // Consecutive groups of parts that need the same input row, and the time that the operator's run waits
  // after the run of this row has started. `above`: distance to the last row of the window.
  struct Groups {
    Int first = 0;
    Int above = 0;
    Int wait = 0;
  };
  // The waits for an input. `before_start` is that of the operator's first step.
  struct Waits {
    Int before_start = 0;
    std::vector<Groups> groups;
  };

  // A later group of the same row is further ahead in the run, so only the first one counts.
  Waits waits_for(std::size_t k) const {
    const Input& input = op_.inputs[k];
    Waits waits{lag(k, 0), {}};
    for (Int group = 0; group < decision_.phases; ++group)
      if (const Int above = rows_above(input, group);
          waits.groups.empty() || waits.groups.back().above != above)
        waits.groups.push_back({group, above, 0});
    const Wide steps = times(Wide{own_.rounds}, decision_.phases);
    for (Int round = 0; round < own_.rounds; ++round) {
      const Int seen = lag(k, round);
      for (Groups& groups : waits.groups) {
        const Wide step = times(Wide{round}, decision_.phases) + groups.first;
        groups.wait = std::max(groups.wait, seen - static_cast<Int>(times(step, Wide{pace_.row}) / steps));
      }
    }
    return waits;
  }

  // Returns the earliest start and run of a row that its inputs allow.
  RowTimes row(Int r) const {
    RowTimes row{pace_.in, 0, 0};
    for (std::size_t k = 0; k < op_.inputs.size(); ++k) {
      const Input& input = op_.inputs[k];
      if (input.is_gated) {
        const Int came = input.is_inside(run_.first) ? plus(timed_.rows[input.from].back().end,
                                                            timed_.paces[input.from].out, ways_[k])
                                                     : Int{0};
        row.start = std::max(row.start, plus(came, pace_.in, pace_.gate));
      } else if (input.is_inside(run_.first)) {
        const auto& [before_start, all] = waits_[k];
        row.start = std::max(row.start, plus(began(input, r, all.front().above), before_start));
        for (const Groups& groups : all)
          row.run = std::max(row.run, plus(began(input, r, groups.above), groups.wait));
      }
    }
    return row;
  }

  // Returns the distance of the last row that a group of parts needs to the last row of the window.
  Int rows_above(const Input& input, Int group) const {
    if (!decision_.on_array || layout_.is_packed) return 0;
    const Int parts = times(group + 1, own_.parts) / decision_.phases;
    const Int used = times(parts, rows_used(op_, layout_, own_.parts));
    const Int tap = times(std::min(op_.matrix_rows, used) - 1, input.taps) / op_.matrix_rows;
    return times(input.taps - 1 - tap, input.tap_step);
  }

  // Returns the time at which the input row that row r needs, `above` rows above, starts to run.
  Int began(const Input& input, Int r, Int above) const {
    const Int need =
        element(plus(times(input.a, r), input.b) - above, input.c, problem_.operators[input.from].rows);
    return timed_.rows[input.from][static_cast<std::size_t>(need)].run;
  }

  // Returns the time from the start of the needed row until the windows of a round can be gathered.
  Int lag(std::size_t k, Int round) const {
    const Input& input = op_.inputs[k];
    const Int width = problem_.operators[input.from].width;
    const Int window = std::min(op_.width, times(round + 1, own_.sharing)) - 1;
    Int pixel = width - 1;
    if (input.pixels) {
      const auto& [a, b, c] = *input.pixels;
      pixel = element(plus(times(a, window), b), c, width);
    }
    const OperatorUse& from = timed_.uses[input.from];
    const OperatorTiming& pace = timed_.paces[input.from];
    const Wide ran = ceiling(times(Wide{pixel / from.sharing + 1}, Wide{pace.row}), Wide{from.rounds});
    return plus(static_cast<Int>(ran), pace.out, ways_[k], pace_.in);
  }

  const TimedSchedule& timed_;
  const CheckedChipProblem& problem_;
  const Run& run_;
  const Operator& op_;
  const MatrixLayout& layout_;
  const Decision& decision_;
  const OperatorUse& own_;
  const OperatorTiming& pace_;
  const std::vector<Int>& ways_;
  std::vector<Waits> waits_;  ///< by input
};

}  // namespace

std::vector<RowTimes> stream_rows(const TimedSchedule& timed, const Run& run, std::size_t op) {
  return Stream(timed, run, op).rows();
}

}  // namespace nestor::check::chip
