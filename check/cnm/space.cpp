#include "check/cnm/space.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>

namespace nestor::check::cnm {
namespace {

constexpr std::size_t most_cuts = 50'000'000;

std::vector<Int> divisors_up_to(Int number, Int most) {
  std::vector<Int> divisors;
  for (Int d = 1; d <= number / d; ++d) {
    if (number % d != 0) continue;
    if (d <= most) divisors.push_back(d);
    if (d != number / d && number / d <= most) divisors.push_back(number / d);
  }
  std::sort(divisors.begin(), divisors.end());
  return divisors;
}

// Range of the iterations of one tasklet along a dim that is cut into a number of parts. It is empty if
// `first` is above `last`.
struct Locals {
  Int first, last;
};
Locals locals_of(const CnmProblem& problem, std::size_t dim, Int parts) {
  return {(problem.least[dim] + parts - 1) / parts, problem.most[dim] / parts};
}

// Returns the numbers of parts of a dim, up to `most`, that divide an extent of some mapping.
std::vector<Int> parts_up_to(const CnmProblem& problem, std::size_t dim, Int most) {
  if (problem.least[dim] == problem.most[dim]) return divisors_up_to(problem.least[dim], most);
  std::vector<Int> parts;
  for (Int each = 1; each <= std::min(most, problem.most[dim]); ++each)
    if (const auto [first, last] = locals_of(problem, dim, each); first <= last) parts.push_back(each);
  return parts;
}

// Returns all tuples of numbers of parts, one for each dim, with a product of at most `most`.
std::vector<Tuple> tuples_of(const CnmProblem& problem, Int most) {
  std::vector<Tuple> all = {{}};
  for (std::size_t d = 0; d < problem.kernel.dims(); ++d) {
    const auto parts = parts_up_to(problem, d, most);
    std::vector<Tuple> longer;
    for (const Tuple& tuple : all)
      for (const Int each : parts) {
        if (each > most / product(tuple)) break;
        longer.push_back(tuple);
        longer.back().push_back(each);
      }
    all = std::move(longer);
  }
  return all;
}

// Returns all tuples of iterations that a tasklet can have if the dims are cut into these parts.
std::vector<Tuple> all_locals(const CnmProblem& problem, const Tuple& parts) {
  std::vector<Tuple> all = {{}};
  for (std::size_t d = 0; d < parts.size(); ++d) {
    const auto [first, last] = locals_of(problem, d, parts[d]);
    std::vector<Tuple> longer;
    for (const Tuple& tuple : all)
      for (Int local = first; local <= last; ++local) {
        if (longer.size() == most_cuts) throw TooLarge();
        longer.push_back(tuple);
        longer.back().push_back(local);
      }
    all = std::move(longer);
  }
  return all;
}

bool shares_a_sum(const Kernel& kernel, const Form& form) {
  for (std::size_t d = 0; d < kernel.dims(); ++d)
    if (kernel.reduction[d] && form.tasklets[d] > 1) return true;
  return false;
}

bool fits_mram(const CnmProblem& problem, const Form& form) {
  return bytes_in_mram(problem.kernel, form) < problem.machine.mram;
}

// The parts of the dims over ranks, DPUs and tasklets.
struct Cut {
  Tuple ranks, dpus, tasklets;
  Fraction host;  ///< host time without transfers
};
struct Work {
  Form form;  ///< the form without block and order
  std::vector<Cut> cuts;
};

std::string words(const KernelMapping& mapping) {
  return tuples_text({&mapping.ranks, &mapping.dpus, &mapping.form.tasklets, &mapping.form.local,
                      &mapping.form.block, &mapping.form.order}) +
         " (ranks, DPUs, tasklets, local, block, order)";
}

class Space {
 public:
  Space(const CnmProblem& problem, const KernelClaim<KernelMapping>& claim, const Estimates& estimates)
      : problem_(problem), claim_(claim), estimates_(estimates) {
    const Kernel& kernel = problem.kernel;
    for (const auto& operation : kernel.region) least_slots_ += std::max<Int>(0, operation.slots);
    for (const CnmOperand& operand : kernel.operands) {
      if (!operand.is_output && operand.is_used) least_slots_ += std::max<Int>(0, operand.load);
      if (operand.is_output && !operand.is_summed) least_slots_ += std::max<Int>(0, operand.store);
    }
  }

