// Random cases of the pim space in the form in which the independent checker reads them from a result file.
#pragma once

#include "check_cases.h"
#include "io/layer_file.h"
#include "io/pim/mapping_file.h"
#include "model/pim/search/problem.h"
#include "pim_prove.h"
#include "report/results/pim/result_file.h"
#include "support/pim_cases.h"

namespace nestor::check_cases {

/// Weights of a blended objective, as written in a file.
inline constexpr const char* pim_alpha = "3";
inline constexpr const char* pim_beta = "0.25";
inline constexpr std::array<const char*, 4> pim_objectives = {"latency", "energy", "edp", "blended"};

struct CheckedPimCase {
  tests::PimCase sample;
  io::pim::NamedPimMachine named;
  check::Json result;
  check::pim::CheckedPimMachine machine;
  check::Layer layer;

  check::Objective objective(const std::string& word) const {
    auto asked = result;
    asked["objective"]["name"] = word;
    return check::read_objective(asked, machine);
  }
  NestObjective searched(const std::string& word) const {
    NestObjective objective{.leakage = sample.machine.leakage};
    if (word == "energy") objective.kind = ObjectiveKind::energy;
    if (word == "edp") objective.kind = ObjectiveKind::edp;
    if (word == "blended") objective.kind = ObjectiveKind::blended;
    if (word != "blended") return objective;
    objective.latency_weight = std::stod(pim_alpha);
    objective.additive_weight = std::stod(pim_beta);
    return objective;
  }
  /// Returns the latency and the energy of a mapping, as the checker computes them.
  check::MappingCost cost(const nestor::pim::PimMapping& mapping) const {
    const check::Claim both(objective("edp"), machine);
    const auto read = check::pim::read_mapping(io::pim::mapping_to_json(mapping, named), machine);
    return cost_of(check::pim::CheckedPimProblem{layer, machine, both}, read);
  }
};

/// Returns the case of a seed. Some cases have leakage, vaults, fewer layouts, a very small innermost memory,
/// or partial sums of 20 bits, whose rows start at other positions than rows of outputs. If `mirrored`,
/// height and width are interchangeable.
inline CheckedPimCase pim_problem(std::uint64_t seed, Int most_macs, bool mirrored = false) {
  CheckedPimCase made{tests::random_pim_case(seed, most_macs), {}, {}, {}, {}};
  auto& [layer, machine] = made.sample;
  if (mirrored) {
    layer.bounds = {1, 1, 1, 4, 4, 1, 1, 1};
    layer.stride[1] = layer.stride[0];
    layer.dilation[1] = layer.dilation[0];
    for (Axis& axis : machine.axes)
      for (const Dim dim : {Dim::P, Dim::Q}) axis.dims.insert(dim);
  }
  if (seed % 5 == 0) machine.leakage = 0.75;
  if (seed % 7 == 3 && machine.memories[0].row >= 24) layer.bits.partial_sum = 20;
  if (seed % 9 == 4) machine.memories[machine.memories.size() - 1].capacity = 20;
  made.named.name = "machine";
  for (std::size_t a = 0; a < machine.axes.size(); ++a)
    made.named.axis_names.push_back("axis" + std::to_string(a));
  if (seed % 6 == 0 && !machine.axes.full()) {
    Axis vaults{.size = 2};
    for (const Dim dim : group_dims) vaults.dims.insert(dim);
    machine.axes.push_back(vaults);
    std::rotate(machine.axes.begin(), machine.axes.end() - 1, machine.axes.end());
    for (Memory& memory : machine.memories) ++memory.axes_above;
    machine.dim_once = static_cast<std::uint8_t>(machine.dim_once << 1U);
    made.named.axis_names.insert(made.named.axis_names.begin(), "vaults");
  }
  made.named.machine = machine;
  for (std::size_t m = 0; m < machine.memories.size(); ++m)
    made.named.memory_names.push_back("memory" + std::to_string(m));
  made.result = {{"architecture", io::pim::machine_to_json(made.named)},
                 {"objective", {{"name", "latency"}}},
                 {"options", {{"alpha", pim_alpha}, {"beta", pim_beta}}}};
  if (seed % 4 == 1) made.result["options"]["layouts"] = seed % 8 == 1 ? "sequential,row_aligned" : "hwc";
  made.machine = check::pim::read_machine(made.result);
  Layer named;
  named.name = "layer";
  named.shape = layer;
  made.layer = check::read_layer(io::layer_to_json(named));
  return made;
}

/// Returns the path to a mapping, with its loops split into prime factors. Operands that move at a loop move
/// at the last of its prime factors.
inline std::vector<check::LoggedNest> path_of(const check::pim::CheckedPimMapping& mapping) {
  std::vector<check::LoggedNest> path;
  for (const auto& nest : mapping.nests) {
    auto loop = nest;
    loop.moves = {};
    for (Int left = nest.factor; left > 1; left /= loop.factor) {
      loop.factor = check::pim::primes_of(left).front();
      path.push_back(loop);
    }
    if (nest.factor == 1) path.push_back(loop);
    path.back().moves = nest.moves;
  }
  return path;
}

inline nestor::pim::LayoutSet layouts_of(const CheckedPimCase& problem) {
  using nestor::pim::LayoutKind;
  nestor::pim::LayoutSet set;
  for (const auto kind : {LayoutKind::sequential, LayoutKind::hwc, LayoutKind::row_aligned})
    if (problem.machine.layouts[static_cast<std::size_t>(kind)]) set.insert(kind);
  return set;
}

}  // namespace nestor::check_cases
