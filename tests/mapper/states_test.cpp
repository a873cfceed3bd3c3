// Tests of searches that resume from a state that was stored after any round. They give the same solutions,
// bounds and counts as the uninterrupted search, on one thread and on several. The tests cover every way to
// map layers on CIM machines, and layers on PIM machines. A corrupted state is refused or leads to checked
// mappings; it never causes an invalid memory access. NESTOR_STATES sets the number of states from which each
// search is resumed.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "io/cim/architecture_file.h"
#include "mapper/cim/map_layer.h"
#include "mapper/pim/map_layer.h"
#include "model/pim/search/admission.h"
#include "places.h"
#include "support/pim_cases.h"
#include "support/random_cases.h"
#include "support/recorded_states.h"
#include "support/setting.h"

namespace nestor::mapper::states_test {
namespace {

using nestor::tests::AlbumObserver;
using nestor::tests::RecordedStates;
using nestor::tests::States;

// Returns all contents of a map except times.
template <typename Map>
std::string report_of(const Map& map) {
  std::string text = std::string(to_string(map.status)) + " " + std::to_string(static_cast<int>(map.fault));
  const auto add = [&](auto value) { text += " " + std::to_string(value); };
  if (map.bound) add(*map.bound);
  for (const auto* list : {&map.best, &map.front})
    for (const auto& mapped : *list) {
      add(mapped.objective);
      text.append(reinterpret_cast<const char*>(mapped.shape.bounds.data()), sizeof mapped.shape.bounds);
    }
  const SearchStatistics& search = map.search;
  for (const std::uint64_t count :
       {search.counts.expanded, search.counts.generated, search.counts.cut, search.counts.dominated,
        search.branches, search.branches_opened, search.rounds})
    add(count);
  for (const auto& incumbent : search.incumbents) {
    add(incumbent.objective);
    add(incumbent.nodes);
    add(incumbent.lower_bound);
  }
  return text;
}

template <typename Map>
bool same_mappings(const Map& a, const Map& b) {
  const auto same = [](const auto& x, const auto& y) { return x.mapping == y.mapping; };
  return std::equal(a.best.begin(), a.best.end(), b.best.begin(), b.best.end(), same) &&
         std::equal(a.front.begin(), a.front.end(), b.front.begin(), b.front.end(), same);
}

struct Tally {
  std::size_t states = 0;
  std::size_t of_later_searches = 0;
  std::size_t with_solutions = 0;
};

class SearchStates : public ::testing::Test {
 protected:
  // Resumes a search from about `most` of the states stored at the ends of its rounds. Each resumed search
  // must have the result of the uninterrupted one. `map` maps a layer with an executor and an observer.
  template <typename MapLayer>
  void goes_on_from_every_round(MapLayer map, std::size_t most) {
    const auto serial = make_executor(ExecutorKind::serial, 1);
    const auto threads = make_executor(ExecutorKind::std_thread, 3);
    const auto whole = map(*serial, nullptr);
    const std::size_t every = std::max<std::size_t>(1, whole.search.rounds / most);
    RecordedStates album(every);
    AlbumObserver watch(album);
    ASSERT_EQ(report_of(map(*serial, &watch)), report_of(whole)) << "keeping states changes nothing";
    const auto& pictures = album.pictures();
    const std::size_t step = std::max<std::size_t>(1, pictures.size() / most);
    for (std::size_t i = 0; i < pictures.size(); i += step) {
      SCOPED_TRACE("state " + std::to_string(i) + " of " + std::to_string(pictures.size()));
      RecordedStates resumed(i % 3 == 0 ? every : 0, pictures[i]);
      AlbumObserver own(resumed);
      const auto again = map(i % 2 == 0 ? *serial : *threads, &own);
      ASSERT_EQ(report_of(again), report_of(whole));
      ASSERT_TRUE(same_mappings(again, whole));
      ASSERT_EQ(resumed.taken(), pictures[i].size());
      ASSERT_EQ(resumed.refused(), 0U);
      ++tally_.states;
      tally_.of_later_searches += static_cast<std::size_t>(pictures[i].size() > 1);
      tally_.with_solutions += static_cast<std::size_t>(!whole.best.empty() || !whole.front.empty());
    }
  }

