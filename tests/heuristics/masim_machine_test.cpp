// Tests of MASIM's machine against a literal implementation, which stores only the value of each row and
// recomputes every count by its definition.
#include "heuristics/simd/masim_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "base/random.h"
#include "bench/netlists/generate.h"

namespace nestor::simd::masim_machine_test {
namespace {

using Choice = MasimMachine::Choice;
using Priority = MasimMachine::Priority;

/// Numbers of events, so that a test can check its coverage.
struct Coverage {
  int overwritten = 0, moved = 0, onto_duplicate = 0, kept_output = 0, equal_copies = 0, taken_over = 0;
  int two_victims = 0, many_ready = 0;

  void add(const Coverage& other) {
    overwritten += other.overwritten;
    moved += other.moved;
    onto_duplicate += other.onto_duplicate;
  }
};

class LiteralMachine {
 public:
  LiteralMachine(const ScheduleProblem& problem, std::uint32_t arrays, Coverage& coverage)
      : problem_(&problem),
        rows_(arrays, std::vector<Value>(problem.rows(), no_value)),
        computed_(problem.gate_count(), false),
        used_(problem.home_arrays()),
        coverage_(&coverage) {
    for (Value input = 0; input < problem.input_count(); ++input)
      rows_[input / problem.rows()][input % problem.rows()] = input;
  }

  std::uint32_t copies() const { return copies_; }

  /// Returns all choices with the highest priority, among which MASIM chooses.
  std::vector<std::pair<Choice, Priority>> best_choices() {
    std::vector<std::pair<Choice, Priority>> best;
    int ready = 0;
    for (std::uint32_t gate = 0; gate < problem_->gate_count() && ready < 101; ++gate) {
      if (computed_[gate] || !all_computed(gate)) continue;
      ++ready;
      const auto found = best_array(gate);
      if (!found) continue;
      if (!best.empty() && found->second < best[0].second) continue;
      if (!best.empty() && best[0].second < found->second) best.clear();
      best.push_back(*found);
    }
    coverage_->many_ready += ready == 101 ? 1 : 0;
    return best;
  }

  std::optional<std::pair<Choice, Priority>> best_array(std::uint32_t gate) {
    std::optional<std::pair<Choice, Priority>> best;
    for (std::uint32_t array = 0; array < open(); ++array) {
      if (problem_->free_rows(array) == 0) continue;
      const auto bill = price(gate, array);
      if (!bill) continue;
      if (best && bill->fanin_copies >= best->second.copies) continue;
      if (best && bill->total.copies == best->second.copies) ++coverage_->equal_copies;
      if (!best || best->second < bill->total) best = {{gate, array}, bill->total};
    }
    return best;
  }

  void apply(const Choice& choice) {
    Bill bill;
    ASSERT_TRUE(bring_together(choice.gate, choice.array, bill));
    copies_ += bill.total.copies;
    coverage_->add(bill.coverage);
    coverage_->taken_over += row_read_last(choice.gate, choice.array) ? 1 : 0;
    computed_[choice.gate] = true;
    for (const Value value : read_by(choice.gate)) forget_unread(value);
    put(choice.array, *bill.row, problem_->value_of_gate(choice.gate));
    forget_unread(problem_->value_of_gate(choice.gate));
  }

 private:
  struct Bill {
    Priority total;
    std::uint32_t fanin_copies = 0;  ///< copies of fanins, and copies that free rows for fanins
    std::optional<std::uint32_t> row;
    int victims = 0;
    Coverage coverage;
  };
  struct Victim {
    std::uint32_t row = 0;
    std::optional<std::uint32_t> to;
    std::int32_t change = 0;
  };

