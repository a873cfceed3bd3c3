#include "support/constraint_cases.h"

#include <algorithm>
#include <string_view>

#include "base/random.h"

namespace nestor::tests {
namespace {

constexpr std::array<std::string_view, 7> words = {"dims",         "factors",     "utilisation", "must use",
                                                   "must not use", "outer loops", "stationary"};

class Drawer {
 public:
  Drawer(std::uint64_t seed, const LayerShape& layer, const Hierarchy& machine,
         const FixedVector<Loop, max_loops>& loops)
      : random_(seed), layer_(layer), machine_(machine), loops_(loops) {}

  Constraints draw() {
    const auto count = random_.between(1, 3);
    for (Int i = 0; i < count; ++i) draw_one(random_.below(words.size()));
    return result_;
  }

 private:
  void draw_one(std::uint64_t kind) {
    if (kind < 3 && !machine_.axes.empty())
      fix_axis(kind, random_.below(machine_.axes.size()));
    else if (kind < 5)
      fix_memory(kind == 3, random_.below(machine_.memories.size()));
    else if (kind == 6)
      result_.stationary.insert(all_operands[random_.below(operand_count)]);
    else
      fix_loops();
  }

  void fix_axis(std::uint64_t kind, std::size_t axis) {
    if (kind == 2) {
      result_.min_utilisation[axis] = random_.unit();
      return;
    }
    for (const Dim dim : all_dims) {
      if (!machine_.axes[axis].dims.contains(dim)) continue;
      if (kind == 0 && random_.below(2) == 0)
        result_.axis_dims[axis].erase(dim);
      else if (kind == 1 && layer_.bound(dim) > 1 && random_.below(2) == 0)
        result_.axis_factors[axis][index_of(dim)] = divisor(layer_.bound(dim));
    }
  }

  Int divisor(Int bound) {
    Int factor = random_.between(1, bound);
    while (bound % factor != 0) --factor;
    return factor;
  }

  void fix_memory(bool must, std::size_t memory) {
    for (const Operand operand : all_operands)
      if (machine_.memories[memory].operands.contains(operand) && random_.below(2) == 0)
        (must ? result_.must_use : result_.must_not_use)[memory].insert(operand);
  }

  void fix_loops() {
    const std::size_t count = std::min<std::size_t>(loops_.size(), random_.below(3));
    result_.outer_loops.clear();
    for (std::size_t i = 0; i < count; ++i) result_.outer_loops.push_back(loops_[i]);
  }

  Random random_;
  const LayerShape& layer_;
  const Hierarchy& machine_;
  const FixedVector<Loop, max_loops>& loops_;
  Constraints result_;
};

}  // namespace

Constraints random_constraints(std::uint64_t seed, const LayerShape& layer, const Hierarchy& machine,
                               const FixedVector<Loop, max_loops>& loops) {
  return Drawer(seed, layer, machine, loops).draw();
}

void ConstraintTally::add(const Constraints& constraints) {
  const Constraints free;
  const auto any = [](const auto& values, const auto& fixed) {
    return std::any_of(values.begin(), values.end(), fixed);
  };
  counts_[0] += constraints.axis_dims != free.axis_dims ? 1 : 0;
  counts_[1] += constraints.axis_factors != free.axis_factors ? 1 : 0;
  counts_[2] += constraints.min_utilisation != free.min_utilisation ? 1 : 0;
  const auto holds = [](OperandSet operands) { return !operands.empty(); };
  counts_[3] += any(constraints.must_use, holds) ? 1 : 0;
  counts_[4] += any(constraints.must_not_use, holds) ? 1 : 0;
  counts_[5] += constraints.outer_loops.empty() ? 0 : 1;
  counts_[6] += constraints.stationary.empty() ? 0 : 1;
}

std::string ConstraintTally::to_string() const {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::string(words[i]) + ' ' + std::to_string(counts_[i]);
  return text;
}

int ConstraintTally::least() const { return *std::min_element(counts_.begin(), counts_.end()); }

}  // namespace nestor::tests
