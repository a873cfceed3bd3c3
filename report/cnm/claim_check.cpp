#include "report/cnm/claim_check.h"

#include <fmt/format.h>

#include "report/keys/cnm.h"
#include "report/keys/common.h"

namespace nestor::report {

std::vector<ClaimedOptimum> claims_of(const KernelWork& work, const io::Json& claims) {
  std::vector<ClaimedOptimum> all;
  const bool is_network = !work.network.empty();
  for (std::size_t i = 0; i < work.tasks.size(); ++i) {
    const auto& entry = is_network ? claims[key::layers][i] : claims;
    auto& claim = all.emplace_back(claim_of_layer(work.tasks[i].name));
    if (!is_network) claim.subject = fmt::format("kernel {}", claim.name);
    claim.status = status_of(entry);
    claim.lower_bound = number_of(entry, key::lower_bound_ms);
    claim.objective = number_of(entry, key::time_ms);
    const auto& top = list_of(entry, key::top);
    for (std::size_t place = 1; place < top.size(); ++place)
      claim.alternatives.push_back(number_of(top[place], key::time_ms));
  }
  return all;
}

ProvedOptimum proof_of_kernel(const cnm::MapResult& result, std::span<const cnm::RankedMap> ranked) {
  ProvedOptimum proof;
  proof.status = result.status;
  if (result.status == Status::infeasible || !result.refusal.empty()) return proof;
  proof.bound = result.status == Status::optimal ? result.time_ms : result.bound_ms;
  if (result.time_ms > 0) proof.best.push_back(result.time_ms);
  for (std::size_t place = 1; place < ranked.size(); ++place) proof.best.push_back(ranked[place].time_ms);
  return proof;
}

}  // namespace nestor::report
