// The proof that a program's result depends on no order it leaves open: every generated program passes, and a
// program whose waits, addresses, lanes or loops are wrong does not, or gives other numbers.
#include "sim/chip/order.h"

#include <gtest/gtest.h>

#include <functional>
#include <iostream>

#include "io/chip_program/program_file.h"
#include "model/chip_program/generate.h"
#include "sim/chip/timing.h"
#include "support/chip_cases.h"
#include "support/chip_execution.h"

namespace nestor::test {
namespace {

using chip_program::Expression;
using chip_program::Kind;
using chip_program::Program;
using chip_program::Statement;

TEST(ChipOrder, IsProvedOnRandomNetworks) {
  int done = 0;
  for (std::uint64_t seed = 1; done < 300; ++seed) {
    const auto drawn = random_chip_case(seed);
    if (!drawn) continue;
    ++done;
    const auto program =
        chip_program::generate(*drawn->problem, drawn->decisions,
                               chip::evaluate(*drawn->problem, drawn->decisions), {.blocks = seed % 2 == 0});
    const auto fault = sim_chip::prove_order(program, drawn->machine);
    ASSERT_FALSE(fault) << "seed " << seed << ": " << fault->message << "\n" << io::to_text(program);
  }
}

void each(std::vector<Statement>& body, const std::function<void(Statement&)>& use) {
  for (Statement& statement : body) {
    use(statement);
    each(statement.body, use);
  }
}

// What the proof, the timing simulator, the recurrence and the reference say about an altered program.
bool is_noticed(const RandomChipCase& of, const Program& program) {
  if (sim_chip::prove_order(program, of.machine)) return true;
  Int compared = 0;
  if (!execution_difference(of.whole, program, of.machine, compared).empty()) return true;
  const auto timing = sim_chip::simulate_timing(program, of.machine);
  if (std::holds_alternative<sim_chip::Fault>(timing)) return true;
  const auto expected = chip::evaluate(*of.problem, of.decisions);
  const auto& found = std::get<sim_chip::Timing>(timing);
  for (std::size_t s = 0; s < expected.segments.size(); ++s) {
    if (found.segments[s].schedule_cycles != expected.segments[s].schedule_cycles) return true;
  }
  return found.peak_crossbars != expected.peak_crossbars;
}

// Alters one statement of every kind named, in many programs; counts how many alterations nobody sees.
struct Alteration {
  const char* name;
  Kind kind;
  std::function<void(Statement&)> change;
};

TEST(ChipOrder, AlteredProgramsAreNoticed) {
  const auto one_more = [](std::size_t argument) {
    return [argument](Statement& s) {
      s.arguments[argument] =
          Expression::of(chip_program::Operation::add, s.arguments[argument], Expression(1));
    };
  };
  const auto one_less = [](std::size_t argument) {
    return [argument](Statement& s) {
      s.arguments[argument] =
          Expression::of(chip_program::Operation::subtract, s.arguments[argument], Expression(1));
    };
  };
  const std::vector<Alteration> alterations = {
      {"a wait for an earlier row", Kind::wait, one_less(0)},
      {"a loop that ends early", Kind::loop, one_less(1)},
      {"a loop that ends late", Kind::loop, one_more(1)},
      {"a loop that takes longer steps", Kind::loop, [](Statement& s) { ++s.step; }},
      {"a store of another copy", Kind::store, one_more(0)},
      {"a store to another row", Kind::store, one_more(1)},
      {"a store to another pixel", Kind::store, one_more(2)},
      {"a gather of another row", Kind::gather, one_more(1)},
      {"a gather of another pixel", Kind::gather, one_more(2)},
      {"a gather into another crossbar", Kind::gather, one_more(0)},
      {"a read of other crossbars", Kind::read_crossbars, one_more(0)},
      {"a read of fewer crossbars", Kind::read_crossbars, one_less(1)},
      {"a read of other rows", Kind::read_rows, one_more(1)},
      {"a read of fewer rows", Kind::read_rows, one_less(2)},
      {"a block from another source", Kind::read_core, one_more(5)},
      {"a block to another place", Kind::read_core, one_more(6)},
      {"a block on another core", Kind::read_core, one_more(0)},
      {"a part written elsewhere", Kind::write_crossbar, one_more(0)},
      {"another part written", Kind::write_crossbar, one_more(1)},
      {"another row of a digital operator", Kind::digital_row, one_more(0)},
  };
  for (const auto& alteration : alterations) {
    int made = 0;
    int noticed = 0;
    for (std::uint64_t seed = 1; seed < 400 && made < 25; ++seed) {
      const auto drawn = random_chip_case(seed);
      if (!drawn) continue;
      const auto whole = chip_program::generate(*drawn->problem, drawn->decisions,
                                                chip::evaluate(*drawn->problem, drawn->decisions));
      std::size_t candidates = 0;
      const auto visit = [&](Program& program, std::size_t which) {
        candidates = 0;
        const auto use = [&](Statement& s) {
          if (s.kind == alteration.kind && candidates++ == which) alteration.change(s);
        };
        for (auto& segment : program.segments) {
          each(segment.writes, use);
          for (auto& thread : segment.threads) each(thread.body, use);
        }
      };
      Program altered = whole;
      visit(altered, static_cast<std::size_t>(-1));
      if (candidates == 0) continue;
      visit(altered, seed % candidates);
      ++made;
      noticed += is_noticed(*drawn, altered) ? 1 : 0;
    }
    std::cout << alteration.name << ": " << noticed << " of " << made << " noticed\n";
    // Some change nothing: a wait for row -1 + 1 of one row, rows that hold zeros, weights nobody reads.
    EXPECT_GE(made, 10) << alteration.name;
    EXPECT_GE(2 * noticed, made) << alteration.name;
  }
}

}  // namespace
}  // namespace nestor::test
