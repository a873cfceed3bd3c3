#include "model/simd/second_reading/verify_schedule.h"

#include <algorithm>

#include "model/simd/second_reading/schedule_replay.h"
#include "model/simd/second_reading/simulate.h"

namespace nestor::simd {
namespace {

WordBlock read(const std::vector<WordBlock>& slots, ReplayOperand operand) {
  WordBlock block = slots[operand.slot()];
  for (auto& word : block.word) word ^= operand.flip();
  return block;
}

void run(const ReplayProgram& program, std::vector<WordBlock>& slots) {
  for (const auto& step : program.steps) {
    const auto a = read(slots, step.operand[0]);
    if (step.kind == InstructionKind::copy) {
      slots[step.to] = a;
      continue;
    }
    const auto b = read(slots, step.operand[1]);
    const auto c = read(slots, step.operand[2]);
    auto& to = slots[step.to];
    if (step.kind == InstructionKind::xor3) {
      for (std::size_t i = 0; i < words_at_once; ++i) to.word[i] = a.word[i] ^ b.word[i] ^ c.word[i];
    } else {
      for (std::size_t i = 0; i < words_at_once; ++i) {
        to.word[i] = (a.word[i] & b.word[i]) | (a.word[i] & c.word[i]) | (b.word[i] & c.word[i]);
      }
    }
  }
}

}  // namespace

std::optional<ScheduleFault> compare_values(const ReplayProgram& program, const Netlist& source,
                                            std::uint64_t random_patterns, ScheduleFigures& figures) {
  constexpr std::uint64_t seed = 0x5eed;
  const auto input_count = source.input_names.size();
  PatternSource patterns(input_count, random_patterns, seed);
  std::vector<std::uint64_t> words(input_count);
  std::vector<WordBlock> inputs(input_count);
  std::vector<WordBlock> values, expected;
  std::vector<WordBlock> slots(program.slot_count);
  for (std::uint64_t block = 0; block < patterns.block_count(); block += words_at_once) {
    for (std::size_t word = 0; word < words_at_once; ++word) {
      patterns.next(words);
      for (std::size_t i = 0; i < input_count; ++i) inputs[i].word[word] = words[i];
    }
    simulate(source, inputs, values, expected);
    std::copy(inputs.begin(), inputs.end(), slots.begin() + 1);
    run(program, slots);
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
      if (read(slots, program.outputs[i]).word != expected[i].word) {
        return ScheduleFault{ScheduleFault::Part::output, i,
                             "output '" + source.outputs[i].name + "' differs from the source netlist"};
      }
    }
  }
  figures.exhaustive = patterns.is_exhaustive();
  figures.patterns = figures.exhaustive ? std::uint64_t{1} << input_count : patterns.block_count() * 64;
  return {};
}

std::uint64_t quick_random_patterns(const Netlist& source) {
  constexpr std::uint64_t gate_patterns = std::uint64_t{1} << 28U;
  constexpr std::uint64_t block = 64 * words_at_once;
  const std::uint64_t patterns = gate_patterns / std::max<std::uint64_t>(1, source.gates.size());
  return std::clamp(patterns / block * block, block, all_random_patterns);
}

ScheduleVerdict verify_schedule(const Netlist& mapped, const Netlist& source, const Schedule& schedule,
                                std::uint64_t random_patterns) {
  ScheduleVerdict verdict;
  if (mapped.input_names != source.input_names || mapped.outputs.size() != source.outputs.size()) {
    verdict.fault =
        ScheduleFault{ScheduleFault::Part::whole, 0, "the mapped netlist has different inputs or outputs"};
    return verdict;
  }
  auto replayed = replay(mapped, schedule);
  verdict.figures = replayed.figures;
  verdict.fault = std::move(replayed.fault);
  if (!verdict.fault)
    verdict.fault = compare_values(replayed.program, source, random_patterns, verdict.figures);
  return verdict;
}

}  // namespace nestor::simd
