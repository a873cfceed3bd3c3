// Verification of a claim over all mappings of a kernel on HBM-PIM (docs/models/cnm.md, "Map"). Each mapping
// that is not listed must be excluded by a bound or by a simulation of its stream. Cuts (divisions over
// channels, blocks and lanes) that assign the same work to a bank share one stream for each block, order and
// half.
#include <algorithm>
#include <atomic>
#include <mutex>

#include "check/cnm/pim.h"
#include "check/cnm/space.h"

namespace nestor::check::cnm {
namespace {

constexpr std::size_t most_pim_mappings = 50'000'000;
constexpr std::array halves = {Half::alternate, Half::split, Half::even};
constexpr std::array<Int, 4> blocks_of_a_dim = {1, 2, 4, 8};
constexpr std::array<Int, 2> vectors_at_once = {8, 16};
constexpr Int unlimited = Int{1} << 60;

// Returns the tuples with a product of at most, or exactly, `most`. If `extents` are given, entries do not
// exceed them.
std::vector<Tuple> level_tuples(std::size_t dims, Int most, bool exactly, const Tuple* extents) {
  std::vector<Tuple> all = {{}};
  for (std::size_t d = 0; d < dims; ++d) {
    std::vector<Tuple> longer;
    for (const Tuple& tuple : all)
      for (Int each = 1, left = most / product(tuple); each <= left; ++each) {
        if (exactly && (left % each != 0 || (d + 1 == dims && each != left))) continue;
        if (extents != nullptr && each > (*extents)[d]) break;
        longer.push_back(tuple);
        longer.back().push_back(each);
        if (longer.size() > most_pim_mappings) throw TooLarge();
      }
    all = std::move(longer);
  }
  return all;
}

Tuple parts_of(const PimMapping& cut) { return times_each(times_each(cut.channels, cut.blocks), cut.lanes); }
Tuple local_of(const PimProblem& problem, const PimMapping& cut) {
  Tuple local = parts_of(cut);
  for (std::size_t d = 0; d < local.size(); ++d) local[d] = ceiling(problem.kernel.extents[d], local[d]);
  return local;
}

}  // namespace

bool are_units_of_library(const PimMachine& machine, const Tuple& blocks, const Tuple& lanes) {
  Tuple all_blocks(blocks.size(), 1), all_lanes = all_blocks;
  all_blocks.front() = machine.levels[1];
  all_lanes.back() = machine.levels[2];
  return blocks == all_blocks && lanes == all_lanes;
}

Int partial_results(const PimProblem& problem, const PimMapping& mapping) {
  const PimMachine& machine = problem.machine;
  Tuple parts = parts_of(mapping), local = mapping.local;
  if (mapping.is_library() && problem.is_reduction) {  // the library handles whole tiles
    local = {ceiling(problem.kernel.extents[0], times(parts[0], machine.grf)) * machine.grf, 1};
  }
  Int elements = 1, copies = 1;
  for (std::size_t d = 0; d < parts.size(); ++d)
    if (problem.kernel.operands[problem.output].uses(d))
      elements = times(elements, parts[d], local[d]);
    else
      copies = times(copies, parts[d]);
  return times(elements, copies - 1);
}

namespace {

// Returns the fewest cycles with which a mapping takes at least the limit, which is in picoseconds.
Int enough_cycles(const PimProblem& problem, const PimMapping& mapping, Wide limit) {
  const Fraction left =
      (Fraction(limit) - Fraction(partial_results(problem, mapping)) * problem.machine.reduce) /
      problem.machine.cycle;
  if (left < Fraction(0)) return 0;
  return static_cast<Int>(std::min<Wide>(ceiling(left.over, left.under), unlimited));
}

// True if every step of a product begins with a write: of the output, or of the factor to registers.
bool writes_at_steps(const PimProblem& problem, const PimMapping& mapping) {
  const auto& operands = problem.kernel.operands;
  bool writes = problem.is_product && !mapping.block.empty();
  for (std::size_t d = 0; writes && d < mapping.blocks.size(); ++d) {
    const bool factor = operands[problem.factor].uses(d);
    writes = (factor || operands[problem.output].uses(d)) && !(factor && mapping.blocks[d] > 1);
  }
  return writes;
}

// Returns the least number of bursts for the tiles of a product's output and factor, each moved at least
// once.
Int least_tile_bursts(const PimProblem& problem, const PimMapping& mapping) {
  const auto &output = problem.kernel.operands[problem.output],
             &factor = problem.kernel.operands[problem.factor];
  Int results = 1, loads = 1;
  bool is_scalar = true;
  for (std::size_t d = 0; d < mapping.block.size(); ++d) {
    const Int steps = mapping.local[d] / mapping.block[d];
    if (output.uses(d)) results = times(results, steps);
    if (!factor.uses(d)) continue;
    loads = times(loads, steps);
    is_scalar = is_scalar && mapping.blocks[d] == 1 && mapping.lanes[d] == 1;
  }
  const Int tile = tile_vectors(problem, mapping, problem.output);
  return plus(times(results, std::min(tile + 2, 2 * tile)),
              times(loads, is_scalar ? 1 : tile_vectors(problem, mapping, problem.factor)));
}

}  // namespace

Int least_cycles(const PimProblem& problem, const PimMapping& mapping) {
  const PimMachine& m = problem.machine;
  const Tuple& local = mapping.local;
  Int bursts = 0;
  if (!problem.is_reduction) bursts = times(product(local), static_cast<Int>(problem.reads.size() + 1));
  for (const std::size_t operand : problem.stored) {
    Int own = 1;
    for (std::size_t d = 0; d < local.size(); ++d)
      if (problem.is_product || problem.kernel.operands[operand].uses(d)) own = times(own, local[d]);
    bursts = plus(bursts, own);
  }
  const Int back = std::max<Int>(1, m.turn(false)), forth = std::max<Int>(1, m.turn(true));
  const Int gap = std::min({m.again(true), m.again(false), back, forth});
  Int turns = 0, others = 0;
  if (writes_at_steps(problem, mapping)) {
    others = product(local) / product(mapping.block) - 1;
    turns = times(others, back + forth - gap);
  }
  // `turns` already covers one burst for each step after the first.
  if (problem.is_product && !mapping.block.empty())
    bursts = plus(bursts, std::max<Int>(0, least_tile_bursts(problem, mapping) - others));
  return plus(times(bursts, gap), turns, m.after_last());
}

namespace {

bool has_library_form(const PimProblem& problem, const PimMapping& cut) {
  return problem.library == PimLibrary::gemv && are_units_of_library(problem.machine, cut.blocks, cut.lanes);
}

std::string mapping_words(const PimMapping& mapping) {
  return tuples_text({&mapping.channels, &mapping.blocks, &mapping.lanes, &mapping.local, &mapping.block,
                      &mapping.order}) +
         " (channels, blocks, lanes, local, block, order)";
}

class PimSpace {
 public:
  PimSpace(const PimProblem& problem, const KernelClaim<PimMapping>& claim)
      : problem_(problem), claim_(claim) {}

