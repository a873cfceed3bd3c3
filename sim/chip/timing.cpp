#include "sim/chip/timing.h"

#include <algorithm>
#include <map>
#include <queue>

#include "sim/chip/check.h"
#include "sim/chip/rates.h"
#include "sim/chip/work_peak.h"

namespace nestor::sim::chip {
namespace {

using chip_program::ProgramOperator;
using chip_program::Segment;
using chip_program::Thread;
using nestor::chip::ChipMachine;

// Executes one thread at a time, in the order of the program. A thread can wait only for earlier threads.
class TimingMachinery {
 public:
  TimingMachinery(const Program& program, const ChipMachine& machine, const WalkLimits& limits)
      : program_(program), machine_(machine), limits_(limits), stream_row_(program, machine) {
    for (const ProgramOperator& op : program.operators) rates_.push_back(rates_of(program, op, machine));
    for (std::size_t i = 0; i < program.operators.size(); ++i) made_by_[program.operators[i].output] = i;
  }

  std::variant<Timing, Fault> run();

  // Callbacks of the walker.
  MaybeFault wait(std::size_t op, Int row, std::optional<Int> cycles);
  MaybeFault run_begins();
  MaybeFault row_begins(Int row);
  MaybeFault row_ends(Int row);
  MaybeFault group(std::span<const Op> ops);

 private:
  MaybeFault segment(const Segment& segment);
  MaybeFault thread(const Thread& thread);
  void begin_thread(const Thread& thread);
  void write_group(std::span<const Op> ops);
  void read_group(std::span<const Op> ops);
  MaybeFault digital_row(const Op& row);
  MaybeFault stream_ends(Int start);
  void close_round();
  void finish_segment(const Segment& segment);
  Int way(std::size_t from);
  const ProgramOperator& op() const { return program_.operators[now_.op]; }
  const Rates& rates() const { return rates_[now_.op]; }
  Int pixel_bits() const { return program_.tensors[op().output].channels * op().keys.bits[2]; }

  const Program& program_;
  const ChipMachine& machine_;
  const WalkLimits& limits_;
  std::vector<Rates> rates_;
  Timing timing_;
  SegmentTime segment_;
  std::map<std::size_t, std::size_t> finished_;  ///< by operator: index of its thread in the segment

  // The running thread.
  ThreadTime now_;
  std::map<std::size_t, Int> ways_;  ///< transfer cost from each operator for which the thread waits
  Int time_ = 0;                     ///< earliest start of the thread's next statement outside a row
  bool pipelined_ = false;
  bool stream_ = false;
  bool in_row_ = false;
  bool worked_ = false;
  Int ready_ = 0;  ///< time when all waits of the row are satisfied
  Int first_ = 0;  ///< in a stream, earliest start of the row's first step
  Int run_ = 0;    ///< in a stream, earliest start of the row's run
  StreamRow stream_row_;
  std::map<std::size_t, std::size_t> made_by_;  ///< operator that computes each tensor
  std::size_t calls_ = 0;                       ///< number of functions called in the row so far
  Int work_ = 0;                                ///< cycles of the row, or of the block, so far
  Int reading_ = 0;                             ///< cycles of the open round
  Int stored_bits_ = 0;
  bool round_open_ = false;
  std::priority_queue<Int, std::vector<Int>, std::greater<>> lanes_;  ///< time when each lane is free

