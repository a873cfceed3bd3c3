// nestor store copy FROM TO adds the points, results and plans of one store to another. nestor store create
// STORE makes an empty store, so that rights to its tables can be granted before the first plan.
#include <fmt/format.h>

#include "app/console.h"
#include "app/interrupt.h"
#include "app/verb_table.h"
#include "io/store/store.h"

namespace nestor::app {
namespace {

struct Copied {
  Int points = 0;
  Int plans = 0;
};

// Copies a store. Each piece is one transaction and existing points are skipped, so a copy that was stopped
// can be repeated.
io::Result<Copied> copy(io::Store& from, io::Store& to, const std::atomic<bool>& interrupted) {
  constexpr Int piece = 64;
  Copied copied;
  for (Int last = 0;;) {
    const auto points = from.points(last, piece);
    if (!points) return points.error();
    if (points->empty()) break;
    if (auto error = to.add_points(*points)) return *error;
    last = points->back().id;
    copied.points += static_cast<Int>(points->size());
    if (interrupted.load())
      return io::limit_error(
          fmt::format("interrupted after {} points; run the same command to continue", copied.points));
  }
  const auto plans = from.plans();
  if (!plans) return plans.error();
  for (const auto& plan : *plans) {
    const auto stored = from.rows(plan.name);
    if (!stored) return stored.error();
    if (auto error = to.add_plan(plan, {}, std::vector<io::PlanRow>(stored->begin(), stored->end())))
      return *error;
    ++copied.plans;
  }
  return copied;
}

}  // namespace

io::Result<ExitStatus> store(const io::RunOptions& options, Spaces /*spaces*/) {
  const auto& words = options.inputs;
  const bool copies = words.size() == 3 && words[0] == "copy";
  const bool creates = words.size() == 2 && words[0] == "create";
  if (!copies && !creates)
    return io::usage_error("expected: nestor store copy FROM TO, or nestor store create STORE");
  for (std::size_t i = 1; i < words.size(); ++i)
    if (auto error = io::check_store_url(words[i])) return *error;
  const auto& interrupted = watch_signals();
  const io::StorePatience patience{.interrupted = &interrupted};
  std::string remark;
  if (creates) {
    const auto created = io::open_store(words[1], io::StoreUse::create, remark, patience);
    if (!created) return created.error();
    print_remark(remark);
    return ExitStatus::solved;
  }
  const auto from = io::open_store(words[1], io::StoreUse::existing, remark, patience);
  if (!from) return from.error();
  const auto to = io::open_store(words[2], io::StoreUse::create, remark, patience);
  if (!to) return to.error();
  print_remark(remark);
  const auto copied = copy(**from, **to, interrupted);
  if (!copied) return copied.error();
  print("{} points and {} plans copied\n", copied->points, copied->plans);
  return ExitStatus::solved;
}

}  // namespace nestor::app
