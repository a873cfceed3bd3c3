// nestor map for the cnm space: the best mapping of a kernel, or of each layer of a network, with proof.
#include <algorithm>

#include "app/cnm/cnm.h"
#include "app/cnm/offload.h"
#include "app/cnm/program_input.h"
#include "app/cnm/work.h"
#include "app/console.h"
#include "app/interrupt.h"
#include "app/memory.h"
#include "app/output.h"
#include "io/output_file.h"
#include "mapper/cnm/explain.h"
#include "mapper/cnm/map_network.h"
#include "mapper/cnm/rank.h"
#include "report/cnm/explanation.h"
#include "report/cnm/map_tables.h"
#include "report/cnm/padding.h"
#include "report/cnm/proof_writer.h"
#include "report/cnm/result_json.h"
#include "report/map_progress.h"
#include "report/tables/progress.h"
#include "solver/engine/stop_source.h"

namespace nestor::app::cnm_space {
namespace {

cnm::MapRequest request_of(const io::RunOptions& options) {
  cnm::MapRequest request;
  request.pad_percent = options.pad;
  // --top and --all list only mappings that consist of one map.
  const bool lists = options.top > 1 || !options.all.empty();
  request.most_maps = lists ? 1 : static_cast<int>(options.most_maps);
  request.channel_space = options.library_streams ? cnm::ChannelSpace::library : cnm::ChannelSpace::whole;
  const double left = std::max(0.0, options.run_time_limit - seconds_since(program_start()));
  request.time_limit = std::min(left, options.layer_time_limit);
  request.work_limit = static_cast<std::uint64_t>(options.work_limit.value_or(0));
  request.gap = options.gap / 100;
  request.threads = static_cast<int>(options.threads);
  request.executor = options.executor;
  request.memory_bytes = memory_limit(options);
  request.keep_proof = !options.proof.empty();
  request.interrupted = &watch_signals();
  return request;
}

io::Error infeasible(const KernelTask& task, const std::string& why) {
  io::Error error;
  error.kind = io::ErrorKind::infeasible;
  error.where.file = task.input.file;
  error.message = why;
  return error;
}

// Returns an error if --proof is given but not supported. Proofs are supported only for a single MLIR kernel,
// mapped as one map, over the whole space.
io::MaybeError unprovable(const io::RunOptions& options, const KernelWork& work) {
  const auto refuse = [](std::string_view what) {
    return io::usage_error(fmt::format("--proof: nestor-check has no rules for {}", what));
  };
  if (options.proof.empty()) return std::nullopt;
  if (options.library_streams) return refuse("--space channels");
  if (!work.network.empty()) return refuse("layers of networks on cnm systems");
  if (options.most_maps > 1) return refuse("several maps");
  if (!work.tasks[0].input.kernel->library_call.empty()) return refuse("kernels of the library");
  return std::nullopt;
}

Status stopped(const cnm::MapRequest& request) {
  StopSource stop;
  stop.watch(request.interrupted);
  return stop.status();
}

// Writes all allowed mappings to a file and stores the best ones in `best`. Returns the limit that caused
// mappings to be omitted, if any.
std::optional<Status> write_all(const io::RunOptions& options, const cnm::Kernel& kernel,
                                const cnm::System& system, std::vector<cnm::RankedMap>& best,
                                Outputs& outputs) {
  const auto request = request_of(options);
  const auto [ranking, is_stopped] = cnm::rank_all(kernel, system, report::shipped_library(), request);
  if (is_stopped || !ranking.complete()) {
    print_remark("--all: nothing is written because not all mappings could be ranked");
    return is_stopped ? stopped(request) : Status::memory_limit;
  }
  for (std::size_t i = 0; i < std::min(ranking.size(), static_cast<std::size_t>(options.top)); ++i)
    best.push_back(ranking[i]);
  StopSource stop(deadline_after(request.time_limit));
  stop.watch(request.interrupted);
  std::size_t written = 0;
  outputs.add(io::write_somewhere(options.all, report::ranked_pieces(ranking, system, stop, written)));
  const auto text = report::written_text(options.all, written, ranking.size());
  if (prints_tables(options)) print_text(text);
  return written < ranking.size() ? std::optional(stop.status()) : std::nullopt;
}

// Finds the best mappings for --top, or writes all mappings to the file of --all. Returns the limit that
// caused mappings to be omitted, if any.
std::optional<Status> rank(const io::RunOptions& options, const cnm::Kernel& kernel,
                           const cnm::System& system, report::KernelRecord& record,
                           std::vector<cnm::FormCycles>& proof, Outputs& outputs) {
  if (options.all.empty() && options.top <= 1) return std::nullopt;
  std::vector<cnm::RankedMap> best;
  std::optional<Status> limit;
  if (options.all.empty()) {
    const auto request = request_of(options);
    auto ranked =
        cnm::rank_best(kernel, system, report::shipped_library(), static_cast<std::size_t>(options.top),
                       request, request.keep_proof ? &proof : nullptr);
    if (!ranked) return stopped(request);
    best = std::move(*ranked);
  } else {
    limit = write_all(options, kernel, system, best, outputs);
    if (best.empty()) return limit;
  }
  if (prints_tables(options) && options.top > 1) print_text(report::ranked_text(best));
  record.search->best = std::move(best);
  return limit;
}

/// Shows the progress of the search.
class Reporter final : public EngineObserver {
 public:
  explicit Reporter(const std::vector<KernelTask>& tasks) : tasks_(tasks) {}
  void begin_kernel(std::size_t kernel) {
    kernel_ = kernel;
    if (tasks_.size() > 1 && line_.due())
      line_.show(io::layer_progress(kernel + 1, tasks_.size(), tasks_[kernel].name));
  }
  void round_ended(const EngineProgress& progress) override {
    if (!line_.due()) return;
    EngineProgress in_ms = progress;
    in_ms.incumbent = cnm::ms_of(progress.incumbent);
    in_ms.bound = cnm::ms_of(progress.bound);
    report::show(line_, {kernel_, tasks_.size(), tasks_[kernel_].name, in_ms, seconds_since(begin_)});
  }
  void close(const std::vector<cnm::MapResult>& results) {
    line_.clear();
    for (std::size_t i = 0; i < results.size(); ++i)
      report::log_end(line_, tasks_[i].name, results[i].status, results[i].time_ms);
  }

