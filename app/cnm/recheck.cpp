#include "app/cnm/recheck.h"

#include <algorithm>

#include "app/interrupt.h"
#include "app/memory.h"
#include "app/recheck.h"
#include "mapper/cnm/rank.h"
#include "report/cnm/claim_check.h"
#include "report/cnm/padding.h"
#include "report/cnm/result_check.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "solver/engine/stop_source.h"

namespace nestor::app::cnm_space {
namespace {

// The search to repeat for a kernel of a result. The kernel's extents may have been padded.
struct Question {
  cnm::Kernel kernel;
  double pad_percent = 0;
  int most_maps = 1;
  std::size_t listed = 1;  ///< number of best mappings in the result's list
  cnm::ChannelSpace channel_space = cnm::ChannelSpace::whole;
  friend bool operator==(const Question&, const Question&) = default;
};

Question question_of(const report::KernelTask& task, const io::Json& entry, std::size_t listed) {
  const auto searched = entry.find(key::searched);
  const bool cut =
      searched != entry.end() && (*searched == cnm::of_two_maps || *searched == cnm::of_two_channel_maps);
  Question question{*task.input.kernel, report::pad_of(entry), cut ? 2 : 1, listed, {}};
  if (searched != entry.end() && *searched == cnm::of_library_streams)
    question.channel_space = cnm::ChannelSpace::library;
  auto& asked = question.kernel;
  asked.name.clear();
  asked.extents = report::extents_asked(entry, asked);
  return question;
}

report::ProvedOptimum answer(const Question& question, const cnm::System& system, cnm::MapRequest request) {
  request.pad_percent = question.pad_percent;
  request.most_maps = question.most_maps;
  request.channel_space = question.channel_space;
  auto result = cnm::map_kernel(question.kernel, system, report::shipped_library(), request);
  std::vector<cnm::RankedMap> ranked;
  if (question.listed > 1 && result.status == Status::optimal) {
    auto best = cnm::rank_best(question.kernel, system, report::shipped_library(), question.listed, request);
    if (best)
      ranked = std::move(*best);
    else
      result.status = Status::time_limit;
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
    if (!task.input.kernel) return std::nullopt;  // a lowered kernel has no mappings
  const auto claimed = report::claims_of(work, claims);
  std::vector<Question> questions;
  std::vector<report::ProvedOptimum> proofs;
  for (std::size_t i = 0; i < work.tasks.size(); ++i) {
    const auto& entry = work.network.empty() ? claims : claims[key::layers][i];
    auto question = question_of(work.tasks[i], entry, claimed[i].alternatives.size() + 1);
    const auto twin = std::find(questions.begin(), questions.end(), question);
    if (twin != questions.end()) {
      proofs.push_back(report::ProvedOptimum(proofs[static_cast<std::size_t>(twin - questions.begin())]));
    } else {
      cnm::MapRequest request;
      request.time_limit = std::max(0.0, options.run_time_limit - seconds_since(program_start()));
      request.memory_bytes = memory_limit(options);
      request.interrupted = &watch_signals();
      proofs.push_back(answer(question, work.system, request));
    }
    questions.push_back(std::move(question));
  }
  report::check_claims(claimed, proofs, false, report::unproved_kernel_claims, check);
  return std::nullopt;
}

}  // namespace nestor::app::cnm_space