  FollowedKernel run() {
    list_works();
    return {first_failure(works_.size(), [this](std::size_t i) { return failure(works_[i]); }), works_.size(),
            illegal_, bounded_, known_.size()};
  }

 private:
  using Work = std::vector<PimMapping>;  // cuts with the same work

  void list_works() {
    const PimMachine& machine = problem_.machine;
    const std::size_t dims = problem_.kernel.dims();
    const auto channels = level_tuples(dims, machine.levels[0], false, &problem_.kernel.extents);
    const auto blocks = level_tuples(dims, machine.levels[1], true, nullptr);
    const auto lanes = level_tuples(dims, machine.levels[2], true, nullptr);
    if (channels.size() > most_pim_mappings / blocks.size() / lanes.size()) throw TooLarge();
    std::map<Tuple, Work> works;
    for (const Tuple& channel : channels)
      for (const Tuple& block : blocks)
        for (const Tuple& lane : lanes) {
          PimMapping cut{channel, block, lane, {}, {}, {}};
          cut.local = local_of(problem_, cut);
          if (has_library_form(problem_, cut)) works_.push_back({cut});
          if (is_closed(cut, least_cycles(problem_, cut))) continue;
          Tuple key = cut.local;  // plus the way in which a factor gets to the registers
          for (std::size_t d = 0; d < dims; ++d) key.push_back(Int{block[d] > 1} * 2 + Int{lane[d] > 1});
          works[key].push_back(std::move(cut));
        }
    for (auto& [key, work] : works) {
      for (PimMapping& cut : work) cut.half = Half::even;  // not a stream of the library
      works_.push_back(std::move(work));
    }
  }
  bool is_closed(const PimMapping& mapping, Int cycles) const {
    return cycles >= enough_cycles(problem_, mapping, claim_.limit);
  }

