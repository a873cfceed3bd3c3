// Random kernels on random UPMEM systems in the form of results of nestor map, and their proofs as lists of
// JSON pieces.
#pragma once

#include "check/claim.h"
#include "check/cnm/claims.h"
#include "io/cnm/mlir.h"
#include "io/cnm/system_file.h"
#include "mapper/cnm/map_kernel.h"
#include "model/cnm/random_kernels.h"
#include "report/cnm/estimate_json.h"
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
  // Sets the operation names from which the text of the kernel is generated.
  for (auto& step : made.kernel.region) {
    const bool real = step.type == cnm::Type::f32;
    if (step.kind == cnm::RegionStep::Kind::constant)
      step.text = real ? "3.0" : "3";
    else
      step.text = (step.op == cnm::Op::add   ? "add"
                   : step.op == cnm::Op::mul ? "mul"
                                             : "sub") +
                  std::string(real ? "f" : "i");
  }
  return made;
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
      {"architecture", report::system_json(of.system)},
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
