// Program of a tasklet under a form, from "Lowering", "Slots" and "Legality" of docs/models/cnm.md. The loops
// over steps and then over the elements of a block form one list, outermost first.
#include <algorithm>
#include <bitset>

#include "check/cnm/tiling.h"

namespace nestor::check::cnm {
namespace {

constexpr Int start_slots = 240;
constexpr Int slots_of_addition = 4;
constexpr std::size_t most_requests = 4096;  // maximum number of requests in the code
constexpr Wide longest = Wide{1} << 50;      // limit on every number of cycles

using What = ProgramStep::What;
constexpr std::size_t most_operands = 128;
using Operands = std::bitset<most_operands>;

// Thrown if a rule of "Legality" is broken.
struct Illegal {
  const char* fault;
};

class Writer {
 public:
  Writer(const CnmProblem& problem, const Form& form, Tiling tiling)
      : machine_(problem.machine),
        kernel_(problem.kernel),
        form_(form),
        tasklets_(form.tasklet_count()),
        tiling_(std::move(tiling)) {}

  Program write() {
    put(What::barrier, 0);
    code(times(start_slots, known(kernel_.add)), 0);
    level(0);
    add_partial_results();
    flush();
    lines_ += 1;  // return instruction
    program_.wram = tiling_.wram;
    program_.iram = times(lines_, machine_.instruction);
    if (program_.iram > machine_.iram) throw Illegal{"its instructions exceed IRAM"};
    set_bounds(machine_, shared_, alone_, tasklets_, program_);
    for (const View& view : views_) program_.is_read.push_back(view.is_read);
    return std::move(program_);
  }

 private:
  // Functions that emit code.
  static Int known(Int slots) {
    if (slots == unknown) throw Illegal{"the machine lacks an operation"};
    return slots;
  }
  void code(Int slots, Int lines) {
    pending_ = plus(pending_, Wide{slots});
    lines_ = plus(lines_, lines);
    is_among_requests_ = false;
  }
  void put(What what, Int amount) { program_.steps.push_back({what, amount, 0, 0}); }
  void flush() {
    if (pending_ == 0) return;
    if (pending_ > longest) throw TooLarge();
    put(What::slots, static_cast<Int>(pending_));
    sums_->slots = plus(sums_->slots, times(times_, pending_));
    pending_ = 0;
  }
  void request(What what, Int bytes) {
    const bool begins = !is_among_requests_;
    if (begins) code(plus(known(kernel_.move), known(kernel_.address)), 2);
    code(known(kernel_.address), 2);
    is_among_requests_ = true;
    flush();
    if (!machine_.can_transfer(bytes)) throw Illegal{"the machine cannot transfer a part of this size"};
    if (++requests_ > most_requests) throw Illegal{"its code has too many transfers"};
    put(what, bytes);
    sums_->add_transfer(machine_, what == What::read, bytes, times_);
  }
  // Emits the requests for each run of a tile. A long run takes several requests. A gathered tile covers
  // `steps` steps.
  void requests(std::size_t i, What what, Int steps) {
    const CnmOperand& operand = kernel_.operands[i];
    View view = views_[i];
    if (view.is_gathered) view.tile.back() = view.tile.back() / group_ * steps;
    Int rows = 1, run = view.run();
    for (std::size_t k = 0; k < view.split(); ++k) rows = times(rows, view.tile[k]);
    if (view.is_gathered || machine_.is_small(operand, view.run()))
      run = machine_.padded(operand, run) / operand.bytes;
    for (Int row = 0; row < rows; ++row)
      for (Int left = run; left > 0; left -= machine_.most_elements(operand))
        request(what, times(std::min(left, machine_.most_elements(operand)), operand.bytes));
  }

  // True if the position of an element in its buffer changes with a loop: a loop over the elements of a
  // block, or a loop over steps that the buffer covers. Buffers cover several steps for gathered outputs and
  // for outputs with partial sums in several tasklets.
  bool moves_element(std::size_t i, std::size_t loop) const {
    if (!kernel_.operands[i].uses(loops_[loop])) return false;
    return !tiling_.is_step(loop) || views_[i].stays || (views_[i].is_gathered && loop == gathering_);
  }
  bool holds_requests(std::size_t i, std::size_t loop) const {
    return !views_[i].stays && (views_[i].is_read || kernel_.operands[i].is_output) && views_[i].depth > loop;
  }

  // Emits a load or a store of one element. Outside element loops, a changing address is computed.
  void access(std::size_t i, Int slots) {
    touched_.set(i);
    bool moves = false;
    for (const std::size_t loop : open_) moves |= moves_element(i, loop);
    if (moves && !is_element_loop_) code(known(kernel_.address), 1);
    code(known(slots), 1);
  }
  void store(std::size_t i) {
    access(i, kernel_.operands[i].store);
    has_stored_ = true;
  }

