// Store in an SQLite file. Writers acquire the lock at the start of a transaction (BEGIN IMMEDIATE) and wait
// for each other. Values reach SQL only as parameters of prepared statements.
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <thread>

#include "io/document.h"
#include "io/store/backends.h"
#include "io/store/sqlite_statement.h"
#include "io/store/statements.h"

namespace nestor::io {
namespace {

using namespace sqlite;  // NOLINT(google-build-using-namespace)

constexpr int wait_milliseconds = 60'000;

double now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

constexpr char finish_point[] =
    "UPDATE points SET state = $1, owner = NULL, lease = NULL, error = nullif($2, ''), "
    "status = nullif($3, ''), objective = $4, lower_bound = $5, latency = $6, energy = $7, area = $8, "
    "seconds = $9, result = nullif($10, '') WHERE id = $11 AND owner = $12 AND state = 'running'";

class SqliteStore final : public Store {
 public:
  explicit SqliteStore(std::string path) : path_(std::move(path)) {}
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;
  ~SqliteStore() override { sqlite3_close(db_); }

  MaybeError open(StoreUse use, std::string& remark) {
    const int create = use == StoreUse::create ? SQLITE_OPEN_CREATE : 0;
    const bool is_new = !std::filesystem::exists(path_) || std::filesystem::is_empty(path_);
    if (is_new && use == StoreUse::existing)
      return input_error({path_}, "no such store; `nestor sweep PLAN.yaml` creates one");
    if (sqlite3_open_v2(path_.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | create, nullptr) !=
        SQLITE_OK)
      return failure();
    sqlite3_extended_result_codes(db_, 1);
    sqlite3_busy_timeout(db_, wait_milliseconds);
    if (sqlite3_db_readonly(db_, "main") == 1) return refuse("cannot be written");
    if (!execute("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")) return failure();
    if (is_new)
      if (auto error = create_schema()) return error;
    if (auto error = check_schema()) return error;
    const bool shared = is_on_network();
    if (shared)
      remark = fmt::format(
          "{} is on a network file system, where SQLite has no write-ahead log: a rollback "
          "journal is used, and all workers should run on one machine",
          quote(path_));
    if (!set_journal(shared ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL") ||
        !execute(shared ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"))
      return failure();
    return std::nullopt;
  }

  MaybeError add_plan(const PlanRecord& plan, std::span<const NewPoint> points,
                      std::span<const PlanRow> rows) override {
    return in_transaction([&] { return insert_plan(plan, points, rows); });
  }

  Result<std::vector<ClaimedPoint>> claim(const std::string& owner, Int count, double lease) override {
    const double time = now();
    std::vector<ClaimedPoint> claimed;
    const auto take = [&](Statement& rows) {
      while (rows.step())
        claimed.push_back({rows.integer(0), rows.text(1), rows.text(2), rows.text(3), rows.integer(4)});
      return !rows.failed();
    };
    const auto error = in_transaction([&] {
      Statement lost(db_, sqlite::fail_lost);
      if (!lost.bind(time).bind(most_attempts).run()) return false;
      Statement expired(db_, sqlite::claim_expired);
      if (!take(expired.bind(owner).bind(time + lease).bind(time))) return false;
      if (!claimed.empty()) return true;
      Statement open(db_, sqlite::claim_open);
      return take(open.bind(owner).bind(time + lease).bind(count));
    });
    if (error) return *error;
    std::sort(claimed.begin(), claimed.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return claimed;
  }

  MaybeError renew(const std::string& owner, double lease) override {
    Statement renew(
        db_,
        "UPDATE points SET lease = ? WHERE owner = ? AND state = 'running' AND state IN ('todo', 'running')");
    return renew.bind(now() + lease).bind(owner).run() ? MaybeError() : failure();
  }

  Result<Int> finish_all(const std::string& owner, std::span<const FinishedPoint> points) override {
    Int kept = 0;
    const auto error = in_transaction([&] {
      Statement finish(db_, finish_point);
      for (const auto& point : points) {
        finish.reset();
        finish.bind(std::string(point.result.error.empty() ? "done" : "failed"));
        statements::bind_figures(finish, point.result, point.result.seconds);
        finish.bind(point.id).bind(owner);
        if (!finish.run()) return false;
        kept += sqlite3_changes(db_);
      }
      return true;
    });
    if (error) return *error;
    return kept;
  }

  MaybeError put_back(const std::string& owner) override {
    Statement back(db_, statements::put_back);
    return back.bind(owner).run() ? MaybeError() : failure();
  }

  MaybeError put_back_some(const std::string& owner, std::span<const Int> ids) override {
    return in_transaction([&] {
      Statement back(db_, statements::put_back_one);
      for (const Int id : ids) {
        back.reset();
        if (!back.bind(id).bind(owner).run()) return false;
      }
      return true;
    });
  }

  Result<bool> has_unfinished() override {
    Statement look(db_, statements::unfinished);
    const bool found = look.step();
    if (look.failed()) return failure();
    return found;
  }

  Result<PointCounts> counts(const std::string& plan) override {
    Statement count(db_, plan.empty() ? statements::count_all : statements::count_plan);
    if (!plan.empty()) count.bind(plan);
    PointCounts counts;
    while (count.step()) statements::read_count(count, counts);
    if (count.failed()) return failure();
    return counts;
  }

  Result<std::vector<StoredRow>> rows(const std::string& plan) override {
    Statement select(db_, statements::rows);
    select.bind(plan);
    std::vector<StoredRow> rows;
    while (select.step()) rows.push_back(statements::read_row(select));
    if (select.failed()) return failure();
    return rows;
  }

  Result<std::vector<PlanRecord>> plans() override {
    Statement select(db_, statements::plans);
    std::vector<PlanRecord> plans;
    while (select.step()) plans.push_back({select.text(0), select.text(1), select.text(2)});
    if (select.failed()) return failure();
    return plans;
  }

  Result<std::vector<StoredPoint>> points(Int after, Int count) override {
    Statement select(db_, statements::points);
    select.bind(after).bind(count);
    std::vector<StoredPoint> points;
    while (select.step()) points.push_back(statements::read_point(select));
    if (select.failed()) return failure();
    return points;
  }

  MaybeError add_points(std::span<const StoredPoint> points) override {
    return in_transaction([&] {
      Statement copy(db_, statements::copy_point);
      for (const auto& point : points) {
        copy.reset();
        statements::bind_copy(copy, point);
        if (!copy.run()) return false;
      }
      return true;
    });
  }

 private:
  Error refuse(std::string message) const { return input_error({path_}, std::move(message)); }

  /// Returns the last failure of SQLite as an error.
  Error failure() const {
    const int code = db_ == nullptr ? SQLITE_NOMEM : sqlite3_extended_errcode(db_);
    Error error = input_error({path_}, std::string(db_ == nullptr ? "out of memory" : sqlite3_errmsg(db_)));
    switch (code & 0xff) {
      case SQLITE_FULL:
      case SQLITE_IOERR:
        error.kind = ErrorKind::output;
        error.message = fmt::format("cannot be written: {} (is the disk full?)", error.message);
        break;
      case SQLITE_READONLY:
      case SQLITE_CANTOPEN:
        error.kind = ErrorKind::output;
        error.message = fmt::format("cannot be written: {}", error.message);
        break;
      case SQLITE_CORRUPT:
        error.message = fmt::format("is damaged: {}", error.message);
        break;
      case SQLITE_NOTADB:
        error.message = "is not a store of sweeps";
        break;
      case SQLITE_BUSY:
        error.kind = ErrorKind::output;
        error.message =
            fmt::format("has been locked by another process for more than {} s", wait_milliseconds / 1000);
        break;
      default:
        break;
    }
    return error;
  }

  bool execute(const char* sql) { return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) == SQLITE_OK; }

  /// SQLite does not wait for other processes when it changes the journal mode, so the change is retried
  /// while the database is busy.
  bool set_journal(const char* sql) {
    constexpr int attempts = 200;
    for (int i = 0; i < attempts; ++i) {
      if (execute(sql)) return true;
      if ((sqlite3_errcode(db_) & 0xff) != SQLITE_BUSY) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }

  template <typename Work>
  MaybeError in_transaction(Work work) {
    if (!execute("BEGIN IMMEDIATE")) return failure();
    if (work() && execute("COMMIT")) return std::nullopt;
    auto error = failure();
    execute("ROLLBACK");
    return error;
  }

  /// Creates the schema, unless another process has created it in the meantime.
  MaybeError create_schema() {
    return in_transaction([&] {
      if (pragma("application_id") != 0) return true;
      return execute(schema) && execute(fmt::format("PRAGMA application_id = {}", application_id).c_str()) &&
             execute(fmt::format("PRAGMA user_version = {}", schema_version).c_str());
    });
  }

  Int pragma(const char* name) {
    Statement ask(db_, fmt::format("PRAGMA {}", name).c_str());
    return ask.step() ? ask.integer(0) : -1;
  }

  MaybeError check_schema() {
    Statement identify(db_, "PRAGMA application_id");
    if (!identify.step()) return failure();
    if (identify.integer(0) != application_id) return refuse("is a database, but not a store of sweeps");
    if (const Int version = pragma("user_version"); version != schema_version)
      return refuse(fmt::format("has schema version {}, expected {}", version, schema_version));
    Statement check(db_, "PRAGMA quick_check(1)");
    if (!check.step()) return failure();
    if (check.text(0) != "ok") return refuse("is damaged: " + check.text(0));
    return std::nullopt;
  }

  bool is_on_network() const {
    struct statfs info {};
    if (statfs(path_.c_str(), &info) != 0) return false;
    switch (static_cast<std::uint32_t>(info.f_type)) {
      case 0x6969U:      // NFS
      case 0x517BU:      // SMB
      case 0xFE534D42U:  // SMB2
      case 0xFF534D42U:  // CIFS
      case 0x0BD00BD0U:  // Lustre
      case 0x47504653U:  // GPFS
      case 0x19830326U:  // BeeGFS
      case 0x01021997U:  // 9P
        return true;
      default:
        return false;
    }
  }

  bool insert_plan(const PlanRecord& plan, std::span<const NewPoint> points, std::span<const PlanRow> rows) {
    Statement add_point(db_, statements::add_point);
    for (const auto& point : points) {
      add_point.reset();
      statements::bind_point(add_point, point);
      if (!add_point.run()) return false;
    }
    Statement add_plan(db_, statements::add_plan);
    statements::bind_plan(add_plan, plan);
    if (!add_plan.step()) return false;
    const Int id = add_plan.integer(0);
    if (!add_plan.run()) return false;
    Statement remove(db_, statements::remove_rows);
    if (!remove.bind(id).run()) return false;
    Statement add_row(db_, statements::add_row);
    Int place = 0;
    for (const auto& row : rows) {
      add_row.reset();
      statements::bind_row(add_row, id, place++, row);
      if (!add_row.run()) return false;
    }
    return true;
  }

  std::string path_;
  sqlite3* db_ = nullptr;
};

constexpr std::size_t header_bytes = 100;  // size of an SQLite header

// Rejects files that are not stores before SQLite opens them, because SQLite may change a file even for
// reading.
MaybeError refuse_foreign(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code)) return std::nullopt;
  if (!std::filesystem::is_regular_file(path, code)) return input_error({path}, "is not a regular file");
  std::ifstream file(path, std::ios::binary);
  std::string header(header_bytes, '\0');
  file.read(header.data(), static_cast<std::streamsize>(header.size()));
  header.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  if (!file && !file.eof()) return input_error({path}, "cannot be read");
  if (header.empty()) return std::nullopt;
  if (header.size() < header_bytes || !header.starts_with(std::string_view("SQLite format 3\0", 16)))
    return input_error({path}, "is not a store of sweeps");
  constexpr std::size_t id_at = 68;
  std::uint32_t id = 0;
  for (std::size_t i = id_at; i < id_at + 4; ++i) id = id << 8U | static_cast<unsigned char>(header[i]);
  const bool being_made = std::filesystem::exists(path + "-journal", code);
  if (id != static_cast<std::uint32_t>(application_id) && !being_made)
    return input_error({path}, "is a database, but not a store of sweeps");
  return std::nullopt;
}

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite(const std::string& path, StoreUse use, std::string& remark) {
  if (auto error = refuse_foreign(path)) return *error;
  auto store = std::make_unique<SqliteStore>(path);
  if (auto error = store->open(use, remark)) return *error;
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace nestor::io
