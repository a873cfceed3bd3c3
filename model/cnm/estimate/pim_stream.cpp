#include "model/cnm/estimate/pim_stream.h"

#include <algorithm>

#include "model/cnm/stream_builder.h"

namespace nestor::cnm {
namespace {

constexpr Int most_inline_groups = 48;  // per tile, so that a trip of the surrounding loop can be cached

// A number that is linear in the trip numbers of the surrounding loops.
struct Linear {
  Int constant = 0;
  Strides stride{};

  void add(const Linear& other, Int times) {
    constant += other.constant * times;
    for (std::size_t i = 0; i < stride.size(); ++i) stride[i] += other.stride[i] * times;
  }
};

// Appends a run of bursts in groups of 8; the last group may be shorter. `depth` is the number of surrounding
// loops.
void append_run(Stream& stream, bool write, Int bank, const Linear& column, Int vectors, std::size_t depth) {
  const auto piece = [&](Int at, Int count, Int stride) {
    Access access{write, bank, count, column.constant + at, column.stride};
    if (stride > 0) access.stride[depth] = stride;
    return StreamBuilder::group({access});
  };
  const Int whole = vectors / group_bursts;
  if (whole > most_inline_groups)
    stream.push_back(StreamBuilder::loop(whole, {piece(0, group_bursts, group_bursts)}));
  else
    for (Int i = 0; i < whole; ++i) stream.push_back(piece(i * group_bursts, group_bursts, 0));
  if (vectors % group_bursts != 0) stream.push_back(piece(whole * group_bursts, vectors % group_bursts, 0));
}

// Appends `times` equal runs.
void append_runs(Stream& stream, Int times, Int bank, const Linear& column, Int vectors, std::size_t depth) {
  if (times * ceil_divide(vectors, group_bursts) <= most_inline_groups) {
    for (Int i = 0; i < times; ++i) append_run(stream, false, bank, column, vectors, depth);
    return;
  }
  Stream body;
  append_run(body, false, bank, column, vectors, depth + 1);
  stream.push_back(StreamBuilder::loop(times, std::move(body)));
}

// Loop over a dim with several steps.
struct Loop {
  std::size_t dim = 0;
  Int trips = 1;
  bool halves = false;  ///< true if its steps are divided between both banks
};

class ContractionWriter {
 public:
  ContractionWriter(const Kernel& kernel, const PimForm& form, const PimMap& map, const System& system)
      : kernel_(kernel), form_(form), map_(map), build_(system) {
    const bool split = map.half != PimHalf::even;
    for (const std::size_t d : map.order)
      if (map.steps(d) > 1) loops_.push_back({d, map.steps(d), split && d == map.half_dim});
    Int columns = 0;
    base_.assign(kernel.operands.size(), 0);
    const auto place = [&](std::size_t operand, bool plain) {
      base_[operand] = columns;
      columns += map.tiles(kernel.operands[operand], plain) * map.tile(kernel.operands[operand]);
    };
    for (const std::size_t operand : map.bank_operands) place(operand, false);
    if (map.held_in_banks) place(map.held, false);
    place(form.output, true);
    now_.assign(loops_.size(), {});
    if (form.product)
      for (std::size_t d = 0; d < kernel.dim_count(); ++d)
        if (!kernel.operands[map.bank].uses(d)) repeats_ *= map.block[d];
  }

  Stream run() {
    if (!map_.stationary) out().push_back(build_.toggle_pim());
    walk(0, before_all);
    append_output(true, before_);
    out().push_back(build_.toggle_pim());
    return std::move(open_.front());
  }

 private:
  static constexpr std::size_t before_all = ~std::size_t{0};  // the first step: every tile changes

  // Step along a loop: its number among all steps, and among the steps of its bank.
  struct Step {
    Linear plain, place;
  };
  using Steps = std::vector<Step>;

  Stream& out() { return open_.back(); }
  std::size_t depth() const { return open_.size() - 1; }

