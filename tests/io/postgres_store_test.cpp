// Tests of the store in PostgreSQL. NESTOR_TEST_SERVER is the URL of a server that permits new databases
// (scripts/cluster-test.sh starts one and runs these tests). Without it, every test is skipped.
#include <gtest/gtest.h>
#include <libpq-fe.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include "io/store/store.h"
#include "store_contract.h"

namespace nestor::io::postgres_store_test {
namespace {

/// A connection that is independent of the store's connections.
class Direct {
 public:
  explicit Direct(const std::string& url) : connection_(PQconnectdb(url.c_str())) {
    EXPECT_EQ(PQstatus(connection_), CONNECTION_OK) << PQerrorMessage(connection_);
    PQsetNoticeProcessor(
        connection_, [](void*, const char*) {}, nullptr);
  }
  Direct(const Direct&) = delete;
  Direct& operator=(const Direct&) = delete;
  ~Direct() { PQfinish(connection_); }

  /// Runs a statement and returns the first value of its result.
  std::string run(const std::string& sql) {
    auto* const answer = PQexec(connection_, sql.c_str());
    const auto status = PQresultStatus(answer);
    EXPECT_TRUE(status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        << sql << ": " << PQerrorMessage(connection_);
    std::string value = PQntuples(answer) > 0 && PQnfields(answer) > 0 ? PQgetvalue(answer, 0, 0) : "";
    PQclear(answer);
    return value;
  }

 private:
  PGconn* connection_;
};

class PostgresStore : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* const server = std::getenv("NESTOR_TEST_SERVER");
    if (server == nullptr) GTEST_SKIP() << "NESTOR_TEST_SERVER names no server";
    server_ = server;
    database_ = make_database("UTF8");
  }
  void TearDown() override {
    for (const auto& database : made_) Direct(server_).run("DROP DATABASE " + database + " WITH (FORCE)");
  }

  std::string make_database(const std::string& encoding) {
    auto name = "test_" + std::to_string(getpid()) + "_" + std::to_string(made_.size());
    Direct(server_).run("CREATE DATABASE " + name + " TEMPLATE template0 LOCALE 'C' ENCODING '" + encoding +
                        "'");
    made_.push_back(name);
    return name;
  }

  /// Returns the URL of a database. The server's URL is postgresql://USER@/postgres?PARAMETERS.
  std::string url(const std::string& database) const {
    auto text = server_;
    return text.replace(text.find("/postgres?"), std::string("/postgres").size(), "/" + database);
  }
  std::string url() const { return url(database_); }

  static std::unique_ptr<Store> open(const std::string& url, StoreUse use = StoreUse::create) {
    std::string remark;
    auto store = open_store(url, use, remark, {.seconds = 20});
    EXPECT_TRUE(store) << store.error().to_string();
    return store ? std::move(store.value()) : nullptr;
  }
  static std::string failure_of(const std::string& url, StoreUse use = StoreUse::create) {
    std::string remark;
    const auto store = open_store(url, use, remark, {.seconds = 1});
    EXPECT_FALSE(store) << "opened";
    return store ? "" : store.error().message;
  }
  Opener opener(const std::string& database) const {
    return [this, database](StoreUse use) { return open(url(database), use); };
  }

