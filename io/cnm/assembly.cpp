#include "io/cnm/assembly.h"

#include <fmt/format.h>
#include <cmath>

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "io/checked_reader.h"
#include "io/cnm/assembly_calls.h"
#include "io/cnm/assembly_loops.h"
#include "io/cnm/assembly_text.h"
#include "io/cnm/assembly_trips.h"
#include "io/cnm/assembly_values.h"

namespace nestor::io {
namespace {

using cnm::Item;
using cnm::Program;

constexpr Int most_steps = NESTOR_ASSEMBLY_STEPS;  // fewer in fuzzers (CMakeLists.txt)
constexpr Int longest_pattern = 64;
constexpr int deepest_call = 8;

class Walker {
 public:
  Walker(const AsmText& text, const std::string& file, const AssemblyFacts& facts, const cnm::System& system)
      : text_(text), file_(file), facts_(facts), system_(system), flow_(text) {}

  Result<AssemblyKernel> run(std::string name) {
    if (auto error = check_targets(text_, file_, system_, kernel_.warnings)) return *error;
    if (flow_.irreducible() != AsmFlow::outside)
      fail(flow_.irreducible(), "a cycle has more than one entry, expected natural loops");
    const auto main = text_.labels.find("main");
    AsmState state(facts_, text_);
    if (main == text_.labels.end()) assume_reloads(state);
    if (!error_)
      kernel_.program = walk(main == text_.labels.end() ? 0 : main->second, nullptr, state, nullptr).program;
    if (error_) return *error_;
    kernel_.name = std::move(name);
    kernel_.instructions = static_cast<Int>(text_.code.size());
    return std::move(kernel_);
  }

 private:
  using Counters = HashMap<std::size_t, Int>;

  /// Result of one pass over the body of a loop, or over the code from the entry.
  struct Pass {
    Program program;
    std::size_t left_to = AsmFlow::outside;  ///< target of the exit that was taken
    bool exited = false;
  };
  /// Settings of one pass (`counters`, `leave_at`, `follows`), and its results (`shared`, `exits`).
  struct PassPlan {
    const Counters* counters = nullptr;
    HashMap<std::size_t, Int> shared;  ///< share of taken branches in thousandths, by instruction
    AsmExits* exits = nullptr;         ///< compared values at each exit
    std::size_t leave_at = AsmFlow::outside;
    bool follows = false;  ///< the state is exact for this pass, so its conditions decide the exits
  };

  void fail(std::size_t at, std::string message) {
    if (!error_)
      error_ = input_error({file_, text_.code[at].line, text_.code[at].column}, std::move(message));
  }

  Pass walk(std::size_t at, const AsmLoop* loop, AsmState& state, PassPlan* plan) {
    Pass pass;
    bool first = true;
    while (at != AsmFlow::outside && !error_) {
      if (loop != nullptr && at == loop->head && !first) return pass;
      const AsmLoop* inner = flow_.loop_at(at);
      if (inner != nullptr && inner != loop) {
        at = run_loop(*inner, loop, state, pass.program);
        first = false;
        if (loop != nullptr && (at == AsmFlow::outside || !loop->inside[at])) {
          pass.exited = true;
          pass.left_to = at;
          return pass;
        }
        continue;
      }
      first = false;
      if (++steps_ > most_steps) {
        fail(at, "the code is too long to interpret");
        break;
      }
      const AsmInstruction& instruction = text_.code[at];
      if (!emit(at, state, pass.program)) break;
      state.apply(instruction, facts_, nullptr);
      const std::size_t to = choose(at, loop, state, plan);
      if (loop != nullptr && (to == AsmFlow::outside || !loop->inside[to])) {
        pass.exited = true;
        pass.left_to = to;
        return pass;
      }
      at = to;
    }
    return pass;
  }

  // Assumes values for the stack slots that a fragment reads and never writes. The value of a slot is the one
  // that --regs specifies for the register into which it is loaded. Otherwise it is an unknown address, as
  // for registers.
  void assume_reloads(AsmState& state) {
    for (const auto& [slot, value] : reloaded_slots(text_, facts_)) {
      if (state.values().contains(slot)) continue;
      state.set(slot, value ? AsmValue::of(*value) : AsmValue::small());
      if (value)
        kernel_.warnings.push_back(
            fmt::format("{}: stack slot {} is never written, assumed to be {}", file_, slot, *value));
    }
  }

