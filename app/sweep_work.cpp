// Threads of one process that solve open points of a store.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "app/interrupt.h"
#include "app/map_task.h"
#include "app/sweep.h"
#include "app/sweep_space.h"
#include "report/tables/progress.h"

namespace nestor::app {
namespace {

constexpr std::size_t program_memory = std::size_t{24} << 20U;

io::PointResult failed(std::string error) {
  io::PointResult result;
  result.error = std::move(error);
  return result;
}

io::PointResult solve(const io::ClaimedPoint& point, Spaces spaces, const mapper::Resources& resources) {
  const auto inputs = io::Document::parse(point.inputs, "inputs.json");
  const auto given = io::Document::parse(point.options, "options.json");
  if (!inputs || !given || point.verb != "map") return failed("the store has no such work");
  io::RunOptions options;
  for (std::size_t i = 0; i < given->root().size(); ++i)
    if (const auto error = io::set_option(options, io::Verb::map, given->root().key(i).text(),
                                          given->root().value(i).text()))
      return failed(error->message);
  const auto machine = inputs->root().find(point_machine);
  const auto kind = machine ? machine->find("kind") : std::nullopt;
  const Space* const space = kind ? find_space(spaces, kind->text()) : nullptr;
  if (space == nullptr || space->sweep == nullptr || !inputs->root().find(point_layer))
    return failed("the store has no such work");
  return space->sweep->solve(inputs->root(), options, resources);
}

std::string process_name() {
  constexpr std::size_t longest = 255;
  std::string host(longest + 1, '\0');
  gethostname(host.data(), longest);
  return fmt::format("{}:{}:{}", host.c_str(), getpid(),
                     std::chrono::system_clock::now().time_since_epoch().count());
}

/// Threads that claim and solve points one by one; a further one renews their leases.
class Workers {
 public:
  Workers(io::Store& store, std::string plan, const io::RunOptions& options, Spaces spaces)
      : store_(store),
        plan_(std::move(plan)),
        options_(options),
        spaces_(spaces),
        memory_(search_memory(options, program_memory)),
        deadline_(deadline_after(options.run_time_limit, program_start())),
        owner_(process_name()) {}

  io::Result<WorkedOff> run() {
    const std::size_t count = options_.threads > 0 ? static_cast<std::size_t>(options_.threads)
                                                   : std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back([this] { solve_points(); });
    std::thread heart([this] { beat(); });
    for (auto& thread : threads) thread.join();
    end();
    heart.join();
    line_.clear();
    done_.interrupted = interrupted_.load();
    done_.out_of_time = is_late();
    const std::lock_guard lock(mutex_);
    if (auto error = store_.put_back(owner_); error && !failure_) failure_ = error;
    if (failure_) return *failure_;
    return done_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool is_late() const { return deadline_ && Clock::now() >= *deadline_; }
  bool stops() const { return interrupted_.load() || is_late() || ended_.load(); }

  void end() {
    ended_ = true;
    woken_.notify_all();
  }

  void fail(const io::Error& error) {
    if (!failure_) failure_ = error;
    end();
  }

  void solve_points() {
    const auto executor = make_executor(ExecutorKind::serial, 1);
    while (!stops()) {
      auto point = claim();
      if (!point) {
        if (!waits_for_others()) return;
        continue;
      }
      mapper::Resources resources{*executor, memory_};
      resources.deadline = deadline_;
      resources.interrupted = &interrupted_;
      const auto result = solve(*point, spaces_, resources);
      const std::lock_guard lock(mutex_);
      // A search that was cut short by the end of the run is no result.
      if (interrupted_.load() || is_late()) return;
      const auto kept = store_.finish(owner_, point->id, result);
      if (!kept) return fail(kept.error());
      done_.solved += *kept ? 1 : 0;
      show_progress();
    }
  }

  std::optional<io::ClaimedPoint> claim() {
    const std::lock_guard lock(mutex_);
    if (options_.most_points > 0 && claimed_ >= options_.most_points) {
      none_left_ = true;
      return std::nullopt;
    }
    auto claimed = store_.claim(owner_, 1, options_.lease);
    if (!claimed) {
      fail(claimed.error());
      return std::nullopt;
    }
    if (claimed->empty()) return std::nullopt;
    ++claimed_;
    return std::move(claimed->front());
  }

  // Nothing is open; points of other processes may come back.
  bool waits_for_others() {
    std::unique_lock lock(mutex_);
    if (none_left_ || ended_) return false;
    const auto counts = store_.counts("");
    if (!counts) {
      fail(counts.error());
      return false;
    }
    if (counts->todo > 0) return true;
    if (counts->running == 0) return false;
    constexpr auto pause = std::chrono::milliseconds(200);
    woken_.wait_for(lock, pause);
    return true;
  }

  void beat() {
    std::unique_lock lock(mutex_);
    const auto pause = std::chrono::duration<double>(options_.lease / 4);
    while (!ended_) {
      if (woken_.wait_for(lock, pause, [this] { return ended_.load(); })) return;
      if (auto error = store_.renew(owner_, options_.lease)) fail(*error);
    }
  }

  void show_progress() {
    if (!line_.due()) return;
    const auto counts = store_.counts(plan_);
    if (!counts) return;
    const double seconds = seconds_since(begin_);
    const double rate = static_cast<double>(done_.solved) / std::max(seconds, 1e-3);
    line_.show(
        fmt::format("{} of {} points{}, {:.1f}/s, about {:.0f} s left", counts->done + counts->failed,
                    counts->all(), counts->failed > 0 ? fmt::format(" ({} failed)", counts->failed) : "",
                    rate, static_cast<double>(counts->todo) / std::max(rate, 1e-9)),
        {.finished = static_cast<std::size_t>(counts->done + counts->failed),
         .all = static_cast<std::size_t>(counts->all())});
  }

  io::Store& store_;
  std::string plan_;
  const io::RunOptions& options_;
  Spaces spaces_;
  MemoryBudget memory_;
  Deadline deadline_;
  std::string owner_;
  const std::atomic<bool>& interrupted_ = watch_signals();
  std::mutex mutex_;  // of the store and all below
  std::condition_variable woken_;
  std::atomic<bool> ended_ = false;
  bool none_left_ = false;
  Int claimed_ = 0;
  WorkedOff done_;
  io::MaybeError failure_;
  io::ProgressLine line_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

io::Result<WorkedOff> work_off(io::Store& store, const std::string& plan, const io::RunOptions& options,
                               Spaces spaces) {
  return Workers(store, plan, options, spaces).run();
}

}  // namespace nestor::app
