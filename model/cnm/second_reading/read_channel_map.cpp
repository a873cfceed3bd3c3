#include "model/cnm/second_reading/read_channel_map.h"

#include <algorithm>
#include <map>

#include "model/cnm/program.h"
#include "model/cnm/second_reading/read_channel_region.h"

namespace nestor::cnm::second {
namespace {

using Place = std::vector<Int>;

class Reader {
 public:
  Reader(const Kernel& kernel, const CnmMap& map, const System& system, Int most_groups)
      : kernel_(kernel), map_(map), system_(system), most_groups_(most_groups), dims_(kernel.extents.size()) {
    for (std::size_t i = 0; i < kernel.operands.size(); ++i) {
      if (kernel.operands[i].output) out_ = i;
      used_.emplace_back();
      for (std::size_t d = 0; d < dims_; ++d) {
        bool uses = false;
        for (const AffineExpr& term : kernel.operands[i].map) uses = uses || term.factors[d] != 0;
        used_.back().push_back(uses);
      }
    }
    blocks_ = map.tuples[1];
    local_ = map.tuples[3];
  }

  ReadStreamOfMap run() {
    auto region = read_region(kernel_, out_, used_[out_]);
    if (!region.fault.empty()) fail(std::move(region.fault));
    reads_ = std::move(region.reads);
    constants_ = region.has_constants;
    held_ = region.held;
    sums_of_ = std::move(region.terms);
    mac_ = region.is_product;
    share_banks();
    if (!result_.fault.empty()) return std::move(result_);
    const bool sums = std::find(used_[out_].begin(), used_[out_].end(), false) != used_[out_].end();
    if (sums)
      plan_steps();
    else
      plan_tiles();
    check_program();
    if (!result_.fault.empty()) return std::move(result_);
    begin();
    if (sums)
      walk_steps();
    else
      walk_tiles();
    end();
    count_host();
    return std::move(result_);
  }

 private:
  void fail(std::string why) {
    if (result_.fault.empty()) result_.fault = std::move(why);
  }

  // Groups of bursts.
  void burst(bool write, Int bank, Int row, Int column) {
    group_.push_back({write, bank, 1, row * system_.pim.row_bursts + column, {}});
  }
  void fence() {
    result_.too_long = result_.too_long || static_cast<Int>(result_.stream.size()) >= most_groups_;
    if (!result_.too_long) result_.stream.push_back({-1, group_, {}});
    group_.clear();
  }
  void one(Int bank, Int row, Int column) {
    burst(true, bank, row, column);
    fence();
  }
  void toggle() { one(0, 0x3fff, 0); }
  void run_of(bool write, Int bank, Int column, Int vectors) {
    for (Int v = 0; v < vectors && !result_.too_long; ++v) {
      burst(write, bank, 0, column + v);
      if (v % 8 == 7 || v + 1 == vectors) fence();
    }
  }
  void park() {
    for (Int quarter = 0; quarter < 4; ++quarter)
      for (Int bank = quarter; bank < system_.dram.banks; bank += 4) burst(false, bank, 0x1000, 0);
    fence();
  }
  void begin() {
    park();
    for (const Int bank : {0, 1, 8, 9}) burst(true, bank, 0x17ff, 31);
    fence();
    for (Int i = 0; i * system_.pim.instructions_per_burst < program_; ++i) burst(true, 1, 0x3fff, 4 + i);
    fence();
    if (constants_ && !mac_ && sums_of_.empty()) one(1, 0x3fff, 1);
  }
  void end() {
    burst(true, 0, 0x1fff, 31);
    burst(true, 1, 0x1fff, 31);
    fence();
    park();
  }

  // If the map has more blocks than the machine, each block of the map is a bank.
  void share_banks() {
    half_ = map_.pim.half.value_or(sums_of_.empty() ? PimHalf::alternate : PimHalf::split);
    for (std::size_t d = 0; d < dims_; ++d)
      if (!used_[out_][d]) half_dim_ = d;
    half_dim_ = map_.pim.half_dim.value_or(half_dim_);
    Int all = 1;
    for (const Int part : blocks_) all *= part;
    if (all <= system_.levels[1].size) return;
    std::size_t d = dims_;
    while (d > 0 && blocks_[d - 1] % 2 == 1) --d;
    if (d == 0 || map_.pim.half || map_.pim.half_dim)
      return fail("the banks cannot be divided among the blocks");
    half_dim_ = d - 1;
    half_ = PimHalf::split;
    blocks_[d - 1] /= 2;
    local_[d - 1] *= 2;
  }

