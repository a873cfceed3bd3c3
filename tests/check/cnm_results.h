// Random kernels on random UPMEM systems in the form of results of nestor map, and their proofs as lists of
// JSON pieces.
#pragma once

#include "check/claim.h"
#include "check/cnm/claims.h"
#include "io/cnm/mlir.h"
#include "io/cnm/system_file.h"
#include "mapper/cnm/map_kernel.h"
#include "model/cnm/random_channels.h"
#include "model/cnm/random_kernels.h"
#include "report/cnm/kernel_record.h"
#include "report/cnm/proof_writer.h"

namespace nestor::check_cases {

using check::Json;
using Pieces = std::vector<Json>;

inline const cnm::Library no_library = [](const cnm::LibraryRequest&) {
  return std::optional<cnm::Listing>();
};

struct CnmCase {
  cnm::Kernel kernel;
  cnm::System system;
};

inline cnm::System cnm_system(Random& random) {
  auto system = *io::read_cnm_system("upmem", {});
  system.levels[0].size = random.between(1, 3);
  system.levels[1].size = random.between(1, 4);
  system.levels[2].size = random.between(1, 16);
  system.wram.capacity = random.between(2, 64) * 1024;
  system.host.reduce_ns = random.chance(0.5) ? 2 : 200;
  system.engine.whole = random.chance(0.7) ? 8 : 64;
  if (random.chance(0.2))
    system.engine = {.alpha = 1, .k = 1, .k_max = 1, .whole = 0};  // makes the estimates of the engine coarse
  system.gap = random.between(3, 14);
  if (random.chance(0.3)) system.dma.refresh.every = random.chance(0.5) ? 0 : 500;
  if (random.chance(0.3)) system.dma.ports = random.between(0, 3);
  if (random.chance(0.3)) system.dma.max_bytes = 64;
  if (random.chance(0.2)) system.iram_capacity = random.between(30, 120) * 6;
  if (random.chance(0.2)) system.mram_capacity = random.between(50, 3000);
  if (random.chance(0.3)) system.host.to_gbs = system.host.from_gbs = 0.5;
  return system;
}

/// Sets the operation names from which the text of a kernel is generated.
inline void name_operations(cnm::Kernel& kernel) {
  for (auto& step : kernel.region) {
    const bool real = step.type == cnm::Type::f32;
    if (step.kind == cnm::RegionStep::Kind::constant)
      step.text = real ? "3.0" : "3";
    else
      step.text = (step.op == cnm::Op::add   ? "add"
                   : step.op == cnm::Op::mul ? "mul"
                                             : "sub") +
                  std::string(real ? "f" : "i");
  }
}

/// Returns a random system with a random kernel: a sum of two vectors or matrices, a matrix product, or an
/// arbitrary kernel.
inline CnmCase cnm_case(std::uint64_t seed) {
  Random random(seed);
  CnmCase made{{}, cnm_system(random)};
  constexpr std::array<Int, 6> extents = {2, 4, 6, 8, 12, 16};
  const auto extent = [&] { return extents[random.below(extents.size())]; };
  if (random.chance(0.4)) {
    made.kernel = tests::random_kernel(random, extents);
  } else if (random.chance(0.5)) {
    made.kernel =
        cnm::matrix_product("mv", extent(), 1, extent(), random.chance(0.3) ? cnm::Type::i8 : cnm::Type::i32);
  } else {
    made.kernel = cnm::matrix_product("mm", random.between(1, 4), 2 * random.between(1, 2),
                                      2 * random.between(1, 3), cnm::Type::i64);
  }
  name_operations(made.kernel);
  return made;
}

/// Returns hbm-pim with some timings and sizes changed.
inline cnm::System pim_system(Random& random) {
  auto system = *io::read_cnm_system("hbm-pim", {});
  auto& dram = system.dram;
  const auto change = [&](Int& value, Int low, Int high) {
    if (random.chance(0.25)) value = random.between(low, high);
  };
  change(dram.tREFI, 400, 5000);
  change(dram.tRFC, 50, 400);
  change(dram.tRCDRD, 5, 30);
  change(dram.tRCDWR, 5, 30);
  change(dram.tRP, 5, 30);
  change(dram.tRAS, 10, 60);
  change(dram.tRRDL, 4, 12);
  change(dram.tCCDL, 2, 8);
  change(dram.tRTPL, 2, 9);
  change(dram.tWR, 5, 30);
  change(dram.tWTRL, 1, 15);
  change(dram.RL, 8, 25);
  change(dram.XAW, 1, 3);
  change(dram.tXAW, 16, 60);
  change(dram.queue, 2, 12);
  change(dram.ranks, 1, 4);
  if (random.chance(0.5)) {
    change(system.pim.crf, 4, 40);
    change(system.pim.instructions_per_burst, 1, 12);
    change(system.pim.row_bursts, 1, 80);
    change(system.pim.reserved_row, 1, 40);
  }
  if (random.chance(0.2)) dram.groups = std::array<Int, 3>{1, 8, 16}[random.below(3)];
  return system;
}

/// Sets the names from which the text of a kernel of f16 elements is generated.
inline void name_values(cnm::Kernel& kernel) {
  for (std::size_t i = 0; i < kernel.operands.size(); ++i) kernel.operands[i].name = "v" + std::to_string(i);
  for (auto& step : kernel.region)
    if (step.kind == cnm::RegionStep::Kind::operation)
      step.text = std::string(cnm::arith_text(step.op, cnm::Type::f16));
}

/// Returns such a system with a reduction or a pointwise kernel.
inline CnmCase pim_case(Random& random, Int most_extent) {
  CnmCase of;
  of.system = pim_system(random);
  if (random.chance(0.2)) {
    of.kernel = cnm::matrix_product("mv", random.between(1, most_extent), 1, random.between(1, most_extent),
                                    cnm::Type::f16);
    return of;
  }
  of.kernel = random.chance(0.7) ? tests::random_reduction(random, most_extent)
                                 : tests::random_pointwise(random, most_extent * 10);
  name_values(of.kernel);
  return of;
}

inline Json map_entry(const cnm::CnmMap& map, double time_ms) {
  return {{"tuples", map.tuples}, {"block", map.block}, {"order", map.order}, {"time_ms", time_ms}};
}

/// Returns the parts of a result that the checker reads, without a mapping if `map` is null.
inline Json result_json(const CnmCase& of, const cnm::CnmMap* map, double time_ms, const char* status,
                        double bound_ms) {
  Json result = {
      {"verb", "map"},
      {"space", "cnm"},
      {"kernel", of.kernel.name},
      {"architecture", io::system_to_json(of.system)},
      {"source",
       {{"language", "mlir"}, {"multiply_k", of.kernel.multiply_k}, {"text", io::to_mlir(of.kernel)}}},
      {"status", status},
      {"objective", {{"name", "time"}}},
      {"lower_bound_ms", bound_ms},
      {"maps", Json::array()}};
  if (map == nullptr) return result;
  result["time_ms"] = time_ms;
  result["maps"].push_back(map_entry(*map, time_ms));
  return result;
}

inline Json head_of(const CnmCase& of) {
  return {{"space", "cnm"}, {"kernel", of.kernel.name}, {"architecture", of.system.name}};
}

/// Returns the checker's verdict on a result; "unreadable" if it throws.
inline check::Verdict verdict_on(const CnmCase& of, const Json& result, const Pieces& pieces) {
  try {
    const auto source = [&pieces, at = std::size_t{0}]() mutable {
      return at < pieces.size() ? pieces[at++] : Json();
    };
    if (const auto faults = check::claim_faults(result); !faults.empty())
      return {"REFUTED", faults.front().sentence};
    return check::cnm::check_result(result, head_of(of), source);
  } catch (const std::exception& error) {
    return {"unreadable", error.what()};
  }
}

}  // namespace nestor::check_cases
