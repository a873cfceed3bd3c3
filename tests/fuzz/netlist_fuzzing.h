// Checks of every netlist that a netlist reader accepts. The netlist is well formed, and mapping, writing and
// reading it do not change its function.
#pragma once

#include <cstdlib>

#include "io/netlist/blif_reader.h"
#include "io/netlist/netlist_writer.h"
#include "io/netlist/verilog_reader.h"
#include "mapper/simd/make_schedule.h"
#include "model/simd/tech_map.h"
#include "report/simd/schedule_contract.h"
#include "support/netlist_values.h"

namespace nestor::fuzzing {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void require_well_formed(const simd::Netlist& netlist) {
  require(netlist.gate_names.size() == netlist.gates.size());
  for (auto node = netlist.first_gate(); node < netlist.node_count(); ++node) {
    for (const auto fanin : netlist.gate(node).fanin) require(fanin.node() < node);
  }
  for (const auto& output : netlist.outputs) require(output.signal.node() < netlist.node_count());
}

// Expects that every method rejects a small netlist or returns a schedule that passes verification and has no
// fewer copies than the reported bound.
inline void check_schedules(const simd::Netlist& netlist) {
  constexpr std::size_t most_values = 24;
  if (netlist.input_names.size() + netlist.gates.size() > most_values) return;
  for (const auto method : simd::schedule_methods.values)
    for (const std::uint32_t array_limit : {0U, 1U}) {
      simd::ScheduleRequest request;
      request.method = method;
      request.rows = 4;
      request.array_limit = array_limit;
      request.work_limit = 2000;
      request.restarts = 2;
      request.workers = 1;
      request.threads = 1;
      const auto found = simd::make_schedule(netlist, request);
      if (!found) continue;
      require(report::contract_of(found->schedule, netlist, netlist).fault.empty());
      require(found->bound.copies <= found->copies);
    }
}

inline void check_network(const io::Result<simd::LogicNetwork>& network) {
  if (!network.ok()) {
    require(!network.error().message.empty());
    return;
  }
  const auto& netlist = network->netlist;
  require_well_formed(netlist);
  const auto mapped = simd::map_to_xmg(*network, simd::MapPolicy::always);
  require_well_formed(mapped.netlist);
  require(tests::are_equivalent(netlist, mapped.netlist, 4));
  check_schedules(mapped.netlist);
  const auto verilog = io::parse_verilog(io::to_verilog(netlist), "written.v");
  require(verilog.ok());
  require(tests::are_equivalent(netlist, verilog->netlist, 4));
  const auto blif = io::parse_blif(io::to_blif(mapped.netlist), "written.blif");
  require(blif.ok());
  require(tests::are_equivalent(netlist, blif->netlist, 4));
}

}  // namespace nestor::fuzzing
