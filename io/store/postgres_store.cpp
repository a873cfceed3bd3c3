// Store in a PostgreSQL database, with the same tables as in SQLite, in the schema `nestor`. Claims skip rows
// that other claims have locked; leases use the server's clock. Every operation may run twice, because a
// connection can be lost after a statement took effect and before its answer arrives.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "io/store/backends.h"
#include "io/store/postgres_session.h"
#include "io/store/statements.h"

namespace nestor::io {
namespace {

using namespace postgres;  // NOLINT(google-build-using-namespace)

// The i-th migration upgrades version i to version i + 1. Released migrations never change.
//
// A row is rewritten when it is claimed and when it is finished. Its long texts stay in place
// (toast_tuple_target), new versions fit beside old ones (fillfactor), and old ones are removed early. LZ4,
// if the server has it, is faster than the server's own compression.
constexpr std::array migrations = {R"(
CREATE TABLE nestor.points (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  verb TEXT NOT NULL,
  inputs TEXT NOT NULL,
  options TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'todo' CHECK (state IN ('todo', 'running', 'done', 'failed')),
  owner TEXT,
  lease DOUBLE PRECISION,
  attempts BIGINT NOT NULL DEFAULT 0,
  error TEXT,
  status TEXT,
  objective DOUBLE PRECISION,
  lower_bound DOUBLE PRECISION,
  latency DOUBLE PRECISION,
  energy DOUBLE PRECISION,
  area DOUBLE PRECISION,
  seconds DOUBLE PRECISION,
  result TEXT
) WITH (fillfactor = 60, toast_tuple_target = 256, autovacuum_vacuum_scale_factor = 0.01,
        autovacuum_vacuum_threshold = 1000);
DO $$ BEGIN
  ALTER TABLE nestor.points ALTER COLUMN inputs SET COMPRESSION lz4, ALTER COLUMN result SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported OR syntax_error THEN NULL;
END $$;
CREATE INDEX open_points ON nestor.points (id) WHERE state = 'todo';
CREATE INDEX running_points ON nestor.points (lease) WHERE state = 'running';
CREATE TABLE nestor.plans (
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  digest TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE TABLE nestor.plan_rows (
  plan BIGINT NOT NULL REFERENCES nestor.plans (id),
  place BIGINT NOT NULL,
  point BIGINT NOT NULL REFERENCES nestor.points (id),
  machine TEXT NOT NULL,
  parameters TEXT NOT NULL,
  network TEXT NOT NULL,
  run TEXT NOT NULL,
  layer TEXT NOT NULL,
  repeat BIGINT NOT NULL,
  PRIMARY KEY (plan, place)
);
CREATE TABLE nestor.store_version (version BIGINT NOT NULL);
INSERT INTO nestor.store_version VALUES (0);
)"};
constexpr auto latest_version = static_cast<Int>(migrations.size());

// Acquires the lock under which migrations of the store and additions to it run one after another.
constexpr char take_turns[] = "SELECT pg_advisory_xact_lock(1314083922)";  // "NSTR"

constexpr char look_at_schema[] =
    "SELECT CASE WHEN to_regclass('nestor.store_version') IS NULL THEN 0 ELSE 1 END, "
    "CASE WHEN to_regnamespace('nestor') IS NULL THEN 0 ELSE 1 END, "
    "(SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('nestor'))";

// Marks points as failed if their workers ended too often. The claim then selects a single point whose worker
// is gone, because this point may have crashed the worker. If there is none, it selects open points. It skips
// rows that another claim has locked.
constexpr char claim_points[] =
    "WITH clock AS MATERIALIZED (SELECT extract(epoch FROM clock_timestamp())::float8 AS now), "
    "lost AS (UPDATE points SET state = 'failed', owner = NULL, lease = NULL, "
    "error = 'its workers ended without a result' WHERE id IN (SELECT id FROM points "
    "WHERE state = 'running' AND lease < (SELECT now FROM clock) AND attempts >= $3 "
    "FOR UPDATE SKIP LOCKED)), "
    "expired AS MATERIALIZED (SELECT id FROM points WHERE state = 'running' "
    "AND lease < (SELECT now FROM clock) AND attempts < $3 ORDER BY lease LIMIT 1 FOR UPDATE SKIP LOCKED), "
    "fresh AS MATERIALIZED (SELECT id FROM points WHERE state = 'todo' AND id > $5 ORDER BY id "
    "LIMIT CASE WHEN EXISTS (SELECT 1 FROM expired) THEN 0 ELSE $2::bigint END FOR UPDATE SKIP LOCKED) "
    "UPDATE points SET state = 'running', owner = $1, attempts = attempts + 1, "
    "lease = (SELECT now FROM clock) + $4::float8 "
    "WHERE id IN (SELECT id FROM expired UNION ALL SELECT id FROM fresh) "
    "RETURNING id, verb, inputs, options, attempts";

// One statement updates many points, because each statement has a fixed cost on the server.
constexpr char finish_points[] =
    "UPDATE points SET state = found.state, owner = NULL, lease = NULL, error = nullif(found.error, ''), "
    "status = nullif(found.status, ''), objective = found.objective, lower_bound = found.lower_bound, "
    "latency = found.latency, energy = found.energy, area = found.area, seconds = found.seconds, "
    "result = nullif(found.result, '') FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], "
    "$6::float8[], $7::float8[], $8::float8[], $9::float8[], $10::float8[], $11::float8[], $12::text[]) "
    "AS found(id, state, error, status, objective, lower_bound, latency, energy, area, seconds, result) "
    "WHERE points.id = found.id AND points.owner = $1 AND points.state = 'running'";

void bind_finished(Parameters& parameters, const std::string& owner, std::span<const FinishedPoint> points) {
  std::vector<Int> ids;
  std::array<std::vector<std::string>, 4> texts;
  std::array<std::vector<std::optional<double>>, 6> figures;
  for (const auto& point : points) {
    const auto& found = point.result;
    ids.push_back(point.id);
    texts[0].emplace_back(found.error.empty() ? "done" : "failed");
    texts[1].push_back(found.error);
    texts[2].push_back(found.status);
    texts[3].push_back(found.result);
    const std::array values = {found.objective, found.lower_bound, found.latency,
                               found.energy,    found.area,        std::optional(found.seconds)};
    for (std::size_t i = 0; i < values.size(); ++i) figures[i].push_back(values[i]);
  }
  parameters.bind(owner).bind(ids).bind(texts[0]).bind(texts[1]).bind(texts[2]);
  for (const auto& figure : figures) parameters.bind(figure);
  parameters.bind(texts[3]);
}

// Splits points into groups of at most 64 points and 4 MiB of results, or of a single larger point.
std::vector<std::span<const FinishedPoint>> in_portions(std::span<const FinishedPoint> points) {
  constexpr std::size_t most_points = 64;
  constexpr std::size_t most_bytes = std::size_t{4} << 20U;
  std::vector<std::span<const FinishedPoint>> portions;
  while (!points.empty()) {
    std::size_t count = 1;
    std::size_t bytes = points.front().result.result.size();
    while (count < std::min(points.size(), most_points) &&
           bytes + points[count].result.result.size() <= most_bytes)
      bytes += points[count++].result.result.size();
    portions.push_back(points.first(count));
    points = points.subspan(count);
  }
  return portions;
}

constexpr char put_back_unknown[] =
    "UPDATE points SET state = 'todo', owner = NULL, lease = NULL, attempts = attempts - 1 "
    "WHERE owner = $1 AND state = 'running' AND NOT id = ANY($2::bigint[])";

constexpr char renew_points[] =
    "UPDATE points SET lease = extract(epoch FROM clock_timestamp())::float8 + $3::float8 "
    "WHERE owner = $1 AND state = 'running' AND id = ANY($2::bigint[])";

constexpr char count_finished[] =
    "SELECT count(*) FROM points WHERE id = ANY($1::bigint[]) AND state IN ('done', 'failed')";

class PostgresStore final : public Store {
 public:
  PostgresStore(const std::string& url, StorePatience patience) : session_(url, patience) {}

  MaybeError open(StoreUse use) {
    return session_.run([&](bool) -> MaybeFailure {
      if (use == StoreUse::existing) return check_version();
      return session_.in_transaction([&] { return migrate(); });
    });
  }

  MaybeError add_plan(const PlanRecord& plan, std::span<const NewPoint> points,
                      std::span<const PlanRow> rows) override {
    auto error = session_.run(
        [&](bool) { return session_.in_transaction([&] { return insert_plan(plan, points, rows); }); });
    // Updates the statistics of a table that has just been filled. Only its owner may do so; a failure is
    // harmless.
    if (!error)
      session_.run([&](bool) {
        session_.command("ANALYZE points");
        return MaybeFailure();
      });
    return error;
  }

  Result<std::vector<ClaimedPoint>> claim(const std::string& owner, Int count, double lease) override {
    std::vector<ClaimedPoint> claimed;
    auto& held = held_[owner];
    const auto error = session_.run([&](bool again) -> MaybeFailure {
      claimed.clear();
      if (again)
        if (auto failed = session_.execute(put_back_unknown, Parameters().bind(owner).bind(ids(held))))
          return failed;
      auto failed = take(owner, count, lease, claimed);
      if (failed || !claimed.empty() || passed_ == 0) return failed;
      passed_ = 0;
      return take(owner, count, lease, claimed);
    });
    if (error) return *error;
    std::sort(claimed.begin(), claimed.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    for (const auto& point : claimed) held.insert(point.id);
    if (!claimed.empty() && claimed.front().attempts == 1) passed_ = claimed.front().id - 1;
    return claimed;
  }

  MaybeError renew(const std::string& owner, double lease) override {
    const auto& held = held_[owner];
    if (held.empty()) return std::nullopt;
    return session_.run([&](bool) {
      return session_.execute(renew_points, Parameters().bind(owner).bind(ids(held)).bind(lease));
    });
  }

  Result<Int> finish_all(const std::string& owner, std::span<const FinishedPoint> points) override {
    Int kept = 0;
    std::set<Int> finished;
    for (const auto& point : points) finished.insert(point.id);
    const auto portions = in_portions(points);
    const auto bind = [&](Parameters& values, std::size_t i) { bind_finished(values, owner, portions[i]); };
    const auto update = [&] { return session_.execute_all(finish_points, portions.size(), bind, &kept); };
    const auto error = session_.run([&](bool again) -> MaybeFailure {
      // A single statement is a transaction of its own.
      if (auto failed = portions.size() > 1 ? session_.in_transaction(update) : update()) return failed;
      if (!again || kept == static_cast<Int>(points.size())) return std::nullopt;
      return session_.execute(count_finished, Parameters().bind(ids(finished)),
                              [&](const Row& row) { kept = row.integer(0); });
    });
    for (const Int id : finished) held_[owner].erase(id);
    if (error) return *error;
    return kept;
  }

  MaybeError put_back(const std::string& owner) override {
    held_.erase(owner);
    return session_.run(
        [&](bool) { return session_.execute(statements::put_back, Parameters().bind(owner)); });
  }

  MaybeError put_back_some(const std::string& owner, std::span<const Int> ids) override {
    for (const Int id : ids) held_[owner].erase(id);
    return session_.run([&](bool) {
      return session_.execute_all(
          statements::put_back_one, ids.size(),
          [&](Parameters& parameters, std::size_t i) { parameters.bind(ids[i]).bind(owner); });
    });
  }

  Result<bool> has_unfinished() override {
    bool found = false;
    if (auto error = read(
            statements::unfinished, Parameters(), [&] { found = false; }, [&](const Row&) { found = true; }))
      return *error;
    return found;
  }

  Result<PointCounts> counts(const std::string& plan) override {
    PointCounts counts;
    const auto parameters = plan.empty() ? Parameters() : Parameters().bind(plan);
    if (auto error = read(
            plan.empty() ? statements::count_all : statements::count_plan, parameters, [&] { counts = {}; },
            [&](const Row& row) { statements::read_count(row, counts); }))
      return *error;
    return counts;
  }

  Result<std::vector<StoredRow>> rows(const std::string& plan) override {
    return read_all<StoredRow>(statements::rows, Parameters().bind(plan), statements::read_row<Row>);
  }
  Result<std::vector<PlanRecord>> plans() override {
    return read_all<PlanRecord>(statements::plans, Parameters(), [](const Row& row) {
      return PlanRecord{row.text(0), row.text(1), row.text(2)};
    });
  }
  Result<std::vector<StoredPoint>> points(Int after, Int count) override {
    return read_all<StoredPoint>(statements::points, Parameters().bind(after).bind(count),
                                 statements::read_point<Row>);
  }

  MaybeError add_points(std::span<const StoredPoint> points) override {
    return session_.run([&](bool) {
      return session_.in_transaction([&]() -> MaybeFailure {
        if (auto failed = session_.execute(take_turns)) return failed;
        return session_.execute_all(
            statements::copy_point, points.size(),
            [&](Parameters& parameters, std::size_t i) { statements::bind_copy(parameters, points[i]); });
      });
    });
  }

 private:
  MaybeFailure take(const std::string& owner, Int count, double lease, std::vector<ClaimedPoint>& claimed) {
    return session_.execute(
        claim_points, Parameters().bind(owner).bind(count).bind(most_attempts).bind(lease).bind(passed_),
        [&](const Row& row) {
          claimed.push_back({row.integer(0), row.text(1), row.text(2), row.text(3), row.integer(4)});
        });
  }
  static std::vector<Int> ids(const std::set<Int>& held) { return {held.begin(), held.end()}; }

  template <typename Begin, typename OnRow>
  MaybeError read(const char* sql, const Parameters& parameters, Begin begin, OnRow on_row) {
    return session_.run([&](bool) {
      begin();
      return session_.execute(sql, parameters, on_row);
    });
  }

  template <typename Record, typename Read>
  Result<std::vector<Record>> read_all(const char* sql, const Parameters& parameters, Read read_one) {
    std::vector<Record> records;
    if (auto error = read(
            sql, parameters, [&] { records.clear(); },
            [&](const Row& row) { records.push_back(read_one(row)); }))
      return *error;
    return records;
  }

  /// Reads the version of the store, or 0 if there is none.
  MaybeFailure read_version(Int& version) {
    bool has_version = false;
    has_schema_ = false;
    Int relations = 0;
    version = 0;
    if (auto failed = session_.execute(look_at_schema, Parameters(), [&](const Row& row) {
          has_version = row.integer(0) == 1;
          has_schema_ = row.integer(1) == 1;
          relations = row.integer(2);
        }))
      return failed;
    if (!has_version && relations > 0)
      return Failure{session_.refuse("has a schema 'nestor' that is not a store of sweeps")};
    if (!has_version) return std::nullopt;
    auto failed = session_.execute("SELECT version FROM nestor.store_version", Parameters(),
                                   [&](const Row& row) { version = row.integer(0); });
    if (!failed && version > latest_version)
      failed = Failure{
          session_.refuse(fmt::format("has schema version {}, expected {}", version, latest_version))};
    return failed;
  }

  MaybeFailure check_version() {
    Int version = 0;
    if (auto failed = read_version(version)) return failed;
    if (version == 0) return Failure{session_.refuse("has no store (`nestor sweep PLAN.yaml` creates one)")};
    if (version < latest_version)
      return Failure{session_.refuse(
          fmt::format("has schema version {}, expected {}: its owner upgrades it with `nestor sweep`",
                      version, latest_version))};
    return std::nullopt;
  }

  MaybeFailure migrate() {
    Int version = 0;
    if (auto failed = session_.execute(take_turns)) return failed;
    if (auto failed = read_version(version)) return failed;
    if (version == latest_version) return std::nullopt;
    if (!has_schema_)
      if (auto failed = session_.command("CREATE SCHEMA nestor")) return failed;
    for (; version < latest_version; ++version)
      if (auto failed = session_.command(migrations[static_cast<std::size_t>(version)])) return failed;
    return session_.execute("UPDATE nestor.store_version SET version = $1", Parameters().bind(version));
  }

  MaybeFailure insert_plan(const PlanRecord& plan, std::span<const NewPoint> points,
                           std::span<const PlanRow> rows) {
    if (auto failed = session_.execute(take_turns)) return failed;
    if (auto failed = session_.execute_all(
            statements::add_point, points.size(),
            [&](Parameters& parameters, std::size_t i) { statements::bind_point(parameters, points[i]); }))
      return failed;
    Parameters of_plan;
    statements::bind_plan(of_plan, plan);
    Int id = 0;
    if (auto failed =
            session_.execute(statements::add_plan, of_plan, [&](const Row& row) { id = row.integer(0); }))
      return failed;
    if (auto failed = session_.execute(statements::remove_rows, Parameters().bind(id))) return failed;
    return session_.execute_all(statements::add_row, rows.size(), [&](Parameters& parameters, std::size_t i) {
      statements::bind_row(parameters, id, static_cast<Int>(i), rows[i]);
    });
  }

  Session session_;
  std::map<std::string, std::set<Int>> held_;  ///< points that each owner has claimed
  /// A claim searches only for points with larger ids, because the index contains finished points until the
  /// server cleans it. If it finds none, it searches again from id 0, for points that were put back.
  Int passed_ = 0;
  bool has_schema_ = false;
};

}  // namespace

Result<std::unique_ptr<Store>> open_postgresql(const std::string& url, StoreUse use, StorePatience patience) {
  auto store = std::make_unique<PostgresStore>(url, patience);
  if (auto error = store->open(use)) return *error;
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace nestor::io
