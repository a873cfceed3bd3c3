// Builder for groups of bursts in the notation R(b, row, c) and W(b, row, c) of docs/models/cnm.md. It also
// builds the groups at the start and end of every stream of a kernel. It is used for the library's streams
// and for general streams.
#pragma once

#include <utility>

#include "model/cnm/stream.h"

namespace nestor::cnm {

/// Maximum number of bursts of data before a fence.
inline constexpr Int group_bursts = 8;

/// Strides of an address, by surrounding loop.
using Strides = std::array<Int, max_stream_depth>;

class StreamBuilder {
 public:
  explicit StreamBuilder(const System& system) : pim_(system.pim), banks_(system.dram.banks) {}

  Access access(bool write, Int bank, Int row, Int column, Int count = 1) const {
    return {write, bank, count, row * pim_.row_bursts + column, {}};
  }
  static StreamItem group(std::vector<Access> accesses) { return {-1, std::move(accesses), {}}; }
  static StreamItem loop(Int trips, Stream body) { return {trips, {}, std::move(body)}; }

  /// Returns a group with one burst for each register of a half, with the strides of the surrounding loops.
  StreamItem tile(bool write, Int bank, Int row, Int column, const Strides& stride) const {
    Access a = access(write, bank, row, column, pim_.grf);
    a.stride = stride;
    return group({a});
  }

  StreamItem park() const {
    std::vector<Access> reads;
    for (Int first = 0; first < 4; ++first)
      for (Int bank = first; bank < banks_; bank += 4) reads.push_back(access(false, bank, row_park, 0));
    return group(std::move(reads));
  }
  StreamItem enter_all_banks() const {
    std::vector<Access> writes;
    for (const Int bank : {0, 1, 8, 9}) writes.push_back(access(true, bank, row_all_bank, 31));
    return group(std::move(writes));
  }
  StreamItem leave_all_banks() const {
    return group({access(true, 0, row_single_bank, 31), access(true, 1, row_single_bank, 31)});
  }
  StreamItem program_registers(Int instructions) const {
    return group({access(true, 1, row_registers, 4, ceil_divide(instructions, pim_.instructions_per_burst))});
  }
  StreamItem toggle_pim() const { return group({access(true, 0, row_registers, 0)}); }
  /// Returns the address of the first vector register.
  Int vector_address() const { return access(true, 1, row_registers, 8).address; }
  StreamItem vector_registers() const { return group({{true, 1, group_bursts, vector_address(), {}}}); }
  StreamItem scalar_register() const { return group({access(true, 1, row_registers, 1)}); }

 private:
  const PimUnits& pim_;
  Int banks_;
};

inline void append(Stream& stream, Stream more) {
  for (StreamItem& item : more) stream.push_back(std::move(item));
}

}  // namespace nestor::cnm
