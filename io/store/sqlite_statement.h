// The schema of SQLite stores, the statements that only SQLite uses, and a class for prepared statements.
// Values reach SQL only through bind(). Private to io/store.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/checked.h"

namespace nestor::io::sqlite {

inline constexpr std::int32_t application_id = 0x4e535452;  // "NSTR"
inline constexpr int schema_version = 1;

inline constexpr const char* schema = R"(
CREATE TABLE points (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  verb TEXT NOT NULL,
  inputs TEXT NOT NULL,
  options TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'todo' CHECK (state IN ('todo', 'running', 'done', 'failed')),
  owner TEXT,
  lease REAL,
  attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  status TEXT,
  objective REAL,
  lower_bound REAL,
  latency REAL,
  energy REAL,
  area REAL,
  seconds REAL,
  result TEXT
);
CREATE INDEX open_points ON points (state, id) WHERE state IN ('todo', 'running');
CREATE TABLE plans (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  digest TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE TABLE plan_rows (
  plan INTEGER NOT NULL REFERENCES plans (id),
  place INTEGER NOT NULL,
  point INTEGER NOT NULL REFERENCES points (id),
  machine TEXT NOT NULL,
  parameters TEXT NOT NULL,
  network TEXT NOT NULL,
  run TEXT NOT NULL,
  layer TEXT NOT NULL,
  repeat INTEGER NOT NULL,
  PRIMARY KEY (plan, place)
) WITHOUT ROWID;
)";

inline constexpr char fail_lost[] =
    "UPDATE points SET state = 'failed', owner = NULL, lease = NULL, "
    "error = 'its workers ended without a result' "
    "WHERE state = 'running' AND state IN ('todo', 'running') AND lease < ? AND attempts >= ?";

// A point whose worker is gone is claimed alone, because the point may have crashed the worker.
inline constexpr char claim_expired[] =
    "UPDATE points SET state = 'running', owner = ?1, lease = ?2, attempts = attempts + 1 "
    "WHERE id IN (SELECT id FROM points WHERE state = 'running' AND state IN ('todo', 'running') "
    "AND lease < ?3 ORDER BY id LIMIT 1) RETURNING id, verb, inputs, options, attempts";

inline constexpr char claim_open[] =
    "UPDATE points SET state = 'running', owner = ?1, lease = ?2, attempts = attempts + 1 "
    "WHERE id IN (SELECT id FROM points WHERE state = 'todo' AND state IN ('todo', 'running') "
    "ORDER BY id LIMIT ?3) RETURNING id, verb, inputs, options, attempts";

class Statement {
 public:
  Statement(sqlite3* db, const char* sql) : db_(db) {
    code_ = sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr);
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  Statement& bind(const std::string& text) {
    return bound(
        sqlite3_bind_text64(statement_, ++place_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  }
  Statement& bind(Int number) { return bound(sqlite3_bind_int64(statement_, ++place_, number)); }
  Statement& bind(double number) { return bound(sqlite3_bind_double(statement_, ++place_, number)); }
  Statement& bind(const std::optional<double>& number) {
    return number ? bind(*number) : bound(sqlite3_bind_null(statement_, ++place_));
  }

  /// Returns true if there is a row. Otherwise the rows are exhausted or the statement failed (failed()).
  bool step() {
    if (code_ != SQLITE_OK && code_ != SQLITE_ROW) return false;
    code_ = sqlite3_step(statement_);
    return code_ == SQLITE_ROW;
  }
  bool run() {
    while (step()) {
    }
    return !failed();
  }
  bool failed() const { return code_ != SQLITE_DONE && code_ != SQLITE_ROW && code_ != SQLITE_OK; }
  /// Prepares the statement for another run with new values.
  void reset() {
    sqlite3_reset(statement_);
    place_ = 0;
    code_ = SQLITE_OK;
  }

  Int integer(int column) const { return sqlite3_column_int64(statement_, column); }
  double number(int column) const { return sqlite3_column_double(statement_, column); }
  std::optional<double> optional(int column) const {
    if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
    return number(column);
  }
  std::string text(int column) const {
    const auto* const bytes = sqlite3_column_text(statement_, column);
    if (bytes == nullptr) return {};
    return {reinterpret_cast<const char*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }

 private:
  Statement& bound(int code) {
    if (code_ == SQLITE_OK) code_ = code;
    return *this;
  }

  sqlite3* db_;
  sqlite3_stmt* statement_ = nullptr;
  int code_ = SQLITE_OK;
  int place_ = 0;
};

}  // namespace nestor::io::sqlite
