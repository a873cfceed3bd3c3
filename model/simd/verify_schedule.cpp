#include "model/simd/verify_schedule.h"

#include <array>

#include "model/simd/schedule_replay.h"
#include "model/simd/simulate.h"

namespace nestor::simd {
namespace {

constexpr std::uint64_t random_patterns = std::uint64_t{1} << 16U;  // docs/netlists.md: where inputs are many
constexpr std::size_t words_at_once = 8;                            // amortises the walk over the program

using Block = std::array<std::uint64_t, words_at_once>;

Block read(const std::vector<Block>& slots, ReplayOperand operand) {
  Block block = slots[operand.slot];
  for (auto& word : block) word ^= operand.invert;
  return block;
}

void run(const ReplayProgram& program, std::vector<Block>& slots) {
  for (const auto& step : program.steps) {
    const auto a = read(slots, step.operand[0]);
    if (step.kind == InstructionKind::copy) {
      slots[step.to] = a;
      continue;
    }
    const auto b = read(slots, step.operand[1]);
    const auto c = read(slots, step.operand[2]);
    auto& to = slots[step.to];
    for (std::size_t i = 0; i < words_at_once; ++i) {
      to[i] = step.kind == InstructionKind::xor3 ? a[i] ^ b[i] ^ c[i]
                                                 : (a[i] & b[i]) | (a[i] & c[i]) | (b[i] & c[i]);
    }
  }
}

}  // namespace

std::optional<ScheduleFault> compare_values(const ReplayProgram& program, const Netlist& source,
                                            ScheduleFigures& figures) {
  constexpr std::uint64_t seed = 0x5eed;
  const auto input_count = source.input_names.size();
  PatternSource patterns(input_count, random_patterns, seed);
  std::vector<std::uint64_t> inputs(input_count);
  std::vector<std::uint64_t> values;
  std::vector<std::vector<std::uint64_t>> expected(words_at_once);
  std::vector<Block> slots(program.slot_count, Block{});
  for (std::uint64_t block = 0; block < patterns.block_count(); block += words_at_once) {
    for (std::size_t word = 0; word < words_at_once; ++word) {
      patterns.next(inputs);
      for (std::size_t i = 0; i < input_count; ++i) slots[i + 1][word] = inputs[i];
      expected[word] = simulate(source, inputs, values);
    }
    run(program, slots);
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
      const auto found = read(slots, program.outputs[i]);
      for (std::size_t word = 0; word < words_at_once; ++word) {
        if (found[word] == expected[word][i]) continue;
        return ScheduleFault{ScheduleFault::Part::output, i,
                             "output '" + source.outputs[i].name + "' differs from the source netlist"};
      }
    }
  }
  figures.exhaustive = patterns.is_exhaustive();
  figures.patterns = figures.exhaustive ? std::uint64_t{1} << input_count : patterns.block_count() * 64;
  return {};
}

ScheduleVerdict verify_schedule(const Netlist& mapped, const Netlist& source, const Schedule& schedule) {
  ScheduleVerdict verdict;
  if (mapped.input_names != source.input_names || mapped.outputs.size() != source.outputs.size()) {
    verdict.fault =
        ScheduleFault{ScheduleFault::Part::whole, 0, "the mapped netlist has other inputs or outputs"};
    return verdict;
  }
  auto replayed = replay(mapped, schedule);
  verdict.figures = replayed.figures;
  verdict.fault = std::move(replayed.fault);
  if (!verdict.fault) verdict.fault = compare_values(replayed.program, source, verdict.figures);
  return verdict;
}

}  // namespace nestor::simd