  FollowedKernel run() {
    list_works();
    return {first_failure(works_.size(), [this](std::size_t i) { return failure(works_[i]); }), works_.size(),
            illegal_, bounded_, estimated_};
  }

 private:
  // Lists the works: the different parts of the kernel that a tasklet can have, each with the cuts that lead
  // to it. In two cases, all splits of the parts over ranks and DPUs are needed: if transfers take time,
  // because they depend on the ranks, and if mappings are listed, because they state their ranks. Otherwise,
  // every split costs the same, and of all cuts with the same work the one with the lowest host time is
  // sufficient.
  void list_works() {
    const CnmMachine& machine = problem_.machine;
    const bool all_splits = !claim_.listed.empty() || moves_bytes();
    std::map<Tuple, Work> works;
    std::set<Tuple> seen;
    const auto tasklets = tuples_of(problem_, machine.levels[2]);
    std::size_t cuts = 0;
    for (const Tuple& ranks : tuples_of(problem_, machine.levels[0]))
      for (const Tuple& dpus : tuples_of(problem_, machine.levels[1])) {
        const Tuple parts = times_each(ranks, dpus);
        if (!all_splits && !seen.insert(parts).second) continue;
        for (const Tuple& each : tasklets)
          for (const Tuple& local : all_locals(problem_, times_each(parts, each))) {
            const Form form{each, local, {}, {}};
            if (!fits_mram(problem_, form)) continue;
            if (++cuts > most_cuts) throw TooLarge();
            Cut cut{ranks, dpus, each, host_time(problem_, form, parts)};
            if (is_closed(Fraction(least_cycles(form)), cut.host)) continue;
            Work& work = works[form_key(problem_, form)];
            work.form = form;
            if (all_splits || work.cuts.empty())
              work.cuts.push_back(std::move(cut));
            else if (cut.host < work.cuts.front().host)
              work.cuts.front() = std::move(cut);
          }
      }
    for (auto& [key, work] : works) {
      std::sort(work.cuts.begin(), work.cuts.end(),
                [](const Cut& a, const Cut& b) { return a.host < b.host; });
      works_.push_back(std::move(work));
    }
  }
  bool moves_bytes() const {
    return !(problem_.machine.to_byte == Fraction(0) && problem_.machine.from_byte == Fraction(0));
  }

  // Returns a lower bound: every point takes at least the slots of its operations, of a load of each used
  // input, and of a store of each output that is not a sum.
  Wide least_cycles(const Form& form) const {
    const Wide slots = times(Wide{product(form.local)}, Wide{least_slots_});
    return times(slots, Wide{std::max(form.tasklet_count(), problem_.machine.gap)});
  }
  bool is_closed(const Fraction& cycles, const Fraction& host) const {
    return !(host + cycles * problem_.machine.cycle < Fraction(claim_.limit));
  }

  std::string failure(const Work& work) {
    std::vector<Tuple> blocks = {{}};
    for (const Int local : work.form.local) {
      std::vector<Tuple> longer;
      for (const Tuple& block : blocks)
        for (const Int d : divisors_up_to(local, local)) {
          longer.push_back(block);
          longer.back().push_back(d);
        }
      blocks = std::move(longer);
    }
    const auto orders = orders_of(work.form.local);
    for (const Tuple& block : blocks) {
      if (!fits_wram(work.form, block)) {
        illegal_ += orders.size();
        continue;
      }
      for (const Tuple& order : orders) {
        Form form = work.form;
        form.block = block;
        form.order = order;
        if (auto failure = form_failure(work, form); !failure.empty()) return failure;
      }
    }
    return "";
  }

  // True if one block of each operand fits WRAM. In every order, the buffers contain at least these blocks.
  bool fits_wram(const Form& form, const Tuple& block) const {
    const CnmMachine& machine = problem_.machine;
    Int bytes = machine.wram_stack;
    for (const CnmOperand& operand : problem_.kernel.operands) {
      Int held = operand.bytes;
      for (const Index& index : operand.map) held = times(held, index.reach(block));
      bytes = plus(bytes, held);
    }
    return plus(times(bytes, form.tasklet_count()), machine.wram_reserved) <= machine.wram;
  }

