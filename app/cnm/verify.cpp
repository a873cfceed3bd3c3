// nestor verify on a result of a compute-near-memory system. Everything in the result is recomputed and
// compared; claims that only a new search can confirm are listed.
#include "app/cnm/cnm.h"
#include "app/cnm/recheck.h"
#include "app/cnm/work.h"
#include "app/interrupt.h"
#include "app/verification.h"
#include "report/cnm/kernel_source.h"
#include "report/cnm/offload.h"
#include "report/cnm/offload_check.h"
#include "report/cnm/result_check.h"

namespace nestor::app::cnm_space {

io::Result<ExitStatus> verify(const io::RunOptions& options) {
  if (options.inputs.size() != 1 || !report::is_kernel_result(options.inputs.front()))
    return io::usage_error("expected one result file of estimate, evaluate, simulate or map");
  const auto text = io::read_file(options.inputs.front(), io::result_limits.bytes);
  if (!text) return text.error();
  const auto claims = io::Json::parse(*text, nullptr, false);
  if (claims.is_discarded()) return io::input_error({options.inputs.front()}, "expected JSON");
  if (report::is_offload_result(claims)) {
    StopSource stop(deadline_after(options.run_time_limit));
    stop.watch(&watch_signals());
    const auto placed = report::check_offload_result(claims, options.inputs.front(), stop);
    if (!placed) return placed.error();
    return report_check(options, *placed, {}, "confirmed", "operation");
  }
  const auto work = read_work(options, io::Verb::verify);
  if (!work) return work.error();
  auto check = report::check_kernel_result(*work, claims);
  if (options.recheck)
    if (auto error = recheck(options, *work, claims, check)) return *error;
  return report_check(options, check, report::unproved_kernel_claims, "confirmed", "kernel");
}

}  // namespace nestor::app::cnm_space
