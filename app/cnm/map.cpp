// nestor map for the cnm space: the best mapping of a kernel, or of every layer of a network, proved.
#include <algorithm>
#include <chrono>

#include "app/cnm/cnm.h"
#include "app/cnm/work.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "io/output_file.h"
#include "mapper/cnm/map_kernel.h"
#include "model/cnm/search/ranking.h"
#include "report/cnm/estimate_json.h"
#include "report/cnm/explanation.h"
#include "report/cnm/map_tables.h"
#include "report/cnm/padding.h"
#include "report/cnm/proof_writer.h"
#include "report/tables/progress.h"
#include "solver/engine/stop_source.h"

namespace nestor::app::cnm_space {
namespace {

cnm::MapRequest request_of(const io::RunOptions& options) {
  cnm::MapRequest request;
  request.pad = static_cast<Int>(options.pad);
  request.time_limit = std::min(options.run_time_limit, options.layer_time_limit);
  request.work_limit = static_cast<std::uint64_t>(options.work_limit);
  request.gap = options.gap;
  request.threads = static_cast<int>(options.threads);
  request.executor = options.executor;
  request.memory_bytes = static_cast<std::size_t>(options.memory_limit);
  request.keep_proof = !options.proof.empty();
  request.interrupted = &watch_signals();
  return request;
}

constexpr std::size_t bytes_of_a_line = 128;  // with the member itself

io::Error infeasible(const KernelTask& task, const std::string& why) {
  io::Error error;
  error.kind = io::ErrorKind::infeasible;
  error.where.file = task.input.file;
  error.message = why;
  return error;
}

io::Error stopped() {
  io::Error error;
  error.kind = io::ErrorKind::limit;
  error.message = "stopped before the space was ranked";
  return error;
}

// One kernel on UPMEM, from MLIR.
io::MaybeError unprovable(const io::RunOptions& options, const KernelWork& work) {
  const auto refuse = [](std::string_view what) {
    return io::usage_error(fmt::format("--proof: nestor-check has no rules for {}", what));
  };
  if (options.proof.empty()) return std::nullopt;
  if (work.system.target != cnm::Target::upmem) return refuse("systems of target hbm-pim");
  if (!work.network.empty()) return refuse("layers of networks on cnm systems");
  if (!work.tasks[0].input.kernel->library_call.empty()) return refuse("kernels of the library");
  return std::nullopt;
}

// The N best, or all of them to a file.
io::MaybeError rank(const io::RunOptions& options, const cnm::Kernel& kernel, const cnm::System& system,
                    io::Json& entry, std::vector<cnm::FormCycles>& proof, Outputs& outputs) {
  if (options.all.empty() && options.top <= 1) return std::nullopt;
  const auto request = request_of(options);
  StopSource stop(deadline_after(request.time_limit));
  stop.watch(request.interrupted);
  std::vector<cnm::RankedMap> best;
  if (options.all.empty()) {
    best =
        cnm::rank_mappings(kernel, system, report::shipped_library(), static_cast<std::size_t>(options.top),
                           &stop, request.pad, request.keep_proof ? &proof : nullptr);
    if (stop.requested()) return stopped();
  } else {
    const auto executor = make_executor(options.executor, static_cast<int>(options.threads));
    const auto ranking =
        cnm::Ranking::of_padded(kernel, request.pad, system, report::shipped_library(), *executor,
                                static_cast<std::size_t>(options.memory_limit) / bytes_of_a_line, &stop);
    if (!ranking.complete() && stop.requested()) return stopped();
    if (!ranking.complete())
      return io::usage_error("--all: more mappings than --memory-limit allows to be ranked");
    for (std::size_t i = 0; i < std::min(ranking.size(), static_cast<std::size_t>(options.top)); ++i)
      best.push_back(ranking[i]);
    outputs.add(io::write_somewhere(options.all, report::ranked_csv(ranking, system)));
  }
  report::add_ranked(entry, best);
  if (prints_tables(options) && options.top > 1) print_text(report::ranked_text(best));
  return std::nullopt;
}

bool is_proved(Status status) { return status == Status::optimal || status == Status::gap_reached; }

io::Result<report::MappedTask> map_task(KernelTask& task, const KernelWork& work,
                                        const cnm::MapRequest& request) {
  report::MappedTask mapped;
  mapped.result = cnm::map_kernel(*task.input.kernel, work.system, report::shipped_library(), request);
  const cnm::MapResult& result = mapped.result;
  if (!result.refusal.empty()) return infeasible(task, result.refusal);
  if (result.status == Status::infeasible)
    return infeasible(task, "no mapping of this kernel is legal on the system");
  const auto asked = task.input.kernel->extents;
  task.input.kernel = result.kernel;
  if (result.time_ms <= 0) return mapped;
  task.mapping = {result.map};
  auto estimate = report::estimate_task(task, work.system).estimate;
  if (!estimate.refusal.empty())
    return io::internal_error("the mapping found is refused: " + estimate.refusal);
  if (cnm::cost_of(estimate.time_ms) != cnm::cost_of(result.time_ms))
    return io::internal_error("the mapping found costs another time than was counted");
  if (asked != result.kernel.extents) estimate.note = report::padding_note(asked, result.kernel.extents);
  mapped.estimate = std::move(estimate);
  return mapped;
}

// The first layer with the same extents and types.
std::vector<std::size_t> find_twins(const std::vector<KernelTask>& tasks) {
  std::vector<std::size_t> twins;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    std::size_t twin = 0;
    for (; twin < i; ++twin) {
      cnm::Kernel named = *tasks[twin].input.kernel;
      named.name = tasks[i].input.kernel->name;
      if (named == *tasks[i].input.kernel) break;
    }
    twins.push_back(twin);
  }
  return twins;
}

}  // namespace