  // Pointwise kernels.
  void plan_tiles() {
    if (!map_.pim.grf || !map_.pim.layout) return fail("a map has no grf or no layout");
    if (*map_.pim.grf * held_ > 2 * system_.pim.grf) return fail("the results do not fit into the registers");
    Int vectors = 1;
    for (const Int each : local_) vectors *= each;
    in_half_ = 0;
    while (in_half_ * *map_.pim.grf * (half_ == PimHalf::even ? 1 : 2) < vectors && in_half_ < most_groups_)
      ++in_half_;
    const Int groups = (*map_.pim.grf + 7) / 8;
    program_ = (static_cast<Int>(reads_.size()) + 1) * groups * (half_ == PimHalf::even ? 1 : 2) + 1;
    if (in_half_ > 1) program_ += half_ == PimHalf::split ? 2 : 1;
  }
  void walk_tiles() {
    toggle();
    if (half_ != PimHalf::alternate) {
      for (const Int bank : {0, 1})
        for (Int x = 0; x < in_half_ && (bank == 0 || half_ == PimHalf::split); ++x) tile_at(bank, x);
    } else {
      for (Int x = 0; x < in_half_; ++x)
        for (const Int bank : {0, 1}) tile_at(bank, x);
    }
    toggle();
  }
  void tile_at(Int bank, Int x) {
    const Int g = *map_.pim.grf, row = system_.pim.row_bursts;
    const auto operands = static_cast<Int>(kernel_.operands.size());
    const auto column = [&](std::size_t operand) {
      const auto p = static_cast<Int>(operand);
      return *map_.pim.layout == PimLayout::together ? (x * operands + p) * g
                                                     : p * ((in_half_ * g + row - 1) / row) * row + x * g;
    };
    for (const std::size_t operand : reads_) run_of(false, bank, column(operand), g);
    run_of(true, bank, column(out_), g);
  }

  // Reductions.
  Int steps(std::size_t d) const { return local_[d] / map_.block[d]; }
  Int vectors_of(std::size_t operand) const {
    Int all = 1;
    for (std::size_t d = 0; d < dims_; ++d)
      if (used_[operand][d]) all *= map_.block[d];
    return all;
  }
  double elements_of(std::size_t operand) const {
    double all = 1;
    for (const Int extent : kernel_.operands[operand].dims) all *= static_cast<double>(extent);
    return all;
  }
  void plan_steps() {
    if (map_.block.size() != dims_ || map_.order.size() != dims_)
      return fail("a map has no block or no order");
    for (std::size_t d = 0; d < dims_; ++d)
      if (map_.block[d] < 1 || map_.tuples[3][d] % map_.block[d] != 0)
        return fail("a block does not divide its extent");
    stored_ = sums_of_;
    if (mac_) {
      const std::size_t larger = elements_of(sums_of_[1]) > elements_of(sums_of_[0]) ? 1 : 0;
      const std::size_t bank = map_.pim.bank.value_or(sums_of_[larger]);
      if (bank != sums_of_[0] && bank != sums_of_[1]) return fail("the operand of key bank is not a factor");
      factor_ = bank == sums_of_[0] ? sums_of_[1] : sums_of_[0];
      stored_ = {bank};
      for (std::size_t d = 0; d < dims_; ++d) {
        from_banks_ = from_banks_ || (used_[factor_][d] && blocks_[d] > 1);
        by_lane_ = by_lane_ || (used_[factor_][d] && map_.tuples[2][d] > 1);
      }
      if (vectors_of(factor_) > system_.pim.grf) fail("a factor's tile does not fit into the registers");
    }
    if (vectors_of(out_) > system_.pim.grf) fail("an output tile does not fit into the registers");
    for (std::size_t i = 0; i < dims_; ++i)
      for (std::size_t j = i + 1; j < dims_; ++j)
        if (!used_[out_][map_.order[i]] && used_[out_][map_.order[j]] && steps(map_.order[i]) > 1 &&
            steps(map_.order[j]) > 1)
          stays_ = false;
    program_ =
        1 + (stays_ ? 1 : 2) +
        (half_ == PimHalf::even ? 1 : 2) * (2 * static_cast<Int>(stored_.size()) + (from_banks_ ? 2 : 0));
    auto regions = stored_;
    if (from_banks_) regions.push_back(factor_);
    Int column = 0;
    for (const std::size_t operand : regions) {
      region_[operand] = column;
      Int tiles = 1;
      for (std::size_t d = 0; d < dims_; ++d)
        if (used_[operand][d]) tiles *= in_bank(d, false);
      column += tiles * vectors_of(operand);
    }
    region_[out_] = column;
  }
  Int in_bank(std::size_t d, bool all) const {
    return all || half_ == PimHalf::even || d != half_dim_ ? steps(d) : (steps(d) + 1) / 2;
  }
  Int column_of(std::size_t operand, const Place& at) const {
    Int number = 0;
    for (const std::size_t d : map_.order) {
      if (!used_[operand][d]) continue;
      const bool all = operand == out_ || half_ == PimHalf::even || d != half_dim_;
      number = number * in_bank(d, all) + (all ? at[d] : at[d] / 2);
    }
    return region_.at(operand) + number * vectors_of(operand);
  }
  Place tile_of(std::size_t operand, const Place& at) const {
    Place tile;
    for (std::size_t d = 0; d < dims_; ++d)
      if (used_[operand][d]) tile.push_back(at[d]);
    return tile;
  }
  void output(bool write, const Place& at) {
    run_of(write, half_ == PimHalf::even ? 0 : 1, column_of(out_, at), vectors_of(out_));
  }
  void walk_steps() {
    if (!stays_) toggle();
    std::vector<Place> turns;  // for each loop, its steps in execution order
    for (const std::size_t d : map_.order) {
      turns.emplace_back();
      const bool halved = d == half_dim_ && half_ == PimHalf::split;
      for (const Int parity : {0, 1})
        for (Int s = halved ? parity : 0; s < steps(d) && (halved || parity == 0) && s < most_groups_;
             s += halved ? 2 : 1)
          turns.back().push_back(s);
    }
    std::vector<std::size_t> turn(dims_, 0);
    Place at(dims_, 0), before;
    bool more = true;
    while (more && !result_.too_long) {
      for (std::size_t i = 0; i < dims_; ++i) at[map_.order[i]] = turns[i][turn[i]];
      step_at(at, before);
      before = at;
      std::size_t i = dims_;
      while (i > 0 && turn[i - 1] + 1 == turns[i - 1].size()) turn[--i] = 0;
      more = i > 0;
      if (more) ++turn[i - 1];
    }
    output(true, at);
    toggle();
  }
  void step_at(const Place& at, const Place& before) {
    const auto is_new = [&](std::size_t operand) {
      return before.empty() || tile_of(operand, at) != tile_of(operand, before);
    };
    const Int bank = half_ == PimHalf::even ? 0 : at[half_dim_] % 2;
    if (is_new(out_)) {
      if (!before.empty()) output(true, before);
      if (!before.empty() && stays_) toggle();
      if (stays_)
        toggle();
      else
        output(false, at);
    }
    if (mac_ && is_new(factor_)) {
      if (from_banks_) {
        run_of(false, bank, column_of(factor_, at), vectors_of(factor_));
      } else if (by_lane_) {
        for (Int v = 0; v < vectors_of(factor_); ++v) burst(true, 1, 0x3fff, 8 + v);
        fence();
      } else {
        one(1, 0x3fff, 1);
      }
    }
    for (const std::size_t operand : stored_) {
      Int again = 1;
      for (std::size_t d = 0; d < dims_; ++d)
        if (mac_ && !used_[operand][d]) again *= map_.block[d];
      for (Int i = 0; i < again && !result_.too_long; ++i)
        run_of(false, bank, column_of(operand, at), vectors_of(operand));
    }
  }