  std::set<Value> read_by(std::uint32_t gate) const {
    std::set<Value> values;
    for (const Value value : problem_->fanins(gate))
      if (value != no_value) values.insert(value);
    return values;
  }
  bool all_computed(std::uint32_t gate) const {
    for (const Value value : read_by(gate))
      if (!problem_->is_input(value) && !computed_[problem_->gate_of(value)]) return false;
    return true;
  }
  std::uint32_t open() const {
    return std::min<std::uint32_t>(used_ + 1, static_cast<std::uint32_t>(rows_.size()));
  }
  bool is_home(std::uint32_t array, std::uint32_t row) const {
    return std::uint64_t{array} * problem_->rows() + row < problem_->input_count();
  }
  bool holds(std::uint32_t array, Value value) const {
    return std::find(rows_[array].begin(), rows_[array].end(), value) != rows_[array].end();
  }
  std::size_t places(Value value) const {
    return static_cast<std::size_t>(std::count_if(rows_.begin(), rows_.end(), [&](const auto& rows) {
      return std::find(rows.begin(), rows.end(), value) != rows.end();
    }));
  }
  std::vector<std::uint32_t> readers_left(Value value) const {
    std::vector<std::uint32_t> left;
    for (const std::uint32_t gate : problem_->readers(value))
      if (!computed_[gate]) left.push_back(gate);
    return left;
  }
  /// Counts how often an uncomputed gate reads `value` together with another value for which has() is true.
  template <typename Has>
  std::int32_t pairs(Value value, Has&& has) const {
    if (problem_->is_input(value)) return 0;
    std::int32_t count = 0;
    for (const std::uint32_t gate : readers_left(value))
      for (const Value other : read_by(gate)) count += other != value && has(other) ? 1 : 0;
    return count;
  }
  std::int32_t pairs_in(Value value, std::uint32_t array) const {
    return pairs(value, [&](Value other) { return holds(array, other); });
  }

  /// Returns the rows that can be freed in a full array: first rows of values that other arrays also store,
  /// then rows of values that must be copied to another array.
  std::vector<Victim> victims(std::uint32_t array) const {
    std::vector<Victim> first, then;
    for (std::uint32_t row = 0; row < problem_->rows(); ++row) {
      const Value value = rows_[array][row];
      if (value == no_value || is_home(array, row)) continue;
      const std::int32_t lost = pairs_in(value, array);
      if (places(value) > 1) {
        first.push_back({row, {}, -lost});
        continue;
      }
      std::optional<Victim> best;
      for (std::uint32_t other = 0; other < open(); ++other) {
        if (other == array) continue;
        const auto gap = gap_in(other);
        if (!gap) continue;
        const Value displaced = rows_[other][gap->row];
        const std::int32_t gained =
            pairs(value, [&](Value there) { return there != displaced && holds(other, there); });
        const std::int32_t change = gap->change + gained - lost;
        if (!best || change > best->change) best = {row, other, change};
      }
      if (best) then.push_back(*best);
    }
    const auto less_harm = [](const Victim& a, const Victim& b) { return a.change > b.change; };
    std::stable_sort(first.begin(), first.end(), less_harm);
    std::stable_sort(then.begin(), then.end(), less_harm);
    first.insert(first.end(), then.begin(), then.end());
    return first;
  }
  /// Returns a row that can receive a value from another array without a further copy.
  std::optional<Victim> gap_in(std::uint32_t array) const {
    std::optional<Victim> best;
    for (std::uint32_t row = 0; row < problem_->rows(); ++row) {
      const Value value = rows_[array][row];
      if (value == no_value) return Victim{row, {}, 0};
      if (is_home(array, row) || places(value) == 1) continue;
      if (const std::int32_t change = -pairs_in(value, array); !best || change > best->change)
        best = {row, {}, change};
    }
    return best;
  }

  /// Returns the cost of a gate in an array, computed on a copy of the machine.
  std::optional<Bill> price(std::uint32_t gate, std::uint32_t array) {
    LiteralMachine copy = *this;
    Bill bill;
    if (!copy.bring_together(gate, array, bill)) return {};
    coverage_->two_victims += bill.victims >= 2 ? 1 : 0;
    return bill;
  }

