// Tests that compare the contract of the cnm space on HBM-PIM with the estimate: on random kernels under
// random maps, with streams of the library, and on texts of streams. Both give the same verdict on legality
// and the same figures. NESTOR_CNM_READINGS sets the number of cases.
#include <gtest/gtest.h>

#include "check/kernel_contract.h"
#include "cnm_results.h"
#include "io/cnm/stream_text.h"
#include "io/cnm/system_file.h"
#include "model/cnm/estimate/pim_map.h"

namespace nestor::cnm_channel_contract_test {
namespace {

using namespace tests;  // NOLINT(google-build-using-namespace): helpers of this folder
using report::KernelTask;

std::uint64_t cases() { return contract_cases() / 4; }

// Returns a map of the form for which the library has streams.
cnm::CnmMap library_map(const cnm::Kernel& kernel, const cnm::System& system, Random& random) {
  const std::size_t dims = kernel.dim_count();
  cnm::CnmMap map;
  map.tuples.assign(4, std::vector<Int>(dims, 1));
  map.tuples[0][random.below(dims)] = random.between(1, 8);
  map.tuples[1][0] = system.levels[1].size;
  map.tuples[2][dims - 1] = system.levels[2].size;
  for (std::size_t d = 0; d < dims; ++d) {
    const Int parts = map.tuples[0][d] * map.tuples[1][d] * map.tuples[2][d];
    map.tuples[3][d] = ceil_divide(kernel.extents[d], parts);
  }
  return map;
}

// Returns the kernel of one operation for which the library has a stream.
cnm::Kernel vector_kernel(Random& random) {
  for (;;) {
    auto kernel = random_pointwise(random, 2000);
    check_cases::name_values(kernel);
    if (cnm::pim_kernel_of(kernel)) return kernel;
  }
}

void set_extents(cnm::Kernel& kernel, std::size_t dim, Int extent) {
  kernel.extents[dim] = extent;
  for (auto& operand : kernel.operands)
    for (std::size_t i = 0; i < operand.map.size(); ++i)
      if (operand.map[i].factors[dim] != 0) operand.dims[i] = extent;
}

// Makes the kernel as large as its maps, or larger.
void fit(KernelTask& task, Random& random) {
  auto& kernel = *task.input.kernel;
  for (std::size_t d = 0; d < kernel.dim_count(); ++d)
    if (random.chance(0.8))
      set_extents(kernel, d, std::max<Int>(1, task.mapping[0].extent(d) - (random.chance(0.5) ? 0 : 1)));
  if (!random.chance(0.2)) return;
  // A second map of the same form covers as much again in one dim.
  const std::size_t d = random.below(kernel.dim_count());
  for (std::size_t each = 0; each < kernel.dim_count(); ++each)
    set_extents(kernel, each, task.mapping[0].extent(each) * (each == d ? 2 : 1));
  task.mapping.push_back(task.mapping[0]);
  task.mapping.back().name = "M2";
}

TEST(CnmChannelContract, AgreesWithTheEstimateOfMaps) {
  std::size_t legal = 0, stated = 0, several = 0, library = 0, banks = 0, chosen = 0, open = 0, replayed = 0;
  for (std::uint64_t i = 0; legal < cases(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed_of_tests() + i));
    Random random(seed_of_tests() + i);
    auto of = check_cases::pim_case(random, random.chance(0.9) ? 60 : 500);
    if (random.chance(0.2)) of.kernel = vector_kernel(random);
    const auto form = cnm::pim_form_of(of.kernel);
    const bool is_reduction = form.contraction;
    KernelTask task;
    task.input.kernel = of.kernel;
    task.mapping = {random.chance(0.2) ? library_map(of.kernel, of.system, random)
                                       : random_channel_map(random, of.kernel, is_reduction)};
    if (random.chance(0.8)) fit(task, random);
    if (task.mapping[0].pim.grf && random.chance(0.1)) {  // more vectors than are processed at a time
      of.system.pim.grf = 16;
      task.mapping[0].pim.grf = random.between(14, 18);
    }
    const auto estimate = report::estimate_task(task, of.system).estimate;
    if (!estimate.refusal.empty()) {
      const auto& map = task.mapping[0];
      stated +=
          (is_reduction ? !map.block.empty() && !map.order.empty() : map.pim.grf && map.pim.layout) ? 1U : 0U;
      ASSERT_NE(contract_of(task, of.system, false).faults, std::vector<std::string>()) << estimate.refusal;
      continue;
    }
    if (estimate.cycles > 100'000'000) continue;  // the contract simulates no longer streams
    ++legal;
    library += task.mapping[0].block.empty() && cnm::is_library_form(task.mapping[0], of.system) &&
                       cnm::pim_kernel_of(*task.input.kernel)
                   ? 1U
                   : 0U;
    task.mapping.clear();
    for (const auto& each : estimate.maps) task.mapping.push_back(each.map);
    const auto& map = task.mapping[0];
    chosen += map.pim.bank || map.pim.half_dim ? 1U : 0U;
    banks += map.parts(1) > of.system.levels[1].size ? 1U : 0U;
    several += task.mapping.size() > 1 ? 1U : 0U;
    const bool is_replayed = estimate.cycles < 100'000 && random.chance(0.2);
    replayed += is_replayed ? 1U : 0U;
    auto found = contract_of(task, of.system, is_replayed);
    ASSERT_EQ(found.faults, std::vector<std::string>());
    open += found.open.size() > 1 ? 1U : 0U;
    // How many cycles were simulated instead of taken from a memory is not recomputed.
    for (std::size_t m = 0; m < estimate.maps.size(); ++m)
      found.figures["maps"][m]["simulated"] = report::maps_json(estimate, of.system)[m]["simulated"];
    expect_figures(task, of.system, estimate, found, is_replayed);
    ASSERT_EQ(cnm::channel_note(*task.input.kernel, found.padded), estimate.note);
    ASSERT_FALSE(HasFailure());
  }
  for (const auto covered : {stated, several, library, banks, chosen, open, replayed})
    EXPECT_GE(covered, cases() / 50);
}

TEST(CnmChannelContract, SearchedMapsAssignNoMoreThanNecessary) {
  const auto system = *io::read_cnm_system("hbm-pim", {});
  report::KernelInput input;
  input.kernel = cnm::matrix_product("mv", 64, 1, 64, cnm::Type::f16);
  const auto architecture = io::system_to_json(system);
  const auto source = report::source_json(input, system);
  for (const Int left : {8, 16, 24}) {
    const io::Json map = {{"name", "M1"},
                          {"tuples", {{1, 1}, {8, 1}, {1, 16}, {left, 4}}},
                          {"block", {8, 4}},
                          {"order", {0, 1}},
                          {"half", "split"}};
    const auto maps = io::Json::array({map});
    for (const bool is_searched : {false, true}) {
      const auto found = check::cnm::contract_of(
          {.architecture = architecture, .source = source, .maps = maps, .is_searched = is_searched});
      EXPECT_EQ(found.faults.empty(), left == 8 || !is_searched) << left;
      if (found.faults.empty()) {
        EXPECT_EQ(found.open.size(), left == 8 ? 1U : 2U);
      }
    }
  }
}

std::string random_rows(Random& random, std::size_t depth) {
  std::string text = std::to_string(random.below(5000));
  for (std::size_t d = 0; d < depth; ++d) {
    if (random.chance(0.4)) continue;
    text += "+";
    if (random.chance(0.8)) text += std::to_string(random.below(70)) + "*";
    text += "ijkl"[d];
  }
  return text;
}

std::string random_stream_text(Random& random, std::size_t depth) {
  std::string text;
  const auto items = random.between(depth == 0 ? 1 : 0, 4);
  for (Int item = 0; item < items; ++item) {
    if (depth < cnm::max_stream_depth && random.chance(0.4)) {
      text +=
          "loop x" + std::to_string(random.below(5)) + " {\n" + random_stream_text(random, depth + 1) + "}\n";
      continue;
    }
    for (auto bursts = random.between(1, 3); bursts > 0; --bursts)
      text += std::string(random.chance(0.5) ? "rd " : "wr ") + std::to_string(random.below(16)) + " " +
              random_rows(random, depth) + " " + random_rows(random, depth) + " " +
              std::to_string(random.between(1, 8)) + " data\n";
    text += "fence\n";
  }
  return text;
}

TEST(CnmChannelContract, AgreesWithTheEstimateOfStreams) {
  std::size_t groups = 0, looped = 0, refused = 0;
  for (std::uint64_t i = 0; i < cases(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed_of_tests() + i));
    Random random(seed_of_tests() + i);
    auto system = check_cases::pim_system(random);
    auto stream = io::parse_stream("llvcnm 1 some hbm-pim\n" + random_stream_text(random, 0), "text", system);
    if (!stream) continue;
    KernelTask task;
    task.input.name = stream->name;
    task.input.stream = std::move(stream->stream);
    const auto estimate = report::estimate_task(task, system).estimate;
    auto found = contract_of(task, system, estimate.cycles < 100'000);
    ASSERT_EQ(found.faults.empty(), estimate.refusal.empty())
        << estimate.refusal << (found.faults.empty() ? "" : found.faults[0]);
    if (!found.faults.empty()) continue;
    found.figures["maps"][0]["simulated"] = report::maps_json(estimate, system)[0]["simulated"];
    expect_figures(task, system, estimate, found, estimate.cycles < 100'000);
    ASSERT_FALSE(HasFailure());
    groups += static_cast<std::size_t>(estimate.maps[0].estimate.bounds.issue);
    auto source = report::source_json(task.input, system);
    auto text = source["text"].get<std::string>();
    looped += text.find("loop x4") != std::string::npos ? 1U : 0U;
    // The last line of this text is truncated.
    text.resize(text.find('\n') + 1 + random.below(text.size() - text.find('\n') - 1));
    source["text"] = text;
    const auto cut = check::cnm::contract_of(
        {.architecture = io::system_to_json(system), .source = source, .maps = io::Json::array()});
    refused += cut.faults.empty() ? 0U : 1U;
  }
  EXPECT_GE(groups, 5 * cases());
  EXPECT_GE(looped, cases() / 10);
  EXPECT_GE(refused, cases() / 5);
}

}  // namespace
}  // namespace nestor::cnm_channel_contract_test
