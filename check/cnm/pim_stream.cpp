// Construction of the streams of HBM-PIM, group by group, as specified in "General streams" and "The HBM-PIM
// machine" of docs/models/cnm.md.
#include <algorithm>

#include "check/cnm/pim.h"

namespace nestor::check::cnm {
namespace {

constexpr Int park_row = 0x1000;
constexpr Int of_a_group = 8;  // maximum number of bursts in a group
constexpr Int most_tiles = Int{1} << 30;
constexpr const char* reserved = "its data reach the reserved rows";
constexpr Int least_rows = 128;  // distance between vectors of the library
using Take = std::function<void(const Group&)>;

}  // namespace

PimStream::PimStream(const PimProblem& problem, const PimMapping& mapping)
    : problem_(problem), machine_(problem.machine), mapping_(mapping) {
  vectors_.resize(problem.kernel.operands.size());
  for (std::size_t i = 0; i < vectors_.size(); ++i) vectors_[i] = tile_vectors(problem, mapping, i);
  if (mapping.is_library())
    plan_library();
  else if (problem.is_reduction)
    plan_steps();
  else
    plan_points();
  if (program_ > machine_.crf) fault_ = "its program exceeds the instruction registers";
  if (fault_ != nullptr) return;
  if (mapping.is_library())
    total_ = times(out_tiles_ * in_tiles_, of_a_group * machine_.grf);
  else if (problem.is_reduction)
    count_steps();
  else
    count_points();
}

void PimStream::plan_points() {
  const Int g = mapping_.grf, row = machine_.row_bursts, halves = mapping_.half == Half::even ? 1 : 2;
  if (times(problem_.alive, g) > 2 * machine_.grf) fault_ = "its results exceed the registers";
  tiles_ = ceiling(ceiling(product(mapping_.local), g), halves);
  const Int loops = tiles_ == 1 ? 0 : mapping_.half == Half::split ? 2 : 1;
  program_ = halves * static_cast<Int>(problem_.reads.size() + 1) * ceiling(g, of_a_group) + loops + 1;
  are_apart_ = mapping_.layout == Layout::apart;
  const Int region = are_apart_ ? ceiling(times(tiles_, g), row) * row : times(tiles_, g);
  for (std::size_t p = 0; p < problem_.kernel.operands.size(); ++p)
    base_.push_back(times(static_cast<Int>(p), are_apart_ ? region : g));
  if (times(region, static_cast<Int>(base_.size())) > times(machine_.reserved_row, row)) fault_ = reserved;
}

Int tile_vectors(const PimProblem& problem, const PimMapping& mapping, std::size_t operand) {
  Int all = 1;
  for (std::size_t d = 0; d < mapping.block.size(); ++d)
    if (problem.kernel.operands[operand].uses(d)) all = times(all, mapping.block[d]);
  return all;
}

void PimStream::plan_steps() {
  const Kernel& kernel = problem_.kernel;
  const auto& output = kernel.operands[problem_.output];
  for (std::size_t d = 0; d < kernel.dims(); ++d)
    if (!output.uses(d)) half_dim_ = d;
  half_dim_ = mapping_.half_dim.value_or(half_dim_);
  bool reduces = false;
  for (const Int dim : mapping_.order) {
    const auto d = static_cast<std::size_t>(dim);
    const Int steps = mapping_.local[d] / mapping_.block[d];
    if (steps == 1) continue;
    loops_.push_back({d, steps, d == half_dim_ && mapping_.half != Half::even});
    if (output.uses(d) && reduces) stays_ = false;
    reduces |= !output.uses(d);
  }
  auto in_banks = problem_.stored;
  if (problem_.is_product) {
    const CnmOperand &factor = kernel.operands[problem_.factor], &stored = kernel.operands[in_banks[0]];
    for (std::size_t d = 0; d < kernel.dims(); ++d) {
      from_banks_ |= factor.uses(d) && mapping_.blocks[d] > 1;
      by_lane_ |= factor.uses(d) && mapping_.lanes[d] > 1;
      if (!stored.uses(d)) repeats_ = times(repeats_, mapping_.block[d]);
    }
    if (vectors_[problem_.factor] > machine_.grf) fault_ = "a tile of a factor exceeds the registers";
    if (from_banks_) in_banks.push_back(problem_.factor);
  }
  if (vectors_[problem_.output] > machine_.grf) fault_ = "a tile of the output exceeds the registers";
  program_ =
      (mapping_.half == Half::even ? 1 : 2) * 2 * static_cast<Int>(in_banks.size()) + (stays_ ? 1 : 2) + 1;
  in_banks.push_back(problem_.output);
  base_.assign(kernel.operands.size(), 0);
  are_apart_ = machine_.row_bursts % of_a_group == 0;
  Int columns = 0;
  for (const std::size_t operand : in_banks) {
    base_[operand] = columns;
    are_apart_ &= columns % machine_.row_bursts == 0;
    Int all = vectors_[operand];
    for (const Loop& loop : loops_)
      if (kernel.operands[operand].uses(loop.dim))
        all = times(all,
                    loop.is_halved && operand != problem_.output ? ceiling<Int>(loop.trips, 2) : loop.trips);
    columns = plus(columns, all);
  }
  if (columns > times(machine_.reserved_row, machine_.row_bursts)) fault_ = reserved;
}

void PimStream::plan_library() {
  const Int row = machine_.row_bursts;
  if (!problem_.is_reduction) {
    const Int tile =
        times(product(mapping_.channels), machine_.levels[1], machine_.levels[2], 2 * machine_.grf);
    out_tiles_ = ceiling(product(problem_.kernel.extents), tile);
    const Int rows = ceiling(times(out_tiles_, machine_.grf), row), distance = std::max(least_rows, rows);
    apart_ = times(distance, row);
    const Int last =
        plus(times(problem_.library == PimLibrary::relu ? Int{1} : Int{2}, distance), rows, Int{-1});
    if (out_tiles_ > most_tiles || last >= machine_.reserved_row) fault_ = reserved;
    return;
  }
  const Int rows = times(mapping_.channels[0], machine_.levels[1], machine_.grf);
  const Int inputs = times(mapping_.channels[1], machine_.levels[2], machine_.grf);
  out_tiles_ = ceiling(problem_.kernel.extents[0], rows);
  in_tiles_ = ceiling(problem_.kernel.extents[1], inputs);
  const Int last = plus(times(out_tiles_, in_tiles_) / 2 * of_a_group * machine_.grf,
                        of_a_group * (out_tiles_ - 1), machine_.grf);
  if (times(out_tiles_, in_tiles_) > most_tiles || (last - 1) / row >= machine_.reserved_row)
    fault_ = reserved;
}

Tuple PimStream::padded() const {
  const Int grf = machine_.grf, blocks = machine_.levels[1], lanes = machine_.levels[2];
  if (!problem_.is_reduction) return {times(product(mapping_.channels), blocks, lanes, 2 * grf, out_tiles_)};
  return {times(mapping_.channels[0], blocks, grf, out_tiles_),
          times(mapping_.channels[1], lanes, grf, in_tiles_)};
}

Tuple PimStream::key() const {
  Tuple key = {static_cast<Int>(mapping_.half), static_cast<Int>(mapping_.layout), mapping_.grf,
               Int{from_banks_}, Int{by_lane_}};
  if (mapping_.is_library()) return {out_tiles_, in_tiles_};
  if (!problem_.is_reduction) key.push_back(tiles_);
  for (const Tuple* tuple : {&mapping_.local, &mapping_.block, &mapping_.order})
    if (problem_.is_reduction) key.insert(key.end(), tuple->begin(), tuple->end());
  return key;
}

// Returns the number of the step that a loop executes at position `place`. With Half::split, a halved loop
// executes its even steps before its odd ones.
Int PimStream::step_of(std::size_t loop, Int place) const {
  if (!loops_[loop].is_halved || mapping_.half != Half::split) return place;
  const Int even = ceiling<Int>(loops_[loop].trips, 2);
  return place < even ? 2 * place : 2 * (place - even) + 1;
}
Int PimStream::bank_at(std::size_t loop, Int place) const { return step_of(loop, place) % 2; }

// True if the step after an advance of the loop `moved`, which restarts the inner loops, uses a different
// tile of the operand.
bool PimStream::changes(std::size_t operand, std::size_t moved) const {
  bool changes = moved == loops_.size();
  for (std::size_t l = moved; l < loops_.size(); ++l)
    changes |= problem_.kernel.operands[operand].uses(loops_[l].dim);
  return changes;
}

// Returns the bursts of a step that follows an advance of the loop `moved` (loops_.size() at the first step).
PimStream::Runs PimStream::runs_of_step(std::size_t moved, Int bank) const {
  const bool is_first = moved == loops_.size();
  const Run toggle{true, 0, registers, 0};
  const std::size_t output = problem_.output;
  Run tile{true, mapping_.half == Half::even ? 0 : 1, output, 0, vectors_[output]};
  Runs runs;
  if (changes(output, moved)) {
    if (!is_first) {
      runs.push_back(tile);
      runs.back().is_old = true;
      if (stays_) runs.push_back(toggle);
    }
    tile.write = false;
    runs.push_back(stays_ ? toggle : tile);
  }
  if (problem_.is_product && changes(problem_.factor, moved)) {
    const Int count = vectors_[problem_.factor];
    if (from_banks_)
      runs.push_back({false, bank, problem_.factor, 0, count});
    else
      runs.push_back(by_lane_ ? Run{true, 1, registers, 8, count} : Run{true, 1, registers, 1});
  }
  for (const std::size_t operand : problem_.stored)
    runs.push_back({false, bank, operand, 0, vectors_[operand], repeats_});
  return runs;
}

PimStream::Runs PimStream::runs_of_tile(Int bank) const {
  Runs runs;
  for (const std::size_t operand : problem_.reads) runs.push_back({false, bank, operand, 0, mapping_.grf});
  runs.push_back({true, bank, problem_.output, 0, mapping_.grf});
  return runs;
}

// Returns the first column of a tile: the first column of the operand plus the index of the tile times the
// vectors per tile. The loops over the operand's dims, in their order, determine the index.
Int PimStream::column_of(std::size_t operand, const Places& places) const {
  Int number = 0;
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    if (!problem_.kernel.operands[operand].uses(loops_[l].dim)) continue;
    const bool is_halved = loops_[l].is_halved && operand != problem_.output;
    const Int step = step_of(l, places[l]);
    number = number * (is_halved ? ceiling<Int>(loops_[l].trips, 2) : loops_[l].trips) +
             (is_halved ? step / 2 : step);
  }
  return base_[operand] + number * vectors_[operand];
}