  bool bring_together(std::uint32_t gate, std::uint32_t array, Bill& bill) {
    for (const Value value : read_by(gate)) {
      if (holds(array, value)) continue;
      const auto row = make_row(gate, array, bill);
      if (!row) return false;
      put(array, *row, value);
      ++bill.total.copies;
      bill.total.close_pairs += pairs_in(value, array);
    }
    bill.fanin_copies = bill.total.copies;
    bill.row = row_read_last(gate, array);
    if (!bill.row) bill.row = make_row(gate, array, bill);
    if (!bill.row) return false;
    bill.total.close_pairs += pairs_in(problem_->value_of_gate(gate), array);
    return true;
  }

  /// Returns a fanin that no other gate will read and whose row in the array may be overwritten.
  std::optional<Value> reads_last(std::uint32_t gate, std::uint32_t array) const {
    for (const Value value : read_by(gate)) {
      if (readers_left(value).size() > 1 || problem_->must_stay(value)) continue;
      if (problem_->is_input(value) && value / problem_->rows() == array) continue;
      return value;
    }
    return {};
  }
  std::optional<std::uint32_t> row_read_last(std::uint32_t gate, std::uint32_t array) const {
    const auto value = reads_last(gate, array);
    if (!value) return {};
    return static_cast<std::uint32_t>(std::find(rows_[array].begin(), rows_[array].end(), *value) -
                                      rows_[array].begin());
  }

  std::optional<std::uint32_t> make_row(std::uint32_t gate, std::uint32_t array, Bill& bill) {
    const auto free = std::find(rows_[array].begin(), rows_[array].end(), no_value);
    if (free != rows_[array].end()) return static_cast<std::uint32_t>(free - rows_[array].begin());
    for (const Victim& victim : victims(array)) {
      const Value value = rows_[array][victim.row];
      if (read_by(gate).contains(value)) continue;
      ++bill.victims;
      bill.total.close_pairs += victim.change;
      if (victim.to) {
        const std::uint32_t row = gap_in(*victim.to)->row;
        bill.coverage.onto_duplicate += rows_[*victim.to][row] != no_value ? 1 : 0;
        put(*victim.to, row, value);
        ++bill.total.copies;
        ++bill.coverage.moved;
      } else {
        ++bill.coverage.overwritten;
      }
      rows_[array][victim.row] = no_value;
      return victim.row;
    }
    return {};
  }
  void put(std::uint32_t array, std::uint32_t row, Value value) {
    rows_[array][row] = value;
    used_ = std::max(used_, array + 1);
  }
  void forget_unread(Value value) {
    if (!readers_left(value).empty()) return;
    std::size_t stay = problem_->must_stay(value) ? 1 : 0;
    coverage_->kept_output += stay == 1 && places(value) > 1 ? 1 : 0;
    for (std::size_t array = rows_.size(); array-- > 0;)
      for (std::uint32_t row = 0; row < problem_->rows(); ++row) {
        if (rows_[array][row] != value || is_home(static_cast<std::uint32_t>(array), row)) continue;
        if (stay > 0)
          --stay;
        else
          rows_[array][row] = no_value;
      }
  }

