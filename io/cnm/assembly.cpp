#include "io/cnm/assembly.h"

#include <fmt/format.h>
#include <cmath>

#include <algorithm>
#include <numeric>

#include "io/checked_reader.h"
#include "io/cnm/assembly_loops.h"
#include "io/cnm/assembly_text.h"
#include "io/cnm/assembly_trips.h"
#include "io/cnm/assembly_values.h"

namespace nestor::io {
namespace {

using cnm::Item;
using cnm::Program;

constexpr Int most_steps = 3'000'000;
constexpr Int longest_pattern = 64;
constexpr int deepest_call = 8;

class Walker {
 public:
  Walker(const AsmText& text, const std::string& file, const AssemblyFacts& facts, const cnm::System& system)
      : text_(text), file_(file), facts_(facts), system_(system), flow_(text) {}

  Result<AssemblyKernel> run(std::string name) {
    if (flow_.irreducible() != AsmFlow::outside)
      fail(flow_.irreducible(), "a cycle that is entered in the middle, expected natural loops");
    const auto main = text_.labels.find("main");
    AsmState state(facts_);
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

  /// What a walk through a loop's body, or from the entry, came to.
  struct Pass {
    Program program;
    std::size_t left_to = AsmFlow::outside;  ///< where an exit was taken to
    bool exited = false;
  };
  /// Of one pass: which branches depend on data, which exits were seen, and where to leave.
  struct PassPlan {
    const Counters* counters = nullptr;
    HashMap<std::size_t, Int> shared;  ///< branch -> thousandths
    AsmExits* exits = nullptr;         ///< compared values at each exit
    std::size_t leave_at = AsmFlow::outside;
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
        fail(at, "the code is too long to be followed");
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

  // Stack slots that a fragment reads and never writes were filled before it: with what --regs says of the
  // register they are read into, else, like registers, with some address.
  void assume_reloads(AsmState& state) {
    for (const auto& [slot, value] : reloaded_slots(text_, facts_)) {
      if (state.values().contains(slot)) continue;
      state.set(slot, value ? AsmValue::of(*value) : AsmValue::small());
      if (value)
        kernel_.warnings.push_back(
            fmt::format("{}: stack slot {} is written nowhere, it is taken for {}", file_, slot, *value));
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
      program.push_back(cnm::read(8));  // only what is known afterwards counts
      return true;
    }
    if (!field || !immediate) {
      const auto& name = instruction.operands[0].text;
      fail(at, facts_.registers.contains(name)
                   ? fmt::format(
                         "the size of this {} is not known: {} is written after the kernel is entered, so "
                         "--regs {} does not hold here; give --args, or --regs of what it is made of",
                         instruction.word, name, name)
                   : fmt::format("the size of this {} is not known: give --args, or --regs {}=N",
                                 instruction.word, name));
      return false;
    }
    const Int bytes = 8 * (1 + ((*immediate + *field) & 255));
    program.push_back(instruction.kind == AsmKind::read_dma ? cnm::read(bytes) : cnm::write(bytes));
    return true;
  }

  bool emit_call(std::size_t at, AsmState& state, Program& program) {
    const std::string& name = text_.code[at].operands[1].text;
    const auto inlined = text_.labels.find(name);
    if (inlined != text_.labels.end() && inlined->second < text_.code.size()) {
      if (calls_ >= deepest_call) {
        fail(at, fmt::format("functions call each other more than {} deep", deepest_call));
        return false;
      }
      ++calls_;
      program.push_back(cnm::slots(1));
      Pass body = walk(inlined->second, nullptr, state, nullptr);
      for (Item& item : body.program) program.push_back(std::move(item));
      --calls_;
      return !error_;
    }
    const auto cost = system_.calls.find(name);
    if (cost == system_.calls.end()) {
      std::vector<std::string_view> names;
      for (const auto& [known, slots] : system_.calls) names.push_back(known);
      fail(at,
           fmt::format("no function '{}' here or in the system's calls{}", name, suggestion(name, names)));
      return false;
    }
    if (cost->second.is_barrier) {
      program.push_back(cnm::barrier());
      return true;
    }
    const auto bytes = state.value("r2").known();
    if (cost->second.bytes_per_slot > 0 && !bytes && probing_ == 0) {
      fail(at, fmt::format("how many bytes '{}' works on (r2) is not known", name));
      return false;
    }
    program.push_back(cnm::slots(cost->second.slots(facts_.multiply_k, bytes.value_or(0))));
    return true;
  }

  // Where the instruction leads.
  std::size_t choose(std::size_t at, const AsmLoop* loop, const AsmState& state, PassPlan* plan) {
    const AsmInstruction& instruction = text_.code[at];
    const auto [branch, through] = flow_.next(at);
    if (!flow_.branches(at)) return instruction.kind == AsmKind::jump ? branch : through;
    const bool compare = instruction.kind == AsmKind::compare;
    const AsmValue a = state.get(instruction.operands[0]);
    const AsmValue b = compare ? state.get(instruction.operands[1]) : AsmValue::of(0);
    std::optional<bool> taken;
    if (!compare)
      taken = condition_holds(instruction.condition, a);
    else if (a.known() && b.known())
      taken = compare_holds(instruction.word, *a.known(), *b.known());
    const auto leaves = [&](std::size_t to) {
      return to == AsmFlow::outside || (loop != nullptr && !loop->inside[to]);
    };
    if (plan != nullptr && plan->leave_at == at) return leaves(branch) ? branch : through;
    const bool is_exit = leaves(branch) != leaves(through);
    if (is_exit && plan != nullptr && plan->exits != nullptr) plan->exits->emplace(at, std::make_pair(a, b));
    if (is_exit && (plan != nullptr || !taken)) return leaves(branch) ? through : branch;
    if (taken) return *taken ? branch : through;
    if (loop == nullptr || plan == nullptr) {
      warn(at, "is taken to fall through");
      return through;
    }
    const auto given = facts_.shares.find(instruction.target);
    const Int share = given == facts_.shares.end() ? 500 : std::llround(given->second * 1000);
    if (given == facts_.shares.end()) warn(at, "takes each side in turn");
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

  // Appends the loop to `program`; returns where it leads.
  std::size_t run_loop(const AsmLoop& loop, const AsmLoop* outer, AsmState& state, Program& program) {
    AsmLoopHead head = find_head(loop, state);
    if (error_) return AsmFlow::outside;
    AsmExit exit;
    if (const auto given = facts_.trips.find(loop.label); given != facts_.trips.end())
      exit = {given->second, nearest_exit(text_, flow_, loop, outer)};
    else if (head.always_left)
      exit.trips = 1;  // a loop inside leads out of this one
    else
      exit = first_exit(text_, flow_, loop, head);
    if (exit.trips < 1 && probing_ > 0) exit = {1, nearest_exit(text_, flow_, loop, outer)};
    if (exit.trips < 1) {
      fail(loop.head, fmt::format("the trips of loop '{0}' are not known: give {1}--trips {0}=N", loop.label,
                                  facts_.registers.empty() ? "--args, --regs, or " : ""));
      return AsmFlow::outside;
    }
    return add_passes(loop, head, exit, state, program);
  }

  // What holds at the loop's head in every pass. A guess (all that the loop writes keeps its value) is walked
  // through and weakened until a pass ends as it began.
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
      PassPlan probe{&counters, {}, &head.exits, AsmFlow::outside};
      AsmState end = head.state();
      head.always_left = walk(loop.head, &loop, end, &probe).exited;
      // A pass that never comes back leaves nothing to confirm.
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
      PassPlan plan{&counters, {}, nullptr, AsmFlow::outside};
      AsmState now = head;
      passes.push_back(walk(loop.head, &loop, now, &plan).program);
      count(plan);
      if (period > longest_pattern)
        fail(loop.head, "the shares of branches in this loop do not repeat soon enough");
    }
    // The last pass goes to the exit.
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
    for (Item& item : joined(0, static_cast<std::size_t>(full % period))) program.push_back(std::move(item));
    if (!whole)
      for (Item& item : final.program) program.push_back(std::move(item));

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
  int probing_ = 0;  ///< inside find_head: nothing is reported
  std::optional<Error> error_;
};

}  // namespace

Result<AssemblyKernel> read_assembly(std::string_view text, const std::string& file,
                                     const AssemblyFacts& facts, const cnm::System& system) {
  const auto parsed = parse_assembly(text, file);
  if (!parsed) return parsed.error();
  for (const auto& [label, trips] : facts.trips)
    if (!parsed->labels.contains(label))
      return usage_error(fmt::format("--trips: no label '{}' in {}", label, file));
  for (const auto& [name, value] : facts.registers)
    if (!is_register_or_slot(name))
      return usage_error(
          fmt::format("--regs: expected r0 to r23, or a stack slot as r22-24, found {}", quote(name)));
  const auto slash = file.find_last_of('/');
  auto name = file.substr(slash == std::string::npos ? 0 : slash + 1);
  name = name.substr(0, name.find('.'));
  return Walker(*parsed, file, facts, system).run(std::move(name));
}

}  // namespace nestor::io