void PimStream::write_run(const Take& take, const Run& run, Int column) const {
  const Int row = machine_.row_bursts, whole = mapping_.is_library() ? run.count : of_a_group;
  if (run.operand == registers) column = register_row * row + run.first;
  Group group;
  for (Int again = 0; again < run.times; ++again)
    for (Int v = 0; v < run.count; ++v) {
      group.push_back({run.write, run.bank, (column + v) / row, (column + v) % row});
      if (v % whole != whole - 1 && v + 1 != run.count) continue;
      take(group);
      group.clear();
    }
}

void PimStream::write_steps(const Take& take, const std::function<void(Int)>& step) const {
  const Run toggle{true, 0, registers, 0};
  if (!stays_) write_run(take, toggle, 0);
  Places places(loops_.size(), 0), before;
  Run last;
  std::size_t halved = 0, moved = loops_.size();
  while (halved < loops_.size() && !loops_[halved].is_halved) ++halved;
  while (true) {
    const Int bank = halved < loops_.size() ? bank_at(halved, places[halved]) : 0;
    const Runs runs = runs_of_step(moved, bank);
    for (const Run& run : runs)
      write_run(take, run,
                run.operand == registers ? 0 : column_of(run.operand, run.is_old ? before : places));
    step(moved == loops_.size() ? first_ : gaps(&last, runs));
    last = runs.back();
    before = places;
    moved = loops_.size();
    while (moved > 0 && places[moved - 1] + 1 == loops_[moved - 1].trips) places[--moved] = 0;
    if (moved == 0) break;
    ++places[--moved];
  }
  const Int bank = mapping_.half == Half::even ? 0 : 1;
  write_run(take, {true, bank, problem_.output, 0, vectors_[problem_.output]},
            column_of(problem_.output, before));
  write_run(take, toggle, 0);
}

