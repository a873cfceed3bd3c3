#include "model/cnm/estimate/estimate.h"

namespace nestor::cnm {
namespace {

constexpr Int group_budget = 3'000'000;

}  // namespace

double cycles_to_ms(const System& system, double cycles) { return cycles / (system.clock_mhz * 1e3); }

HostTime host_time(const System& system, Int tasklets, const HostWork& work) {
  HostTime time;
  if (system.target == Target::upmem)
    time.launch_ms =
        system.host.launch_ms + system.host.launch_ms_per_tasklet * static_cast<double>(tasklets);
  time.reduce_ms = system.host.reduce_ns * static_cast<double>(work.partial_results) * 1e-6;
  const auto move = [](Int bytes, double gbs) {
    return gbs > 0 ? static_cast<double>(bytes) / (gbs * 1e6) : 0.0;
  };
  time.transfer_ms =
      move(work.rank_bytes_in, system.host.to_gbs) + move(work.rank_bytes_out, system.host.from_gbs);
  return time;
}

EstimateOutcome estimate_known_program(const System& system, const Program& program, Int tasklets,
                                       const HostWork& work, RunMemory* memory) {
  const auto done = estimate_program(system, program, tasklets, memory);
  if (!done) return {std::nullopt, "the program is too long or too deep to be estimated", 0, 0};
  MapEstimate result;
  result.cycles = done->cycles;
  result.host = host_time(system, tasklets, work);
  result.time_ms = cycles_to_ms(system, done->cycles) + result.host.sum();
  constexpr std::array<std::string_view, 4> names = {"issue", "barrier", "dma", "gap"};
  for (std::size_t i = 0; i < names.size(); ++i) result.causes.push_back({names[i], done->causes[i]});
  result.bounds = done->bounds;
  result.runs = done->runs;
  result.cycles_simulated = done->cycles_simulated;
  result.k = done->k;
  result.linear = done->linear;
  return {std::move(result), {}, 0, 0};
}

EstimateOutcome estimate_listing(const System& system, const Listing& listing, Int tasklets) {
  const Legality legality = check_listing(system, listing, tasklets);
  if (!legality.legal()) return {std::nullopt, legality.violation, 0, 0};
  const ListingProgram program = program_of(listing, system);
  if (!program.error.empty()) return {std::nullopt, program.error, program.line, program.column};
  const MovedBytes bytes = moved_bytes(listing, tasklets).value_or(MovedBytes{});
  auto outcome = estimate_known_program(system, program.program, tasklets, {0, bytes.in, bytes.out});
  if (outcome.estimate) outcome.estimate->memory = legality.use;
  return outcome;
}

EstimateOutcome estimate_stream(const System& system, const Stream& stream, const HostWork& work) {
  const auto run = run_channel(system, stream, group_budget);
  if (!run) return {std::nullopt, "the stream is infinite or too long to be estimated", 0, 0};
  MapEstimate result;
  result.cycles = static_cast<double>(run->cycles);
  result.host = host_time(system, 0, work);
  result.time_ms = cycles_to_ms(system, result.cycles) + result.host.sum();
  const auto& c = run->causes;
  for (const auto& [name, cycles] : {std::pair<std::string_view, Int>{"column", c.column},
                                     {"refresh", c.refresh},
                                     {"mode", c.mode},
                                     {"row", c.row},
                                     {"timing", c.timing}})
    result.causes.push_back({name, static_cast<double>(cycles)});
  result.bounds.issue = static_cast<double>(burst_count(stream).value_or(0));
  result.runs = 1;
  result.cycles_simulated = run->cycles_simulated;
  return {std::move(result), {}, 0, 0};
}

}  // namespace nestor::cnm
