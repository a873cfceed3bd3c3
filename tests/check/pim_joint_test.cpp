// Tests of the checker's bounds on all operands together against brute force, on random tiny PIM machines
// with even blocks. On the path to every mapping, no bound exceeds the energy that the rest of the path adds.
// This includes the bound of a whole spatial choice, at the root of the path.
#include <gtest/gtest.h>

#include "base/random.h"
#include "check/pim/rules.h"
#include "model/pim/legality.h"
#include "pim_check_cases.h"
#include "support/setting.h"

namespace nestor::pim_joint_test {
namespace {

using check::Int;
using check::Wide;
using check::pim::CheckedPimMachine;
using check::pim::CheckedPimMapping;
using check::pim::CheckedPimNest;
using check::pim::PimJointBounds;
using check::pim::PimLanes;
using check::pim::PimNode;
using check::pim::PimOperandBounds;
using check_cases::CheckedPimCase;
using check_cases::pim_problem;
using tests::setting;
using Path = std::vector<check::LoggedNest>;

const std::uint64_t cases = setting("NESTOR_EXACTNESS_CASES", 60);
const std::uint64_t first_seed = setting("NESTOR_PIM_SEED", 1);

// Returns the nests on a path, from the root on, with exact rows for the layouts of the mapping.
std::vector<PimNode> nests_on(const CheckedPimNest& nest, const CheckedPimMapping& mapping,
                              const Path& path) {
  const auto rows = [&](check::Operand x, const PimNode& at, Int) {
    return rows_opened(nest.walk(at, x), mapping.layouts[x]);
  };
  std::vector<PimNode> nests = {nest.root()};
  for (const auto& loop : path) {
    const auto next = nest.moved(nest.placed(nests.back(), loop), loop, rows);
    if (!next || !nest.fits(*next)) return {};
    nests.push_back(*next);
  }
  return nests;
}

// The bounds of one spatial choice, with several limits.
class Bounds {
 public:
  Bounds(const CheckedPimCase& problem, const check::Claim& claim, const CheckedPimMachine& without_rows,
         const check::Spatial& spatial)
      : lanes_(problem.layer, problem.machine, spatial),
        nest_({problem.layer, problem.machine, claim}, lanes_),
        nest_without_rows_({problem.layer, without_rows, claim}, lanes_) {
    for (const check::Operand x : check::operands)
      alone_[x] = std::make_unique<const PimOperandBounds>(nest_, x, 1);
    EXPECT_TRUE(PimJointBounds::supports(nest_));
    add_limit(PimJointBounds::most);
  }
  void add_limit(Int limit) {
    const auto floors = [this](check::Operand x, const check::Extents& left) -> const auto& {
      return alone_[x]->floors(left);
    };
    joint_.emplace_back(limit, std::make_unique<const PimJointBounds>(nest_, floors, limit));
  }

  // Expects that no bound on the path to a mapping exceeds what the rest of the path adds. Returns the energy
  // that the whole path adds.
  Int expect_below(const CheckedPimMapping& mapping) const {
    const Path path = check_cases::path_of(mapping);
    const auto nests = nests_on(nest_, mapping, path);
    const auto moving = nests_on(nest_without_rows_, mapping, path);
    EXPECT_EQ(nests.size(), path.size() + 1);
    if (nests.size() != path.size() + 1 || moving.size() != nests.size()) return 0;
    for (std::size_t i = 0; i + 1 < nests.size(); ++i) {
      const Wide adds = nests.back().energy - nests[i].energy;
      const Wide moves = moving.back().energy - moving[i].energy;
      for (const auto& [limit, joint] : joint_) {
        if (adds >= limit) continue;
        const auto rest = joint->rest(nests[i]);
        EXPECT_FALSE(joint->closes(nests[i])) << "nest " << i << ", limit " << limit;
        EXPECT_TRUE(rest.all <= adds) << "nest " << i << ", limit " << limit;
        EXPECT_TRUE(rest.moving <= moves) << "nest " << i << ", limit " << limit;
      }
    }
    return static_cast<Int>(nests.back().energy - nests.front().energy);
  }

  Int of_choice() const { return joint_.front().second->rest(nest_.root()).all; }
  // Returns the sum of the bounds of single operands.
  Wide of_choice_alone() const {
    Wide sum = 0;
    for (const auto& alone : alone_) sum += alone->rest(nest_.root()).energy_rows;
    return sum;
  }

 private:
  PimLanes lanes_;
  CheckedPimNest nest_;
  CheckedPimNest nest_without_rows_;
  std::array<std::unique_ptr<const PimOperandBounds>, 3> alone_;
  std::vector<std::pair<Int, std::unique_ptr<const PimJointBounds>>> joint_;  // with their limits
};

TEST(PimJointBounds, NeverExceedWhatAnyMappingAdds) {
  std::uint64_t compared = 0;
  std::uint64_t mappings = 0;
  std::uint64_t choices = 0;
  std::uint64_t exact = 0;
  std::uint64_t higher = 0;
  for (std::uint64_t seed = first_seed; compared < cases; ++seed) {
    const auto problem = pim_problem(seed, seed % 2 == 0 ? 16 : 24);
    if (!problem.machine.is_even) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    auto without_rows = problem.machine;
    for (auto& port : without_rows.ports) port.activation_energy = 0;
    const check::Claim claim(problem.objective("energy"), problem.machine);
    const auto asked =
        make_problem(problem.sample.layer, problem.sample.machine, {}, check_cases::layouts_of(problem));
    pim::RowCounter rows;
    std::vector<CheckedPimMapping> all;
    const bool is_listed = tests::each_pim_mapping(problem.sample, 20000, [&](pim::PimMapping mapping) {
      choose_layouts(asked, mapping, rows);
      all.push_back(
          check::pim::read_mapping(io::pim::mapping_to_json(mapping, problem.named), problem.machine));
    });
    if (!is_listed) continue;
    ++compared;
    std::map<check::Spatial, std::unique_ptr<Bounds>> bounds;
    std::map<check::Spatial, Int> least;
    for (const auto& mapping : all) {
      auto& of_choice = bounds[mapping.spatial];
      if (!of_choice) {
        of_choice = std::make_unique<Bounds>(problem, claim, without_rows, mapping.spatial);
        const Int bound = of_choice->of_choice();
        for (const Int limit :
             {bound, bound + 1, bound / 2 + 1, bound + static_cast<Int>(random.below(1000))})
          of_choice->add_limit(std::max(Int{1}, limit));
      }
      const Int adds = of_choice->expect_below(mapping);
      const auto [place, is_first] = least.try_emplace(mapping.spatial, adds);
      place->second = std::min(place->second, adds);
      if (HasFailure()) return;
    }
    mappings += all.size();
    for (const auto& [spatial, energy] : least) {
      ++choices;
      exact += static_cast<std::uint64_t>(bounds[spatial]->of_choice() == energy);
      higher += static_cast<std::uint64_t>(bounds[spatial]->of_choice() > bounds[spatial]->of_choice_alone());
    }
  }
  std::printf(
      "%llu cases, %llu mappings, %llu choices; the bound equals the least energy for %llu of them, and "
      "exceeds "
      "the bounds of single operands for %llu\n",
      static_cast<unsigned long long>(compared), static_cast<unsigned long long>(mappings),
      static_cast<unsigned long long>(choices), static_cast<unsigned long long>(exact),
      static_cast<unsigned long long>(higher));
  EXPECT_GT(exact * 4, choices);
  EXPECT_GT(higher * 10, choices);
}

}  // namespace
}  // namespace nestor::pim_joint_test
