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
  /// False if the point belongs to another by now; the result is not kept then.
  virtual Result<bool> finish(const std::string& owner, Int id, const PointResult& result) = 0;
  /// The owner's unfinished points are open again, as if it had not claimed them.
  virtual MaybeError put_back(const std::string& owner) = 0;
  /// Of one plan, or of all points if the name is empty.
  virtual Result<PointCounts> counts(const std::string& plan) = 0;
  /// Rows of a plan in its order.
  virtual Result<std::vector<StoredRow>> rows(const std::string& plan) = 0;
  virtual Result<std::vector<PlanRecord>> plans() = 0;
};

enum class StoreUse { create, existing };

/// FILE.db or sqlite:FILE.db. A file that is not a store, is damaged, or has another schema version is an
/// error and stays as it is. `remark`: what a user should know, on standard error.
Result<std::unique_ptr<Store>> open_store(const std::string& url, StoreUse use, std::string& remark);

}  // namespace nestor::io
