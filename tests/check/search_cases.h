// Random cases that the search solves quickly, and functions that log its proofs and replay them with the
// checker, without a proof file.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#include "check/cim/rules.h"
#include "check/replay.h"
#include "check_cases.h"
#include "kept_lists.h"
#include "mapper/cim/map_layer.h"

namespace nestor::check_cases {

inline mapper::CimLayerMap search(const tests::RandomCase& sample, const mapper::CimRequest& request,
                                  EngineObserver* observer = nullptr) {
  const auto executor = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 30U);
  return mapper::map_layer(sample.layer, sample.architecture.machine, request, {*executor, memory}, observer);
}

inline mapper::CimRequest request_for(const Asked& asked) {
  mapper::CimRequest request;
  request.objective.latency_model = asked.miredo ? cim::LatencyModel::miredo : cim::LatencyModel::stall;
  request.pareto = asked.word == "pareto";
  if (asked.word == "energy") request.objective.kind = cim::ObjectiveKind::energy;
  if (asked.word == "edp") request.objective.kind = cim::ObjectiveKind::edp;
  if (asked.word == "eq14") {
    request.objective.kind = cim::ObjectiveKind::eq14;
    request.objective.latency_weight = asked.mu2.empty() ? 1 : given_mu1;
    request.objective.additive_weight = asked.mu2.empty() ? -1 : std::stod(asked.mu2);
  }
  if (asked.word == "blended") {
    request.objective.kind = cim::ObjectiveKind::blended;
    request.objective.latency_weight = 0.3;
    request.objective.additive_weight = 0.2;
  }
  return request;
}

// Returns a case that is easy for the search, since the checker lacks most techniques that make the search
// fast. In every eighth case, the memories are so small that only some mappings fit, or none.
inline tests::RandomCase small_case(std::uint64_t seed) {
  const auto is_easy = [](const tests::RandomCase& sample, const Asked& asked, std::uint64_t work) {
    auto request = request_for(asked);
    request.work_limit = work;
    const auto status = search(sample, request).status;
    return status == Status::optimal || status == Status::infeasible;
  };
  for (std::uint64_t attempt = 0;; ++attempt) {
    auto sample = tests::random_case(seed + 30'000'000 + (attempt << 40U), {.max_steps = 48,
                                                                            .max_loops = 4,
                                                                            .graded = seed % 4 != 0,
                                                                            .mirrored = seed % 10 == 9,
                                                                            .groups = seed % 4 == 2});
    if (seed % 8 == 5)
      for (auto& memory : sample.architecture.machine.memories)
        if (memory.capacity != unlimited_capacity)
          memory.capacity = std::max<Int>(1, memory.capacity * 2 / 3);
    if (!is_easy(sample, {"edp", false}, 300)) continue;
    // Node limit for eq14: if sizes have almost no weight, a search may take very long.
    constexpr std::uint64_t most = 100'000;
    if (is_easy(sample, {"eq14", false, "0.002"}, most) && is_easy(sample, {"eq14", true, "0.002"}, most))
      return sample;
  }
}

/// Appends the search's claim for a case, as one line, to the file that NESTOR_CLAIMS names. tests/mutation
/// compares these claims for builds with and without a fault.
inline void note_claim(const tests::RandomCase& sample, const Asked& asked,
                       const mapper::CimLayerMap& found) {
  const char* path = std::getenv("NESTOR_CLAIMS");
  if (path == nullptr) return;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "a"), &std::fclose);
  if (!file) return;
  std::fprintf(file.get(), "%016zx %s\t", std::hash<std::string>()(sample.describe()),
               to_string(asked).c_str());
  if (asked.word != "pareto" && !found.best.empty())
    std::fprintf(file.get(), "%.9g", found.best.front().objective);
  const auto model = asked.miredo ? cim::LatencyModel::miredo : cim::LatencyModel::stall;
  for (const auto& point : found.front)
    std::fprintf(file.get(), " %lld:%.9g", static_cast<long long>(point.evaluation.cycles(model)),
                 point.evaluation.energy_pj);
  std::fprintf(file.get(), "\n");
}

/// Records the nodes that a search reports.
class ProofLog final : public EngineObserver {
 public:
  explicit ProofLog(std::size_t axes) : axes_(axes) {}
  void round_ended(const EngineProgress& /*progress*/) override {}
  bool needs_labels() const override { return true; }
  void branch_left(const KeptLabels& labels) override { choices_.push_back(logged(labels, axes_)); }
  const std::vector<check::LoggedChoice>& choices() const { return choices_; }

 private:
  std::size_t axes_;
  std::vector<check::LoggedChoice> choices_;
};

inline check::ReplayReport replay(const CheckedCimCase& problem, const check::Claim& claim,
                                  const std::vector<check::LoggedChoice>& choices) {
  std::size_t next = 0;
  const auto source = [&](check::LoggedChoice& choice) {
    if (next == choices.size()) return false;
    choice = choices[next++];
    return true;
  };
  return check::replay<check::Rules>(problem.layer, problem.machine, {claim, {}}, source);
}

}  // namespace nestor::check_cases