  // Emits a loop around `body`. If `is_group` is true, the loop runs over groups of the gathering loop's
  // steps.
  template <typename Body>
  void repeat(std::size_t loop, Int trips, bool is_group, const Body& body) {
    Operands moved;
    bool has_requests = is_group;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      const bool inside = holds_requests(i, loop) || (is_group && views_[i].is_gathered);
      has_requests |= inside;
      if (inside && kernel_.operands[i].uses(loops_[loop])) moved.set(i);
    }
    const bool was_element_loop = is_element_loop_, had_stored = has_stored_;
    const Operands touched_outside = touched_;
    touched_.reset();
    has_stored_ = false;
    if (has_requests) {
      flush();
      const Wide times_outside = times_;
      const std::size_t around = around_, number = program_.loops.size(), start = program_.steps.size();
      program_.loops.push_back({trips, around, true});
      if (around > 0) program_.loops[around - 1].is_innermost = false;
      around_ = number + 1;
      times_ = times(times_, Wide{trips});
      is_among_requests_ = false;
      body();
      end_of_loop(moved);
      flush();
      program_.steps.push_back({What::loop, 0, start, number});
      times_ = times_outside;
      around_ = around;
    } else {
      const Wide pending_outside = pending_;
      pending_ = 0;
      is_element_loop_ = loop + 1 == loops_.size();
      body();
      Int before = 0;
      if (is_element_loop_) {
        // A loop that stores uses an index; other loops use pointers.
        const auto places = static_cast<Int>(touched_.count());
        before = has_stored_ ? 1 : places + 1;
        const Int step = has_stored_ ? known(kernel_.address) : known(kernel_.add);
        code(plus(times(places, step), known(kernel_.add), Int{has_stored_}), places + (has_stored_ ? 2 : 1));
      } else {
        for (std::size_t i = 0; i < views_.size(); ++i)
          if (touched_[i] && moves_element(i, loop)) moved.set(i);
        end_of_loop(moved);
      }
      pending_ = plus(pending_outside, times(pending_, Wide{trips}));
      if (before > 0) code(times(before, known(kernel_.move)), before);
    }
    is_among_requests_ = false;
    is_element_loop_ = was_element_loop;
    touched_ |= touched_outside;
    has_stored_ |= had_stored;
  }
  void end_of_loop(const Operands& moved) {
    const auto count = static_cast<Int>(moved.count());
    code(plus(times(count, known(kernel_.add)), known(kernel_.add), Int{1}), count + 2);
  }

  // Emits the code inside the first `depth` loops.
  void level(std::size_t depth) {
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (views_[i].is_read && views_[i].depth == depth && !views_[i].is_gathered && !views_[i].stays)
        requests(i, What::read, 1);
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (views_[i].is_value && views_[i].value_depth == depth) code(known(kernel_.operands[i].move), 1);
    if (depth == gathering_) {
      groups(depth);
    } else if (depth == loops_.size()) {
      region();
    } else {
      const std::size_t d = loops_[depth];
      repeat(depth, tiling_.is_step(depth) ? form_.steps_of(d) : form_.block[d], false,
             [&] { inside(depth); });
    }
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (views_[i].is_value && views_[i].value_depth == depth) store(i);
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (kernel_.operands[i].is_output && views_[i].depth == depth && !views_[i].is_gathered &&
          !views_[i].stays)
        requests(i, What::write, 1);
  }
  void inside(std::size_t loop) {
    open_.push_back(loop);
    level(loop + 1);
    open_.pop_back();
  }

  // Emits the gathering loop: groups of steps with a write after each, and the remaining steps.
  void groups(std::size_t loop) {
    const Int all = form_.steps_of(loops_[loop]), full = all / group_, rest = all % group_;
    if (full > 1)
      repeat(loop, full, true, [&] { one_group(loop, group_); });
    else
      one_group(loop, group_);
    if (rest > 0) one_group(loop, rest);
  }
  void one_group(std::size_t loop, Int count) {
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (views_[i].is_gathered && views_[i].is_read) requests(i, What::read, count);
    if (count > 1)
      repeat(loop, count, false, [&] { inside(loop); });
    else
      level(loop + 1);
    for (std::size_t i = 0; i < views_.size(); ++i)
      if (views_[i].is_gathered) requests(i, What::write, count);
  }

