#include "app/cnm/recheck.h"

#include <algorithm>

#include "app/interrupt.h"
#include "app/recheck.h"
#include "report/cnm/claim_check.h"
#include "report/keys/common.h"
#include "solver/engine/stop_source.h"

namespace nestor::app::cnm_space {
namespace {

// A new search of one kernel, and the list of the best if the result has one of `listed`.
report::ProvedOptimum prove(const cnm::Kernel& kernel, const cnm::System& system, std::size_t listed,
                            const cnm::MapRequest& request) {
  auto result = cnm::map_kernel(kernel, system, report::shipped_library(), request);
  std::vector<cnm::RankedMap> ranked;
  if (listed > 1 && result.status == Status::optimal) {
    StopSource stop(deadline_after(request.time_limit));
    stop.watch(request.interrupted);
    ranked = cnm::rank_mappings(kernel, system, report::shipped_library(), listed, &stop);
    if (stop.requested()) result.status = Status::time_limit;
  }
  return report::proof_of_kernel(result, ranked);
}

}  // namespace

io::MaybeError recheck(const io::RunOptions& options, const report::KernelWork& work, const io::Json& claims,
                       io::ResultCheck& check) {
  const auto verb = claims.value(key::verb, io::Json());
  const auto asked = asked_to_prove(verb.is_string() ? verb.get<std::string>() : "none", {});
  if (!asked) return asked.error();
  for (const auto& task : work.tasks)
    if (!task.input.kernel) return std::nullopt;  // nothing that could be mapped
  const auto begin = std::chrono::steady_clock::now();
  const auto claimed = report::claims_of(work, claims);
  std::vector<report::ProvedOptimum> proofs;
  for (std::size_t i = 0; i < work.tasks.size(); ++i) {
    const auto same = [&](const report::KernelTask& other) {
      cnm::Kernel named = *other.input.kernel;
      named.name = work.tasks[i].input.kernel->name;
      return named == *work.tasks[i].input.kernel;
    };
    const auto twin = static_cast<std::size_t>(std::find_if(work.tasks.begin(), work.tasks.end(), same) -
                                               work.tasks.begin());
    if (twin < i && claimed[i].alternatives.size() == claimed[twin].alternatives.size()) {
      proofs.push_back(report::ProvedOptimum(proofs[twin]));
      continue;
    }
    cnm::MapRequest request;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    request.time_limit = std::max(0.0, options.run_time_limit - spent.count());
    request.memory_bytes = static_cast<std::size_t>(options.memory_limit);
    request.interrupted = &watch_signals();
    proofs.push_back(
        prove(*work.tasks[i].input.kernel, work.system, claimed[i].alternatives.size() + 1, request));
  }
  report::check_claims(claimed, proofs, false, check);
  return std::nullopt;
}

}  // namespace nestor::app::cnm_space