  void check_program() {
    if (program_ > system_.pim.crf) fail("the program does not fit into the instruction registers");
  }
  void count_host() {
    Int parts = 1, elements = 1;
    for (std::size_t d = 0; d < dims_; ++d) {
      const Int units = map_.tuples[0][d] * blocks_[d] * map_.tuples[2][d];
      result_.covered.push_back(units * local_[d]);
      (used_[out_][d] ? elements : parts) *= used_[out_][d] ? result_.covered.back() : units;
    }
    result_.partial = checked_multiply(elements, parts - 1).value_or(max_count);
  }

  const Kernel& kernel_;
  const CnmMap& map_;
  const System& system_;
  const Int most_groups_;
  const std::size_t dims_;
  std::size_t out_ = 0;
  std::vector<std::vector<bool>> used_;  ///< by operand and dim: true if an index uses the dim
  Place blocks_, local_;
  PimHalf half_ = PimHalf::even;
  std::size_t half_dim_ = 0;
  Int program_ = 1;
  std::vector<std::size_t> reads_;  ///< pointwise: inputs that a tile reads, in order
  bool constants_ = false;
  Int held_ = 1, in_half_ = 0;
  std::vector<std::size_t> sums_of_;  ///< reduction: inputs that are summed or multiplied
  bool mac_ = false;
  std::vector<std::size_t> stored_;
  std::size_t factor_ = 0;
  bool from_banks_ = false, by_lane_ = false, stays_ = true;
  std::map<std::size_t, Int> region_;
  std::vector<Access> group_;
  ReadStreamOfMap result_;
};

}  // namespace

Int read_written(const Kernel& kernel, const CnmMap& map) {
  Int sum = 0;
  for (const KernelOperand& operand : kernel.operands) {
    if (!operand.output) continue;
    Int elements = 1;
    std::vector<bool> used(kernel.extents.size(), false);
    for (const AffineExpr& term : operand.map) {
      Int last = 0;
      for (std::size_t d = 0; d < used.size(); ++d) {
        last += term.factors[d] * (map.tuples.back()[d] - 1);
        used[d] = used[d] || term.factors[d] != 0;
      }
      elements *= last + 1;
    }
    for (std::size_t level = 0; level + 1 < map.tuples.size(); ++level)
      for (std::size_t d = 0; d < used.size(); ++d)
        if (used[d]) elements *= map.tuples[level][d];
    sum += elements;
  }
  return sum;
}

ReadStreamOfMap read_stream_of_map(const Kernel& kernel, const CnmMap& map, const System& system,
                                   Int most_groups) {
  return Reader(kernel, map, system, most_groups).run();
}

}  // namespace nestor::cnm::second