  std::string failure(const Work& work) {
    const PimMapping& first = work.front();
    if (first.is_library()) return form_failure(work);
    if (!problem_.is_reduction) return points_failure(work);
    std::vector<Tuple> blocks = {{}};
    for (std::size_t d = 0; d < first.local.size(); ++d) {
      std::vector<Tuple> longer;
      for (const Tuple& block : blocks)
        for (const Int each : blocks_of_a_dim) {
          longer.push_back(block);
          longer.back().push_back(each);
        }
      blocks = std::move(longer);
    }
    for (const Tuple& block : blocks) {
      Work members;
      for (PimMapping member : work) {
        member.block = block;
        for (std::size_t d = 0; d < block.size(); ++d)
          member.local[d] = ceiling(member.local[d], block[d]) * block[d];
        if (!is_closed(member, least_cycles(problem_, member))) members.push_back(std::move(member));
      }
      if (members.empty()) continue;
      Tuple steps = members[0].local;
      for (std::size_t d = 0; d < steps.size(); ++d) steps[d] /= block[d];
      const auto orders = orders_of(steps);
      if (!fit_registers(members[0])) {
        illegal_ += orders.size() * halves.size();
        continue;
      }
      for (const Tuple& order : orders)
        for (const Half half : halves) {
          for (PimMapping& member : members) {
            member.order = order;
            member.half = half;
          }
          if (auto failure = form_failure(members); !failure.empty()) return failure;
        }
    }
    return "";
  }
  bool fit_registers(const PimMapping& mapping) const {
    const Int grf = problem_.machine.grf;
    return tile_vectors(problem_, mapping, problem_.output) <= grf &&
           (!problem_.is_product || tile_vectors(problem_, mapping, problem_.factor) <= grf);
  }
  std::string points_failure(Work members) {
    for (const Half half : halves)
      for (const Layout layout : {Layout::apart, Layout::together})
        for (const Int grf : vectors_at_once) {
          for (PimMapping& member : members) {
            member.half = half;
            member.layout = layout;
            member.grf = grf;
          }
          if (auto failure = form_failure(members); !failure.empty()) return failure;
        }
    return "";
  }

  // Returns the first failure of mappings that share one stream, or an empty string. A mapping fails if it is
  // not listed and neither illegal nor slow enough.
  std::string form_failure(const Work& members) {
    const PimStream stream(problem_, members.front());
    if (!stream.is_legal()) {
      ++illegal_;
      return "";
    }
    const Int bound = stream.bound();
    Int enough = 0;
    const PimMapping* last = nullptr;  // the mapping that needs the most cycles to be excluded
    for (const PimMapping& member : members) {
      const Int closes = enough_cycles(problem_, member, claim_.limit);
      if (closes <= std::max(bound, enough) || claim_.listed.contains(member)) continue;
      enough = closes;
      last = &member;
    }
    if (last == nullptr) {
      ++bounded_;
      return "";
    }
    const Tuple key = stream.key();
    {
      const std::scoped_lock lock(mutex_);
      if (known_[key] >= enough) return "";
    }
    const Int cycles = stream.cycles(enough).value_or(unlimited);
    const std::scoped_lock lock(mutex_);
    known_[key] = std::max(known_[key], cycles);
    if (cycles >= enough) return "";
    return "the mapping " + mapping_words(*last) + " takes " + std::to_string(cycles) +
           " cycles, which is better than what is claimed";
  }

  const PimProblem& problem_;
  const KernelClaim<PimMapping>& claim_;
  std::vector<Work> works_;
  std::map<Tuple, Int> known_;  // cycles of streams, or lower bounds on them
  std::mutex mutex_;
  std::atomic<std::size_t> illegal_ = 0, bounded_ = 0;
};

bool is_member(const PimProblem& problem, const PimMapping& mapping) {
  const auto& levels = problem.machine.levels;
  bool is_member = product(mapping.channels) <= levels[0] && product(mapping.blocks) == levels[1] &&
                   product(mapping.lanes) == levels[2];
  for (std::size_t d = 0; d < mapping.channels.size(); ++d)
    is_member = is_member && mapping.channels[d] <= problem.kernel.extents[d];
  if (!is_member) return false;
  Tuple local = local_of(problem, mapping);
  const bool is_pointwise = !problem.is_reduction;
  if ((mapping.layout != Layout::none) != is_pointwise || (mapping.grf > 0) != is_pointwise) return false;
  if (is_pointwise)
    return mapping.half != Half::none && mapping.local == local && (mapping.grf == 8 || mapping.grf == 16);
  if (mapping.is_library()) return has_library_form(problem, mapping) && mapping.local == local;
  Tuple steps;
  for (std::size_t d = 0; d < local.size(); ++d) {
    const Int block = mapping.block[d];
    is_member = is_member && std::count(blocks_of_a_dim.begin(), blocks_of_a_dim.end(), block) == 1 &&
                mapping.local[d] == ceiling(local[d], block) * block;
    steps.push_back(mapping.local[d] / block);
  }
  const auto orders = orders_of(steps);
  return is_member && std::find(orders.begin(), orders.end(), mapping.order) != orders.end();
}

}  // namespace

std::optional<KernelCost> cost_of(const PimProblem& problem, const PimMapping& mapping) {
  if (!is_member(problem, mapping)) return std::nullopt;
  const PimStream stream(problem, mapping);
  if (!stream.is_legal()) return std::nullopt;
  const auto cycles = stream.cycles(unlimited);
  if (!cycles) return std::nullopt;
  return KernelCost{Fraction(*cycles),
                    Fraction(*cycles) * problem.machine.cycle +
                        Fraction(partial_results(problem, mapping)) * problem.machine.reduce};
}

FollowedKernel follow(const PimProblem& problem, const KernelClaim<PimMapping>& claim) {
  return PimSpace(problem, claim).run();
}

}  // namespace nestor::check::cnm