  std::string server_;
  std::string database_;
  std::vector<std::string> made_;
};

TEST_F(PostgresStore, RunsEqualWorkOfPlansOnce) { expect_equal_work_done_once(opener(database_)); }
TEST_F(PostgresStore, ReleasesPointsWhenALeaseEnds) { expect_points_back_after_lease(opener(database_)); }
TEST_F(PostgresStore, MarksAPointFailedAfterThreeLostWorkers) {
  expect_failure_after_three_workers(opener(database_));
}
TEST_F(PostgresStore, AcceptsHostileNamesUnchanged) {
  expect_hostile_names_kept(opener(database_));
  EXPECT_EQ(Direct(url()).run("SELECT count(*) FROM nestor.points"), "1");
}
TEST_F(PostgresStore, ReportsUnfinishedWork) { expect_unfinished_work_seen(opener(database_)); }
TEST_F(PostgresStore, ClaimsPointsOfLostWorkersOneByOne) {
  expect_lost_points_claimed_one_by_one(opener(database_));
}
TEST_F(PostgresStore, PutsSomePointsBack) { expect_some_points_put_back(opener(database_)); }
TEST_F(PostgresStore, ClaimsPointsPutBackBeforeItsLastClaim) {
  expect_points_behind_claimed(opener(database_));
}
TEST_F(PostgresStore, CopiesToAnotherStoreUnchanged) {
  expect_copied(opener(database_), opener(make_database("UTF8")));
}

TEST_F(PostgresStore, CopiesToAFileAndBack) {
  std::string folder = (std::filesystem::temp_directory_path() / "nestor-store-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const auto file = [&](StoreUse use) { return open(folder + "/runs.db", use); };
  expect_copied(opener(database_), file);
  expect_copied([&](StoreUse use) { return open(folder + "/more.db", use); }, opener(make_database("UTF8")));
  std::filesystem::remove_all(folder);
}

// Uses eight connections at the same time. Every point is claimed and finished once.
TEST_F(PostgresStore, IsSharedByWorkers) {
  constexpr int count = 400;
  const auto work = some_work(count);
  ASSERT_FALSE(open(url())->add_plan({"plan", "", ""}, work.points, work.rows));
  std::vector<std::vector<Int>> finished(8);
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < finished.size(); ++i)
    workers.emplace_back([this, i, &finished] {
      const auto store = open(url(), StoreUse::existing);
      const auto owner = "worker" + std::to_string(i);
      for (;;) {
        const auto claimed = store->claim(owner, static_cast<Int>(i % 3 + 1), 60);
        ASSERT_TRUE(claimed);
        if (claimed->empty()) return;
        for (const auto& point : *claimed)
          if (*store->finish(owner, point.id, result_of(point))) finished[i].push_back(point.id);
      }
    });
  for (auto& worker : workers) worker.join();
  std::multiset<Int> all;
  for (const auto& ids : finished) all.insert(ids.begin(), ids.end());
  EXPECT_EQ(all.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(std::set<Int>(all.begin(), all.end()).size(), static_cast<std::size_t>(count));
  EXPECT_EQ(Direct(url()).run("SELECT max(attempts) FROM nestor.points"), "1");
}

// The server repeatedly closes every connection, as a restart does.
TEST_F(PostgresStore, ContinuesAfterLostConnections) {
  constexpr int count = 300;
  const auto work = some_work(count);
  ASSERT_FALSE(open(url())->add_plan({"plan", "", ""}, work.points, work.rows));
  std::atomic<bool> done = false;
  std::thread breaker([&] {
    Direct direct(server_);
    while (!done) {
      direct.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + database_ +
                 "'");
      usleep(20'000);
    }
  });
  std::atomic<int> solved = 0;
  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i)
    workers.emplace_back([&, i] {
      const auto store = open(url(), StoreUse::existing);
      const auto owner = "worker" + std::to_string(i);
      for (;;) {
        const auto claimed = store->claim(owner, 3, 3600);
        ASSERT_TRUE(claimed) << claimed.error().to_string();
        if (claimed->empty()) return;
        for (const auto& point : *claimed) {
          const auto kept = store->finish(owner, point.id, result_of(point));
          ASSERT_TRUE(kept) << kept.error().to_string();
          solved += *kept ? 1 : 0;
        }
        ASSERT_FALSE(store->renew(owner, 3600));
      }
    });
  for (auto& worker : workers) worker.join();
  done = true;
  breaker.join();
  EXPECT_EQ(solved, count);
  Direct direct(url());
  EXPECT_EQ(direct.run("SELECT count(*) FROM nestor.points WHERE state = 'done'"), std::to_string(count));
  EXPECT_EQ(direct.run("SELECT max(attempts) FROM nestor.points"), "1");
}

// The points of a claim are released if the claim took effect but its reply was lost.
TEST_F(PostgresStore, ReleasesPointsOfLostClaims) {
  const auto store = open(url());
  const auto work = some_work(5);
  ASSERT_FALSE(store->add_plan({"plan", "", ""}, work.points, work.rows));
  ASSERT_EQ(store->claim("me", 1, 3600)->size(), 1U);
  Direct direct(url());
  // Simulates a second claim whose reply was lost. The next claim uses a dead connection.
  direct.run(
      "UPDATE nestor.points SET state = 'running', owner = 'me', attempts = 1, "
      "lease = extract(epoch FROM now()) + 3600 WHERE id = (SELECT max(id) FROM nestor.points)");
  std::thread locker([&] {
    Direct lock(url());
    lock.run("BEGIN");
    lock.run("LOCK TABLE nestor.points IN ACCESS EXCLUSIVE MODE");
    usleep(300'000);
    lock.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
        "AND application_name = 'nestor'");
    lock.run("COMMIT");
  });
  usleep(100'000);
  const auto claimed = store->claim("me", 4, 3600);
  locker.join();
  ASSERT_TRUE(claimed) << claimed.error().to_string();
  EXPECT_EQ(claimed->size(), 4U);
  EXPECT_EQ(direct.run("SELECT max(attempts) FROM nestor.points"), "1");
}

// 150 results need three statements. A text that the server cannot store makes the last one fail.
TEST_F(PostgresStore, StoresAllResultsOrNone) {
  const auto store = open(url());
  const auto work = some_work(150);
  ASSERT_FALSE(store->add_plan({"plan", "", ""}, work.points, work.rows));
  const auto claimed = store->claim("me", 150, 3600);
  ASSERT_TRUE(claimed);
  std::vector<FinishedPoint> finished;
  for (const auto& point : *claimed) finished.push_back({point.id, result_of(point)});
  ASSERT_EQ(finished.size(), 150U);
  auto faulty = finished;
  faulty.back().result.status = std::string("a\0b", 3);
  EXPECT_FALSE(store->finish_all("me", faulty));
  EXPECT_EQ(store->counts("")->running, 150);
  faulty.back().result.status = "\xff";
  EXPECT_FALSE(store->finish_all("me", faulty));
  EXPECT_EQ(store->counts("")->running, 150);
  EXPECT_EQ(*store->finish_all("me", finished), 150);
  EXPECT_EQ(store->counts("")->done, 150);
}

TEST_F(PostgresStore, DoesNotModifyForeignDatabases) {
  Direct direct(url());
  EXPECT_NE(failure_of(url(), StoreUse::existing).find("has no store"), std::string::npos);
  direct.run("CREATE SCHEMA nestor; CREATE TABLE nestor.points (id INT)");
  EXPECT_EQ(failure_of(url()), "has a schema 'nestor' that is not a store of sweeps");
  EXPECT_EQ(direct.run("SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('nestor')"), "1");
  direct.run("DROP SCHEMA nestor CASCADE; CREATE SCHEMA nestor");
  ASSERT_TRUE(open(url()));  // the store creates its tables in an empty schema
  direct.run("UPDATE nestor.store_version SET version = 9");
  EXPECT_EQ(failure_of(url()), "has schema version 9, expected 1");
  EXPECT_EQ(failure_of(url(), StoreUse::existing), "has schema version 9, expected 1");
  EXPECT_NE(failure_of(url(make_database("LATIN1"))).find("has the encoding LATIN1"), std::string::npos);
  EXPECT_NE(failure_of(url("no_such_database")).find("cannot be reached"), std::string::npos);
}

TEST_F(PostgresStore, RefusesTextsThatItCannotStore) {
  const auto store = open(url());
  auto work = some_work(2);
  work.rows[1].layer = std::string("a\0b", 3);
  const auto zero = store->add_plan({"plan", "", ""}, work.points, work.rows);
  ASSERT_TRUE(zero);
  EXPECT_NE(zero->message.find("zero byte"), std::string::npos);
  work.rows[1].layer = "\xff";
  ASSERT_TRUE(store->add_plan({"plan", "", ""}, work.points, work.rows));
  work.rows[1].layer.assign(Store::most_text + 1, 'x');
  ASSERT_TRUE(store->add_plan({"plan", "", ""}, work.points, work.rows));
  EXPECT_EQ(store->counts("")->all(), 0);  // the failed addition added nothing
  EXPECT_TRUE(store->plans()->empty());
  work.rows[1].layer = "fine";
  ASSERT_FALSE(store->add_plan({"plan", "", ""}, work.points, work.rows));
  Direct(url()).run("UPDATE nestor.points SET inputs = repeat('x', 16777217)");
  const auto claimed = store->claim("me", 1, 60);
  ASSERT_FALSE(claimed);
  EXPECT_EQ(claimed.error().message, "has a text of more than 16777216 bytes");
}

}  // namespace
}  // namespace nestor::io::postgres_store_test