  bool emit(std::size_t at, AsmState& state, Program& program) {
    const AsmInstruction& instruction = text_.code[at];
    if (instruction.kind == AsmKind::call) return emit_call(at, state, program);
    if (instruction.kind != AsmKind::read_dma && instruction.kind != AsmKind::write_dma) {
      program.push_back(cnm::slots(1));
      return true;
    }
    const auto field = state.get(instruction.operands[0]).size_field();
    const auto immediate = state.get(instruction.operands[2]).known();
    if ((!field || !immediate) && probing_ > 0) {
      guessed_.insert(at);
      program.push_back(cnm::read(8));  // placeholder; only the state after a trial pass matters
      return true;
    }
    if (!field || !immediate) {
      const auto& name = instruction.operands[0].text;
      fail(at, facts_.registers.contains(name)
                   ? fmt::format("the size of this {} is unknown: {} is written after kernel entry, so "
                                 "--regs {} has no effect here; specify --args, or --regs of its source",
                                 instruction.word, name, name)
                   : fmt::format("the size of this {} is unknown: specify --args, or --regs {}=N",
                                 instruction.word, name));
      return false;
    }
    const Int bytes = 8 * (1 + ((*immediate + *field) & 255));
    program.push_back(instruction.kind == AsmKind::read_dma ? cnm::read(bytes) : cnm::write(bytes));
    return true;
  }

  bool emit_call(std::size_t at, AsmState& state, Program& program) {
    const std::string name = state.function(text_.code[at].operands[1]);
    if (name.empty()) {
      fail(at, "the called function is unknown: specify --args if it comes from a table of kernels");
      return false;
    }
    const auto inlined = text_.labels.find(name);
    if (inlined != text_.labels.end() && inlined->second < text_.code.size()) {
      if (calls_ >= deepest_call) {
        fail(at, fmt::format("function calls are nested deeper than {} levels", deepest_call));
        return false;
      }
      ++calls_;
      program.push_back(cnm::slots(1));
      Pass body = walk(inlined->second, nullptr, state, nullptr);
      append(program, 1, body.program);
      --calls_;
      return !error_;
    }
    const auto bytes = state.value("r2").known();
    auto cost = runtime_call(name, probing_ > 0 ? bytes.value_or(0) : bytes, facts_.multiply_k, system_);
    if (auto* item = std::get_if<Item>(&cost))
      program.push_back(std::move(*item));
    else
      fail(at, std::get<std::string>(cost));
    return !error_;
  }

  // Returns the target of a jump, or `outside`. A jump to a function is a tail call; a jump to r23 returns.
  std::size_t jump_target(std::size_t at, const AsmState& state) const {
    if (const auto branch = flow_.next(at)[0]; branch != AsmFlow::outside) return branch;
    const auto& operands = text_.code[at].operands;
    const auto label = operands.empty() ? text_.labels.end() : text_.labels.find(state.function(operands[0]));
    return label == text_.labels.end() ? AsmFlow::outside : label->second;
  }

  // Returns the instruction that this pass executes after the one at `at`.
  std::size_t choose(std::size_t at, const AsmLoop* loop, const AsmState& state, PassPlan* plan) {
    const AsmInstruction& instruction = text_.code[at];
    const auto [branch, through] = flow_.next(at);
    if (!flow_.branches(at)) return instruction.kind == AsmKind::jump ? jump_target(at, state) : through;
    const AsmValue a = state.get(instruction.operands[0]);
    const AsmValue b =
        instruction.kind == AsmKind::compare ? state.get(instruction.operands[1]) : AsmValue::of(0);
    const auto taken = is_taken(instruction, {a, b});
    const auto leaves = [&](std::size_t to) {
      return to == AsmFlow::outside || (loop != nullptr && !loop->inside[to]);
    };
    if (plan != nullptr && plan->leave_at == at) return leaves(branch) ? branch : through;
    const bool is_exit = leaves(branch) != leaves(through);
    if (is_exit && plan != nullptr && plan->exits != nullptr) plan->exits->emplace(at, std::make_pair(a, b));
    const bool follows = plan != nullptr && plan->follows;
    if (is_exit && !taken && follows) unknown_trips(*loop);
    if (is_exit && ((plan != nullptr && !follows) || !taken)) return leaves(branch) ? through : branch;
    if (taken) return *taken ? branch : through;
    guessed_.insert(at);
    if (loop == nullptr || plan == nullptr) {
      warn(at, "is assumed to fall through");
      return through;
    }
    const auto given = facts_.shares.find(instruction.target);
    const Int share = given == facts_.shares.end() ? 500 : std::llround(given->second * 1000);
    if (given == facts_.shares.end()) warn(at, "is assumed to take each side in turn");
    plan->shared[at] = share;
    const auto count = plan->counters->find(at);
    const Int pass = count == plan->counters->end() ? 0 : count->second;
    return (share * (pass + 1) + 999) / 1000 > (share * pass + 999) / 1000 ? branch : through;
  }

