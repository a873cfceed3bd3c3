#include "model/cnm/form_program.h"

#include <algorithm>
#include <iterator>

#include "model/cnm/lower.h"
#include "model/cnm/map_rules.h"

namespace nestor::cnm {
namespace {

constexpr double most = static_cast<double>(max_count) / 2;  // the lowering handles larger sums

}  // namespace

FormWriter::FormWriter(const Kernel& kernel, const System& system)
    : kernel_(kernel), system_(system), is_loaded_(kernel.operands.size(), false) {
  const auto load = [this](std::size_t argument) {
    if (argument < is_loaded_.size()) is_loaded_[argument] = true;
  };
  for (const RegionStep& step : kernel.region)
    for (const std::size_t argument : step.arguments) load(argument);
  for (const std::size_t argument : kernel.yields) load(argument);
  for (std::size_t i = 0; i < kernel.operands.size(); ++i) {
    Mask mask = 0;
    for (std::size_t d = 0; d < kernel.dim_count(); ++d)
      if (kernel.operands[i].uses(d)) mask |= Mask{1} << d;
    uses_.push_back(mask);
    if (kernel.operands[i].output) outputs_.push_back(i);
    for (std::size_t j = 0; j < i; ++j) names_differ_ &= kernel.operands[i].name != kernel.operands[j].name;
  }
}

Int FormWriter::cost(Op op, Type type) {
  const SlotCost& cost = system_.cost(op, type);
  refused_ |= !cost.known();
  return cost.slots(kernel_.multiply_k);
}

void FormWriter::plain(const Code& code) {
  if (code.lines == 0) return;
  pending_ += code.slots;
  lines_ += code.lines;
  in_requests_ = false;
}

void FormWriter::flush() {
  if (pending_ == 0) return;
  result_.steps.steps.push_back({ItemKind::slots, pending_, 0, 0, static_cast<std::uint32_t>(open_.size())});
  sums_->slots += times_ * static_cast<double>(pending_);
  pending_ = 0;
}

void FormWriter::request(ItemKind kind, Int bytes) {
  const Int index = cost(Op::lsladd, Type::index);
  if (!in_requests_) {
    pending_ += cost(Op::move, Type::index) + index;
    lines_ += 2;
  }
  in_requests_ = true;
  pending_ += index;
  lines_ += 2;
  flush();
  const Dma& dma = system_.dma;
  refused_ |= bytes < dma.min_bytes || bytes > dma.max_bytes || bytes % dma.align != 0;
  result_.steps.steps.push_back({kind, bytes, 0, 0, static_cast<std::uint32_t>(open_.size())});
  const TransferTime& time = kind == ItemKind::read ? dma.read : dma.write;
  const Int busy = busy_cycles(time, bytes);
  sums_->slots += times_;
  sums_->engine += times_ * static_cast<double>(busy);
  sums_->waits += times_ * static_cast<double>(std::max<Int>(0, busy + return_cycles(time) - system_.gap));
  bytes_ += times_ * static_cast<double>(bytes);
}

// Adds a request for each contiguous run of the tile, split into pieces that the engine accepts.
void FormWriter::requests(std::size_t operand, bool write, Int steps) {
  const Tile& tile = tiling_.tiles[operand];
  const auto extent = [&](std::size_t k) {
    const bool last = k + 1 == tile.extent.size();
    return tile.collected && last ? tile.extent[k] / tiling_.group * steps : tile.extent[k];
  };
  std::size_t split = tile.extent.size();
  Int run = 1, rows = 1;
  while (split > 0) {
    run *= extent(--split);
    if (extent(split) != tile.local[split]) break;
  }
  for (std::size_t k = 0; k < split; ++k) rows *= extent(k);
  const Int size = bytes_of(kernel_.operands[operand].type);
  if (output(operand) && (tile.collected || run * size < system_.dma.min_bytes))
    run = aligned_elements(system_, run, size);
  const Int piece = elements_per_request(system_, size);
  requests_ += requests_for(rows, run, piece);
  if (requests_ > static_cast<Int>(most_requests)) refused_ = true;
  if (refused_) return;
  const auto request_row = [&] {
    for (Int done = 0; done < run; done += piece)
      request(write ? ItemKind::write : ItemKind::read, std::min(piece, run - done) * size);
  };
  request_row();
  if (rows == 1) return;
  // All rows after the first have equal steps.
  auto& written = result_.steps.steps;
  const std::size_t first = written.size();
  const Sums sums = *sums_;
  const double bytes = bytes_, more = static_cast<double>(rows - 2);
  const Int lines = lines_;
  request_row();
  const std::size_t count = written.size() - first;
  written.reserve(first + count * static_cast<std::size_t>(rows - 1));
  for (Int row = 2; row < rows; ++row)
    std::copy_n(written.begin() + static_cast<std::ptrdiff_t>(first), count, std::back_inserter(written));
  sums_->slots += more * (sums_->slots - sums.slots);
  sums_->engine += more * (sums_->engine - sums.engine);
  sums_->waits += more * (sums_->waits - sums.waits);
  bytes_ += more * (bytes_ - bytes);
  lines_ += (rows - 2) * (lines_ - lines);
}

void FormWriter::open_loop(Int trips) {
  flush();
  FlatProgram& flat = result_.steps;
  open_.push_back({static_cast<std::uint32_t>(flat.trips.size()),
                   static_cast<std::uint32_t>(flat.steps.size()), times_, requests_});
  flat.trips.push_back(trips);
  times_ *= static_cast<double>(trips);
  in_requests_ = false;
}

// Ends a loop: adds its increments, its counter and its branch.
void FormWriter::close_loop(Int moved) {
  const Int add = cost(Op::add, Type::index);
  pending_ += moved * add + add + 1;
  lines_ += moved + 2;
  flush();
  const OpenLoop loop = open_.back();
  open_.pop_back();
  FlatProgram& flat = result_.steps;
  flat.steps.push_back({ItemKind::loop, flat.trips[loop.number], loop.start, loop.number,
                        static_cast<std::uint32_t>(open_.size())});
  times_ = loop.times;
  in_requests_ = false;
  unknown_ |= requests_ == loop.requests;  // loops without requests have a different form
}

// Returns the number of operands whose request addresses are incremented by a loop over steps of the dim.
Int FormWriter::moved_by(std::size_t dim, bool gathered, bool others) const {
  Int moved = 0;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const Tile& tile = tiling_.tiles[i];
    moved += Int{!tile.stays && uses(i, dim) && (tile.collected ? gathered : others)};
  }
  return moved;
}