  const std::size_t states_ = nestor::tests::setting("NESTOR_STATES", 12);
  Tally tally_;
};

LayerShape layer_of(const Extents& bounds) {
  LayerShape layer;
  layer.bounds = bounds;
  return layer;
}

// Returns a layer that only partly fits the buffers, so that the proof is not immediate.
LayerShape wide_layer() {
  LayerShape layer = layer_of(unit_extents);
  const auto set = [&](Dim dim, Int bound) { layer.bounds[index_of(dim)] = bound; };
  set(Dim::K, 24);
  set(Dim::C, 12);
  set(Dim::P, 14);
  set(Dim::Q, 10);
  set(Dim::R, 3);
  set(Dim::S, 3);
  return layer;
}

Architecture machine_with_buffers() {
  for (std::uint64_t seed = 1;; ++seed) {
    const auto sample = nestor::tests::random_case(seed, {.max_steps = 4000, .max_loops = 8, .graded = true});
    const auto& machine = sample.architecture.machine;
    if (machine.memories.size() >= 4 && machine.axes.size() >= 2 && machine.axes[0].size >= 3) return machine;
  }
}

TEST_F(SearchStates, ResumeToTheResultOfTheWholeSearch) {
  const auto machine = machine_with_buffers();
  MemoryBudget memory(std::size_t{1} << 30);
  std::size_t ways = 0;
  for (const auto model : {cim::LatencyModel::stall, cim::LatencyModel::miredo})
    for (const auto kind : {ObjectiveKind::latency, ObjectiveKind::energy, ObjectiveKind::edp,
                            ObjectiveKind::eq14, ObjectiveKind::blended})
      for (const int way : {0, 1, 2, 3, 4, 5}) {
        CimRequest request;
        request.objective.kind = kind;
        request.objective.latency_model = model;
        if (kind == ObjectiveKind::eq14) request.objective.additive_weight = -1;
        if (kind == ObjectiveKind::blended) request.objective.additive_weight = 0.1;
        if (way == 1) request.top = 3;
        if (way == 2) request.relative_gap = 0.02;
        if (way == 3) request.work_limit = 3000;
        if (way == 4) request.padding.percent = 20;
        if (way == 5) request.pareto = true;
        if (way == 5 && kind != ObjectiveKind::latency) continue;
        SCOPED_TRACE("objective " + std::to_string(static_cast<int>(kind)) + ", way " + std::to_string(way));
        auto layer = wide_layer();
        if (way == 4) layer.bounds[index_of(Dim::P)] = 13;
        goes_on_from_every_round(
            [&](Executor& executor, EngineObserver* observer) {
              return map_layer(layer, machine, request, {executor, memory}, observer);
            },
            states_);
        ++ways;
      }
  std::printf("%zu states of %zu searches, %zu of searches after the first, %zu with solutions\n",
              tally_.states, ways, tally_.of_later_searches, tally_.with_solutions);
  EXPECT_GT(tally_.states, 20 * states_);
  EXPECT_GT(tally_.of_later_searches, states_);
  EXPECT_EQ(memory.used(), 0U);
}

// Searches real layers on shipped machines. Only if many states are requested do the searches run long enough
// to change from the first direction to the second.
TEST_F(SearchStates, ResumeTenLongSearches) {
  struct Task {
    const char* machine;
    Extents bounds;  // N K C P Q R S G
    ObjectiveKind kind;
    cim::LatencyModel model = cim::LatencyModel::stall;
    bool pareto = false;
  };
  using enum ObjectiveKind;
  const std::vector<Task> tasks = {
      {"miredo-default", {1, 128, 64, 28, 28, 3, 3, 1}, energy},
      {"miredo-table4", {1, 64, 64, 56, 56, 3, 3, 1}, energy},
      {"miredo-table4", {1, 128, 128, 28, 28, 3, 3, 1}, edp},
      {"miredo-table4", {1, 256, 256, 14, 14, 3, 3, 1}, latency},
      {"miredo-default", {1, 64, 3, 112, 112, 7, 7, 1}, latency, cim::LatencyModel::miredo},
      {"miredo-table4", {1, 512, 512, 7, 7, 3, 3, 1}, eq14},
      {"miredo-default", {1, 144, 24, 56, 56, 1, 1, 1}, edp, cim::LatencyModel::miredo},
      {"miredo-table4", {1, 128, 128, 28, 28, 3, 3, 1}, latency, cim::LatencyModel::stall, true},
      {"miredo-default", {1, 256, 128, 28, 28, 3, 3, 1}, blended},
      {"miredo-table4", {1, 720, 360, 60, 60, 3, 3, 1}, energy},
  };
  MemoryBudget memory(std::size_t{1} << 31);
  std::uint64_t nodes = 0;
  for (const Task& task : tasks) {
    const auto architecture =
        io::read_architecture(std::string(NESTOR_SOURCE_DIR "/data/architectures/") + task.machine + ".yaml");
    ASSERT_TRUE(architecture);
    CimRequest request;
    request.objective.kind = task.kind;
    request.objective.latency_model = task.model;
    if (task.kind == eq14) request.objective.additive_weight = -1;
    request.pareto = task.pareto;
    request.work_limit = states_ > 12 ? 600'000 : 40'000;
    SCOPED_TRACE(task.machine + std::string(" ") + std::to_string(static_cast<int>(task.kind)));
    goes_on_from_every_round(
        [&](Executor& executor, EngineObserver* observer) {
          auto map =
              map_layer(layer_of(task.bounds), architecture->machine, request, {executor, memory}, observer);
          nodes += map.search.counts.expanded;
          return map;
        },
        std::max<std::size_t>(1, states_ / 6));
  }
  std::printf("%zu states, %zu of searches after the first; %.1f million expansions in all\n", tally_.states,
              tally_.of_later_searches, 1e-6 * static_cast<double>(nodes));
  EXPECT_GE(tally_.states, tasks.size());
}

TEST_F(SearchStates, ResumeToTheResultOfTheWholeSearchOnPimMachines) {
  MemoryBudget memory(std::size_t{1} << 30);
  std::size_t searched = 0;
  for (std::uint64_t seed = 1; searched < 24; ++seed) {
    const auto sample = nestor::tests::random_pim_case(seed, 4000);
    if (nestor::pim::admit(sample.layer, sample.machine) != nestor::Refusal::none) continue;
    pim::PimRequest request;
    request.objective.kind = seed % 3 == 0   ? ObjectiveKind::energy
                             : seed % 3 == 1 ? ObjectiveKind::latency
                                             : ObjectiveKind::edp;
    request.pareto = seed % 5 == 4;
    if (seed % 7 == 3) request.top = 3;
    SCOPED_TRACE(seed);
    goes_on_from_every_round(
        [&](Executor& executor, EngineObserver* observer) {
          return pim::map_layer(sample.layer, sample.machine, request, {executor, memory}, observer);
        },
        std::max<std::size_t>(1, states_ / 4));
    ++searched;
  }
  std::printf("%zu states\n", tally_.states);
  EXPECT_GT(tally_.states, 2 * states_);
}

// Changes random bytes, some of them to values that resemble numbers of labels, and removes pieces.
std::string tampered(std::string bytes, Random& random) {
  for (std::uint64_t changes = 1 + random.below(3); changes > 0 && !bytes.empty(); --changes) {
    const auto at = static_cast<std::size_t>(random.below(bytes.size()));
    switch (random.below(4)) {
      case 0:
        bytes[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        for (std::size_t i = at & ~std::size_t{3}; i < std::min(bytes.size(), (at & ~std::size_t{3}) + 4);
             ++i)
          bytes[i] = static_cast<char>(random.below(256));
        break;
      case 2:
        bytes.erase(at, 1 + random.below(64));
        break;
      default:
        bytes[at] = static_cast<char>(bytes[at] + 1);
    }
  }
  return bytes;
}

TEST_F(SearchStates, GiveNoFalseResultIfTamperedWith) {
  const auto machine = machine_with_buffers();
  const auto serial = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory(std::size_t{1} << 28);
  Random random(7);
  std::size_t refused = 0;
  std::size_t taken = 0;
  for (const auto kind : {ObjectiveKind::latency, ObjectiveKind::energy, ObjectiveKind::eq14}) {
    CimRequest request;
    request.objective.kind = kind;
    request.work_limit = 20000;
    if (kind == ObjectiveKind::eq14) request.objective.additive_weight = -1;
    const auto map = [&](RecordedStates& album) {
      AlbumObserver watch(album);
      return map_layer(wide_layer(), machine, request, {*serial, memory}, &watch);
    };
    RecordedStates album(20);
    map(album);
    ASSERT_FALSE(album.pictures().empty());
    for (std::size_t i = 0; i < 8 * states_; ++i) {
      States states = album.pictures()[random.below(album.pictures().size())];
      states.back() = tampered(std::move(states.back()), random);
      RecordedStates resumed(0, std::move(states));
      const auto found = map(resumed);
      refused += resumed.refused();
      taken += resumed.taken();
      // The tool reports a mapping that fails the final checks as a fault.
      if (found.fault != Fault::none) continue;
      for (const auto& mapped : found.best) ASSERT_LT(mapped.objective, no_cost);
    }
  }
  std::printf("%zu refused, %zu taken\n", refused, taken);
  EXPECT_GT(refused, 8 * states_);
  EXPECT_GT(taken, 0U);
}

}  // namespace
}  // namespace nestor::mapper::states_test