  void warn(std::size_t at, std::string_view what) {
    if (probing_ > 0) return;
    auto text = fmt::format("{}:{}:{}: the branch to {} depends on data, it {}", file_, text_.code[at].line,
                            text_.code[at].column, text_.code[at].target, what);
    if (std::find(kernel_.warnings.begin(), kernel_.warnings.end(), text) == kernel_.warnings.end())
      kernel_.warnings.push_back(std::move(text));
  }

  // Appends the loop to `program` and returns the instruction after it.
  std::size_t run_loop(const AsmLoop& loop, const AsmLoop* outer, AsmState& state, Program& program) {
    const HashSet<std::size_t> before = guessed_;
    AsmLoopHead head = find_head(loop, state);
    const std::size_t guesses = std::exchange(guessed_, before).size();
    if (error_) return AsmFlow::outside;
    AsmExit exit;
    const auto given = facts_.trips.find(loop.label);
    if (given != facts_.trips.end())
      exit = {given->second, nearest_exit(text_, flow_, loop, outer)};
    else if (head.always_left)
      exit.trips = 1;  // an inner loop jumps out of this loop
    else
      exit = first_exit(text_, flow_, loop, head);
    if (exit.trips < 1 && probing_ > 0) {
      guessed_.insert(loop.head);
      exit = {1, nearest_exit(text_, flow_, loop, outer)};
    }
    if (given == facts_.trips.end() && probing_ == 0 && (exit.trips < 1 || guesses > 0) &&
        can_follow(loop, state, guesses, exit.trips))
      return follow(loop, state, program);
    if (exit.trips < 1) {
      unknown_trips(loop);
      return AsmFlow::outside;
    }
    return add_passes(loop, head, exit, state, program);
  }

  void unknown_trips(const AsmLoop& loop) {
    fail(loop.head, fmt::format("the trip count of loop '{0}' is unknown: specify {1}--trips {0}=N",
                                loop.label, facts_.registers.empty() ? "--args, --regs, or " : ""));
  }

  // True if the values of the first pass determine all exits, so that the loop can be followed. If `trips` is
  // known, it must also be short, and that pass must have fewer than `guesses` unknown sizes and trip counts.
  bool can_follow(const AsmLoop& loop, AsmState state, std::size_t guesses, Int trips) {
    const HashSet<std::size_t> before = std::exchange(guessed_, {});
    const Int steps = steps_;
    Counters counters;
    AsmExits exits;
    PassPlan plan{&counters, {}, &exits};
    ++probing_;
    walk(loop.head, &loop, state, &plan);
    --probing_;
    const std::size_t left = std::exchange(guessed_, before).size();
    const bool is_short = trips < 1 || trips <= (most_steps - steps_) / 4 / std::max<Int>(steps_ - steps, 1);
    const auto decided = [&](const auto& exit) {
      return is_taken(text_.code[exit.first], exit.second).has_value();
    };
    return !error_ && is_short && (trips < 1 || left < guesses) && !exits.empty() &&
           std::all_of(exits.begin(), exits.end(), decided);
  }

  // Runs the loop pass by pass; each pass starts with the final values of the previous pass.
  std::size_t follow(const AsmLoop& loop, AsmState& state, Program& program) {
    Counters counters;
    Program same;  // program of the last `times` passes, which are equal
    Int times = 0;
    for (;;) {
      PassPlan plan{&counters, {}, nullptr};
      plan.follows = true;
      Pass pass = walk(loop.head, &loop, state, &plan);
      for (const auto& [at, share] : plan.shared) ++counters[at];
      if (times > 0 && pass.program != same) append(program, std::exchange(times, 0), same);
      same = std::move(pass.program);
      ++times;
      if (!pass.exited && !error_) continue;
      append(program, times, same);
      return error_ ? AsmFlow::outside : pass.left_to;
    }
  }