// True if the index of an element in the operand's buffer depends on a surrounding loop.
bool FormWriter::varies(std::size_t operand) const {
  const Tile& tile = tiling_.tiles[operand];
  const Mask used = uses_[operand];
  return (used & blocked_) != 0 || (tile.stays && (used & stepped_) != 0) ||
         (tile.collected && in_group_ && uses(operand, tiling_.step_loops[*tiling_.collecting]));
}

// Adds the code for outputs that are kept in values from this depth on. The code sets the values to zero or
// stores them.
void FormWriter::add_values(Code& code, std::size_t depth, bool store, bool in_loop) {
  for (const std::size_t i : outputs_) {
    if (!tiling_.tiles[i].in_value || tiling_.tiles[i].value_inside != depth) continue;
    const Type type = kernel_.operands[i].type;
    if (store && !in_loop && varies(i)) code.add(cost(Op::lsladd, Type::index));
    code.add(cost(store ? Op::store : Op::move, type));
  }
}

// Writes the code inside `depth` step loops.
void FormWriter::level(std::size_t depth) {
  const auto& tiles = tiling_.tiles;
  for (std::size_t i = 0; i < tiles.size(); ++i)
    if ((!output(i) || tiles[i].read_first) && tiles[i].inside == depth && !tiles[i].collected &&
        !tiles[i].stays)
      requests(i, false, tiling_.group);
  Code zeros, stores;
  add_values(zeros, depth, false, false);
  plain(zeros);
  if (refused_) return;
  if (tiling_.collecting && depth == *tiling_.collecting) {
    groups(depth);
  } else if (depth < tiling_.step_loops.size()) {
    const std::size_t d = tiling_.step_loops[depth];
    stepped_ |= Mask{1} << d;
    open_loop(steps_of(d));
    level(depth + 1);
    close_loop(moved_by(d, tiling_.collecting && depth < *tiling_.collecting, true));
    stepped_ &= ~(Mask{1} << d);
  } else {
    plain(tiling_.block_loops.empty() ? region(false) : block_loop(0));
  }
  add_values(stores, depth, true, false);
  plain(stores);
  for (const std::size_t i : outputs_)
    if (tiles[i].inside == depth && !tiles[i].collected && !tiles[i].stays) requests(i, true, tiling_.group);
}

