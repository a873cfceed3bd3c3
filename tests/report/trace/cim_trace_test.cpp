// Tests of the trace of a mapping. It is valid JSON whose slices never overlap on a track, agrees with the
// replay, and has a bounded size.
#include "report/cim/trace/cim_trace.h"

#include <gtest/gtest.h>

#include <map>

#include "model/cim/evaluate.h"
#include "sim/cim/replay.h"
#include "support/random_cases.h"

namespace nestor::io::cim_trace_test {
namespace {

using tests::RandomCase;

struct Slice {
  Int start = 0;
  Int end = 0;
  Int steps = 0;
};

/// Returns the slices of each track in the order of the file, after a round trip through text.
std::map<int, std::vector<Slice>> tracks_of(const Trace& trace) {
  const auto json = nlohmann::json::parse(trace.json.dump());
  std::map<int, std::vector<Slice>> tracks;
  for (const auto& event : json.at("traceEvents")) {
    if (event.at("ph") != "X") continue;
    const Int start = event.at("ts").get<Int>();
    const Int steps = event.contains("args") ? event.at("args").value("steps", Int{0}) : 0;
    tracks[event.at("tid").get<int>()].push_back({start, start + event.at("dur").get<Int>(), steps});
  }
  return tracks;
}

TEST(TraceFile, EveryTrackIsInOrderWithoutOverlapAndAddsUpToTheReplay) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const RandomCase random = tests::random_case(seed, {.max_steps = 200});
    SCOPED_TRACE(random.describe());
    const auto replayed = sim::cim::replay(random.layer, random.architecture.machine, random.mapping);
    const Trace trace = make_trace(random.layer, random.architecture, random.mapping);
    EXPECT_TRUE(trace.complete);
    Int end = 0;
    Int steps = 0;
    Int waited = 0;
    Int busy = 0;
    for (const auto& [track, slices] : tracks_of(trace)) {
      Int free_from = 0;
      for (const Slice& slice : slices) {
        EXPECT_GE(slice.start, free_from) << "track " << track;
        EXPECT_GT(slice.end, slice.start);
        free_from = slice.end;
        steps += slice.steps;
        if (track == 2) waited += slice.end - slice.start;
        if (track > 2) busy += slice.end - slice.start;
      }
      end = std::max(end, free_from);
    }
    EXPECT_EQ(end, replayed.cycles);
    EXPECT_EQ(steps, replayed.steps);
    Int stalls = 0;
    for (const Int stall : replayed.stalls) stalls += stall;
    EXPECT_EQ(waited, stalls);
    Int port_busy = 0;
    for (const auto& port : replayed.ports) port_busy += port.busy_cycles();
    EXPECT_EQ(busy, port_busy);
  }
}

TEST(TraceFile, CountersNeverExceedTheUsageOfTheMapping) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const RandomCase random = tests::random_case(seed, {.max_steps = 200});
    SCOPED_TRACE(random.describe());
    const auto usage = cim::evaluate(random.layer, random.architecture.machine, random.mapping).usage_bits;
    const Trace trace = make_trace(random.layer, random.architecture, random.mapping);
    std::map<std::string, Int> last;
    for (const auto& event : trace.json.at("traceEvents")) {
      if (event.at("ph") != "C") continue;
      const auto name = event.at("name").get<std::string>();
      const Int bits = event.at("args").at("occupied").get<Int>();
      const auto m = std::stoul(name.substr(1));
      EXPECT_GE(bits, 0);
      EXPECT_LE(bits, usage[m]) << name;
      last[name] = bits;
    }
    for (const auto& [name, bits] : last) EXPECT_EQ(bits, 0) << name << " is not empty at the end";
  }
}

TEST(TraceFile, IsBoundedByEventsAndWindow) {
  RandomCase random;
  for (std::uint64_t seed = 1; random.mapping.loops.size() < 7; ++seed) random = tests::random_case(seed);
  const auto whole = make_trace(random.layer, random.architecture, random.mapping);
  const auto few = make_trace(random.layer, random.architecture, random.mapping, {.max_events = 20});
  EXPECT_FALSE(few.complete);
  EXPECT_LT(few.json.at("traceEvents").size(), 20U + 2 * max_memories + 2);

  const Int cycles = sim::cim::replay(random.layer, random.architecture.machine, random.mapping).cycles;
  const Int begin = cycles / 3;
  const Int end = cycles / 2;
  const auto window =
      make_trace(random.layer, random.architecture, random.mapping, {.begin_cycle = begin, .end_cycle = end});
  EXPECT_TRUE(window.complete);
  std::map<int, Int> expected;
  std::map<int, Int> found;
  for (const auto& [track, slices] : tracks_of(whole))
    for (const Slice& slice : slices)
      if (track > 1 && slice.end > begin && slice.start < end) expected[track] += slice.end - slice.start;
  for (const auto& [track, slices] : tracks_of(window))
    for (const Slice& slice : slices)
      if (track > 1) found[track] += slice.end - slice.start;
  EXPECT_EQ(found, expected);
}

TEST(TraceFile, AnEndlessMappingStopsAtTheStepLimit) {
  const RandomCase random = tests::random_case(3, {.max_steps = 60'000, .max_loops = 12, .long_loops = true});
  const auto trace = make_trace(random.layer, random.architecture, random.mapping,
                                {.begin_cycle = Int{1} << 60, .step_limit = 5});
  EXPECT_FALSE(trace.complete);
}

}  // namespace
}  // namespace nestor::io::cim_trace_test
