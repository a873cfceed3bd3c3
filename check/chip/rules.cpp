#include "check/chip/rules.h"

namespace nestor::check::chip {
namespace {

// Limit on the entries of a table of sums.
constexpr Int most_sums = Int{1} << 26;

}  // namespace

std::vector<std::vector<Int>> least_sums(const Choices& choices, const std::vector<std::vector<Int>>& numbers,
                                         Int cores) {
  if (times(cores + 1, static_cast<Int>(choices.size()) + 1) > most_sums)
    throw NotChecked("its chip has too many cores");
  const auto width = static_cast<std::size_t>(cores) + 1;
  std::vector<std::vector<Int>> sums(choices.size() + 1, std::vector<Int>(width, nowhere));
  sums.back().assign(width, 0);
  for (std::size_t k = choices.size(); k-- > 0;)
    for (std::size_t o = 0; o < choices[k].size(); ++o) {
      const auto taken = static_cast<std::size_t>(choices[k][o].cores);
      for (std::size_t left = taken; left < width; ++left)
        sums[k][left] = std::min(sums[k][left], std::min(nowhere, numbers[k][o] + sums[k + 1][left - taken]));
    }
  return sums;
}

// Removes the paces for which `goes` is true. Returns true if some operator has no pace left.
bool ProofNode::leave_out(const std::function<bool(std::size_t, const OperatorTiming&)>& goes) {
  for (std::size_t k = 0; k < choices_.size(); ++k) {
    std::erase_if(choices_[k], [&](const OperatorTiming& pace) { return goes(k, pace); });
    if (choices_[k].empty()) return true;
  }
  return false;
}

// Removes each pace for which the longest path through its operator reaches the limit, even if every other
// operator has the best value of every figure. With fewer paces, the best values may get worse, so this is
// repeated until nothing changes.
bool ProofNode::by_paths() {
  // Paces that reach the limit by themselves are removed first, so that sums stay small.
  if (leave_out([&](std::size_t, const OperatorTiming& pace) {
        return std::max({pace.row, pace.in, pace.out, pace.gate}) >= limit_;
      }))
    return true;
  for (std::vector<OperatorTiming> before; true;) {
    const auto best = best_of(choices_);
    if (best == before) return false;
    before = best;
    const Times heads = segment_.heads(best);
    const Times tails = segment_.tails(best);
    if (leave_out([&](std::size_t k, const OperatorTiming& pace) {
          const auto ends = segment_.ends(k, pace, [&](std::size_t e, std::size_t r) {
            const Edge& edge = segment_.edges()[e];
            return heads[edge.from][edge.need[r]] + best[edge.from].out;
          });
          Int longest = ends.back() + pace.out;
          for (const std::size_t e : segment_.out_of(k)) {
            const Edge& edge = segment_.edges()[e];
            for (std::size_t r = 0; r < edge.need.size(); ++r)
              longest = std::max(longest, ends[edge.need[r]] + pace.out + tails[edge.to][r] +
                                              (edge.is_gated ? best[edge.to].gate : 0));
          }
          return longest >= limit_;
        }))
      return true;
  }
}

// Removes each pace that leaves too few cores for the other operators, even if they use the fewest.
bool ProofNode::by_cores() {
  Int spare = segment_.cores();
  const auto best = best_of(choices_);
  for (const OperatorTiming& pace : best) spare -= pace.cores;
  if (spare < 0) return true;
  return leave_out(
      [&](std::size_t k, const OperatorTiming& pace) { return pace.cores - best[k].cores > spare; });
}

// Removes each pace for which even the smallest mixed length within the available cores reaches the limit.
bool ProofNode::by_mix() {
  const Int cores = segment_.cores();
  if (mix_.whole == 0) return false;
  const auto numbers = mix_.lengths(choices_, limit_);
  const auto after = least_sums(choices_, numbers, cores);
  const Int most = mix_.whole * (limit_ - 1);  // largest mixed length of a schedule below the limit
  std::vector<Int> before(static_cast<std::size_t>(cores) + 1, 0);
  for (std::size_t k = 0; k < choices_.size(); ++k) {
    std::vector<Int> now(before.size(), nowhere);
    std::vector<OperatorTiming> kept;
    for (std::size_t o = 0; o < choices_[k].size(); ++o) {
      const auto taken = static_cast<std::size_t>(choices_[k][o].cores);
      Int least = nowhere;
      for (std::size_t used = 0; used + taken < before.size(); ++used) {
        least = std::min(least, before[used] + after[k + 1][before.size() - 1 - used - taken]);
        now[used + taken] = std::min(now[used + taken], before[used] + numbers[k][o]);
      }
      if (least + numbers[k][o] <= most) kept.push_back(choices_[k][o]);
    }
    if (kept.empty()) return true;
    choices_[k] = std::move(kept);
    before = std::move(now);
  }
  return false;
}

bool ProofNode::is_closed_by_bounds() {
  return by_paths() || by_cores() || by_mix() || by_paths() || by_cores();
}

}  // namespace nestor::check::chip