  static void append(Program& program, Int times, const Program& pass) {
    if (times > 1)
      program.push_back(cnm::loop(times, pass));
    else
      program.insert(program.end(), pass.begin(), pass.end());
  }

  // Returns the facts that hold at the loop's head in every pass. The first assumption is that every name
  // that the loop writes keeps its value. It is weakened until a pass over the body confirms it.
  AsmLoopHead find_head(const AsmLoop& loop, const AsmState& state) {
    AsmLoopHead head(state);
    for (std::size_t i = 0; i < text_.code.size(); ++i) {
      if (!loop.inside[i]) continue;
      AsmState scratch = state;
      HashSet<std::string> names;
      scratch.apply(text_.code[i], facts_, &names);
      for (const auto& name : names) head.may_change(name);
    }
    ++probing_;
    const bool given = facts_.trips.contains(loop.label);
    bool confirmed = false;
    while (!confirmed && !error_) {
      Counters counters;
      head.exits.clear();
      guessed_.clear();
      PassPlan probe{&counters, {}, &head.exits};
      AsmState end = head.state();
      head.always_left = walk(loop.head, &loop, end, &probe).exited;
      // If every pass leaves the loop, there is nothing to confirm.
      confirmed = (head.always_left && !given) || head.holds_after(end);
    }
    --probing_;
    return head;
  }

  std::size_t add_passes(const AsmLoop& loop, const AsmLoopHead& at_head, const AsmExit& exit,
                         AsmState& state, Program& program) {
    const Int trips = exit.trips;
    const AsmState head = at_head.state();
    std::vector<Program> passes;
    Counters counters;
    Int period = 1;
    const auto count = [&](const PassPlan& plan) {
      for (const auto& [at, share] : plan.shared) {
        ++counters[at];
        period = std::lcm(period, share == 0 ? 1 : 1000 / std::gcd(share, Int{1000}));
      }
    };
    for (Int pass = 0; pass < period && pass < trips && !error_; ++pass) {
      PassPlan plan{&counters, {}, nullptr};
      AsmState now = head;
      passes.push_back(walk(loop.head, &loop, now, &plan).program);
      count(plan);
      if (period > longest_pattern)
        fail(loop.head, "the shares of branches in this loop have too long a period");
    }
    // The last pass runs to the exit.
    PassPlan last{&counters, {}, nullptr, exit.leave_at};
    AsmState end = head;
    Pass final = walk(loop.head, &loop, end, &last);
    if (error_) return AsmFlow::outside;
    const auto joined = [&](std::size_t from, std::size_t to) {
      Program all;
      for (std::size_t i = from; i < to; ++i) all.insert(all.end(), passes[i].begin(), passes[i].end());
      return all;
    };
    const std::size_t last_place = static_cast<std::size_t>((trips - 1) % period);
    const bool whole = final.program == passes[last_place % passes.size()] || period > 1;
    const Int full = whole ? trips : trips - 1;
    if (full / period > 0) program.push_back(cnm::loop(full / period, joined(0, passes.size())));
    append(program, 1, joined(0, static_cast<std::size_t>(full % period)));
    if (!whole) append(program, 1, final.program);

    state = at_head.after(end, trips);
    return final.exited ? final.left_to : AsmFlow::outside;
  }

  const AsmText& text_;
  const std::string& file_;
  const AssemblyFacts& facts_;
  const cnm::System& system_;
  AsmFlow flow_;
  AssemblyKernel kernel_;
  Int steps_ = 0;
  int calls_ = 0;
  int probing_ = 0;               ///< above 0 in trial passes, which print no warnings
  HashSet<std::size_t> guessed_;  ///< instructions of this pass with an unknown size or trip count
  std::optional<Error> error_;
};

}  // namespace

Result<AssemblyKernel> read_assembly(std::string_view text, const std::string& file,
                                     const AssemblyFacts& facts, const cnm::System& system) {
  const auto parsed = parse_assembly(text, file);
  if (!parsed) return parsed.error();
  if (const auto error = check_facts(facts, *parsed, file)) return *error;
  auto name = file.substr(file.find_last_of('/') + 1);  // npos + 1 is 0
  name = name.substr(0, name.find('.'));
  return Walker(*parsed, file, facts, system).run(std::move(name));
}

}  // namespace nestor::io