void PimStream::write_points(const Take& take, const std::function<void(Int)>& step) const {
  const Run toggle{true, 0, registers, 0};
  write_run(take, toggle, 0);
  const Int g = mapping_.grf, apart = are_apart_ ? g : times(g, static_cast<Int>(base_.size()));
  Run last;
  const auto tile = [&](Int bank, Int place) {
    const Runs runs = runs_of_tile(bank);
    for (const Run& run : runs) write_run(take, run, base_[run.operand] + place * apart);
    step(last.operand == registers ? first_ : gaps(&last, runs));
    last = runs.back();
  };
  if (mapping_.half == Half::alternate) {
    for (Int place = 0; place < tiles_; ++place)
      for (const Int bank : {0, 1}) tile(bank, place);
  } else {
    for (const Int bank : {0, 1})
      for (Int place = 0; place < tiles_ && (bank == 0 || mapping_.half == Half::split); ++place)
        tile(bank, place);
  }
  write_run(take, toggle, 0);
}

void PimStream::write_vectors(const Take& take) const {
  const Run toggle{true, 0, registers, 0};
  write_run(take, toggle, 0);
  for (Int i = 0; i < out_tiles_; ++i)
    for (const Int bank : {0, 1}) {
      const Int column = i * machine_.grf;
      write_run(take, {false, bank, 0, 0, machine_.grf}, column);
      if (problem_.library != PimLibrary::relu)
        write_run(take, {false, bank, 0, 0, machine_.grf}, 2 * apart_ + column);
      write_run(take, {true, bank, 0, 0, machine_.grf}, apart_ + column);
    }
  write_run(take, toggle, 0);
}

