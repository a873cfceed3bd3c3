#include "model/cnm/stream.h"

#include <algorithm>

#include "model/cnm/program.h"
#include "model/cnm/stream_builder.h"

namespace nestor::cnm {
namespace {

constexpr Int most_tiles = Int{1} << 30;

struct Bases {
  Int x, y, z;
};

// Returns the base rows of the vectors: those of the vendor's library, unless vectors would then share a row.
Bases bases_of(const PimKernel& kernel, const System& system) {
  const Int rows = ceil_divide(kernel.out_tiles * system.pim.grf, system.pim.row_bursts);
  const Int step = std::max<Int>(128, rows);
  return {0, 2 * step, step};
}

Stream elementwise(const PimKernel& kernel, const System& system) {
  const StreamBuilder build(system);
  const Bases base = bases_of(kernel, system);
  const Strides stride = {system.pim.grf};
  Stream body;
  for (const Int bank : {0, 1}) {
    body.push_back(build.tile(false, bank, base.x, 0, stride));
    if (pim_kernels[kernel.kind] != "relu") body.push_back(build.tile(false, bank, base.y, 0, stride));
    body.push_back(build.tile(true, bank, base.z, 0, stride));
  }
  return {build.park(),
          build.enter_all_banks(),
          build.program_registers(8),
          build.toggle_pim(),
          StreamBuilder::loop(kernel.out_tiles, std::move(body)),
          build.toggle_pim(),
          build.leave_all_banks(),
          build.park()};
}

// Returns output tile j of `gemv`. Its inputs start at input tile j * n / 2 (rounded down), which for odd n
// is linear in j only over pairs of output tiles. `first` is the address of these inputs, and `stride` its
// increase per trip of the loop over `per_loop` output tiles.
Stream output_tile(const PimKernel& kernel, const System& system, Int j, Int per_loop, bool tree) {
  const StreamBuilder build(system);
  const Int n = kernel.in_tiles, o = kernel.out_tiles, tile = 8 * system.pim.grf;
  const Int first = j * n / 2 * tile;
  const Int stride = per_loop * n / 2 * tile;
  const Int result = o * n / 2 * tile + 8 * j;
  const auto input_tile = [&](Int bank, Int address, Int inner_stride) {
    Stream groups = {build.vector_registers()};
    for (Int g = 0; g < 8; ++g)
      groups.push_back(build.tile(false, bank, 0, address + system.pim.grf * g, {stride, inner_stride}));
    return groups;
  };
  const auto write_result = [&](Int address, Int inner_stride) {
    return build.tile(true, 1, 0, address, {8 * per_loop, inner_stride});
  };
  Stream items = {build.toggle_pim()};
  const Int even = (n + 1) / 2, odd = n / 2;
  if (!tree) {
    if (even > 0) items.push_back(StreamBuilder::loop(even, input_tile(0, first, tile)));
    if (odd > 0) items.push_back(StreamBuilder::loop(odd, input_tile(1, first, tile)));
    items.push_back(write_result(result, 0));
  } else {
    const auto reduced = [&](Int bank, Int address, Int where) {
      Stream groups = input_tile(bank, address, tile);
      groups.push_back(write_result(where, 16));
      groups.push_back(build.tile(false, 0, 1000, 0, {}));
      return groups;
    };
    Stream pair = reduced(0, first, result);
    append(pair, reduced(1, first, result + 8));
    if (odd > 0) items.push_back(StreamBuilder::loop(odd, std::move(pair)));
    if (even > odd) append(items, reduced(0, first + odd * tile, result + 16 * odd));
  }
  items.push_back(build.toggle_pim());
  return items;
}

Stream matrix_by_vector(const PimKernel& kernel, const System& system, bool tree) {
  const StreamBuilder build(system);
  Stream stream;
  if (tree) {
    std::vector<Access> partial;
    for (Int bank = 0; bank < system.dram.banks; ++bank)
      partial.push_back(build.access(true, bank, 1000, 0, 8));
    stream.push_back(StreamBuilder::group(std::move(partial)));
  }
  append(stream, {build.park(), build.enter_all_banks(), build.program_registers(tree ? 16 : 8)});
  const Int per_loop = kernel.in_tiles % 2 == 0 ? 1 : 2;
  Stream body;
  for (Int j = 0; j < per_loop; ++j) append(body, output_tile(kernel, system, j, per_loop, tree));
  if (kernel.out_tiles / per_loop > 0)
    stream.push_back(StreamBuilder::loop(kernel.out_tiles / per_loop, std::move(body)));
  if (kernel.out_tiles % per_loop != 0) {
    // The last tile is outside the loop, so the loop's strides must not apply.
    Stream last = output_tile(kernel, system, kernel.out_tiles - 1, 0, tree);
    for (StreamItem& item : last) {
      const auto shift = [](Access& access) { access.stride = {access.stride[1], 0}; };
      for (Access& access : item.accesses) shift(access);
      for (StreamItem& inner : item.body)
        for (Access& access : inner.accesses) shift(access);
    }
    append(stream, std::move(last));
  }
  append(stream, {build.leave_all_banks(), build.park()});
  return stream;
}

std::optional<Int> bursts(const Stream& stream) {
  Int sum = 0;
  for (const StreamItem& item : stream) {
    std::optional<Int> count = 0;
    if (item.is_loop()) {
      count = bursts(item.body);
      if (count) count = checked_multiply(*count, item.trips);
    } else {
      for (const Access& access : item.accesses) count = checked_add(*count, access.count);
    }
    if (!count || *count > max_count) return std::nullopt;
    sum += *count;
    if (sum > max_count) return std::nullopt;
  }
  return sum;
}

}  // namespace

bool is_elementwise(const PimKernel& kernel) { return kernel.kind < 3; }

std::optional<Stream> stream_of(const PimKernel& kernel, const System& system) {
  if (kernel.out_tiles < 1 || kernel.out_tiles > most_tiles) return std::nullopt;
  if (is_elementwise(kernel)) return elementwise(kernel, system);
  if (kernel.in_tiles < 1 || kernel.in_tiles > most_tiles / kernel.out_tiles) return std::nullopt;
  return matrix_by_vector(kernel, system, pim_kernels[kernel.kind] == "gemvtree");
}

Int highest_data_row(const PimKernel& kernel, const System& system) {
  if (is_elementwise(kernel)) {
    const Bases base = bases_of(kernel, system);
    const Int last = pim_kernels[kernel.kind] == "relu" ? base.z : base.y;
    return last + ceil_divide(kernel.out_tiles * system.pim.grf, system.pim.row_bursts) - 1;
  }
  const bool tree = pim_kernels[kernel.kind] == "gemvtree";
  const Int inputs = kernel.out_tiles * kernel.in_tiles / 2 * 8 * system.pim.grf;
  const Int results = 8 * (kernel.out_tiles - 1) + (tree ? 8 * (kernel.in_tiles - 1) : 0) + system.pim.grf;
  return std::max<Int>(tree ? 1000 : 0, (inputs + results - 1) / system.pim.row_bursts);
}

std::optional<Int> burst_count(const Stream& stream) { return bursts(stream); }

}  // namespace nestor::cnm
