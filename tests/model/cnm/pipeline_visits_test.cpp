// Tests of PipelineVisits, which computes visits to a steady pipeline quickly. The reference lets the same
// tasklets join and leave one by one (PipelinePlaces).
#include "model/cnm/pipeline_visits.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "support/setting.h"

namespace nestor::cnm::pipeline_visits_test {
namespace {

constexpr Int never = std::numeric_limits<Int>::max();
constexpr Int most_pause = 55;

struct Coverage {
  std::uint64_t empty = 0, partly = 0, full = 0, late = 0, unsteady = 0, refused = 0;
  std::uint64_t alone = 0, told = 0, passed = 0, toured = 0;
};

/// An engine that responds after a fixed pause, and sometimes after a longer one.
struct Engine {
  Int pause = 0, every = 0, delay = 0;
  Int calm = 0;
  std::uint64_t told = 0;
  Int through(Int slot) {
    ++told;
    if (slot <= calm) return slot + pause;
    calm = (slot / every + 1) * every;
    return slot + pause + delay;
  }
  Int calm_until() const { return calm; }
  void after(Int slot) const { EXPECT_LE(slot, calm); }
};

/// Expects both pipelines to behave equally from `now` until they are empty.
void expect_equal(PipelinePlaces a, PipelinePlaces b, Int now, Random& random) {
  const Int slots = random.between(1, 40);
  ASSERT_EQ(a.join(0, now, slots, never), b.join(0, now, slots, never));
  while (!a.empty()) {
    ASSERT_FALSE(b.empty());
    ASSERT_EQ(a.first(), b.first());
    ASSERT_EQ(a.first_end(), b.first_end());
    a.leave();
    b.leave();
  }
  ASSERT_TRUE(b.empty());
}

/// Performs several visits of one tasklet in succession. Returns false if no visit took place.
bool go_alone(PipelinePlaces& places, PipelineVisits& visits, std::uint32_t tasklet, Int& now, Int slots,
              Random& random, Coverage& coverage) {
  Engine one{random.between(15, most_pause), random.between(50, 800), random.between(0, 100)};
  Engine engine = one;
  const Int most = random.between(1, 30);
  Int ready = now;
  const Int count = visits.visit_alone(tasklet, ready, slots, most, engine);
  EXPECT_LE(count, most);
  for (Int i = 0; i < count; ++i) {
    const auto end = places.join(tasklet, now, slots, never);
    EXPECT_TRUE(end.has_value());
    if (!end) return false;
    now = one.through(*end);
  }
  EXPECT_EQ(now, ready);
  coverage.alone += static_cast<std::uint64_t>(count);
  coverage.told += engine.told;
  return count > 0;
}

/// Performs visits that are far enough apart to affect each other only by their traces. Returns false if no
/// visit took place.
bool pass_by(PipelinePlaces& places, PipelineVisits& visits, std::uint32_t tasklet, Int& now, Int slots,
             Random& random, Coverage& coverage) {
  const Int longest = visits.longest(slots);
  Int issued = 0;
  for (int i = 0; i < 10; ++i) {
    if (now < visits.steady_from() || now + longest + most_pause >= visits.first_end()) break;
    if (visits.leaves_traces()) visits.pass(tasklet, now);
    const auto end = places.join(tasklet, now, slots, never);
    EXPECT_TRUE(end.has_value());
    if (!end) return false;
    EXPECT_LE(*end, now + longest);
    now += longest + random.between(15, most_pause);
    issued += slots;
    ++coverage.passed;
  }
  if (issued == 0) return false;
  visits.skip_to_steady(now, issued);
  return true;
}

/// Performs several tours of the same tasklets at a constant distance. Visits affect each other only by their
/// traces.
void pass_tours(PipelinePlaces& places, PipelineVisits& visits, Int& now, Int slots, Random& random,
                Coverage& coverage) {
  const Int longest = visits.longest(slots), apart = longest + random.between(15, most_pause);
  std::array<std::uint8_t, 5> numbers{};
  for (std::uint8_t& number : numbers) number = static_cast<std::uint8_t>(2 * (1 + random.below(20)));
  const auto tasklets = std::span(numbers).first(1 + random.below(numbers.size()));
  const Int tours = random.between(1, 6), count = tours * static_cast<Int>(tasklets.size());
  if (!visits.leaves_traces() || now < visits.steady_from() || now + count * apart >= visits.first_end())
    return;
  visits.pass_tours(tasklets, tours, now, apart);
  for (Int i = 0; i < count; ++i, now += apart)
    EXPECT_TRUE(places.join(tasklets[static_cast<std::size_t>(i) % tasklets.size()], now, slots, never));
  visits.skip_to_steady(now, count * slots);
  coverage.toured += static_cast<std::uint64_t>(count);
}

// Compares both implementations. The pipeline's members have odd numbers and many slots; tasklets with even
// numbers join and leave.
void compare(Random& random, Coverage& coverage) {
  const Int gap = std::array<Int, 5>{1, 4, 7, 11, 14}[random.below(5)];
  PipelinePlaces places(gap);
  const auto members = static_cast<std::uint32_t>(random.below(20));
  Int now = random.between(0, 100);
  for (std::uint32_t i = 0; i < members; ++i) {
    places.join(2 * i + 1, now, random.between(60, 400), now);
    now += random.between(1, gap);
  }
  if (random.chance(0.7)) now += 2 * gap;
  if (!places.empty() && places.first_end() < now) return;
  PipelinePlaces visited = places;
  PipelineVisits visits(visited);
  if (!visits.begin(now)) {
    ++coverage.unsteady;
    return;
  }
  for (int visit = 0; visit < 40; ++visit) {
    const auto tasklet = static_cast<std::uint32_t>(2 * (1 + random.below(20)));
    const Int slots = random.chance(0.7) ? random.between(1, 2) : random.between(1, 6);
    if (random.chance(0.2)) {
      if (!go_alone(places, visits, tasklet, now, slots, random, coverage)) break;
      continue;
    }
    if (random.chance(0.2)) {
      if (!pass_by(places, visits, tasklet, now, slots, random, coverage)) break;
      continue;
    }
    if (random.chance(0.2)) pass_tours(places, visits, now, slots, random, coverage);
    const Int until = random.chance(0.9) ? never : now + random.between(1, 6 * gap);
    const auto end = visits.visit(tasklet, now, slots, until);
    if (!end) {
      ++coverage.refused;
      break;
    }
    ASSERT_EQ(places.join(tasklet, now, slots, until), end);
    ++(members == 0 ? coverage.empty : members < gap ? coverage.partly : coverage.full);
    coverage.late += static_cast<std::uint64_t>(members<gap&& * end> now + (slots - 1) * gap);
    now = *end + (random.chance(0.9) ? gap + random.between(1, 60) : random.between(1, gap));
    if (random.chance(0.02)) now += Int{1} << 21;
  }
  visits.finish();
  if (!places.empty()) now = std::min(now, places.first_end());
  expect_equal(places, visited, now, random);
}

TEST(PipelineVisits, EqualJoiningAndLeavingOneByOne) {
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto count = tests::setting("NESTOR_CNM_PROGRAMS", 400) * 10;
  Coverage coverage;
  for (std::uint64_t i = 0; i < count; ++i) {
    SCOPED_TRACE(seed + i);
    Random random(seed + i);
    compare(random, coverage);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(coverage.empty, count / 10);
  EXPECT_GT(coverage.partly, count / 2);
  EXPECT_GT(coverage.full, count / 2);
  EXPECT_GT(coverage.late, count / 10);
  EXPECT_GT(coverage.unsteady, count / 200);
  EXPECT_GT(coverage.refused, count / 4);
  EXPECT_GT(coverage.alone, count);
  EXPECT_GT(coverage.told, count / 10);
  EXPECT_GT(coverage.alone, coverage.told * 3 / 2);
  EXPECT_GT(coverage.passed, count);
  EXPECT_GT(coverage.toured, count);
}

}  // namespace
}  // namespace nestor::cnm::pipeline_visits_test