// Writes the collecting loop in groups of steps, followed by the remaining steps.
void FormWriter::groups(std::size_t depth) {
  const std::size_t d = tiling_.step_loops[depth];
  const Int full = steps_of(d) / tiling_.group, rest = steps_of(d) % tiling_.group;
  if (full == 1) group(depth, tiling_.group, false);
  if (full > 1) {
    open_loop(full);
    group(depth, tiling_.group, true);
    close_loop(moved_by(d, true, true));
  }
  if (rest > 0) group(depth, rest, false);
}

void FormWriter::group(std::size_t depth, Int count, bool repeated) {
  const std::size_t d = tiling_.step_loops[depth];
  for (const std::size_t i : outputs_)
    if (tiling_.tiles[i].collected && tiling_.tiles[i].read_first) requests(i, false, count);
  if (refused_) return;
  if (count > 1 || repeated) stepped_ |= Mask{1} << d;
  in_group_ = count > 1;
  if (count > 1) open_loop(count);
  level(depth + 1);
  if (count > 1) close_loop(moved_by(d, false, true));
  in_group_ = false;
  stepped_ &= ~(Mask{1} << d);
  for (const std::size_t i : outputs_)
    if (tiling_.tiles[i].collected) requests(i, true, count);
}

// Returns the code of the block loop at this position, including its body.
FormWriter::Code FormWriter::block_loop(std::size_t at) {
  const std::size_t d = tiling_.block_loops[at], depth = tiling_.step_loops.size() + at + 1;
  const bool innermost = at + 1 == tiling_.block_loops.size();
  Code body;
  add_values(body, depth, false, innermost);
  const Code inside = innermost ? region(true) : block_loop(at + 1);
  body.add(inside.slots, inside.lines);
  add_values(body, depth, true, innermost);
  const Int trips = map_->block[d];
  if (innermost) return element_loop(body, depth, trips);
  Int moved = 0;
  for (std::size_t i = 0; i < uses_.size(); ++i)
    moved += Int{uses(i, d) && (output(i) || (is_loaded_[i] && !tiling_.tiles[i].in_value))};
  const Int add = cost(Op::add, Type::index);
  body.add(moved * add + add + 1, moved + 2);
  const auto slots = checked_multiply(body.slots, trips);
  unknown_ |= !slots || *slots > max_count;
  return {slots.value_or(0), body.lines};
}

// Returns a loop over elements. With stores, the loop uses an index for its elements; otherwise it uses
// pointers.
FormWriter::Code FormWriter::element_loop(const Code& body, std::size_t depth, Int trips) {
  Int places = 0;
  bool stores = false;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const Tile& tile = tiling_.tiles[i];
    const bool stored = output(i) && (!tile.in_value || tile.value_inside == depth);
    places += Int{stored || (is_loaded_[i] && !tile.in_value)};
    stores |= stored;
  }
  const Int add = cost(Op::add, Type::index), move = cost(Op::move, Type::index);
  const Int index = cost(Op::lsladd, Type::index);
  const Int before = stores ? 1 : places + 1;
  const Int trip = body.slots + (stores ? places * index + add + 1 : places * add + add);
  const auto slots = checked_multiply(trip, trips);
  unknown_ |= !slots || *slots > max_count;
  return {before * move + slots.value_or(0), before + body.lines + places + (stores ? 2 : 1)};
}

// Returns the code for one point.
FormWriter::Code FormWriter::region(bool in_loop) {
  Code code;
  const std::size_t operands = uses_.size();
  const auto access = [&](std::size_t i, Op op) {
    if (!in_loop && varies(i)) code.add(cost(Op::lsladd, Type::index));
    code.add(cost(op, kernel_.operands[i].type));
  };
  for (std::size_t i = 0; i < operands; ++i)
    if (is_loaded_[i] && !tiling_.tiles[i].in_value) access(i, Op::load);
  for (const RegionStep& step : kernel_.region)
    if (step.kind != RegionStep::Kind::constant) code.add(cost(step.op, step.type));
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    const std::size_t i = outputs_[o], yielded = kernel_.yields[o];
    if (!tiling_.tiles[i].in_value) {
      access(i, Op::store);
      continue;
    }
    // A step's result is computed directly into the last of the values that receive it.
    bool in_place = yielded == i;
    if (yielded >= operands && kernel_.region[yielded - operands].kind != RegionStep::Kind::constant)
      for (std::size_t other = 0; other < outputs_.size(); ++other)
        if (tiling_.tiles[outputs_[other]].in_value && kernel_.yields[other] == yielded)
          in_place = other == o;
    if (!in_place) code.add(cost(Op::move, kernel_.operands[i].type));
  }
  return code;
}