  const ScheduleProblem* problem_;
  std::vector<std::vector<Value>> rows_;
  std::vector<bool> computed_;
  std::uint32_t used_;
  std::uint32_t copies_ = 0;
  Coverage* coverage_;
};

using Told = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>;
Told told(const Choice& choice, const Priority& priority) {
  return {choice.gate, choice.array, priority.copies, priority.close_pairs};
}

/// Runs both machines on one netlist and compares their choices. The next gate is chosen freely or follows
/// the order of the file.
void walk(const Netlist& netlist, std::uint32_t rows, bool file_order, Random& random, Coverage& covered) {
  const ScheduleProblem problem(netlist, rows, 0);
  const std::uint32_t arrays = problem.home_arrays() + 3;
  MasimMachine machine(problem, arrays);
  LiteralMachine literal(problem, arrays, covered);
  machine.reset();
  for (std::uint32_t step = 0; !machine.complete(); ++step) {
    std::vector<std::pair<Choice, Priority>> visited;
    const auto visit = [&](const Choice& choice, const Priority& priority) {
      if (!visited.empty() && priority < visited[0].second) return;
      if (!visited.empty() && visited[0].second < priority) visited.clear();
      visited.emplace_back(choice, priority);
    };
    std::vector<std::pair<Choice, Priority>> expected;
    if (file_order) {
      machine.for_each_variant({step, 0}, visit);
      if (const auto best = literal.best_array(step)) expected.push_back(*best);
    } else {
      machine.for_each_choice(visit);
      expected = literal.best_choices();
    }
    std::vector<Told> a, b;
    for (const auto& [choice, priority] : visited) a.push_back(told(choice, priority));
    for (const auto& [choice, priority] : expected) b.push_back(told(choice, priority));
    ASSERT_EQ(a, b) << "step " << step;
    if (visited.empty()) return;  // both reached a dead end
    const Choice choice = visited[random.below(visited.size())].first;
    machine.apply(choice);
    literal.apply(choice);
    ASSERT_EQ(machine.cost(), literal.copies()) << "step " << step;
  }
}

TEST(MasimMachine, CountsMatchItsDefinition) {
  Coverage covered;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    // All partial products of a multiplier are ready at once.
    const bool many_ready = seed == 100;
    auto netlist =
        many_ready ? bench::generate("multiplier", {.width = 11})
                   : bench::generate("random", {.width = static_cast<std::uint32_t>(random.between(3, 12)),
                                                .count = static_cast<std::uint32_t>(random.between(10, 90)),
                                                .seed = seed});
    ASSERT_TRUE(netlist.ok());
    for (int i = 0; i < 4; ++i) {  // adds outputs that gates also read
      const auto gate = static_cast<NodeIndex>(random.below(netlist->gates.size()));
      netlist->outputs.push_back({"z" + std::to_string(i), Signal(netlist->first_gate() + gate, false)});
    }
    const auto rows = static_cast<std::uint32_t>(many_ready ? 70 : random.between(5, 14));
    walk(*netlist, rows, seed % 2 == 0 && !many_ready, random, covered);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(covered.overwritten, 100);
  EXPECT_GT(covered.moved, 100);
  EXPECT_GT(covered.onto_duplicate, 10);
  EXPECT_GT(covered.kept_output, 10);
  EXPECT_GT(covered.equal_copies, 10);
  EXPECT_GT(covered.taken_over, 1000);
  EXPECT_GT(covered.two_victims, 100);
  EXPECT_GT(covered.many_ready, 10);
}

/// Returns what a machine shows of its state: its copies, and all open choices with their priorities.
std::vector<Told> state_of(MasimMachine& machine) {
  std::vector<Told> shown = {{0, 0, machine.cost(), 0}};
  machine.for_each_choice(
      [&](const Choice& choice, const Priority& priority) { shown.push_back(told(choice, priority)); });
  return shown;
}

TEST(MasimMachine, RewindsToTheStateAfterAPrefix) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto netlist =
        bench::generate("random", {.width = static_cast<std::uint32_t>(random.between(3, 6)),
                                   .count = static_cast<std::uint32_t>(random.between(5, 80)),
                                   .seed = seed});
    ASSERT_TRUE(netlist.ok());
    const ScheduleProblem problem(*netlist, static_cast<std::uint32_t>(random.between(6, 14)), 0);
    MasimMachine applied(problem, problem.home_arrays() + 3);
    MasimMachine rewound(problem, problem.home_arrays() + 3);
    std::vector<Choice> sequence;
    applied.reset();
    while (!applied.complete()) {
      std::optional<Choice> next;
      applied.for_each_variant({static_cast<std::uint32_t>(sequence.size()), 0},
                               [&](const Choice& choice, const Priority&) { next = choice; });
      if (!next) break;  // dead end
      sequence.push_back(*next);
      applied.apply(*next);
    }
    for (int trial = 0; trial < 20; ++trial, ++compared) {
      const std::span<const Choice> prefix(sequence.data(), random.below(sequence.size() + 1));
      applied.reset();
      for (const Choice& choice : prefix) applied.apply(choice);
      rewound.rewind(prefix);
      ASSERT_EQ(state_of(rewound), state_of(applied)) << "after " << prefix.size() << " choices";
    }
  }
  EXPECT_EQ(compared, 1200);
}

}  // namespace
}  // namespace nestor::simd::masim_machine_test