io::Result<ExitStatus> map(const io::RunOptions& options) {
  auto work = read_kernels(options);
  if (!work) return work.error();
  for (const KernelTask& task : work->tasks)
    if (!task.input.kernel)
      return io::usage_error("a kernel that is lowered already cannot be mapped: expected MLIR or a network");
  if (auto error = unprovable(options, *work)) return *error;
  const bool network = !work->network.empty();
  const cnm::Kernel asked = *work->tasks[0].input.kernel;  // its extents may grow
  if (network && (options.explain || !options.all.empty() || options.top > 1) && work->tasks.size() > 1)
    return io::usage_error("--explain, --all and --top go with one kernel: expected --layer");
  const auto begin = std::chrono::steady_clock::now();
  const auto twins = find_twins(work->tasks);
  std::vector<report::MappedTask> all;
  std::vector<io::Json> entries;
  bool proved = true;
  io::ProgressLine progress;
  for (std::size_t i = 0; i < work->tasks.size(); ++i) {
    KernelTask& task = work->tasks[i];
    if (network && progress.due()) progress.show(io::layer_progress(i + 1, work->tasks.size(), task.name));
    if (twins[i] < i) {
      const auto name = task.input.kernel->name;
      task.input.kernel = work->tasks[twins[i]].input.kernel;
      task.input.kernel->name = name;
      task.mapping = work->tasks[twins[i]].mapping;
      all.push_back(report::MappedTask(all[twins[i]]));
    } else {
      auto request = request_of(options);
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
      request.time_limit =
          std::min(options.layer_time_limit, std::max(0.0, options.run_time_limit - spent.count()));
      auto mapped = map_task(task, *work, request);
      if (!mapped) return mapped.error();
      all.push_back(std::move(*mapped));
    }
    proved = proved && is_proved(all.back().result.status);
    entries.push_back(report::mapped_json(task, all.back(), work->system));
  }
  progress.clear();
  if (prints_tables(options) && network) print_text(report::network_text(*work, all, twins));
  if (prints_tables(options) && !network) print_text(report::mapped_text(all[0]));
  Outputs outputs;
  if (work->tasks.size() == 1) {
    auto& result = all[0].result;
    if (auto error = rank(options, asked, work->system, entries[0], result.proof, outputs)) return *error;
    if (options.explain) {
      const auto changes = report::explain_kernel(asked, work->system, request_of(options));
      if (prints_tables(options)) print_text(report::changes_text(changes, result.time_ms));
      report::add_changes(entries[0], changes);
    }
  }
  const auto json = report::result_json("map", *work, options, entries);
  outputs.add(report::write_kernel_proof(options.proof, json, all[0].result.proof));
  outputs.add(write_json_output(options, json));
  return outputs.end(proved ? ExitStatus::solved : ExitStatus::limited);
}

}  // namespace nestor::app::cnm_space
