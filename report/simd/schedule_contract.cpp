#include "report/simd/schedule_contract.h"

#include <algorithm>

#include "report/results/simd/schedule_file.h"

namespace nestor::report {
namespace {

check::simd::Netlist netlist_for_check(const simd::Netlist& netlist) {
  const auto signal = [](simd::Signal of) {
    return of.node() << 1U | static_cast<std::uint32_t>(of.complemented());
  };
  check::simd::Netlist copy;
  copy.inputs.assign(netlist.input_names.begin(), netlist.input_names.end());
  copy.gate_names.assign(netlist.gate_names.begin(), netlist.gate_names.end());
  copy.gates.reserve(netlist.gates.size());
  for (const auto& [kind, fanin] : netlist.gates)
    copy.gates.push_back(
        {kind == simd::GateKind::xor3, {signal(fanin[0]), signal(fanin[1]), signal(fanin[2])}});
  for (const auto& output : netlist.outputs) copy.outputs.push_back({output.name, signal(output.signal)});
  return copy;
}

}  // namespace

std::uint64_t quick_random_patterns(const simd::Netlist& source) {
  constexpr std::uint64_t gate_patterns = std::uint64_t{1} << 28U;
  constexpr std::uint64_t step = 1024;
  const std::uint64_t patterns = gate_patterns / std::max<std::uint64_t>(1, source.gates.size());
  return std::clamp(patterns / step * step, step, all_random_patterns);
}

check::simd::ScheduleContract contract_of(const check::simd::Schedule& schedule, const simd::Netlist& mapped,
                                          const simd::Netlist& source, const simd::EnergyModel& energy,
                                          std::uint64_t random_patterns) {
  const auto netlist = netlist_for_check(mapped), original = netlist_for_check(source);
  return check::simd::contract_of(
      {schedule, netlist, original, {energy.compute, energy.copy, energy.copy_step}, random_patterns});
}

check::simd::ScheduleContract contract_of(const simd::Schedule& schedule, const simd::Netlist& mapped,
                                          const simd::Netlist& source, const simd::EnergyModel& energy,
                                          std::uint64_t random_patterns) {
  const auto text = io::to_text(schedule, mapped);
  const auto parsed = io::parse_schedule(text, "schedule");
  if (!parsed) return {parsed.error().to_string(), 0, nullptr};
  return contract_of(*parsed, mapped, source, energy, random_patterns);
}

}  // namespace nestor::report
