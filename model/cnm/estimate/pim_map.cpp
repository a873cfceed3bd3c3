#include "model/cnm/estimate/pim_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/checked.h"
#include "model/cnm/program.h"
#include "model/cnm/stream_builder.h"

namespace nestor::cnm {
namespace {

constexpr Int most_vectors_at_once = 16;

Int product(const std::vector<Int>& factors) {
  Int all = 1;
  for (const Int factor : factors) all *= factor;
  return all;
}

Int elements_of(const KernelOperand& operand) {
  Int all = 1;
  for (const Int extent : operand.dims) all = checked_multiply(all, extent).value_or(max_count);
  return all;
}

class MapReader {
 public:
  MapReader(const Kernel& kernel, const PimForm& form, const CnmMap& given, const System& system)
      : kernel_(kernel), form_(form), given_(given), system_(system) {}

  PimMap run() {
    map_.channels = given_.tuples[0];
    map_.blocks = given_.tuples[1];
    map_.lanes = given_.tuples[2];
    map_.local = given_.tuples[3];
    written_ = map_.local;
    check_keys();
    take_halves();
    if (failed()) return std::move(map_);
    if (form_.contraction)
      read_contraction();
    else
      read_pointwise();
    return std::move(map_);
  }

 private:
  bool failed() const { return !map_.fault.empty(); }
  void fail(std::string why) {
    if (map_.fault.empty()) map_.fault = std::move(why);
  }
  const KernelOperand& output() const { return kernel_.operands[form_.output]; }

  void check_keys() {
    const PimKeys& keys = given_.pim;
    if (given_.collect) fail("key collect cannot be used on HBM-PIM");
    if (form_.contraction && (keys.grf || keys.layout))
      fail("keys grf and layout require a pointwise kernel");
    if (!form_.contraction && (!given_.block.empty() || !given_.order.empty() || keys.half_dim || keys.bank))
      fail("keys block, order, half_dim and bank require a reduction");
    if (!form_.product && keys.bank) fail("key bank requires a product");
    if (keys.half_dim && *keys.half_dim >= kernel_.dim_count())
      fail(fmt::format("half_dim {}, expected 0 to {}", *keys.half_dim, kernel_.dim_count() - 1));
  }

  // If the map has more blocks than the machine, each block of the machine has two banks that are used as
  // blocks.
  void take_halves() {
    map_.half = given_.pim.half.value_or(form_.contraction ? PimHalf::split : PimHalf::alternate);
    if (form_.contraction) {
      for (std::size_t d = 0; d < kernel_.dim_count(); ++d)
        if (!output().uses(d)) map_.half_dim = d;
      map_.half_dim = given_.pim.half_dim.value_or(map_.half_dim);
    }
    const Int most = system_.levels[1].size;
    if (product(map_.blocks) <= most) return;
    if (given_.pim.half || given_.pim.half_dim)
      fail(fmt::format("{} blocks include both banks of each unit: expected no key half or half_dim",
                       product(map_.blocks)));
    for (std::size_t d = kernel_.dim_count(); d-- > 0;) {
      if (map_.blocks[d] % 2 != 0) continue;
      map_.blocks[d] /= 2;
      map_.local[d] *= 2;
      map_.half_dim = d;
      map_.half = PimHalf::split;
      return;
    }
    fail(fmt::format("{} blocks include both banks of each unit: expected an even factor",
                     product(map_.blocks)));
  }

  void check_count(Int count) {
    map_.instructions = count;
    if (count > system_.pim.crf)
      fail(fmt::format("the program has {} instructions, expected at most {} (crf)", count, system_.pim.crf));
  }

  void check_rows(std::optional<Int> columns) {
    const Int most = system_.pim.reserved_row * system_.pim.row_bursts;
    if (columns && *columns <= most) return;
    fail(columns ? fmt::format("data reach row {}, expected rows below {}",
                               (*columns - 1) / system_.pim.row_bursts, system_.pim.reserved_row)
                 : std::string("the number of vectors in a bank is too large"));
  }