// Adds the code of a sum that tasklets share: the first tasklet adds the partial sums of all other tasklets
// and writes the result.
void FormWriter::partial_sums() {
  const auto& tasklet = map_->tuples[map_->tuples.size() - 2];
  for (const std::size_t i : outputs_) {
    const Tile& tile = tiling_.tiles[i];
    if (!tile.stays) continue;
    if (sums_ == &shared_) {
      flush();
      result_.steps.steps.push_back({ItemKind::barrier, 0, 0, 0, 0});
      result_.steps.steps.push_back({ItemKind::leave, 0, 0, 0, 0});
      sums_ = &alone_;
    }
    Int parts = 1, elements = 1;
    for (std::size_t d = 0; d < tasklet.size(); ++d) (uses(i, d) ? elements : parts) *= tasklet[d];
    for (const Int extent : tile.extent) elements *= extent;
    const auto partial = checked_multiply(elements, slots_per_partial_result * (parts - 1));
    if (!partial || *partial > max_count / 1024) {
      unknown_ = true;
      return;
    }
    plain({*partial * cost(Op::add, Type::index), 1});
    const Int size = bytes_of(kernel_.operands[i].type);
    const Int piece = elements_per_request(system_, size);
    const Int run = aligned_elements(system_, elements, size);
    requests_ += requests_for(1, run, piece);
    if (requests_ > static_cast<Int>(most_requests)) refused_ = true;
    if (refused_) return;
    for (Int done = 0; done < run; done += piece)
      request(ItemKind::write, std::min(piece, run - done) * size);
  }
}

FormProgram::Verdict FormWriter::judge() {
  using Verdict = FormProgram::Verdict;
  if (refused_) return Verdict::refused;
  const double largest = std::max(
      {shared_.slots, shared_.engine, shared_.waits, alone_.slots, alone_.engine, alone_.waits, bytes_});
  if (unknown_ || largest * static_cast<double>(std::max(tasklets_, system_.gap)) > most)
    return Verdict::unknown;
  if (tasklets_ < 1 || tasklets_ > system_.levels.back().size) return Verdict::refused;
  double scratch = static_cast<double>(system_.wram.stack);
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const Int size = bytes_of(kernel_.operands[i].type);
    double count = 1;
    for (const Int extent : tiling_.tiles[i].extent) count *= static_cast<double>(extent);
    if (count * static_cast<double>(size) > most) return Verdict::unknown;
    const Int bytes = aligned_elements(system_, static_cast<Int>(count), size) * size;
    scratch += static_cast<double>(ceil_divide(bytes, 8) * 8);
  }
  if (static_cast<double>(tasklets_) * scratch + static_cast<double>(system_.wram.reserved) >
      static_cast<double>(system_.wram.capacity))
    return Verdict::refused;
  const auto mram = operand_bytes_in_dpu(kernel_, *map_);
  if (!mram || *mram >= system_.mram_capacity) return Verdict::refused;
  return lines_ * system_.iram_instruction > system_.iram_capacity ? Verdict::refused : Verdict::legal;
}

const FormProgram& FormWriter::write(const CnmMap& map) {
  map_ = &map;
  result_.steps.steps.clear();
  result_.steps.trips.clear();
  open_.clear();
  blocked_ = stepped_ = 0;
  in_group_ = in_requests_ = refused_ = false;
  unknown_ = !names_differ_;
  pending_ = requests_ = 0;
  times_ = 1;
  bytes_ = 0;
  shared_ = alone_ = {};
  sums_ = &shared_;
  tasklets_ = tasklets_of(map);
  for (std::size_t d = 0; d < map.block.size(); ++d)
    if (map.block[d] > 1) blocked_ |= Mask{1} << d;
  tiling_ = tile_operands(kernel_, map, system_);
  if (!tiling_.fault.empty()) {
    result_.verdict = FormProgram::Verdict::refused;
    return result_;
  }
  lines_ = 1;  // the return instruction
  result_.steps.steps.push_back({ItemKind::barrier, 0, 0, 0, 0});
  pending_ = start_slots * cost(Op::add, Type::index);
  level(0);
  if (!refused_) partial_sums();
  flush();
  result_.verdict = judge();
  const auto tasklets = static_cast<double>(tasklets_);
  const double slots = shared_.slots + alone_.slots;
  result_.bounds = {.issue = tasklets * shared_.slots + alone_.slots,
                    .dma = (tasklets * shared_.engine + alone_.engine) /
                           static_cast<double>(ports_of(system_.dma, tasklets_)),
                    .tasklet = static_cast<double>(system_.gap) * slots + shared_.waits + alone_.waits};
  return result_;
}

}  // namespace nestor::cnm
