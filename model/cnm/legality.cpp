#include "model/cnm/legality.h"

#include <fmt/format.h>

namespace nestor::cnm {
namespace {

std::string check_transfers(const System& system, const Listing& listing) {
  for (const Line& line : listing.lines) {
    if (line.kind != LineKind::dma_read && line.kind != LineKind::dma_write) continue;
    const Int bytes = *line.amount;
    const auto& dma = system.dma;
    if (bytes < dma.min_bytes || bytes > dma.max_bytes)
      return fmt::format("a transfer of {} bytes between '{}' and '{}', expected {} to {}", bytes,
                         line.target, line.name, dma.min_bytes, dma.max_bytes);
    if (bytes % dma.align != 0)
      return fmt::format("a transfer of {} bytes between '{}' and '{}', expected a multiple of {}", bytes,
                         line.target, line.name, dma.align);
  }
  return {};
}

}  // namespace

Legality check_listing(const System& system, const Listing& listing, Int tasklets, std::optional<Int> mram) {
  Legality result;
  const auto refuse = [&](std::string why) {
    result.violation = std::move(why);
    return result;
  };
  const Int most = system.levels.back().size;
  if (tasklets < 1 || tasklets > most)
    return refuse(fmt::format("{} tasklets, expected 1 to {}", tasklets, most));
  if (auto why = check_transfers(system, listing); !why.empty()) return refuse(std::move(why));

  const auto scratch = scratchpad_bytes(listing, system);
  const auto all = scratch ? checked_multiply(*scratch, tasklets) : std::nullopt;
  const auto wram = all ? checked_add(*all, system.wram.reserved) : std::nullopt;
  if (!wram) return refuse("the size of the buffers in bytes is too large");
  result.use.wram = *wram;
  if (*wram > system.wram.capacity)
    return refuse(fmt::format(
        "{} tasklets with {} bytes each and {} reserved take {} bytes of WRAM, expected at most {}", tasklets,
        *scratch, system.wram.reserved, *wram, system.wram.capacity));
  if (!mram) mram = operand_bytes(listing, tasklets);
  if (!mram) return refuse("the size of the operands in bytes is too large");
  result.use.mram = *mram;
  if (*mram >= system.mram_capacity)
    return refuse(fmt::format("the operands take {} bytes in a DPU, expected less than {}", *mram,
                              system.mram_capacity));
  result.use.iram = instruction_count(listing) * system.iram_instruction;
  if (result.use.iram > system.iram_capacity)
    return refuse(fmt::format("{} instructions take {} bytes, expected at most {}",
                              instruction_count(listing), result.use.iram, system.iram_capacity));
  return result;
}

}  // namespace nestor::cnm
