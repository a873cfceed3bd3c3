#include "model/cnm/estimate/estimate_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/cnm/estimate/pim_kernel.h"

namespace nestor::cnm {
namespace {

// Returns the library's listing of a library call, checked for this system. Each tasklet has its own elements
// of the operands.
MapListing list_library_call(const Kernel& kernel, const CnmMap& map, const System& system,
                             const Library& library) {
  MapListing result;
  const auto listing = library({kernel.library_call, kernel.operands[0].type, map.block[0],
                                map.local()[0] / map.block[0], tasklets_of(map)});
  if (!listing) {
    result.fault = fmt::format("no kernel '{}' in the library", kernel.library_call);
    return result;
  }
  result.listing = *listing;
  result.listing.multiply_k = kernel.multiply_k;
  result.legality = check_listing(system, result.listing, tasklets_of(map));
  result.fault = result.legality.violation;
  return result;
}

constexpr std::size_t most_remembered = 100'000;

// Returns the cache key of the program of a tasklet, which does not depend on ranks and DPUs.
std::vector<Int> work_key(const CnmMap& map) {
  std::vector<Int> key = map.tuples[map.tuples.size() - 2];
  key.insert(key.end(), map.local().begin(), map.local().end());
  key.insert(key.end(), map.block.begin(), map.block.end());
  for (const std::size_t d : map.order) key.push_back(static_cast<Int>(d));
  key.push_back(map.collect.value_or(-1));
  return key;
}

EstimateOutcome estimate_work(const Kernel& kernel, const CnmMap& map, const System& system,
                              const Library& library, RunMemory* runs) {
  const MapListing listing = listing_of(kernel, map, system, library);
  if (!listing.fault.empty()) return {std::nullopt, listing.fault, 0};
  const ListingProgram program = program_of(listing.listing, system);
  if (!program.error.empty()) return {std::nullopt, program.error, program.line};
  auto outcome = estimate_known_program(system, program.program, tasklets_of(map), {}, runs);
  if (outcome.estimate) outcome.estimate->memory = listing.legality.use;
  return outcome;
}

}  // namespace

MapListing listing_of(const Kernel& kernel, const CnmMap& map, const System& system, const Library& library) {
  if (!kernel.library_call.empty()) return list_library_call(kernel, map, system, library);
  return list_map(kernel, map, system);
}

CnmMap complete(const CnmMap& map, const Kernel& kernel, const System& system, const Library& library) {
  if (kernel.library_call.empty()) return with_defaults(map, kernel, system);
  CnmMap result = map;
  result.order = {0};
  if (!result.block.empty()) return result;
  for (Int block = std::min(map.local()[0], system.wram.capacity); block >= 1; --block) {
    if (map.local()[0] % block != 0) continue;
    result.block = {block};
    if (listing_of(kernel, result, system, library).fault.empty()) break;
  }
  return result;
}

HostWork host_work(const Kernel& kernel, const CnmMap& map, const System& system, const Library& library) {
  HostWork work;
  const bool library_call = !kernel.library_call.empty();
  if (!library_call) work.partial_results = partial_results(kernel, map);
  if (system.host.to_gbs == 0 && system.host.from_gbs == 0) return work;
  MovedBytes bytes;
  if (!library_call) {
    bytes = bytes_of_rank(kernel, map, system);
  } else if (!map.block.empty()) {
    const MapListing listing = list_library_call(kernel, map, system, library);
    bytes = moved_bytes(listing.listing, tasklets_of(map)).value_or(MovedBytes{});
    bytes.in *= map.parts(1);
    bytes.out *= map.parts(1);
  }
  work.rank_bytes_in = bytes.in;
  work.rank_bytes_out = bytes.out;
  return work;
}

EstimateOutcome estimate_map(const Kernel& kernel, const CnmMap& map, const System& system,
                             const Library& library, EstimateMemory* memory) {
  EstimateOutcome outcome;
  if (memory == nullptr) {
    outcome = estimate_work(kernel, map, system, library, nullptr);
  } else {
    auto& outcomes = memory->outcomes;
    if (outcomes.size() > most_remembered) outcomes.clear();
    const auto [known, fresh] = outcomes.try_emplace(work_key(map));
    if (fresh) known->second = estimate_work(kernel, map, system, library, &memory->runs);
    outcome = known->second;
  }
  if (!outcome.estimate) return outcome;
  auto& estimate = *outcome.estimate;
  estimate.host = host_time(system, tasklets_of(map), host_work(kernel, map, system, library));
  estimate.time_ms = cycles_to_ms(system, estimate.cycles) + estimate.host.sum();
  return outcome;
}

KernelEstimate estimate_kernel(const Kernel& kernel, const CnmMapping& mapping, const System& system,
                               const Library& library, EstimateMemory* memory) {
  KernelEstimate result;
  const auto refuse = [&](std::string why) {
    result.refusal = std::move(why);
    return result;
  };
  for (const CnmMap& map : mapping)
    if (auto fault = find_shape_fault(map, kernel.dim_count(), system); !fault.empty())
      return refuse(std::move(fault));
  if (system.target == Target::hbm_pim) return estimate_on_channels(kernel, mapping, system);
  if (!kernel.library_call.empty() && kernel.dim_count() != 1)
    return refuse(fmt::format("{} has {} dims, expected 1", kernel.library_call, kernel.dim_count()));
  if (const auto allocation = allocate(mapping, kernel.extents); !allocation.fault.empty())
    return refuse(allocation.fault);
  const Int between = kernel.library_call.empty() ? results_between_maps(kernel, mapping) : 0;
  for (const std::size_t i : execution_order(mapping)) {
    CnmMap map = complete(mapping[i], kernel, system, library);
    auto outcome = estimate_map(kernel, map, system, library, memory);
    if (!outcome.estimate) return refuse(fmt::format("map {}: {}", map.name, outcome.refusal));
    result.maps.push_back({std::move(map), *outcome.estimate});
  }
  if (between > 0) {
    auto& last = result.maps.back().estimate;
    const double extra = system.host.reduce_ns * static_cast<double>(between) * 1e-6;
    last.host.reduce_ms += extra;
    last.time_ms += extra;
  }
  for (const EstimatedMap& map : result.maps) {
    result.time_ms += map.estimate.time_ms;
    result.cycles += map.estimate.cycles;
  }
  return result;
}

}  // namespace nestor::cnm