  std::string form_failure(const Work& work, const Form& form) {
    const auto program = program_of(problem_, form);
    if (!program) {
      ++illegal_;
      return "";
    }
    std::vector<Cut> open;
    for (Cut cut : work.cuts) {
      if (moves_bytes()) {
        Form of_cut = form;
        of_cut.tasklets = cut.tasklets;
        cut.host = cut.host + transfer_time(problem_, of_cut, *program, product(cut.dpus));
      }
      if (!is_closed(program->bound, cut.host)) open.push_back(std::move(cut));
      if (!moves_bytes() && open.empty()) break;  // the other cuts take no less time
    }
    if (open.empty()) {
      ++bounded_;
      return "";
    }
    const auto member_of = [&](const Cut& cut) {
      KernelMapping member{cut.ranks, cut.dpus, form};
      member.form.tasklets = cut.tasklets;
      return member;
    };
    const auto first = words(member_of(open.front()));
    const auto said = estimates_.find(form_key(problem_, form));
    if (said == estimates_.end())
      return "no bound closes the mapping " + first + ": its program may take " +
             to_text(program->bound.over, program->bound.under) +
             " cycles, and the proof has no estimate for it";
    ++estimated_;
    const Fraction cycles = estimate(problem_.machine, *program, form.tasklet_count(), false).cycles;
    if (!agree(thousandths(said->second), thousandths(cycles)))
      return "the program of the mapping " + first + " takes " + to_text(cycles.over, cycles.under) +
             " cycles, which differs from the proof";
    for (const Cut& cut : open)
      if (!is_closed(cycles, cut.host) && !claim_.listed.contains(member_of(cut))) {
        const Fraction time = cut.host + cycles * problem_.machine.cycle;
        return "the mapping " + words(member_of(cut)) + " takes " +
               to_text(time.over, times(time.under, Wide{1'000'000'000})) +
               " ms, which is better than what is claimed";
      }
    return "";
  }

  const CnmProblem& problem_;
  const KernelClaim<KernelMapping>& claim_;
  const Estimates& estimates_;
  Int least_slots_ = 0;
  std::vector<Work> works_;
  std::atomic<std::size_t> illegal_ = 0, bounded_ = 0, estimated_ = 0;
};

}  // namespace

std::string first_failure(std::size_t works, const std::function<std::string(std::size_t)>& failure) {
  std::vector<std::string> failures(works);
  std::atomic<bool> has_failed = false;
  tbb::parallel_for(std::size_t{0}, works, [&](std::size_t i) {
    if (!has_failed) failures[i] = failure(i);
    if (!failures[i].empty()) has_failed = true;
  });
  for (const std::string& each : failures)
    if (!each.empty()) return each;
  return "";
}

std::string tuples_text(std::initializer_list<const Tuple*> tuples) {
  std::string text;
  for (const Tuple* tuple : tuples) {
    text += text.empty() ? "(" : " (";
    for (const Int each : *tuple) text += (text.back() == '(' ? "" : ",") + std::to_string(each);
    text += ")";
  }
  return text;
}

std::vector<Tuple> orders_of(const Tuple& steps) {
  Tuple open, rest;
  for (std::size_t d = 0; d < steps.size(); ++d) (steps[d] > 1 ? open : rest).push_back(static_cast<Int>(d));
  std::vector<Tuple> orders;
  do {
    orders.push_back(open);
    orders.back().insert(orders.back().end(), rest.begin(), rest.end());
  } while (std::next_permutation(open.begin(), open.end()));
  return orders;
}

Tuple times_each(const Tuple& a, const Tuple& b) {
  Tuple all;
  for (std::size_t d = 0; d < a.size(); ++d) all.push_back(times(a[d], b[d]));
  return all;
}

Tuple form_key(const CnmProblem& problem, const Form& form) {
  Tuple key = {form.tasklet_count()};
  const bool shares = shares_a_sum(problem.kernel, form);
  for (const Int each : form.tasklets) key.push_back(shares ? each : 0);
  for (const Tuple* tuple : {&form.local, &form.block, &form.order})
    key.insert(key.end(), tuple->begin(), tuple->end());
  return key;
}

Int bytes_in_dpu(const CnmOperand& operand, const Form& form) {
  Int bytes = operand.bytes;
  for (const Index& index : operand.map) bytes = times(bytes, index.reach(form.local));
  for (std::size_t d = 0; d < form.tasklets.size(); ++d)
    if (operand.uses(d)) bytes = times(bytes, form.tasklets[d]);
  return bytes;
}

Int bytes_in_mram(const Kernel& kernel, const Form& form) {
  Int bytes = 0;
  for (const CnmOperand& operand : kernel.operands) bytes = plus(bytes, bytes_in_dpu(operand, form));
  return bytes;
}

Fraction launch_time(const CnmMachine& machine, Int tasklets) {
  return machine.launch + Fraction(tasklets) * machine.launch_per_tasklet;
}

Int partial_results(const CnmProblem& problem, const Form& form, const Tuple& parts) {
  Int partial = 0;
  for (const CnmOperand& operand : problem.kernel.operands) {
    if (!operand.is_output) continue;
    Int results = bytes_in_dpu(operand, form) / operand.bytes, copies = 1;
    for (std::size_t d = 0; d < parts.size(); ++d) {
      Int& factor = operand.uses(d) ? results : copies;
      factor = times(factor, parts[d]);
    }
    partial = plus(partial, times(results, copies - 1));
  }
  return partial;
}

Fraction host_time(const CnmProblem& problem, const Form& form, const Tuple& parts) {
  return launch_time(problem.machine, form.tasklet_count()) +
         Fraction(partial_results(problem, form, parts)) * problem.machine.reduce;
}

RankBytes bytes_of_rank(const CnmProblem& problem, const Form& form, const Program& program, Int dpus) {
  RankBytes bytes;
  for (std::size_t i = 0; i < problem.kernel.operands.size(); ++i) {
    const CnmOperand& operand = problem.kernel.operands[i];
    const Int all = times(bytes_in_dpu(operand, form), dpus);
    if (program.is_read[i]) bytes.in = plus(bytes.in, all);
    if (operand.is_output) bytes.out = plus(bytes.out, all);
  }
  return bytes;
}

Fraction transfer_time(const CnmProblem& problem, const Form& form, const Program& program, Int dpus) {
  const RankBytes bytes = bytes_of_rank(problem, form, program, dpus);
  return Fraction(bytes.in) * problem.machine.to_byte + Fraction(bytes.out) * problem.machine.from_byte;
}

std::optional<KernelCost> cost_of(const CnmProblem& problem, const KernelMapping& mapping) {
  const CnmMachine& machine = problem.machine;
  const Form& form = mapping.form;
  const Tuple parts = times_each(mapping.ranks, mapping.dpus);
  bool is_member = product(mapping.ranks) <= machine.levels[0] &&
                   product(mapping.dpus) <= machine.levels[1] && form.tasklet_count() <= machine.levels[2];
  const Tuple extents = times_each(times_each(parts, form.tasklets), form.local);
  for (std::size_t d = 0; d < parts.size(); ++d)
    is_member = is_member && form.local[d] % form.block[d] == 0 && problem.least[d] <= extents[d] &&
                extents[d] <= problem.most[d];
  const auto orders = orders_of(form.local);
  is_member = is_member && std::find(orders.begin(), orders.end(), form.order) != orders.end();
  if (!is_member || !fits_mram(problem, form)) return std::nullopt;
  const auto program = program_of(problem, form);
  if (!program) return std::nullopt;
  KernelCost cost{estimate(machine, *program, form.tasklet_count(), false).cycles,
                  host_time(problem, form, parts)};
  cost.time =
      cost.time + cost.cycles * machine.cycle + transfer_time(problem, form, *program, product(mapping.dpus));
  return cost;
}

FollowedKernel follow(const CnmProblem& problem, const KernelClaim<KernelMapping>& claim,
                      const Estimates& estimates) {
  return Space(problem, claim, estimates).run();
}

}  // namespace nestor::check::cnm