  // Writes the steps of the loops from `at` on; `moved` is the loop that advanced to the first of these
  // steps.
  void walk(std::size_t at, std::size_t moved) {
    if (at == loops_.size()) {
      write_step(moved);
      before_ = now_;
      return;
    }
    const Loop& loop = loops_[at];
    if (!loop.halves) {
      set(at, {0}, {0});
      walk(at + 1, moved);
      advance(at, 1, loop.trips - 1, 1, 0, 1);
    } else if (map_.half == PimHalf::split) {
      for (const Int half : {0, 1}) {
        bank_ = half;
        set(at, {half}, {0});
        walk(at + 1, half == 0 ? moved : at);
        advance(at, half + 2, (loop.trips - half + 1) / 2 - 1, 2, 1, 1);
      }
      bank_ = 0;
    } else {
      bank_ = 0;
      set(at, {0}, {0});
      walk(at + 1, moved);
      bank_ = 1;
      set(at, {1}, {0});
      walk(at + 1, at);
      advance_in_turns(at, (loop.trips - 2) / 2);
      if (loop.trips % 2 != 0) {
        bank_ = 0;
        set(at, {loop.trips - 1}, {loop.trips / 2});
        walk(at + 1, at);
      }
      bank_ = 0;
    }
  }

  void set(std::size_t at, Linear plain, Linear place) { now_[at] = {plain, place}; }

  // Writes `count` more steps of a loop: `first`, `first` + `by`, and so on. Their places in the bank start
  // at `first_place` and increase by `place_by`.
  void advance(std::size_t at, Int first, Int count, Int by, Int first_place, Int place_by) {
    if (!loops_[at].halves) first_place = first;
    if (count <= 0) return;
    if (count == 1) {
      set(at, {first}, {first_place});
      walk(at + 1, at);
      return;
    }
    const std::size_t variable = depth();
    open_.emplace_back();
    set(at, linear(first, by, variable), linear(first_place, place_by, variable));
    before_[at] = {linear(first - by, by, variable), linear(first_place - place_by, place_by, variable)};
    walk(at + 1, at);
    close_loop(count);
    const Int last = first + (count - 1) * by, last_place = first_place + (count - 1) * place_by;
    set(at, {last}, {last_place});
    before_[at] = now_[at];
  }

  // Writes pairs of steps, one step in each bank, starting with the third step.
  void advance_in_turns(std::size_t at, Int pairs) {
    if (pairs <= 0) return;
    const std::size_t variable = depth();
    const bool looped = pairs > 1;
    const Int by = looped ? 1 : 0;
    if (looped) open_.emplace_back();
    before_[at] = {linear(1, 2 * by, variable), linear(0, by, variable)};
    for (const Int half : {0, 1}) {
      bank_ = half;
      set(at, linear(2 + half, 2 * by, variable), linear(1, by, variable));
      walk(at + 1, at);
    }
    if (!looped) return;
    close_loop(pairs);
    set(at, {2 * pairs + 1}, {pairs});
    before_[at] = now_[at];
  }

  static Linear linear(Int constant, Int stride, std::size_t variable) {
    Linear value{constant, {}};
    value.stride[variable] = stride;
    return value;
  }

  void close_loop(Int trips) {
    Stream body = std::move(open_.back());
    open_.pop_back();
    out().push_back(StreamBuilder::loop(trips, std::move(body)));
  }

  // True if an operand's tile differs from that of the previous step.
  bool changes(const KernelOperand& operand, std::size_t moved) const {
    if (moved == before_all) return true;
    for (std::size_t at = moved; at < loops_.size(); ++at)
      if (operand.uses(loops_[at].dim)) return true;
    return false;
  }

  Linear column_of(std::size_t operand, const Steps& steps, bool plain) const {
    const KernelOperand& used = kernel_.operands[operand];
    Linear number;
    for (std::size_t at = 0; at < loops_.size(); ++at) {
      if (!used.uses(loops_[at].dim)) continue;
      const bool halved = loops_[at].halves && !plain;
      const Int trips = halved ? ceil_divide(loops_[at].trips, 2) : loops_[at].trips;
      Linear next;
      next.add(number, trips);
      next.add(halved ? steps[at].place : steps[at].plain, 1);
      number = next;
    }
    Linear column{base_[operand], {}};
    column.add(number, map_.tile(used));
    return column;
  }

  void append_output(bool write, const Steps& steps) {
    append_run(out(), write, map_.half == PimHalf::even ? 0 : 1, column_of(form_.output, steps, true),
               map_.tile(kernel_.operands[form_.output]), depth());
  }

