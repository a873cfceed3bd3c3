// Final status of a solver run. One enumeration serves the engine, the tool and the C API; to_string() does
// not allocate memory, so the embedded core uses it too.
#pragma once

#include <cstdint>

namespace nestor {

enum class Status : std::uint8_t {
  optimal,
  gap_reached,
  time_limit,
  work_limit,
  memory_limit,
  interrupted,
  infeasible,
  heuristic,  ///< ended before any limit, without a proof
  imported,   ///< found by another solver
};

/// True if the run ended without reaching a limit, or at a limit that stops it at the same point on every
/// machine.
constexpr bool is_final(Status status) {
  return status == Status::optimal || status == Status::gap_reached || status == Status::infeasible ||
         status == Status::work_limit || status == Status::heuristic;
}

constexpr const char* to_string(Status status) {
  switch (status) {
    case Status::optimal:
      return "optimal";
    case Status::gap_reached:
      return "gap_reached";
    case Status::time_limit:
      return "time_limit";
    case Status::work_limit:
      return "work_limit";
    case Status::memory_limit:
      return "memory_limit";
    case Status::interrupted:
      return "interrupted";
    case Status::infeasible:
      return "infeasible";
    case Status::heuristic:
      return "heuristic";
    case Status::imported:
      return "imported";
  }
  return "?";
}

}  // namespace nestor
