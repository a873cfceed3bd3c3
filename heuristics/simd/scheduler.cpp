#include "heuristics/simd/scheduler.h"

#include <algorithm>

#include "heuristics/simd/methods.h"

namespace nestor::simd {

namespace {

/// Where every value has a row of its own in the first array, more rows change nothing but the memory they
/// take.
std::uint32_t useful_rows(const Netlist& netlist, std::uint32_t rows) {
  const std::size_t values = netlist.input_names.size() + netlist.gates.size();
  return static_cast<std::uint32_t>(std::min<std::size_t>(rows, values + 4));
}

}  // namespace

std::optional<ScheduleResult> make_schedule(const Netlist& netlist, const ScheduleRequest& request) {
  Campaign campaign(request);
  const Problem problem(netlist, useful_rows(netlist, request.rows), request.array_limit);
  if (!problem.inputs_fit()) return std::nullopt;
  ScheduleResult result;
  result.bound = lower_bound(problem, request.recompute);
  const MethodRun run{netlist, problem, request, campaign, result.bound};
  std::uint64_t work = 0;
  bool found = false;
  switch (request.method) {
    case Method::nestor:
      found = run_nestor(run, result, work);
      break;
    case Method::masim:
      found = run_masim(run, result, work);
      break;
    case Method::exact:
      found = run_exact(run, result, work);
      break;
    default:
      found = run_baseline(run, result, work);
      break;
  }
  if (!found) return std::nullopt;
  result.schedule.rows = request.rows;
  campaign.finish(result, work);
  return result;
}

}  // namespace nestor::simd
