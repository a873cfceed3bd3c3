// Store of a sweep's points and results, shared by several processes: the interface that every database
// implements (docs/sweep.md, "Points and the store"). A point is a piece of work with a key derived from its
// content. Each row of a plan refers to its point, so that equal work is done once. Claimed points belong to
// the worker during its lease, which heartbeats renew. After the lease expires, other workers may claim the
// points again, until a point has been claimed `most_attempts` times.
//
//   std::string remark;
//   auto store = open_store("sqlite:runs.db", StoreUse::create, remark);
//   (*store)->add_plan(plan, points, rows);
//   for (;;) {
//     auto claimed = (*store)->claim("me", 4, 60);
//     if (!claimed || claimed->empty()) break;
//     for (const auto& point : *claimed) (*store)->finish("me", point.id, solve(point));
//   }
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

/// One layer of a network on one machine, in one run of a plan. The table of the plan adds up the layers of
/// each combination of machine, network and run.
struct PlanRow {
  std::string point_key;
  std::string machine;
  std::string parameters;  ///< JSON object from paths to values
  std::string network;
  std::string run;  ///< JSON object from options to values
  std::string layer;
  Int repeat = 1;
};

struct ClaimedPoint {
  Int id = 0;
  std::string verb;
  std::string inputs;
  std::string options;
  Int attempts = 1;  ///< above 1 if an earlier worker ended before it finished the point
};

struct PointResult {
  std::string error;  ///< if not empty, the point cannot be solved, and this is its result
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

/// A point with its known results, for copying between stores.
struct StoredPoint : NewPoint {
  Int id = 0;
  std::string state;  ///< as in StoredRow
  Int attempts = 0;
  PointResult found;
};

struct StoredRow : PlanRow {
  std::string state;  ///< todo, running, done or failed
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
  /// Size limit of a stored text (inputs or a result) in bytes. If a result is larger, the worker stores the
  /// point as failed.
  static constexpr std::size_t most_text = std::size_t{16} << 20U;

  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  virtual ~Store() = default;

  /// Adds a plan, its rows and missing points in one transaction. Rows of an older plan with this name are
  /// replaced.
  virtual MaybeError add_plan(const PlanRecord& plan, std::span<const NewPoint> points,
                              std::span<const PlanRow> rows) = 0;
  /// Claims at most `count` open points for `lease` seconds; an empty list means that no point can be claimed
  /// now. A point fails after its workers have ended most_attempts times.
  virtual Result<std::vector<ClaimedPoint>> claim(const std::string& owner, Int count, double lease) = 0;
  /// Renews the lease of the owner's points for `lease` seconds from now (a heartbeat).
  virtual MaybeError renew(const std::string& owner, double lease) = 0;
  /// Stores results in one transaction and returns their number. The result of a point that now belongs to
  /// another owner is dropped.
  virtual Result<Int> finish_all(const std::string& owner, std::span<const FinishedPoint> points) = 0;
  /// Stores the result of one point; returns true if the result was accepted.
  Result<bool> finish(const std::string& owner, Int id, const PointResult& result) {
    const FinishedPoint point{id, result};
    const auto kept = finish_all(owner, {&point, 1});
    if (!kept) return kept.error();
    return *kept == 1;
  }
  /// Reopens the owner's unfinished points, as if it had not claimed them.
  virtual MaybeError put_back(const std::string& owner) = 0;
  /// Reopens the points with these ids that the owner has claimed and not finished.
  virtual MaybeError put_back_some(const std::string& owner, std::span<const Int> ids) = 0;
  /// True if points are open, or claimed and not finished.
  virtual Result<bool> has_unfinished() = 0;
  /// Counts the points of one plan, or all points if the name is empty.
  virtual Result<PointCounts> counts(const std::string& plan) = 0;
  /// Returns the rows of a plan in order.
  virtual Result<std::vector<StoredRow>> rows(const std::string& plan) = 0;
  virtual Result<std::vector<PlanRecord>> plans() = 0;
  /// Returns at most `count` points with an id above `after`, ordered by id.
  virtual Result<std::vector<StoredPoint>> points(Int after, Int count) = 0;
  /// Adds points with their results in one transaction. Existing points that are not open remain unchanged.
  virtual MaybeError add_points(std::span<const StoredPoint> points) = 0;
};

enum class StoreUse { create, existing };

/// Limit in seconds on the wait for a server that does not answer. Once `interrupted` is set, the limit is at
/// most 5 s.
struct StorePatience {
  double seconds = 300;
  const std::atomic<bool>* interrupted = nullptr;
};

/// Opens FILE.db, sqlite:FILE.db or, in a build with libpq, postgresql://USER@HOST/DATABASE. A file or
/// database that is not a store, is damaged, or has another schema version is an error and remains unchanged.
/// `remark` is a note for the user, to be written to standard error.
Result<std::unique_ptr<Store>> open_store(const std::string& url, StoreUse use, std::string& remark,
                                          StorePatience patience = {});

/// True if the URL names a server, which processes on several machines can share.
bool is_on_server(std::string_view url);

/// Returns a usage error if the URL is malformed, of an unknown kind, or contains a password (which is not
/// repeated).
MaybeError check_store_url(const std::string& url);

}  // namespace nestor::io