  void write_step(std::size_t moved) {
    const bool first = moved == before_all;
    if (changes(kernel_.operands[form_.output], moved)) {
      if (!first) append_output(true, before_);
      if (map_.stationary) {
        if (!first) out().push_back(build_.toggle_pim());
        out().push_back(build_.toggle_pim());
      } else {
        append_output(false, now_);
      }
    }
    if (form_.product && changes(kernel_.operands[map_.held], moved)) load_held();
    for (const std::size_t operand : map_.bank_operands)
      append_runs(out(), repeats_, bank_, column_of(operand, now_, false),
                  map_.tile(kernel_.operands[operand]), depth());
  }

  void load_held() {
    const Int vectors = map_.tile(kernel_.operands[map_.held]);
    if (map_.held_in_banks)
      append_run(out(), false, bank_, column_of(map_.held, now_, false), vectors, depth());
    else if (map_.held_is_scalar)
      out().push_back(build_.scalar_register());
    else
      append_run(out(), true, 1, {build_.vector_address(), {}}, vectors, depth());
  }

  const Kernel& kernel_;
  const PimForm& form_;
  const PimMap& map_;
  const StreamBuilder build_;
  std::vector<Loop> loops_;
  std::vector<Int> base_;  ///< first column of each operand
  Int repeats_ = 1;        ///< number of reads of a bank operand's tile at a step
  Int bank_ = 0;
  Steps now_, before_;
  std::vector<Stream> open_ = std::vector<Stream>(1);  ///< bodies of loops that are being written
};

Stream pointwise_tiles(const Kernel& kernel, const PimForm& form, const PimMap& map, const System& system) {
  Int vectors = 1;
  for (const Int local : map.local) vectors *= local;
  const Int tiles = ceil_divide(vectors, map.grf);
  const Int q = map.half == PimHalf::even ? tiles : ceil_divide(tiles, 2);
  const auto operands = static_cast<Int>(kernel.operands.size());
  const Int row = system.pim.row_bursts;
  const Int region = ceil_divide(q * map.grf, row) * row;
  const bool together = map.layout == PimLayout::together;
  const std::size_t depth = q > 1 ? 1 : 0;
  const auto append_tile = [&](Stream& body, Int bank) {
    const auto run = [&](std::size_t operand, bool write) {
      const auto p = static_cast<Int>(operand);
      Linear column{together ? p * map.grf : p * region, {}};
      if (depth > 0) column.stride[0] = together ? operands * map.grf : map.grf;
      append_run(body, write, bank, column, map.grf, depth);
    };
    for (const std::size_t operand : form.runs) run(operand, false);
    run(form.output, true);
  };
  Stream stream;
  const auto repeat = [&](std::initializer_list<Int> banks) {
    Stream body;
    for (const Int bank : banks) append_tile(body, bank);
    if (q > 1)
      stream.push_back(StreamBuilder::loop(q, std::move(body)));
    else
      append(stream, std::move(body));
  };
  const StreamBuilder build(system);
  stream.push_back(build.toggle_pim());
  if (map.half == PimHalf::alternate)
    repeat({0, 1});
  else
    repeat({0});
  if (map.half == PimHalf::split) repeat({1});
  stream.push_back(build.toggle_pim());
  return stream;
}

}  // namespace

Stream pim_stream(const Kernel& kernel, const PimForm& form, const PimMap& map, const System& system) {
  const StreamBuilder build(system);
  Stream stream = {build.park(), build.enter_all_banks(), build.program_registers(map.instructions)};
  if (!form.contraction && form.has_constants) stream.push_back(build.scalar_register());
  append(stream, form.contraction ? ContractionWriter(kernel, form, map, system).run()
                                  : pointwise_tiles(kernel, form, map, system));
  stream.push_back(build.leave_all_banks());
  stream.push_back(build.park());
  return stream;
}

std::vector<Int> pim_stream_key(const PimForm& form, const PimMap& map) {
  std::vector<Int> key = {static_cast<Int>(map.half), map.grf, static_cast<Int>(map.layout),
                          Int{map.held_in_banks} << 1 | Int{map.held_is_scalar}};
  if (form.contraction) {
    key.insert(key.end(), map.local.begin(), map.local.end());
    key.insert(key.end(), map.block.begin(), map.block.end());
    for (const std::size_t d : map.order) key.push_back(static_cast<Int>(d));
    return key;
  }
  Int vectors = 1;
  for (const Int local : map.local) vectors *= local;
  key.push_back(vectors);
  return key;
}

}  // namespace nestor::cnm
