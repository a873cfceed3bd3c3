// The rules for decisions (docs/models/chip.md, section 4).
#include <algorithm>

#include "check/chip/timing.h"

namespace nestor::check::chip {
namespace {

class Rules {
 public:
  Rules(const Schedule& schedule, const CheckedChipProblem& problem)
      : schedule_(schedule), problem_(problem), machine_(problem.machine) {}

  std::vector<std::string> broken() {
    check_runs();
    for (std::size_t i = 0; i < problem_.operators.size(); ++i) check_operator(i);
    // Cores and buffers are computed from decisions in range.
    if (!faults_.empty()) return faults_;
    for (const Run& run : schedule_.runs) check_cores(run);
    if (machine_.is_strict && machine_.l0_size != 0) check_buffer();
    return faults_;
  }

 private:
  template <typename... Parts>
  void fault(const Parts&... parts) {
    faults_.push_back(sentence(parts...));
  }

  void check_runs() {
    std::size_t next = 0;
    for (const Run& run : schedule_.runs) {
      if (run.first != next || run.last < run.first) return fault("its segments are not consecutive");
      next = run.last + 1;
      if (run.is_stream && !problem_.levels.stream)
        fault("the segment from '", problem_.operators[run.first].name,
              "' is a stream, but levels mvm and stream are not both enabled");
    }
    if (next != problem_.operators.size()) fault("its segments do not cover all operators");
  }

  void check_operator(std::size_t i) {
    const Operator& op = problem_.operators[i];
    const Decision& decision = schedule_.decisions[i];
    const MatrixLayout& layout = problem_.layouts[i];
    if (!decision.on_array) {
      if (op.kind == Kind::product && !machine_.multiplies())
        fault("product '", op.name, "' is digital, but the chip has no functions mul and add");
      if (decision.copies != 1 || decision.parts != 0 || decision.phases != 1 || decision.first_core)
        fault("operator '", op.name, "' is digital, but has decisions for crossbars");
      return;
    }
    if (op.kind == Kind::product && !machine_.writes_at_run_time)
      return fault("product '", op.name, "' is on crossbars that cannot be written at run time");
    if (!layout.fits) return fault("operator '", op.name, "' does not fit the chip");
    check_range(op, "copies", decision.copies, 1, machine_.mode == "CM" ? op.rows : times(op.rows, op.width));
    const Int parts = decision.parts == 0 ? layout.least_parts : decision.parts;
    check_range(op, "parts", parts, layout.least_parts,
                problem_.levels.vvm ? layout.most_parts : layout.least_parts);
    check_range(op, "phases", decision.phases, 1, problem_.levels.mvm ? parts : 1);
  }

  void check_range(const Operator& op, const char* what, Int value, Int least, Int most) {
    if (value < least || value > most)
      fault("operator '", op.name, "' has ", what, " ", value, ", expected ", least, " to ", most);
  }

  void check_cores(const Run& run) {
    std::vector<Places> all;
    Int sum = 0;
    std::size_t given = 0;
    for (std::size_t i = run.first; i <= run.last; ++i) {
      const Decision& decision = schedule_.decisions[i];
      if (!decision.on_array) continue;
      const Int cores = problem_.pace(i, decision).cores;
      all.push_back({decision.first_core.value_or(sum), cores});
      given += decision.first_core ? 1U : 0U;
      sum = plus(sum, cores);
    }
    const std::string at = "the segment from '" + problem_.operators[run.first].name + "'";
    if (sum > machine_.cores) fault(at, " needs ", sum, " cores of ", machine_.cores);
    if (given != 0 && given != all.size()) fault(at, " specifies first_core only for some operators");
    std::sort(all.begin(), all.end(), [](const Places& a, const Places& b) { return a.first < b.first; });
    Int free = 0;
    for (const Places& places : all) {
      if (places.first < free) fault(at, " uses core ", places.first, " twice");
      free = std::max(free, plus(places.first, places.count));
    }
    if (sum <= machine_.cores && free > machine_.cores) fault(at, " reaches beyond the chip's last core");
  }

  void check_buffer() {
    for (const Int bytes : l0_layout(schedule_, problem_).run_bytes)
      if (const Int bits = times(8, bytes); bits > machine_.l0_size)
        fault("a segment needs ", bits, " bits of L0, but L0 has ", machine_.l0_size);
  }

  const Schedule& schedule_;
  const CheckedChipProblem& problem_;
  const CheckedChipMachine& machine_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> broken_rules(const Schedule& schedule, const CheckedChipProblem& problem) {
  return Rules(schedule, problem).broken();
}

}  // namespace nestor::check::chip