  // Writing of the segment's weights.
  bool writing_weights_ = false;
  std::map<Int, Int> rows_written_;
  std::map<std::size_t, Int> weight_bits_;
};

Int TimingMachinery::way(std::size_t from) {
  const auto [found, is_new] = ways_.emplace(from, 0);
  if (is_new) found->second = highest_transfer_cost(machine_, rates_[from], rates());
  return found->second;
}

MaybeFault TimingMachinery::wait(std::size_t other, Int row, std::optional<Int> cycles) {
  const auto found = finished_.find(other);
  if (found == finished_.end()) {
    return Fault{fmt::format("thread '{}' waits for '{}', which does not run earlier in this segment",
                             op().name, program_.operators[other].name)};
  }
  if (worked_) return Fault{fmt::format("thread '{}' waits in the middle of a row", op().name)};
  const auto& rows = segment_.threads[found->second].rows;
  if (row < 0 || row >= static_cast<Int>(rows.size())) {
    return Fault{fmt::format("thread '{}' waits for row {} of '{}', which has {}", op().name, row,
                             program_.operators[other].name, rows.size())};
  }
  if (cycles) {
    if (!stream_ || !in_row_)
      return Fault{
          fmt::format("thread '{}' waits for the `run` of a row outside the rows of a stream", op().name)};
    const auto when = checked_add(rows[static_cast<std::size_t>(row)].run, *cycles);
    if (!when || *cycles < 0)
      return Fault{fmt::format("thread '{}' waits for {} cycles", op().name, *cycles)};
    Int& time = stream_row_.is_running() ? run_ : first_;
    time = std::max(time, *when);
    return std::nullopt;
  }
  const Int seen = rows[static_cast<std::size_t>(row)].end + rates_[other].out + way(other);
  Int& time = in_row_ ? ready_ : time_;
  time = std::max(time, seen);
  return std::nullopt;
}

MaybeFault TimingMachinery::run_begins() {
  if (!stream_) return Fault{fmt::format("thread '{}' has a `run` outside a stream", op().name)};
  worked_ = false;
  return stream_row_.run_begins();
}

MaybeFault TimingMachinery::row_begins(Int row) {
  if (row != static_cast<Int>(now_.rows.size()) || row >= program_.tensors[op().output].rows) {
    return Fault{fmt::format("thread '{}' opens row {}; {} of {} are done", op().name, row, now_.rows.size(),
                             program_.tensors[op().output].rows)};
  }
  in_row_ = true;
  worked_ = false;
  ready_ = time_;
  first_ = run_ = 0;
  work_ = 0;
  stored_bits_ = 0;
  calls_ = 0;
  if (stream_) stream_row_.begins(now_.op, row);
  return std::nullopt;
}

MaybeFault TimingMachinery::row_ends(Int row) {
  close_round();
  const Int read_bits = op().keys.row_in * op().keys.bits[0];
  if (!machine_.l0.hidden) {
    work_ = std::max({work_, cycles_for(read_bits, machine_.l0.bandwidth),
                      cycles_for(stored_bits_, machine_.l0.bandwidth)});
  }
  if (calls_ > 0 && calls_ < op().calls.size())
    return Fault{fmt::format("row {} of '{}' calls {} of its {} functions", row, op().name, calls_,
                             op().calls.size())};
  const Int start = std::max({ready_ + (stream_ ? rates().stream_in : rates().in), first_, lanes_.top()});
  const Int run = std::max(start, run_);
  lanes_.pop();
  lanes_.push(run + work_);
  now_.rows.push_back({start, run + work_, run});
  if (stream_)
    if (auto fault = stream_ends(start)) return fault;
  segment_.l0_bits += read_bits + stored_bits_;
  in_row_ = false;
  worked_ = false;
  return std::nullopt;
}

// Checks that no step starts before the pixels that it reads are stored, visible, sent over the network and
// loaded.
MaybeFault TimingMachinery::stream_ends(Int start) {
  const PixelPace pace = stream_row_.pace();
  if (now_.rows.size() > 1 && (pace.rounds != now_.pixels.rounds || pace.sharing != now_.pixels.sharing ||
                               pace.steps != now_.pixels.steps))
    return Fault{fmt::format("rows of '{}' have different steps", op().name)};
  now_.pixels = pace;
  return stream_row_.check(
      start, now_.rows.back().run, work_, [&](const PixelRead& read) -> std::optional<Int> {
        const auto maker = made_by_.find(read.tensor);
        if (maker == made_by_.end()) return std::nullopt;  // an input of the network
        const auto found = finished_.find(maker->second);
        if (found == finished_.end()) return std::nullopt;  // computed in an earlier segment
        const ThreadTime& thread = segment_.threads[found->second];
        const RowTime& made = thread.rows[static_cast<std::size_t>(read.row)];
        const Int stored =
            share_after(read.pixel / thread.pixels.sharing + 1, made.end - made.run, thread.pixels.rounds);
        return made.run + stored + rates_[maker->second].out + way(maker->second) + rates().stream_in;
      });
}

// Executes one call of a row. If the operator consists of several functions, the last call writes the row.
MaybeFault TimingMachinery::digital_row(const Op& row) {
  const auto& calls = op().calls;
  if (!calls.empty()) {
    if (calls_ >= calls.size() || row.statement->call != calls[calls_])
      return Fault{fmt::format("a row of '{}' calls '{}' out of order", op().name, row.statement->call)};
    if (++calls_ < calls.size()) return std::nullopt;
  }
  work_ += cycles_for(op().keys.ops, machine_.chip_alu);
  stored_bits_ += program_.tensors[op().output].width * pixel_bits();
  segment_.alu_ops += op().keys.ops;
  return stream_ ? stream_row_.digital() : std::nullopt;
}

void TimingMachinery::close_round() {
  if (!round_open_) return;
  work_ += std::max({reading_, rates().gathered, rates().shifted});
  reading_ = 0;
  round_open_ = false;
}

// Adds the time of writes. Crossbars are written at the same time, but the rows of a crossbar one after
// another.
void TimingMachinery::write_group(std::span<const Op> ops) {
  Int longest = 0;
  for (const Op& write : ops) {
    const Int rows = write.kind() == Kind::write_crossbar ? machine_.cell.rows : write.at[2];
    longest = std::max(longest, rows);
    if (!writing_weights_) continue;
    rows_written_[write.at[0]] += rows;
    const auto& keys = program_.operators[write.op()].keys;
    weight_bits_[write.op()] = keys.matrix[0] * keys.matrix[1] * keys.groups * keys.bits[1];
  }
  if (!writing_weights_) time_ += longest * machine_.cell.write_cycles;
}

void TimingMachinery::read_group(std::span<const Op> ops) {
  Int longest = 0;
  Int active = 0;
  bool whole_rounds = false;
  for (const Op& read : ops) {
    if (read.kind() == Kind::read_core) {
      const Int pixels = (read.at[2] - read.at[1]) * (read.at[4] - read.at[3]);
      longest = std::max(longest, pixels * std::max({rates().full_read, rates().gathered, rates().shifted}));
      active += op().keys.parts * op().keys.columns;
      stored_bits_ += pixels * pixel_bits();
      whole_rounds = true;
    } else if (read.kind() == Kind::read_crossbars) {
      longest = std::max(longest, rates().full_read);
      active += read.at[1];
    } else {
      longest = std::max(longest, rates().group_read);
      active += 1;
    }
  }
  now_.active = std::max(now_.active, active);
  (whole_rounds ? work_ : reading_) += longest;
  round_open_ = round_open_ || !whole_rounds;
}

MaybeFault TimingMachinery::group(std::span<const Op> ops) {
  if (ops.empty()) return std::nullopt;
  const Kind kind = ops.front().kind();
  for (const Op& each : ops) {
    if (each.kind() != kind) return Fault{"different kinds of operations run at the same time"};
    if (auto fault = check(program_, machine_, each)) return fault;
    if (chip_program::names_operator(kind) && !writing_weights_ && each.op() != now_.op) {
      return Fault{fmt::format("thread '{}' computes '{}'", op().name, program_.operators[each.op()].name)};
    }
  }
  if (kind == Kind::write_crossbar || kind == Kind::write_rows) {
    if (in_row_) return Fault{"crossbars written inside a row"};
    write_group(ops);
    return std::nullopt;
  }
  worked_ = in_row_;
  switch (kind) {
    case Kind::read_core:
    case Kind::read_crossbars:
    case Kind::read_rows:
      read_group(ops);
      break;
    case Kind::store:
      close_round();
      stored_bits_ += static_cast<Int>(ops.size()) * pixel_bits();
      if (stream_) return stream_row_.stores(ops);
      break;
    case Kind::gather:
      if (stream_) return stream_row_.gathers(ops);
      break;
    case Kind::digital_row:
      for (const Op& row : ops)
        if (auto fault = digital_row(row)) return fault;
      break;
    case Kind::digital:
      work_ += cycles_for(ops.front().at[ops.front().statement->arguments.size() - 1], machine_.chip_alu);
      break;
    default:
      break;  // gathers and moves are part of their round
  }
  return std::nullopt;
}

// In a sequential segment, a thread starts when the result of the previous thread is visible and its own
// inputs have arrived.
void TimingMachinery::begin_thread(const Thread& thread) {
  now_ = {};
  now_.op = thread.op;
  ways_.clear();
  time_ = 0;
  if (!pipelined_) {
    Int longest = 0;
    for (const auto& [other, place] : finished_) {
      const auto& inputs = op().inputs;
      if (std::find(inputs.begin(), inputs.end(), program_.operators[other].output) != inputs.end()) {
        longest = std::max(longest, way(other));
      }
    }
    time_ = longest + (segment_.threads.empty() ? 0 : segment_.threads.back().end);
  }
  in_row_ = worked_ = round_open_ = false;
  work_ = reading_ = stored_bits_ = 0;
  lanes_ = {};
  const Int lanes = std::min(thread.lanes, program_.tensors[op().output].rows);
  for (Int i = 0; i < lanes; ++i) lanes_.push(0);
}

MaybeFault TimingMachinery::thread(const Thread& thread) {
  begin_thread(thread);
  Walker<TimingMachinery> walker(*this, limits_);
  if (auto fault = walker.run(thread.body)) return fault;
  close_round();
  const Int rows = program_.tensors[op().output].rows;
  if (now_.rows.empty()) {
    if (stream_) return Fault{fmt::format("thread '{}' of a stream has no rows", op().name)};
    now_.end = time_ + rates().in + work_ + rates().out;
    segment_.l0_bits += stored_bits_ + op().keys.row_in * op().keys.bits[0] * rows;
  } else if (static_cast<Int>(now_.rows.size()) < rows) {
    return Fault{fmt::format("thread '{}' ends after {} of {} rows", op().name, now_.rows.size(), rows)};
  } else {
    for (const RowTime& row : now_.rows) now_.end = std::max(now_.end, row.end);
    now_.end += rates().out;
  }
  if (!finished_.emplace(thread.op, segment_.threads.size()).second) {
    return Fault{fmt::format("operator '{}' has two threads in a segment", op().name)};
  }
  segment_.schedule_cycles = std::max(segment_.schedule_cycles, now_.end);
  segment_.threads.push_back(std::move(now_));
  return std::nullopt;
}

void TimingMachinery::finish_segment(const Segment& segment) {
  Int& schedule = segment_.schedule_cycles;
  if (machine_.l0.shared) schedule = std::max(schedule, cycles_for(segment_.l0_bits, machine_.l0.bandwidth));
  if (machine_.alu_shared) schedule = std::max(schedule, cycles_for(segment_.alu_ops, machine_.chip_alu));
  if (program_.segments.size() > 1 && !segment.writes.empty()) {
    Int rows = 0;
    Int bits = 0;
    for (const auto& [crossbar, written] : rows_written_) rows = std::max(rows, written);
    for (const auto& [op, weights] : weight_bits_) bits += weights;
    segment_.rewrite_cycles =
        std::max(rows * machine_.cell.write_cycles, cycles_for(bits, machine_.off_chip_bandwidth));
  }
  segment_.peak_crossbars = most_at_once(segment_.threads);
  timing_.peak_crossbars = std::max(timing_.peak_crossbars, segment_.peak_crossbars);
  timing_.cycles += segment_.rewrite_cycles + schedule;
  timing_.segments.push_back(std::move(segment_));
}

MaybeFault TimingMachinery::segment(const Segment& segment) {
  segment_ = {};
  finished_.clear();
  rows_written_.clear();
  weight_bits_.clear();
  pipelined_ = segment.pipeline;
  stream_ = segment.stream;
  writing_weights_ = true;
  in_row_ = false;
  Walker<TimingMachinery> walker(*this, limits_);
  if (auto fault = walker.run(segment.writes)) return fault;
  writing_weights_ = false;
  for (const Thread& each : segment.threads) {
    if (auto fault = thread(each)) return fault;
  }
  finish_segment(segment);
  return std::nullopt;
}

std::variant<Timing, Fault> TimingMachinery::run() {
  for (const Segment& each : program_.segments) {
    if (auto fault = segment(each)) return *std::move(fault);
  }
  return std::move(timing_);
}

}  // namespace

std::variant<Timing, Fault> simulate_timing(const Program& program, const ChipMachine& machine,
                                            const WalkLimits& limits) {
  if (auto fault = check(program, machine)) return *std::move(fault);
  return TimingMachinery(program, machine, limits).run();
}

}  // namespace nestor::sim::chip