  void read_pointwise() {
    map_.grf = given_.pim.grf.value_or(8);
    map_.layout = given_.pim.layout.value_or(PimLayout::apart);
    if (map_.grf < 1 || map_.grf > most_vectors_at_once)
      return fail(fmt::format("grf {}, expected 1 to {}", map_.grf, most_vectors_at_once));
    if (form_.alive * map_.grf > 2 * system_.pim.grf)
      return fail(fmt::format("{} results of {} vectors are held at once, expected at most {} registers",
                              form_.alive, map_.grf, 2 * system_.pim.grf));
    const Int q = half_tiles(kernel_, map_);
    const Int loops = q == 1 ? 0 : map_.half == PimHalf::split ? 2 : 1;
    const auto runs = static_cast<Int>(form_.runs.size());
    check_count(map_.halves() * (runs + 1) * ceil_divide(map_.grf, group_bursts) + loops + 1);
    const auto operands = static_cast<Int>(kernel_.operands.size());
    const Int row = system_.pim.row_bursts;
    const auto vectors = checked_multiply(q, map_.grf);
    check_rows(vectors ? checked_multiply(
                             map_.layout == PimLayout::together ? *vectors : ceil_divide(*vectors, row) * row,
                             operands)
                       : std::nullopt);
  }

 public:
  static Int half_tiles(const Kernel& kernel, const PimMap& map) {
    Int vectors = 1;
    for (std::size_t d = 0; d < kernel.dim_count(); ++d)
      vectors = checked_multiply(vectors, map.local[d]).value_or(max_count);
    const Int tiles = ceil_divide(vectors, map.grf);
    return map.half == PimHalf::even ? tiles : ceil_divide(tiles, 2);
  }

 private:
  void read_contraction() {
    take_block();
    take_order();
    take_operands();
    if (failed()) return;
    map_.stationary = is_stationary();
    check_registers(output(), "the output");
    if (form_.product) check_registers(kernel_.operands[map_.held], "the factor in registers");
    const auto operands = static_cast<Int>(map_.bank_operands.size());
    check_count(map_.halves() * (2 * operands + (map_.held_in_banks ? 2 : 0)) + (map_.stationary ? 1 : 2) +
                1);
    std::optional<Int> columns = 0;
    const auto add = [&](const KernelOperand& operand, bool plain) {
      std::optional<Int> vectors = map_.tile(operand);
      for (std::size_t d = 0; d < kernel_.dim_count() && vectors; ++d)
        if (operand.uses(d))
          vectors = checked_multiply(*vectors, plain || d != map_.half_dim || map_.half == PimHalf::even
                                                   ? map_.steps(d)
                                                   : ceil_divide(map_.steps(d), 2));
      columns = columns && vectors ? checked_add(*columns, *vectors) : std::nullopt;
    };
    for (const std::size_t operand : map_.bank_operands) add(kernel_.operands[operand], false);
    if (map_.held_in_banks) add(kernel_.operands[map_.held], false);
    add(output(), true);
    check_rows(columns);
  }

  void take_block() {
    const std::size_t dims = kernel_.dim_count();
    map_.block = given_.block;
    if (!map_.block.empty()) {
      for (std::size_t d = 0; d < dims; ++d)
        if (written_[d] % map_.block[d] != 0)
          fail(fmt::format("block {} in dim {} does not divide {}", map_.block[d], d + 1, written_[d]));
      return;
    }
    map_.block.assign(dims, 1);
    // Remaining registers: for reduced dims, and for the output's dims.
    std::array<Int, 2> room = {system_.pim.grf, system_.pim.grf};
    for (std::size_t d = dims; d-- > 0;) {
      Int& left = room[output().uses(d) ? 1 : 0];
      Int block = std::min(left, written_[d]);
      while (written_[d] % block != 0) --block;
      map_.block[d] = block;
      left /= block;
    }
  }

  void take_order() {
    map_.order = given_.order;
    for (const bool reduced : {false, true})
      for (std::size_t d = 0; d < kernel_.dim_count(); ++d)
        if (output().uses(d) != reduced &&
            std::find(map_.order.begin(), map_.order.end(), d) == map_.order.end())
          map_.order.push_back(d);
  }