void PimStream::write_products(const Take& take) const {
  const Int n = in_tiles_, o = out_tiles_, grf = machine_.grf, tile = of_a_group * grf;
  const Run toggle{true, 0, registers, 0};
  for (Int j = 0; j < o; ++j) {
    write_run(take, toggle, 0);
    for (const Int bank : {0, 1})
      for (Int i = bank; i < n; i += 2) {
        write_run(take, {true, 1, registers, 8, 8}, 0);
        for (Int g = 0; g < of_a_group; ++g)
          write_run(take, {false, bank, 0, 0, grf}, (i / 2 + j * n / 2) * tile + grf * g);
      }
    write_run(take, {true, 1, 0, 0, grf}, o * n / 2 * tile + of_a_group * j);
    write_run(take, toggle, 0);
  }
}

void PimStream::write(const Take& take, const std::function<void(Int)>& step) const {
  const Int row = machine_.row_bursts;
  const auto burst = [row](bool write, Int bank, Int in, Int column) {
    return Burst{write, bank, in + column / row, column % row};
  };
  Group park;
  for (Int first = 0; first < 4; ++first)
    for (Int bank = first; bank < machine_.banks; bank += 4) park.push_back(burst(false, bank, park_row, 0));
  take(park);
  Group enter;
  for (const Int bank : {0, 1, 8, 9}) enter.push_back(burst(true, bank, all_bank_row, 31));
  take(enter);
  const Int instructions = mapping_.is_library() ? of_a_group : program_;
  Group program;
  for (Int i = 0; i * machine_.instructions_per_burst < instructions; ++i)
    program.push_back(burst(true, 1, register_row, 4 + i));
  take(program);
  if (!problem_.is_reduction && problem_.has_constants) take({burst(true, 1, register_row, 1)});
  if (mapping_.is_library() && problem_.is_reduction)
    write_products(take);
  else if (mapping_.is_library())
    write_vectors(take);
  else if (problem_.is_reduction)
    write_steps(take, step);
  else
    write_points(take, step);
  take({burst(true, 0, single_bank_row, 31), burst(true, 1, single_bank_row, 31)});
  take(park);
}

void PimStream::each_group(const Take& take) const {
  write(take, [](Int) {});
}

std::optional<Int> PimStream::cycles(Int enough) const {
  struct Enough {
    Int cycles;
  };
  Channel channel(machine_);
  Int done = 0;
  try {
    write([&](const Group& group) { channel.take(group); },
          [&](Int gaps) {
            done += gaps;
            const Int least = channel.last_burst() + least_from(done, machine_.tREFI) + machine_.after_last();
            if (least >= enough) throw Enough{least};
          });
    return channel.finish();
  } catch (const Enough& found) {
    return found.cycles;
  } catch (const Channel::Stuck&) {
    return std::nullopt;
  }
}

}  // namespace nestor::check::cnm
