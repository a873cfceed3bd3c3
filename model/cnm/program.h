// Program of a tasklet, as far as time is concerned: a tree of slots, transfers, barriers and loops. All
// tasklets of a DPU run the same program. Loops without transfers and barriers are only slots; flatten()
// turns them into such and gives the machine a list of steps.
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
  leave  ///< all tasklets but the first end here
};

struct Item {
  ItemKind kind = ItemKind::slots;
  Int amount = 0;  ///< slots, bytes or trips
  std::vector<Item> body{};

  friend bool operator==(const Item&, const Item&) = default;
};
using Program = std::vector<Item>;

inline Item slots(Int count) { return {ItemKind::slots, count}; }
inline Item read(Int bytes) { return {ItemKind::read, bytes}; }
inline Item write(Int bytes) { return {ItemKind::write, bytes}; }
inline Item barrier() { return {ItemKind::barrier}; }
inline Item loop(Int trips, Program body) { return {ItemKind::loop, trips, std::move(body)}; }

/// Request loops (those holding a transfer or a barrier) may nest this deep.
inline constexpr std::size_t max_depth = 16;
/// No program that is longer than this in any respect is simulated: sums stay far from 64 bits.
inline constexpr Int max_count = Int{1} << 50;

/// The program with every loop that holds no request replaced by its slots, neighbouring slots joined and
/// loops of no trips gone. Nothing if a count exceeds max_count or the depth max_depth.
std::optional<Program> simplify(const Program& program);

/// A step of the flat program. A loop ends with a `loop` step that leads back to `target` while trips are
/// left.
struct Step {
  ItemKind kind = ItemKind::slots;
  Int amount = 0;
  std::uint32_t target = 0;
  std::uint32_t loop = 0;  ///< of a loop: its number in the order of the program's loops
  std::uint32_t depth = 0;
};

/// A simplified program as steps. Trips stay in a table of their own, so that the engine can run the same
/// steps with fewer.
struct FlatProgram {
  std::vector<Step> steps;
  std::vector<Int> trips;  ///< by loop number
};
FlatProgram flatten(const Program& simplified);

/// Counts over one tasklet's whole run.
struct Totals {
  Int slots = 0;  ///< without those of transfers
  Int transfers = 0;
  Int bytes_read = 0;
  Int bytes_written = 0;
  Int barriers = 0;
};
/// Nothing if a count exceeds max_count.
std::optional<Totals> count(const Program& program);

}  // namespace nestor::cnm
