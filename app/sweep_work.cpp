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
#include "app/sweep_whole.h"
#include "io/printable.h"
#include "report/tables/progress.h"

namespace nestor::app {
namespace {

constexpr std::size_t program_memory = std::size_t{26} << 20U;

io::PointResult failed(std::string error) {
  io::PointResult result;
  result.error = std::move(error);
  return result;
}

// Makes the text of a result valid for a store.
io::PointResult checked(io::PointResult result) {
  result.error = io::printable(result.error);  // it may quote inputs; a database needs valid text
  if (result.result.size() > io::Store::most_text)
    return failed(fmt::format("its result has {} bytes, but a store accepts at most {}", result.result.size(),
                              io::Store::most_text));
  return result;
}

io::PointResult solve(const io::ClaimedPoint& point, Spaces spaces, const mapper::Resources& resources) {
  const auto inputs = io::Document::parse(point.inputs, "inputs.json");
  const auto given = io::Document::parse(point.options, "options.json");
  const auto verb = io::swept_verbs.find(point.verb);
  if (!inputs || !given || !verb) return failed("the point in the store is invalid");
  io::RunOptions options;
  for (std::size_t i = 0; i < given->root().size(); ++i)
    if (const auto error =
            io::set_option(options, *verb, given->root().key(i).text(), given->root().value(i).text()))
      return failed(error->message);
  if (!inputs->root().find(point_layer))
    return checked(solve_whole(*verb, inputs->root(), options, *resources.interrupted, spaces));
  const auto machine = inputs->root().find(point_machine);
  const auto kind = machine ? machine->find("kind") : std::nullopt;
  const Space* const space = kind ? find_space(spaces, kind->text()) : nullptr;
  if (space == nullptr || space->sweep == nullptr) return failed("the point in the store is invalid");
  return checked(space->sweep->solve(inputs->root(), options, resources));
}

std::string process_name() {
  constexpr std::size_t longest = 255;
  std::string host(longest + 1, '\0');
  gethostname(host.data(), longest);
  return fmt::format("{}:{}:{}", host.c_str(), getpid(),
                     std::chrono::system_clock::now().time_since_epoch().count());
}

/// Threads that claim and solve points. One further thread renews their leases.
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
    {
      const std::lock_guard lock(mutex_);
      end();
    }
    heart.join();
    line_.clear();
    const std::lock_guard lock(mutex_);
    if (!failure_) keep_finished();
    done_.interrupted = interrupted_.load();
    done_.out_of_time = is_late();
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
      auto point = next();
      if (!point) {
        if (!waits_for_others()) return;
        continue;
      }
      mapper::Resources resources{*executor, memory_};
      resources.deadline = deadline_;
      resources.interrupted = &interrupted_;
      const auto begin = Clock::now();
      auto result = solve(*point, spaces_, resources);
      const std::lock_guard lock(mutex_);
      // A search that was cut short by the end of the run has no result.
      if (interrupted_.load() || is_late()) return;
      finished_.push_back({point->id, std::move(result)});
      timed_ = std::min<Int>(timed_ + 1, 8);
      seconds_a_point_ += (seconds_since(begin) - seconds_a_point_) / static_cast<double>(timed_);
      // The result of a point that an earlier worker did not finish is stored immediately, because its number
      // of attempts is limited.
      if (point->attempts > 1 || seconds_since(kept_) > 2 * batch_seconds) keep_finished();
      show_progress();
    }
  }

  /// Number of points to claim and store together: as many as are likely to take `batch_seconds`, and at most
  /// twice the previous number.
  std::size_t at_once() const {
    const double most = std::min(256.0, 2 * static_cast<double>(last_batch_));
    return static_cast<std::size_t>(std::clamp(batch_seconds / std::max(seconds_a_point_, 1e-9), 1.0, most));
  }

  void keep_finished() {
    kept_ = Clock::now();
    if (finished_.empty()) return;
    const auto kept = store_.finish_all(owner_, finished_);
    finished_.clear();
    if (!kept) return fail(kept.error());
    done_.solved += *kept;
  }

  std::optional<io::ClaimedPoint> next() {
    const std::lock_guard lock(mutex_);
    if (claimed_.empty() && !claim()) return std::nullopt;
    auto point = std::move(claimed_.back());
    claimed_.pop_back();
    return point;
  }

  bool claim() {
    keep_finished();
    auto count = static_cast<Int>(at_once());
    if (options_.most_points) count = std::min(count, *options_.most_points - asked_);
    none_left_ = count == 0;
    if (none_left_ || ended_) return false;
    auto claimed = store_.claim(owner_, count, options_.lease);
    if (!claimed) {
      fail(claimed.error());
      return false;
    }
    if (claimed->empty()) return false;
    claimed_.assign(std::make_move_iterator(claimed->rbegin()), std::make_move_iterator(claimed->rend()));
    asked_ += static_cast<Int>(claimed_.size());
    last_batch_ = claimed_.size();
    last_claim_ = Clock::now();
    pause_ = shortest_pause;
    return true;
  }

  // Pauses if points that other processes have claimed may become open again. Returns false if no point can.
  bool waits_for_others() {
    std::unique_lock lock(mutex_);
    if (none_left_ || ended_) return false;
    const auto unfinished = store_.has_unfinished();
    if (!unfinished) {
      fail(unfinished.error());
      return false;
    }
    if (!*unfinished) return false;
    woken_.wait_for(lock, pause_);
    pause_ = std::min(pause_ * 2, longest_pause);
    return true;
  }

  /// Renews claims. Finished results and unused claims are returned to the store without waiting for a slow
  /// point.
  void beat() {
    std::unique_lock lock(mutex_);
    const std::chrono::duration<double> renewal(options_.lease / 4);
    const auto tick = std::min(renewal, std::chrono::duration<double>(1));
    auto renewed = Clock::now();
    while (!ended_) {
      if (woken_.wait_for(lock, tick, [this] { return ended_.load(); })) return;
      if (seconds_since(kept_) > 2 * batch_seconds) keep_finished();
      put_back_waiting();
      if (ended_ || Clock::now() - renewed < renewal) continue;
      renewed = Clock::now();
      if (auto error = store_.renew(owner_, options_.lease)) fail(*error);
    }
  }

  void put_back_waiting() {
    constexpr double longest_wait = 4 * batch_seconds;
    if (claimed_.empty() || ended_ || seconds_since(last_claim_) < longest_wait) return;
    std::vector<Int> ids;
    for (const auto& point : claimed_) ids.push_back(point.id);
    claimed_.clear();
    asked_ -= static_cast<Int>(ids.size());
    if (auto error = store_.put_back_some(owner_, ids)) fail(*error);
  }

  // Counting reads every point, so it may use at most a hundredth of the time.
  void show_progress() {
    if (!line_.due() || Clock::now() < next_count_) return;
    const auto before = Clock::now();
    const auto counts = store_.counts(plan_);
    next_count_ = Clock::now() + 100 * (Clock::now() - before);
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
  std::mutex mutex_;  // protects the store and all members below
  std::condition_variable woken_;
  std::atomic<bool> ended_ = false;
  bool none_left_ = false;
  Int asked_ = 0;                            ///< points claimed so far
  std::vector<io::ClaimedPoint> claimed_;    ///< in reverse order: the next one is last
  std::vector<io::FinishedPoint> finished_;  ///< results that are not yet stored
  static constexpr double batch_seconds = 1;
  double seconds_a_point_ = batch_seconds;  ///< recent average
  Int timed_ = 0;                           ///< number of points in the average
  std::size_t last_batch_ = 1;
  Clock::time_point kept_ = Clock::now();
  Clock::time_point last_claim_ = Clock::now();
  static constexpr std::chrono::milliseconds shortest_pause{50}, longest_pause{1600};
  std::chrono::milliseconds pause_ = shortest_pause;  ///< pause before the next request for points
  WorkedOff done_;
  io::MaybeError failure_;
  io::ProgressLine line_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_count_ = begin_;
};

}  // namespace

io::Result<WorkedOff> work_off(io::Store& store, const std::string& plan, const io::RunOptions& options,
                               Spaces spaces) {
  return Workers(store, plan, options, spaces).run();
}

}  // namespace nestor::app
