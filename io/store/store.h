// Store of a sweep's points and results, which several processes share: the interface that every database
// implements (docs/sweep.md, "Points and the store"). A point is a piece of work with a key that stands for
// its content; a plan has rows, each of which names its point, so that equal work is done once. A worker
// claims points for as long as its lease, renewed by heartbeats, lasts; points of a worker that is gone are
// claimed again, at most `most_attempts` times.
//
//   auto store = open_store("sqlite:runs.db", StoreUse::create);
//   (*store)->add_plan(plan, points, rows);
//   while (auto claimed = (*store)->claim("me", 4, 60); claimed && !claimed->empty())
//     for (const auto& point : *claimed) (*store)->finish("me", point.id, solve(point));
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/checked.h"
#include "io/error.h"

namespace nestor::io {

struct PlanRecord {
  std::string name;
  std::string digest;
  std::string text;
};

struct NewPoint {
  std::string key;
  std::string verb;
  std::string inputs;   ///< JSON
  std::string options;  ///< JSON
};

/// A row of a plan's table before machines, networks and runs are added up.
struct PlanRow {
  std::string point_key;
  std::string machine;
  std::string parameters;  ///< JSON object: path to value
  std::string network;
  std::string run;  ///< JSON object: option to value
  std::string layer;
  Int repeat = 1;
};

struct ClaimedPoint {
  Int id = 0;
  std::string verb;
  std::string inputs;
  std::string options;
  Int attempts = 1;  ///< more: a worker ended while it held the point
};

struct PointResult {
  std::string error;  ///< not empty: the point cannot be solved, which is its result
  std::string status;
  std::optional<double> objective;
  std::optional<double> lower_bound;
  std::optional<double> latency;
  std::optional<double> energy;
  std::optional<double> area;
  double seconds = 0;
  std::string result;  ///< JSON
};

struct FinishedPoint {
  Int id = 0;
  PointResult result;
};

/// A point with what is known of it, as one store hands it to another.
struct StoredPoint : NewPoint {
  Int id = 0;
  std::string state;  ///< as in StoredRow
  Int attempts = 0;
  PointResult found;
};

struct StoredRow : PlanRow {
  std::string state;  ///< todo, running, done, failed
  PointResult found;
};

struct PointCounts {
  Int todo = 0;
  Int running = 0;
  Int done = 0;
  Int failed = 0;
  Int all() const { return todo + running + done + failed; }
};

class Store {
 public:
  static constexpr Int most_attempts = 3;
  /// Bytes of a text that is kept: inputs, a result. A worker turns a larger result into a failed point.
  static constexpr std::size_t most_text = std::size_t{16} << 20U;

  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  /// Adds what is not there yet, in one transaction; rows of an older plan of this name are replaced.
  virtual MaybeError add_plan(const PlanRecord& plan, std::span<const NewPoint> points,
                              std::span<const PlanRow> rows) = 0;
  /// At most `count` open points, for so many seconds; none: nothing is left to claim now. A point whose
  /// workers ended most_attempts times becomes failed.
  virtual Result<std::vector<ClaimedPoint>> claim(const std::string& owner, Int count, double lease) = 0;
  /// A heartbeat: the owner's points are its own for so many seconds from now.
  virtual MaybeError renew(const std::string& owner, double lease) = 0;
  /// How many were kept, in one transaction: the result of a point that belongs to another by now is not.
  virtual Result<Int> finish_all(const std::string& owner, std::span<const FinishedPoint> points) = 0;
  /// The same of one point: true if it was kept.
  Result<bool> finish(const std::string& owner, Int id, const PointResult& result) {
    const FinishedPoint point{id, result};
    const auto kept = finish_all(owner, {&point, 1});
    if (!kept) return kept.error();
    return *kept == 1;
  }
  /// The owner's unfinished points are open again, as if it had not claimed them.
  virtual MaybeError put_back(const std::string& owner) = 0;
  /// The same of these points only.
  virtual MaybeError put_back_some(const std::string& owner, std::span<const Int> ids) = 0;
  /// True if points are open, or claimed and not finished.
  virtual Result<bool> has_unfinished() = 0;
  /// Of one plan, or of all points if the name is empty.
  virtual Result<PointCounts> counts(const std::string& plan) = 0;
  /// Rows of a plan in its order.
  virtual Result<std::vector<StoredRow>> rows(const std::string& plan) = 0;
  virtual Result<std::vector<PlanRecord>> plans() = 0;
  /// At most `count` points with an id beyond `after`, in the order of their ids.
  virtual Result<std::vector<StoredPoint>> points(Int after, Int count) = 0;
  /// Adds points with their results, in one transaction. One that is here and not open stays as it is.
  virtual MaybeError add_points(std::span<const StoredPoint> points) = 0;
};

enum class StoreUse { create, existing };

/// How long a server that does not answer is waited for: so many seconds, or until the flag is set.
struct StorePatience {
  double seconds = 300;
  const std::atomic<bool>* interrupted = nullptr;
};

/// FILE.db or sqlite:FILE.db; postgresql://USER@HOST/DATABASE where libpq was there at build time. A file
/// that is not a store, is damaged, or has another schema version is an error and stays as it is, and so is a
/// database. `remark`: what a user should know, on standard error.
Result<std::unique_ptr<Store>> open_store(const std::string& url, StoreUse use, std::string& remark,
                                          StorePatience patience = {});

/// True if the URL names a server, which processes on several machines can share.
bool is_on_server(std::string_view url);

/// A usage error if the URL is malformed, of an unknown kind, or holds a password (which is not repeated).
MaybeError check_store_url(const std::string& url);

}  // namespace nestor::io
