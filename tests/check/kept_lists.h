// Lists of loop nests in the checker's form, converted without a proof file from the labels that a search
// records, and random changes to these lists.
#pragma once

#include <array>
#include <vector>

#include "base/random.h"
#include "check/problem.h"
#include "model/loopnest/search/nest_step.h"
#include "solver/engine/kept_labels.h"

namespace nestor::check_cases {

using Choices = std::vector<check::LoggedChoice>;

inline check::LoggedChoice logged(const KeptLabels& labels, std::size_t axes) {
  check::LoggedChoice choice;
  choice.spatial.resize(axes);
  for (std::size_t i = 0; i < labels.branch.size(); ++i)
    choice.spatial[i / dim_count][i % dim_count] = labels.branch[i];
  for (const KeptStep& kept : labels.steps) {
    const auto step = unpack(kept.step);
    check::LoggedNest nest{.parent = kept.parent, .dim = step.dim, .factor = step.factor};
    for (std::size_t x = 0; x < operand_count; ++x)
      if (step.moved[x]) nest.moves[x] = {true, step.doubled[x], step.at[x]};
    choice.nests.push_back(nest);
  }
  return choice;
}

// Random changes to the lists of a proof. Each change may make the proof incomplete or invalid.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  static constexpr std::array<const char*, 11> names = {"nest dropped",   "subtree dropped", "parent changed",
                                                        "loop changed",   "factor changed",  "move changed",
                                                        "choice dropped", "choice doubled",  "nest doubled",
                                                        "lists swapped",  "list cut off"};

  /// Makes one change of a kind (an index of `names`). Returns false if there is nothing to change.
  bool apply(std::size_t kind, Choices& choices) {
    if (choices.empty()) return false;
    const std::size_t c = below(choices.size());
    auto& nests = choices[c].nests;
    switch (kind) {
      case 6:
        choices.erase(choices.begin() + static_cast<std::ptrdiff_t>(c));
        return true;
      case 7:
        choices.push_back(choices[c]);
        return true;
      case 9:
        if (choices.size() < 2) return false;
        std::swap(nests, choices[(c + 1) % choices.size()].nests);
        return true;
      default:
        break;
    }
    if (nests.empty()) return false;
    const std::size_t n = below(nests.size());
    auto& nest = nests[n];
    switch (kind) {
      case 0:
        drop(nests, {n}, true);
        break;
      case 1:
        drop(nests, {n}, false);
        break;
      case 2:
        nest.parent = static_cast<std::uint32_t>(below(n + 1));
        break;
      case 3:
        nest.dim = static_cast<std::uint8_t>((nest.dim + 1 + below(dim_count - 1)) % dim_count);
        break;
      case 4:
        nest.factor = below(2) == 0 ? nest.factor * 2 : static_cast<Int>(below(7));
        break;
      case 5: {
        auto& move = nest.moves[below(operand_count)];
        move = {below(2) == 0, below(2) == 0, static_cast<std::uint8_t>(below(4))};
        break;
      }
      case 8: {
        // Duplicates a nest and removes the children of the original.
        nests.push_back(nest);
        drop_children(nests, n);
        break;
      }
      default:
        nests.resize(n);
    }
    return true;
  }

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_.below(count)); }

  // Removes the nests in `gone`. If `only_these`, their children become children of the parents of the
  // removed nests; otherwise all their descendants are removed too.
  static void drop(std::vector<check::LoggedNest>& nests, std::vector<std::size_t> gone, bool only_these) {
    std::vector<std::uint32_t> number(nests.size() + 1);
    std::vector<bool> lost(nests.size() + 1);
    std::vector<check::LoggedNest> kept;
    for (std::size_t i = 0; i < nests.size(); ++i) {
      const bool drops = std::find(gone.begin(), gone.end(), i) != gone.end();
      if (drops || (!only_these && lost[nests[i].parent])) {
        lost[i + 1] = true;
        number[i + 1] = number[nests[i].parent];
        continue;
      }
      kept.push_back(nests[i]);
      kept.back().parent = number[nests[i].parent];
      number[i + 1] = static_cast<std::uint32_t>(kept.size());
    }
    nests = std::move(kept);
  }
  static void drop_children(std::vector<check::LoggedNest>& nests, std::size_t parent) {
    std::vector<std::size_t> children;
    for (std::size_t i = 0; i < nests.size(); ++i)
      if (nests[i].parent == parent + 1) children.push_back(i);
    drop(nests, children, false);
  }

  Random random_;
};

}  // namespace nestor::check_cases