  // Emits the code of one point of the iteration space.
  void region() {
    const std::size_t operands = views_.size();
    for (std::size_t i = 0; i < operands; ++i)
      if (kernel_.operands[i].is_used && !views_[i].is_value) access(i, kernel_.operands[i].load);
    for (const auto& operation : kernel_.region)
      if (!operation.is_number) code(known(operation.slots), 1);
    std::vector<std::size_t> outputs;
    for (std::size_t i = 0; i < operands; ++i)
      if (kernel_.operands[i].is_output) outputs.push_back(i);
    for (std::size_t o = 0; o < outputs.size(); ++o) {
      const std::size_t i = outputs[o], yielded = kernel_.yields[o];
      if (!views_[i].is_value) {
        store(i);
        continue;
      }
      // A result is computed directly into the last output that yields it. The other outputs need a move.
      bool is_in_place = yielded == i;
      if (yielded >= operands && !kernel_.region[yielded - operands].is_number) {
        std::size_t last = o;
        for (std::size_t other = o; other < outputs.size(); ++other)
          if (views_[outputs[other]].is_value && kernel_.yields[other] == yielded) last = other;
        is_in_place = last == o;
      }
      if (!is_in_place) code(known(kernel_.operands[i].move), 1);
    }
  }

  // If tasklets share a sum, the first tasklet adds the partial results of the other tasklets and writes the
  // sum.
  void add_partial_results() {
    for (std::size_t i = 0; i < views_.size(); ++i) {
      if (!views_[i].stays) continue;
      if (sums_ == &shared_) {
        flush();
        put(What::barrier, 0);
        put(What::leave, 0);
        sums_ = &alone_;
      }
      Int parts = 1, elements = product(views_[i].tile);
      for (std::size_t d = 0; d < kernel_.dims(); ++d) {
        Int& factor = kernel_.operands[i].uses(d) ? elements : parts;
        factor = times(factor, form_.tasklets[d]);
      }
      code(times(slots_of_addition, parts - 1, elements, known(kernel_.add)), 1);
      const CnmOperand& operand = kernel_.operands[i];
      for (Int left = machine_.padded(operand, elements) / operand.bytes; left > 0;
           left -= machine_.most_elements(operand))
        request(What::write, times(std::min(left, machine_.most_elements(operand)), operand.bytes));
    }
  }

  const CnmMachine& machine_;
  const Kernel& kernel_;
  const Form& form_;
  const Int tasklets_;
  const Tiling tiling_;
  const std::vector<std::size_t>& loops_ = tiling_.loops;
  const std::vector<View>& views_ = tiling_.views;
  const std::size_t gathering_ = tiling_.gathering;
  const Int group_ = tiling_.group;

  StepSums shared_, alone_;
  StepSums* sums_ = &shared_;
  Program program_;
  Wide pending_ = 0, times_ = 1;
  Int lines_ = 0;
  std::size_t requests_ = 0, around_ = 0;
  std::vector<std::size_t> open_;
  Operands touched_;
  bool is_among_requests_ = false, is_element_loop_ = false, has_stored_ = false;
};

}  // namespace

void StepSums::add_transfer(const CnmMachine& machine, bool is_read, Int bytes, Wide count) {
  const TransferRate& transfer = is_read ? machine.read : machine.write;
  const Int busy = transfer.busy(bytes);
  slots = plus(slots, count);
  engine = plus(engine, times(count, Wide{busy}));
  waits = plus(waits, times(count, std::max<Wide>(0, busy + transfer.back - machine.gap)));
}

void set_bounds(const CnmMachine& machine, const StepSums& shared, const StepSums& alone, Int tasklets,
                Program& program) {
  program.issue = plus(times(Wide{tasklets}, shared.slots), alone.slots);
  program.tasklet =
      plus(times(Wide{machine.gap}, plus(shared.slots, alone.slots)), shared.waits, alone.waits);
  program.dma = {plus(times(Wide{tasklets}, shared.engine), alone.engine), machine.ports_of(tasklets)};
  program.bound = std::max(Fraction(std::max(program.issue, program.tasklet)), program.dma);
  if (Fraction(longest) < program.bound) throw TooLarge();
}

std::optional<Program> program_of(const CnmProblem& problem, const Form& form, std::string* fault) {
  if (problem.kernel.operands.size() > most_operands) throw TooLarge();
  auto tiling = tile(problem, form);
  const char* broken = tiling.fault;
  if (broken == nullptr) {
    try {
      return Writer(problem, form, std::move(tiling)).write();
    } catch (const Illegal& illegal) {
      broken = illegal.fault;
    }
  }
  if (fault != nullptr) *fault = broken;
  return std::nullopt;
}

}  // namespace nestor::check::cnm
