// Program of a tasklet, reduced to the parts that affect time: a tree of slots, transfers, barriers and
// loops. All tasklets of a DPU run the same program. simplify() replaces loops without transfers and barriers
// by their slots; flatten() makes a list of steps for the machine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/checked.h"

namespace nestor::cnm {

enum class ItemKind : std::uint8_t {
  slots,
  read,
  write,
  barrier,
  loop,
  leave  ///< all tasklets except the first end here
};

struct Item {
  ItemKind kind = ItemKind::slots;
  Int amount = 0;  ///< number of slots, bytes or trips
  std::vector<Item> body{};

  friend bool operator==(const Item&, const Item&) = default;
};
using Program = std::vector<Item>;

inline Item slots(Int count) { return {ItemKind::slots, count}; }
inline Item read(Int bytes) { return {ItemKind::read, bytes}; }
inline Item write(Int bytes) { return {ItemKind::write, bytes}; }
inline Item barrier() { return {ItemKind::barrier}; }
inline Item loop(Int trips, Program body) { return {ItemKind::loop, trips, std::move(body)}; }

/// Maximum nesting of request loops, which contain a transfer or a barrier.
inline constexpr std::size_t max_depth = 16;
/// Maximum of every count in a simulated program, so that sums cannot overflow 64 bits.
inline constexpr Int max_count = Int{1} << 50;

/// Returns the program with each loop without requests replaced by its slots, adjacent slots joined and loops
/// without trips removed. Returns nothing if a count exceeds max_count or the depth exceeds max_depth.
std::optional<Program> simplify(const Program& program);

/// A step of the flat program. A loop ends with a `loop` step that jumps back to `target` while trips remain.
struct Step {
  ItemKind kind = ItemKind::slots;
  Int amount = 0;
  std::uint32_t target = 0;
  std::uint32_t loop = 0;  ///< number of the loop in program order
  std::uint32_t depth = 0;
};

/// A simplified program as steps. Trips are in a separate table, so that the engine can run the same steps
/// with fewer trips.
struct FlatProgram {
  std::vector<Step> steps;
  std::vector<Int> trips;  ///< by loop number
};
FlatProgram flatten(const Program& simplified);

/// Counts over the whole run of one tasklet.
struct Totals {
  Int slots = 0;  ///< without the slots of transfers
  Int transfers = 0;
  Int bytes_read = 0;
  Int bytes_written = 0;
  Int barriers = 0;
};
/// Counts a program's steps. Returns nothing if a count exceeds max_count.
std::optional<Totals> count(const Program& program);

}  // namespace nestor::cnm
