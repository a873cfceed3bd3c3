// Writer of streams from the table of "The HBM-PIM machine" in docs/models/cnm.md, line by line and burst by
// burst.
#include <algorithm>

#include "model/cnm/second_reading/read_listing.h"

namespace nestor::cnm::second {
namespace {

class Writer {
 public:
  Writer(const PimKernel& kernel, const System& system)
      : row_bursts_(system.pim.row_bursts),
        banks_(system.dram.banks),
        o_(kernel.out_tiles),
        n_(kernel.in_tiles),
        name_(pim_kernels[kernel.kind]) {}

  Stream run() {
    if (name_ == "gemv" || name_ == "gemvtree")
      products();
    else
      vectors();
    return std::move(stream_);
  }

 private:
  void put(bool write, Int bank, Int row, Int column, Int count = 1) {
    group_.push_back({write, bank, count, row * row_bursts_ + column, {}});
  }
  void fence() {
    stream_.push_back({-1, std::move(group_), {}});
    group_.clear();
  }
  void eight(bool write, Int bank, Int row, Int column) {
    put(write, bank, row, column, 8);
    fence();
  }

  void park() {
    for (Int quarter = 0; quarter < 4; ++quarter)
      for (Int bank = 0; bank < banks_; ++bank)
        if (bank % 4 == quarter) put(false, bank, 4096, 0);
    fence();
  }
  void all_banks() {
    for (const Int bank : {0, 1, 8, 9}) put(true, bank, 0x17ff, 31);
    fence();
  }
  void single_bank() {
    put(true, 0, 0x1fff, 31);
    put(true, 1, 0x1fff, 31);
    fence();
  }
  void instructions(Int writes) {
    for (Int i = 0; i < writes; ++i) put(true, 1, 0x3fff, 4 + i);
    fence();
  }
  void pim() {
    put(true, 0, 0x3fff, 0);
    fence();
  }
  void registers() {
    for (Int i = 0; i < 8; ++i) put(true, 1, 0x3fff, 8 + i);
    fence();
  }

  void vectors() {
    const Int rows = (8 * o_ + row_bursts_ - 1) / row_bursts_;
    const Int apart = std::max<Int>(128, rows);  // distance between bases so that vectors share no row
    park();
    all_banks();
    instructions(1);
    pim();
    for (Int i = 0; i < o_; ++i)
      for (Int bank = 0; bank < 2; ++bank) {
        eight(false, bank, 0, 8 * i);
        if (name_ != "relu") eight(false, bank, 2 * apart, 8 * i);
        eight(true, bank, apart, 8 * i);
      }
    pim();
    single_bank();
    park();
  }

  void input_tile(Int i, Int j) {
    registers();
    for (Int g = 0; g < 8; ++g) eight(false, i % 2, 0, 64 * (i / 2 + j * n_ / 2) + 8 * g);
  }

  void products() {
    const bool tree = name_ == "gemvtree";
    if (tree) {
      for (Int bank = 0; bank < banks_; ++bank)
        for (Int column = 0; column < 8; ++column) put(true, bank, 1000, column);
      fence();
    }
    park();
    all_banks();
    instructions(tree ? 2 : 1);
    for (Int j = 0; j < o_; ++j) {
      const Int result = o_ * n_ / 2 * 64 + 8 * j;
      pim();
      for (Int i = 0; tree && i < n_; ++i) {
        input_tile(i, j);
        eight(true, 1, 0, result + 8 * i);
        eight(false, 0, 1000, 0);
      }
      for (Int i = 0; !tree && i < n_; i += 2) input_tile(i, j);
      for (Int i = 1; !tree && i < n_; i += 2) input_tile(i, j);
      if (!tree) eight(true, 1, 0, result);
      pim();
    }
    single_bank();
    park();
  }

  const Int row_bursts_, banks_, o_, n_;
  const std::string_view name_;
  Stream stream_;
  std::vector<Access> group_;
};

}  // namespace

std::optional<Stream> write_stream(const PimKernel& kernel, const System& system, Int most_groups) {
  if (system.pim.grf != 8 || system.pim.instructions_per_burst != 8) return std::nullopt;
  const bool product = kernel.kind >= 3;
  if (kernel.out_tiles > most_groups || (product && kernel.in_tiles > most_groups)) return std::nullopt;
  const Int groups = product ? kernel.out_tiles * (11 * kernel.in_tiles + 3) : 6 * kernel.out_tiles;
  if (groups + 8 > most_groups) return std::nullopt;
  return Writer(kernel, system).run();
}

}  // namespace nestor::cnm::second
