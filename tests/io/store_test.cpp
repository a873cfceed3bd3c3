// Tests of the store of sweeps. Each point is computed once, claims end with their leases, and files that are
// not stores stay unchanged.
#include "io/store/store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "base/random.h"
#include "io/files.h"
#include "io/sha256.h"
#include "store_contract.h"

namespace nestor::io::store_test {
namespace {

namespace fs = std::filesystem;

class StoreFile {
 public:
  StoreFile() {
    std::string name = (fs::temp_directory_path() / "nestor-store-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  StoreFile(const StoreFile&) = delete;
  StoreFile& operator=(const StoreFile&) = delete;
  ~StoreFile() { fs::remove_all(folder_); }
  std::string path() const { return (folder_ / "runs.db").string(); }
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

std::unique_ptr<Store> open(const std::string& path, StoreUse use = StoreUse::create) {
  std::string remark;
  auto store = open_store(path, use, remark);
  EXPECT_TRUE(store) << store.error().to_string();
  return store ? std::move(store.value()) : nullptr;
}

Error failure_of(const std::string& path, StoreUse use = StoreUse::create) {
  std::string remark;
  const auto store = open_store(path, use, remark);
  EXPECT_FALSE(store) << "opened " << path;
  return store ? Error{} : store.error();
}

std::string content_of(const std::string& path) { return read_file(path).value(); }

Opener opener(const StoreFile& file) {
  return [&file](StoreUse use) { return open(file.path(), use); };
}

TEST(Sha256, EqualsTheVectorsOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, HashOfPiecesEqualsHashOfTheWhole) {
  std::string whole;
  for (int i = 0; i < 200; ++i) whole += static_cast<char>(i);
  for (std::size_t size = 0; size <= whole.size(); ++size)
    for (const std::size_t step : {1U, 3U, 63U, 64U, 65U, 130U}) {
      Sha256 hash;
      for (std::size_t at = 0; at < size; at += step)
        hash.add(std::string_view(whole).substr(at, std::min(step, size - at)));
      ASSERT_EQ(hash.finish(), sha256(std::string_view(whole).substr(0, size))) << size << ' ' << step;
    }
}

TEST(Store, RunsEqualWorkOfPlansOnce) {
  const StoreFile file;
  expect_equal_work_done_once(opener(file));
}

TEST(Store, ReleasesPointsWhenALeaseEnds) {
  const StoreFile file;
  expect_points_back_after_lease(opener(file));
}

TEST(Store, MarksAPointFailedAfterThreeLostWorkers) {
  const StoreFile file;
  expect_failure_after_three_workers(opener(file));
}

TEST(Store, AcceptsHostileNamesUnchanged) {
  const StoreFile file;
  expect_hostile_names_kept(opener(file));
}

TEST(Store, ReportsUnfinishedWork) {
  const StoreFile file;
  expect_unfinished_work_seen(opener(file));
}

TEST(Store, ClaimsPointsOfLostWorkersOneByOne) {
  const StoreFile file;
  expect_lost_points_claimed_one_by_one(opener(file));
}

TEST(Store, PutsSomePointsBack) {
  const StoreFile file;
  expect_some_points_put_back(opener(file));
}

TEST(Store, ClaimsPointsPutBackBeforeItsLastClaim) {
  const StoreFile file;
  expect_points_behind_claimed(opener(file));
}

TEST(Store, CopiesToAnotherStoreUnchanged) {
  const StoreFile file, other;
  expect_copied(opener(file), opener(other));
}

// Three processes claim points independently. Every point is finished exactly once.
TEST(Store, IsSharedByProcesses) {
  const StoreFile file;
  constexpr int count = 300;
  const auto work = some_work(count);
  ASSERT_FALSE(open(file.path())->add_plan({"plan", "", ""}, work.points, work.rows));
  std::vector<pid_t> children;
  for (int child = 0; child < 3; ++child) {
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      std::string remark;
      auto store = open_store(file.path(), StoreUse::existing, remark);
      const auto owner = std::to_string(getpid());
      std::ofstream log(file.folder() / ("log." + owner));
      for (;;) {
        const auto claimed =
            store ? (*store)->claim(owner, 2, 60) : Result<std::vector<ClaimedPoint>>(store.error());
        if (!claimed) _exit(1);
        if (claimed->empty()) break;
        for (const auto& point : *claimed) {
          const auto kept = (*store)->finish(owner, point.id, result_of(point));
          if (!kept || !*kept) _exit(2);
          log << point.id << '\n' << std::flush;
        }
      }
      _exit(0);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::multiset<Int> finished;
  for (const auto& entry : fs::directory_iterator(file.folder())) {
    if (!entry.path().filename().string().starts_with("log.")) continue;
    std::ifstream log(entry.path());
    for (Int id = 0; log >> id;) finished.insert(id);
  }
  EXPECT_EQ(finished.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(std::set<Int>(finished.begin(), finished.end()).size(), static_cast<std::size_t>(count));
  EXPECT_EQ(open(file.path())->counts("plan")->done, count);
}

// Starts twenty workers and kills each at an arbitrary moment. The store always remains intact.
TEST(Store, SurvivesWorkersThatAreKilled) {
  const StoreFile file;
  constexpr int count = 400;
  const auto work = some_work(count);
  ASSERT_FALSE(open(file.path())->add_plan({"plan", "", ""}, work.points, work.rows));
  Random random(1);
  const auto worker = [&] {
    std::string remark;
    auto store = open_store(file.path(), StoreUse::existing, remark);
    if (!store) _exit(1);
    const auto owner = std::to_string(getpid());
    for (;;) {
      const auto claimed = (*store)->claim(owner, 1, 0.05);
      if (!claimed) _exit(2);
      if (claimed->empty()) {
        const auto counts = (*store)->counts("");
        if (counts && counts->todo + counts->running == 0) _exit(0);
        usleep(20'000);
      }
      for (const auto& point : *claimed)
        if (!(*store)->finish(owner, point.id, result_of(point))) _exit(3);
    }
  };
  int killed = 0;
  for (int kill_number = 0; kill_number < 20; ++kill_number) {
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) worker();
    usleep(static_cast<useconds_t>(random.below(30'000)));
    kill(pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status))
      ++killed;
    else
      EXPECT_EQ(status, 0);
  }
  const pid_t pid = fork();
  if (pid == 0) worker();
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  const auto store = open(file.path(), StoreUse::existing);
  const auto rows = store->rows("plan");
  ASSERT_EQ(rows->size(), static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < rows->size(); ++i) {
    if ((*rows)[i].state == "failed") continue;  // three of its workers were killed
    EXPECT_EQ((*rows)[i].state, "done");
    EXPECT_EQ((*rows)[i].found.latency, static_cast<double>(work.points[i].inputs.size()));
  }
  EXPECT_LE(store->counts("plan")->failed, killed / Store::most_attempts);
}

TEST(Store, DoesNotModifyForeignFiles) {
  const StoreFile file;
  for (const auto& text : {std::string("name: a plan\n"), std::string(4096, 'x'),
                           std::string("SQLite format 3\0", 16), std::string("SQLite")}) {
    std::ofstream(file.path(), std::ios::binary) << text;
    EXPECT_EQ(failure_of(file.path()).kind, ErrorKind::input);
    EXPECT_EQ(content_of(file.path()), text);
    fs::remove(file.path());
  }
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open(file.path().c_str(), &db), SQLITE_OK);
  sqlite3_exec(db, "PRAGMA journal_mode = WAL; CREATE TABLE points (id); INSERT INTO points VALUES (1)",
               nullptr, nullptr, nullptr);
  sqlite3_close(db);
  const auto before = content_of(file.path());
  EXPECT_EQ(failure_of(file.path()).message, "is a database, but not a store of sweeps");
  EXPECT_EQ(content_of(file.path()), before);
  EXPECT_EQ(failure_of(file.folder().string()).message, "is not a regular file");
  EXPECT_EQ(failure_of(file.path() + "x", StoreUse::existing).message,
            "no such store; `nestor sweep PLAN.yaml` creates one");
  EXPECT_FALSE(fs::exists(file.path() + "x"));
}

TEST(Store, RefusesOtherVersionsAndDamage) {
  const StoreFile file;
  const auto work = some_work(2000);
  ASSERT_FALSE(open(file.path())->add_plan({"plan", "", ""}, work.points, work.rows));
  const auto whole = content_of(file.path());
  const auto expect_refused = [&](const std::string& text) {
    for (const char* side : {"-wal", "-shm"}) fs::remove(file.path() + side);
    std::ofstream(file.path(), std::ios::binary | std::ios::trunc) << text;
    const auto error = failure_of(file.path());
    EXPECT_EQ(content_of(file.path()), text);
    return error.message;
  };
  auto other_version = whole;
  other_version[63] = 9;  // the last byte of user_version
  EXPECT_EQ(expect_refused(other_version), "has schema version 9, expected 1");
  int found = 0;
  Random random(1);
  for (int i = 0; i < 20; ++i) {
    auto damaged = whole;
    const auto page = 1 + random.below(damaged.size() / 4096 - 1);
    std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(page * 4096), 4096, '\xa5');
    found += expect_refused(damaged).starts_with("is damaged") ? 1 : 0;
  }
  EXPECT_EQ(found, 20);
  EXPECT_TRUE(expect_refused(whole.substr(0, whole.size() / 2)).starts_with("is damaged"));
}

// A limit on the file size simulates a full disk.
TEST(Store, ReportsAFullDiskAndStaysIntact) {
  const StoreFile file;
  const auto first = some_work(10);
  ASSERT_FALSE(open(file.path())->add_plan({"plan", "", ""}, first.points, first.rows));
  const pid_t pid = fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlim_t most = fs::file_size(file.path()) + 64 * 1024;
    const rlimit limit{most, most};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::string remark;
    const auto store = open_store(file.path(), StoreUse::create, remark);
    if (!store) _exit(1);
    const auto more = some_work(20'000, "more");
    const auto error = (*store)->add_plan({"more", "", ""}, more.points, more.rows);
    if (!error || error->kind != ErrorKind::output) _exit(2);
    if (error->message.find("cannot be written") == std::string::npos) _exit(3);
    const auto counts = (*store)->counts("");
    _exit(counts && counts->all() == 10 ? 0 : 4);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
  const auto store = open(file.path(), StoreUse::existing);
  EXPECT_EQ(store->counts("")->all(), 10);
  EXPECT_EQ(store->plans()->size(), 1U);
}

TEST(Store, RefusesUnwritablePaths) {
  const StoreFile file;
  const auto work = some_work(3);
  ASSERT_FALSE(open(file.path())->add_plan({"plan", "", ""}, work.points, work.rows));
  const auto missing = failure_of((file.folder() / "no" / "folder.db").string());
  EXPECT_EQ(missing.kind, ErrorKind::output);
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  fs::permissions(file.path(), fs::perms::owner_read);
  const auto before = content_of(file.path());
  EXPECT_EQ(failure_of(file.path()).message, "cannot be written");
  EXPECT_EQ(content_of(file.path()), before);
}

TEST(Store, NamesStoresThatItCannotReach) {
  EXPECT_EQ(failure_of("mysql://host/db").to_string(),
            "--store: no store of kind 'mysql', expected FILE.db, sqlite:FILE.db or "
            "postgresql://USER@HOST/DATABASE");
  EXPECT_EQ(failure_of("sqlite:").kind, ErrorKind::usage);
}

// A password in a URL is already visible in the list of processes. The URL is refused without repeating the
// password.
TEST(Store, RefusesPasswordsInUrlsWithoutRepeatingThem) {
  for (const auto* url : {"postgresql://me:hunter2@host/db", "postgres://:hunter2@host",
                          "postgresql://host/db?password=hunter2", "postgresql://host/db?sslpassword=hunter2",
                          "postgresql://me:hunter2@host:port%zz/db", "postgresql://host/db?passwrod=hunter2",
                          "postgresql://me:hunter2/db", "postgresql://[me:hunter2@host/db",
                          "mysql://me:hunter2@host/db", "postgresql://host/db?password=hunter2\n"}) {
    const auto error = failure_of(url);
    EXPECT_EQ(error.kind, ErrorKind::usage) << url;
    EXPECT_EQ(error.to_string().find("hunter2"), std::string::npos) << error.to_string();
    EXPECT_TRUE(check_store_url(url)) << url;
  }
}

}  // namespace
}  // namespace nestor::io::store_test
