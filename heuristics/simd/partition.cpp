#include "heuristics/simd/partition.h"

#include <algorithm>
#include <cmath>

#include "heuristics/simd/orders.h"

namespace nestor::simd {

namespace {

class Partition {
 public:
  Partition(const ScheduleProblem& problem, std::uint8_t parts, const Order& sweep)
      : problem_(&problem),
        parts_(parts),
        part_(problem.gate_count()),
        pins_(std::size_t{problem.value_count()} * parts, 0),
        inputs_read_(parts, 0),
        gates_(parts, 0) {
    // An array needs rows besides those of its inputs, and no part may contain all the work.
    input_room_ = std::max<std::int64_t>(problem.rows() * 9 / 10, 1);
    gate_room_ = static_cast<std::int64_t>(problem.gate_count()) * 5 / (4 * parts) + 1;
    for (std::size_t i = 0; i < sweep.size(); ++i)
      assign(sweep[i], static_cast<std::uint8_t>(i * parts / sweep.size()));
  }

  bool anneal(std::uint64_t moves, Random& random, const Stop& stop) {
    constexpr double hot = 1.5, cold = 0.1;
    for (std::uint64_t move = 0; move < moves; ++move) {
      if (move % 4096 == 4095 && should_stop(stop)) return false;
      const auto gate = static_cast<std::uint32_t>(random.below(part_.size()));
      const std::uint8_t from = part_[gate];
      const std::uint8_t to = neighbour_part(gate, random);
      if (to == from) continue;
      const double before = cost_of(gate, from, to);
      withdraw(gate);
      assign(gate, to);
      const double after = cost_of(gate, from, to);
      const double temperature =
          hot * std::pow(cold / hot, static_cast<double>(move) / static_cast<double>(moves));
      if (after - before <= -temperature * std::log(1.0 - random.unit())) continue;
      withdraw(gate);
      assign(gate, from);
    }
    return true;
  }

  const std::vector<std::uint8_t>& parts() const { return part_; }

 private:
  std::uint16_t& pins(Value value, std::uint8_t part) { return pins_[std::size_t{value} * parts_ + part]; }

  template <typename Visit>
  void each_pin(std::uint32_t gate, Visit&& visit) const {
    visit(problem_->value_of_gate(gate));
    for (const Value value : problem_->fanins(gate))
      if (value != no_value) visit(value);
  }
  void assign(std::uint32_t gate, std::uint8_t part) {
    part_[gate] = part;
    ++gates_[part];
    each_pin(gate, [&](Value value) {
      if (pins(value, part)++ == 0 && problem_->is_input(value)) ++inputs_read_[part];
    });
  }
  void withdraw(std::uint32_t gate) {
    const std::uint8_t part = part_[gate];
    --gates_[part];
    each_pin(gate, [&](Value value) {
      if (--pins(value, part) == 0 && problem_->is_input(value)) --inputs_read_[part];
    });
  }
  /// Returns a random part, usually one that contains a neighbour of the gate.
  std::uint8_t neighbour_part(std::uint32_t gate, Random& random) const {
    const Fanins& fanins = problem_->fanins(gate);
    const auto readers = problem_->readers(problem_->value_of_gate(gate));
    const auto choice = random.below(6);
    if (choice < 3 && fanins[choice] != no_value && !problem_->is_input(fanins[choice]))
      return part_[problem_->gate_of(fanins[choice])];
    if (choice < 5 && !readers.empty()) return part_[readers[random.below(readers.size())]];
    return static_cast<std::uint8_t>(random.below(parts_));
  }
  /// Returns the number of parts that compute or read a value, summed over the values that the gate computes
  /// or reads, plus a penalty if part `a` or `b` exceeds its capacity.
  double cost_of(std::uint32_t gate, std::uint8_t a, std::uint8_t b) {
    double cost = 0;
    each_pin(gate, [&](Value value) {
      for (std::uint8_t part = 0; part < parts_; ++part)
        if (pins(value, part) != 0) ++cost;
    });
    for (const std::uint8_t part : {a, b})
      cost += static_cast<double>(std::max<std::int64_t>(inputs_read_[part] - input_room_, 0)) +
              0.1 * static_cast<double>(std::max<std::int64_t>(gates_[part] - gate_room_, 0));
    return cost;
  }

  const ScheduleProblem* problem_;
  std::uint8_t parts_;
  std::vector<std::uint8_t> part_;
  std::vector<std::uint16_t> pins_;  ///< [value][part]: gates of the part that compute or read the value
  std::vector<std::int64_t> inputs_read_, gates_;
  std::int64_t input_room_ = 0, gate_room_ = 0;
};

}  // namespace

std::vector<std::uint8_t> partition_gates(const ScheduleProblem& problem, std::uint8_t parts, Random& random,
                                          const Stop& stop) {
  Partition partition(problem, parts, coordinate_order(problem, random, stop));
  const std::uint64_t moves = std::min<std::uint64_t>(std::uint64_t{problem.gate_count()} * 400, 1'500'000);
  if (should_stop(stop) || !partition.anneal(moves, random, stop)) return {};
  return partition.parts();
}

}  // namespace nestor::simd
