// Benchmark of the throughput of a store of sweeps: simulated workers, each with its own connection, claim
// points and finish them immediately, without solving anything.
//
//   store_claims STORE WORKERS POINTS [CLAIMED_AT_ONCE]
//
// First, a plan of POINTS points is added to the store. The figures of docs/cluster.md are for an empty
// database.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "base/parse_number.h"
#include "io/sha256.h"
#include "io/store/store.h"

namespace nestor::io {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// Adds points whose inputs are as large as those of real machines and layers.
MaybeError add_points(Store& store, std::size_t count) {
  const std::string machine(2500, 'm');
  std::vector<NewPoint> points;
  std::vector<PlanRow> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const auto key = sha256(fmt::format("{}", i));
    points.push_back({key, "map", fmt::format(R"({{"i": {}, "machine": "{}"}})", i, machine), "{}"});
    rows.push_back({key, "machine", "{}", "network", "{}", "layer", 1});
  }
  return store.add_plan({"claims", "", ""}, points, rows);
}

struct Latencies {
  std::vector<double> claims;
  std::vector<double> finishes;
  Int solved = 0;

  void add(const Latencies& other) {
    claims.insert(claims.end(), other.claims.begin(), other.claims.end());
    finishes.insert(finishes.end(), other.finishes.begin(), other.finishes.end());
    solved += other.solved;
  }
};

MaybeError work(Store& store, const std::string& owner, Int at_once, Latencies& latencies) {
  PointResult result;
  result.status = "optimal";
  result.latency = 1000;
  result.result = std::string(3000, 'r');
  for (;;) {
    auto begin = Clock::now();
    const auto claimed = store.claim(owner, at_once, 600);
    if (!claimed) return claimed.error();
    if (claimed->empty()) return std::nullopt;
    latencies.claims.push_back(milliseconds_since(begin));
    for (const auto& point : *claimed) {
      begin = Clock::now();
      const auto kept = store.finish(owner, point.id, result);
      if (!kept) return kept.error();
      latencies.finishes.push_back(milliseconds_since(begin));
      latencies.solved += *kept ? 1 : 0;
    }
  }
}

void print(const char* what, std::vector<double>& latencies, double seconds) {
  std::sort(latencies.begin(), latencies.end());
  const auto at = [&](double share) {
    return latencies.empty()
               ? 0.0
               : latencies[static_cast<std::size_t>(share * static_cast<double>(latencies.size() - 1))];
  };
  fmt::print("{:8} {:7} in {:6.2f} s: {:6.0f}/s, median {:7.2f} ms, 99 % below {:8.2f} ms\n", what,
             latencies.size(), seconds, static_cast<double>(latencies.size()) / seconds, at(0.5), at(0.99));
}

int run(const std::string& url, std::size_t workers, std::size_t points, Int at_once) {
  std::string remark;
  {
    const auto store = open_store(url, StoreUse::create, remark);
    auto error = store ? add_points(**store, points) : MaybeError(store.error());
    if (error) {
      fmt::print(stderr, "{}\n", error->to_string());
      return 1;
    }
  }
  std::mutex mutex;
  Latencies all;
  std::atomic<int> failures = 0;
  Clock::time_point begin;
  std::barrier ready(static_cast<std::ptrdiff_t>(workers), [&]() noexcept { begin = Clock::now(); });
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < workers; ++i)
    threads.emplace_back([&, i] {
      std::string quiet;
      const auto store = open_store(url, StoreUse::existing, quiet);
      ready.arrive_and_wait();
      Latencies own;
      const auto error =
          store ? work(**store, fmt::format("worker{}", i), at_once, own) : MaybeError(store.error());
      const std::lock_guard lock(mutex);
      if (error && ++failures == 1) fmt::print(stderr, "{}\n", error->to_string());
      all.add(own);
    });
  for (auto& thread : threads) thread.join();
  const double seconds = milliseconds_since(begin) / 1000;
  fmt::print("{} points by {} workers, {} claimed at once\n", all.solved, workers, at_once);
  print("claims", all.claims, seconds);
  print("finishes", all.finishes, seconds);
  return failures == 0 && all.solved == static_cast<Int>(points) ? 0 : 1;
}

}  // namespace
}  // namespace nestor::io

int main(int count, char** arguments) {
  using nestor::Int;
  const auto number = [&](int i, std::size_t otherwise) {
    return i < count ? nestor::parse_number<std::size_t>(arguments[i]).value_or(0) : otherwise;
  };
  const auto workers = number(2, 0), points = number(3, 0), at_once = number(4, 1);
  if (workers == 0 || points == 0 || at_once == 0) {
    fmt::print(stderr, "expected: store_claims STORE WORKERS POINTS [CLAIMED_AT_ONCE]\n");
    return 2;
  }
  return nestor::io::run(arguments[1], workers, points, static_cast<Int>(at_once));
}
