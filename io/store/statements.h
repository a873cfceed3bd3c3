// SQL statements that all stores share verbatim, and functions that bind their parameters and read their
// rows. `$1` is a parameter in both SQLite and PostgreSQL. In each statement, the first occurrences of the
// parameters are in ascending order. SQLite uses its index of open and running points only if `state IN
// (...)` repeats the index's condition. Binders have bind(); rows have text(), integer(), number() and
// optional() for a column. Private to io/store.
#pragma once

#include <string>

#include "io/store/store.h"

namespace nestor::io::statements {

inline constexpr char add_point[] =
    "INSERT INTO points (key, verb, inputs, options) VALUES ($1, $2, $3, $4) ON CONFLICT (key) DO NOTHING";

inline constexpr char add_plan[] =
    "INSERT INTO plans (name, digest, text) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET "
    "digest = excluded.digest, text = excluded.text RETURNING id";

inline constexpr char remove_rows[] = "DELETE FROM plan_rows WHERE plan = $1";

inline constexpr char add_row[] =
    "INSERT INTO plan_rows (plan, place, point, machine, parameters, network, run, layer, repeat) "
    "VALUES ($1, $2, (SELECT id FROM points WHERE key = $3), $4, $5, $6, $7, $8, $9)";

inline constexpr char put_back[] =
    "UPDATE points SET state = 'todo', owner = NULL, lease = NULL, attempts = attempts - 1 "
    "WHERE owner = $1 AND state = 'running' AND state IN ('todo', 'running')";

inline constexpr char put_back_one[] =
    "UPDATE points SET state = 'todo', owner = NULL, lease = NULL, attempts = attempts - 1 "
    "WHERE id = $1 AND owner = $2 AND state = 'running'";

inline constexpr char unfinished[] =
    "SELECT 1 FROM points WHERE state = 'todo' AND state IN ('todo', 'running') UNION ALL "
    "SELECT 1 FROM points WHERE state = 'running' AND state IN ('todo', 'running') LIMIT 1";

inline constexpr char count_all[] = "SELECT state, count(*) FROM points GROUP BY state";

inline constexpr char count_plan[] =
    "SELECT state, count(*) FROM points WHERE id IN (SELECT point FROM plan_rows JOIN plans "
    "ON plans.id = plan WHERE name = $1) GROUP BY state";

inline constexpr char rows[] =
    "SELECT key, machine, parameters, network, run, layer, repeat, state, error, status, objective, "
    "lower_bound, latency, energy, area, seconds FROM plan_rows JOIN plans ON plans.id = plan "
    "JOIN points ON points.id = point WHERE name = $1 ORDER BY place";

inline constexpr char plans[] = "SELECT name, digest, text FROM plans ORDER BY id";

inline constexpr char points[] =
    "SELECT id, key, verb, inputs, options, state, attempts, error, status, objective, lower_bound, latency, "
    "energy, area, seconds, result FROM points WHERE id > $1 ORDER BY id LIMIT $2";

inline constexpr char copy_point[] =
    "INSERT INTO points (key, verb, inputs, options, state, attempts, error, status, objective, lower_bound, "
    "latency, energy, area, seconds, result) VALUES ($1, $2, $3, $4, $5, $6, nullif($7, ''), "
    "nullif($8, ''), $9, $10, $11, $12, $13, $14, nullif($15, '')) ON CONFLICT (key) DO UPDATE SET "
    "state = excluded.state, attempts = excluded.attempts, error = excluded.error, "
    "status = excluded.status, objective = excluded.objective, lower_bound = excluded.lower_bound, "
    "latency = excluded.latency, energy = excluded.energy, area = excluded.area, "
    "seconds = excluded.seconds, result = excluded.result WHERE points.state = 'todo'";

template <typename Binder>
void bind_plan(Binder& binder, const PlanRecord& plan) {
  binder.bind(plan.name).bind(plan.digest).bind(plan.text);
}

template <typename Binder>
void bind_point(Binder& binder, const NewPoint& point) {
  binder.bind(point.key).bind(point.verb).bind(point.inputs).bind(point.options);
}

template <typename Binder>
void bind_row(Binder& binder, Int plan, Int place, const PlanRow& row) {
  binder.bind(plan).bind(place).bind(row.point_key).bind(row.machine).bind(row.parameters);
  binder.bind(row.network).bind(row.run).bind(row.layer).bind(row.repeat);
}

template <typename Binder>
void bind_figures(Binder& binder, const PointResult& result, std::optional<double> seconds) {
  binder.bind(result.error).bind(result.status).bind(result.objective).bind(result.lower_bound);
  binder.bind(result.latency).bind(result.energy).bind(result.area).bind(seconds).bind(result.result);
}

/// Binds a point for a copy between stores. A point that a worker has claimed becomes open in the copy.
template <typename Binder>
void bind_copy(Binder& binder, const StoredPoint& point) {
  const bool is_finished = point.state == "done" || point.state == "failed";
  bind_point(binder, point);
  binder.bind(is_finished ? point.state : std::string("todo")).bind(is_finished ? point.attempts : 0);
  bind_figures(binder, point.found, is_finished ? std::optional(point.found.seconds) : std::nullopt);
}

/// Reads the figures of a row. They start with `error`, which is in column `column`.
template <typename Row>
PointResult read_figures(const Row& row, int column) {
  PointResult found;
  found.error = row.text(column);
  found.status = row.text(column + 1);
  found.objective = row.optional(column + 2);
  found.lower_bound = row.optional(column + 3);
  found.latency = row.optional(column + 4);
  found.energy = row.optional(column + 5);
  found.area = row.optional(column + 6);
  found.seconds = row.number(column + 7);
  return found;
}

template <typename Row>
StoredRow read_row(const Row& row) {
  StoredRow stored;
  stored.point_key = row.text(0);
  stored.machine = row.text(1);
  stored.parameters = row.text(2);
  stored.network = row.text(3);
  stored.run = row.text(4);
  stored.layer = row.text(5);
  stored.repeat = row.integer(6);
  stored.state = row.text(7);
  stored.found = read_figures(row, 8);
  return stored;
}

template <typename Row>
StoredPoint read_point(const Row& row) {
  StoredPoint point;
  point.id = row.integer(0);
  point.key = row.text(1);
  point.verb = row.text(2);
  point.inputs = row.text(3);
  point.options = row.text(4);
  point.state = row.text(5);
  point.attempts = row.integer(6);
  point.found = read_figures(row, 7);
  point.found.result = row.text(15);
  return point;
}

template <typename Row>
void read_count(const Row& row, PointCounts& counts) {
  const auto state = row.text(0);
  (state == "todo"      ? counts.todo
   : state == "running" ? counts.running
   : state == "done"    ? counts.done
                        : counts.failed) = row.integer(1);
}

}  // namespace nestor::io::statements