 private:
  const std::vector<KernelTask>& tasks_;
  std::size_t kernel_ = 0;
  StopSource::Clock::time_point begin_ = StopSource::Clock::now();
  io::ProgressLine line_;
};

bool is_proved(Status status) { return status == Status::optimal || status == Status::gap_reached; }

// Stores the found mapping in the task. A search result that contradicts the estimate is a bug.
io::Result<report::MappedTask> take_mapping(KernelTask& task, const cnm::System& system, double pad_percent,
                                            cnm::MapResult result) {
  report::MappedTask mapped{std::move(result), std::nullopt, task.input.kernel->extents, pad_percent};
  if (!mapped.result.refusal.empty()) return infeasible(task, mapped.result.refusal);
  task.input.kernel = mapped.result.kernel;
  if (mapped.result.time_ms <= 0) return mapped;
  task.mapping = mapped.result.mapping;
  auto estimate = report::estimate_task(task, system).estimate;
  if (!estimate.refusal.empty())
    return io::internal_error("the search found a mapping that cannot be estimated: " + estimate.refusal);
  if (cnm::cost_of(estimate.time_ms) != cnm::cost_of(mapped.result.time_ms))
    return io::internal_error("the search and the estimate disagree on the time of the mapping");
  const auto& extents = task.input.kernel->extents;
  if (mapped.asked != extents) estimate.note = report::padding_note(mapped.asked, extents);
  mapped.estimate = std::move(estimate);
  return mapped;
}

struct MappedTasks {
  std::vector<report::MappedTask> all;
  std::vector<report::KernelRecord> records;
  std::vector<std::size_t> alike;  ///< index of the first equal task, for each task
  bool proved = true;
};
// Stores the mappings in the tasks. Layers of a network without a legal mapping are left out. A single kernel
// without a legal mapping is an error.
io::Result<MappedTasks> take_mappings(const io::RunOptions& options, report::KernelWork& work,
                                      std::vector<cnm::MapResult> results,
                                      const std::vector<std::size_t>& alike) {
  MappedTasks mapped;
  std::vector<report::KernelTask> kept;
  std::vector<std::size_t> place(results.size());  // new positions of the tasks that are kept
  for (std::size_t i = 0; i < results.size(); ++i) {
    report::KernelTask& task = work.tasks[i];
    if (!work.network.empty() && !results[i].refusal.empty()) {
      work.left_out.push_back({task.name, results[i].refusal, task.macs});
      continue;
    }
    place[i] = kept.size();
    mapped.alike.push_back(place[alike[i]]);
    if (alike[i] < i) {
      task.input.kernel = results[i].kernel;
      task.mapping = kept[place[alike[i]]].mapping;
      mapped.all.push_back(report::MappedTask(mapped.all[place[alike[i]]]));
    } else {
      auto taken = take_mapping(task, work.system, options.pad, std::move(results[i]));
      if (!taken) return taken.error();
      mapped.all.push_back(std::move(*taken));
    }
    mapped.proved = mapped.proved && is_proved(mapped.all.back().result.status);
    mapped.records.push_back(report::mapped_record(task, mapped.all.back(), work.system));
    kept.push_back(std::move(task));
  }
  if (kept.empty()) return infeasible(work.tasks[0], work.left_out.back().why);
  work.tasks = std::move(kept);
  return mapped;
}

}  // namespace

io::Result<ExitStatus> map(const io::RunOptions& options) {
  if (options.convolution == cnm::ConvolutionForm::direct)
    return io::usage_error("--conv direct requires estimate: map treats convolutions as matrix products");
  if (is_placement(options) || options.is_given("times")) return place(options, request_of(options));
  if (auto error = refuse_program_options(options)) return *error;
  auto work = read_kernels(options);
  if (!work) return work.error();
  for (const KernelTask& task : work->tasks)
    if (!task.input.kernel)
      return io::usage_error("a kernel that is already lowered cannot be mapped: expected MLIR or a network");
  if (auto error = unprovable(options, *work)) return *error;
  if (options.pad_auto)
    return io::usage_error(
        "--pad is 'auto', expected a percentage: the search for kind 'cnm' covers all extents up to it");
  if (options.most_maps > 1 && (options.pad > 0 || options.top > 1 || !options.all.empty()))
    return io::usage_error("--maps 2 cannot be used with --pad, --top or --all, which search single maps");
  const bool network = !work->network.empty();
  if (network && (options.explain || !options.all.empty() || options.top > 1) && work->tasks.size() > 1)
    return io::usage_error("--explain, --all and --top require a single kernel: choose one with --layer");
  std::vector<cnm::Kernel> kernels;
  for (const KernelTask& task : work->tasks) kernels.push_back(*task.input.kernel);
  const auto alike = cnm::first_alike(kernels);
  auto request = request_of(options);
  request.time_limit = options.layer_time_limit;
  if (network && request.most_maps == 0) request.most_maps = 1;  // by default, one map for each layer
  Reporter reporter(work->tasks);
  request.observer = &reporter;
  auto results = cnm::map_network(kernels, alike, work->system, report::shipped_library(), request,
                                  std::max(0.0, options.run_time_limit - seconds_since(program_start())),
                                  [&](std::size_t i) { reporter.begin_kernel(i); });
  reporter.close(results);
  if (options.no_times)
    for (auto& result : results) result.seconds = 0;
  auto mapped = take_mappings(options, *work, std::move(results), alike);
  if (!mapped) return mapped.error();
  auto& [all, records, shown_alike, proved] = *mapped;
  if (prints_tables(options) && network) print_text(report::network_text(*work, all, shown_alike));
  if (prints_tables(options) && !network) print_text(report::mapped_text(work->tasks[0], all[0]));
  Outputs outputs;
  std::optional<Status> limit;
  if (work->tasks.size() == 1) {
    auto& result = all[0].result;
    limit = rank(options, kernels[0], work->system, records[0], result.proof, outputs);
    if (options.explain) {
      auto changes = cnm::explain(kernels[0], report::changed_systems(work->system),
                                  report::shipped_library(), request_of(options));
      if (prints_tables(options)) print_text(report::changes_text(changes, result.time_ms));
      records[0].search->changes = std::move(changes);
    }
  }
  const auto json = report::result_json(io::Verb::map, *work, options, records);
  outputs.add(report::write_kernel_proof(options.proof, json, all[0].result.proof));
  outputs.add(write_json_output(options, json));
  const auto missing = std::count_if(work->left_out.begin(), work->left_out.end(),
                                     [](const report::LeftOutLayer& layer) { return layer.macs > 0; });
  if (missing > 0) print_remark(fmt::format("{} layers are not mapped", missing));
  for (const auto& task : all)
    if (!is_proved(task.result.status)) limit = task.result.status;
  if (limit) return outputs.end(limited_by(to_string(*limit)));
  return outputs.end(proved && missing == 0 ? ExitStatus::solved : ExitStatus::limited);
}

}  // namespace nestor::app::cnm_space