  void take_operands() {
    if (!form_.product) {
      map_.bank_operands = form_.inputs;
      return;
    }
    const std::size_t first = form_.inputs[0], second = form_.inputs[1];
    map_.bank = elements_of(kernel_.operands[second]) > elements_of(kernel_.operands[first]) ? second : first;
    map_.bank = given_.pim.bank.value_or(map_.bank);
    if (map_.bank != first && map_.bank != second)
      return fail(fmt::format("bank {}, expected {} or {}", map_.bank, first, second));
    map_.held = map_.bank == first ? second : first;
    map_.bank_operands = {map_.bank};
    bool over_lanes = false;
    for (std::size_t d = 0; d < kernel_.dim_count(); ++d) {
      if (!kernel_.operands[map_.held].uses(d)) continue;
      map_.held_in_banks |= map_.blocks[d] > 1;
      over_lanes |= map_.lanes[d] > 1;
    }
    map_.held_is_scalar = !map_.held_in_banks && !over_lanes;
  }

  bool is_stationary() const {
    bool reduces = false;
    for (const std::size_t d : map_.order) {
      if (map_.steps(d) == 1) continue;
      if (output().uses(d) && reduces) return false;
      reduces |= !output().uses(d);
    }
    return true;
  }

  void check_registers(const KernelOperand& operand, std::string_view what) {
    if (const Int vectors = map_.tile(operand); vectors > system_.pim.grf)
      fail(fmt::format("a tile has {} vectors of {}, expected at most {}", vectors, what, system_.pim.grf));
  }

  const Kernel& kernel_;
  const PimForm& form_;
  const CnmMap& given_;
  const System& system_;
  std::vector<Int> written_;
  PimMap map_;
};

}  // namespace

Int PimMap::tile(const KernelOperand& operand) const {
  Int vectors = 1;
  for (std::size_t d = 0; d < block.size(); ++d)
    if (operand.uses(d)) vectors = checked_multiply(vectors, block[d]).value_or(max_count);
  return vectors;
}

Int PimMap::tiles(const KernelOperand& operand, bool plain) const {
  Int all = 1;
  for (std::size_t d = 0; d < block.size(); ++d) {
    if (!operand.uses(d)) continue;
    all *= plain || half == PimHalf::even || d != half_dim ? steps(d) : ceil_divide(steps(d), 2);
  }
  return all;
}

bool is_library_form(const CnmMap& map, const System& system) {
  if (!map.block.empty() || !map.order.empty() || map.collect || map.pim.any()) return false;
  const std::size_t last = map.tuples[0].size() - 1;
  for (std::size_t d = 0; d <= last; ++d)
    if (map.tuples[1][d] != (d == 0 ? system.levels[1].size : 1) ||
        map.tuples[2][d] != (d == last ? system.levels[2].size : 1))
      return false;
  return true;
}

PimMap complete_pim_map(const Kernel& kernel, const PimForm& form, const CnmMap& map, const System& system) {
  return MapReader(kernel, form, map, system).run();
}

CnmMap with_pim_keys(CnmMap map, const PimForm& form, const PimMap& complete, const System& system) {
  if (map.parts(1) <= system.levels[1].size) map.pim.half = complete.half;
  if (form.contraction) {
    map.block = complete.block;
    map.order = complete.order;
  } else {
    map.pim.grf = complete.grf;
    map.pim.layout = complete.layout;
  }
  return map;
}

Int pim_partial_results(const PimForm& form, const std::vector<Int>& parts, const std::vector<Int>& local) {
  Int elements = 1, copies = 1;
  for (std::size_t d = 0; d < parts.size(); ++d) {
    if (form.output_uses[d])
      elements = checked_multiply(elements, parts[d] * local[d]).value_or(max_count);
    else
      copies *= parts[d];
  }
  return copies == 1 ? 0 : checked_multiply(elements, copies - 1).value_or(max_count);
}

Int pim_partial_results(const PimForm& form, const PimMap& map) {
  std::vector<Int> parts = map.channels;
  for (std::size_t d = 0; d < parts.size(); ++d) parts[d] *= map.blocks[d] * map.lanes[d];
  return pim_partial_results(form, parts, map.local);
}

}  // namespace nestor::cnm
