#include "check/simd/contract_values.h"

namespace nestor::check::simd {
namespace {

constexpr std::size_t exhaustive_inputs = 16;
// Number of words of 64 patterns that one pass over gates or steps computes. In a netlist of a million gates,
// a pass spends its time on reading gates and locating operands, not on the operations.
constexpr std::size_t words_at_once = 16;
struct alignas(64) Block {
  std::array<std::uint64_t, words_at_once> words{};
  bool operator==(const Block&) const = default;
};

// Returns the block at `signal / 2`, negated if the signal is odd.
Block read(const std::vector<Block>& blocks, std::uint32_t signal) {
  Block block = blocks[signal >> 1U];
  if ((signal & 1U) != 0)
    for (auto& word : block.words) word = ~word;
  return block;
}

void compute(const std::vector<Block>& blocks, bool is_xor, const std::array<std::uint32_t, 3>& operands,
             Block& result) {
  const Block a = read(blocks, operands[0]), b = read(blocks, operands[1]), c = read(blocks, operands[2]);
  for (std::size_t i = 0; i < words_at_once; ++i) {
    const auto x = a.words[i], y = b.words[i], z = c.words[i];
    result.words[i] = is_xor ? x ^ y ^ z : (x & y) | (x & z) | (y & z);
  }
}

// Sets blocks 1 to n to the next patterns of n inputs.
class Inputs {
 public:
  Inputs(std::size_t count, bool is_exhaustive) : count_(count), is_exhaustive_(is_exhaustive) {}

  void write_next(std::vector<Block>& blocks) {
    for (std::size_t word = 0; word < words_at_once; ++word, ++at_)
      for (std::size_t i = 0; i < count_; ++i)
        blocks[i + 1].words[word] = is_exhaustive_ ? all_patterns(i) : random();
  }

 private:
  // Pattern p sets input i to bit i of p. The first six inputs change within a word.
  std::uint64_t all_patterns(std::size_t input) const {
    if (input >= 6) return ((at_ >> (input - 6)) & 1U) != 0 ? ~std::uint64_t{0} : 0;
    std::uint64_t word = 0;
    for (unsigned bit = 0; bit < 64; ++bit) word |= std::uint64_t{(bit >> input) & 1U} << bit;
    return word;
  }

  // SplitMix64.
  std::uint64_t random() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
  }

  std::size_t count_;
  bool is_exhaustive_;
  std::uint64_t at_ = 0;  // number of the word
  std::uint64_t state_ = 0x5eed;
};

}  // namespace

Patterns patterns_for(const Netlist& source, std::uint64_t random_patterns) {
  const auto inputs = source.inputs.size();
  if (inputs <= exhaustive_inputs) return {std::uint64_t{1} << inputs, true};
  return {ceiling(random_patterns, std::uint64_t{64}) * 64, false};
}

std::optional<std::size_t> differing_output(const SlotProgram& program, const Netlist& source,
                                            const Patterns& patterns) {
  const auto input_count = source.inputs.size();
  const std::size_t first_gate = input_count + 1;
  std::vector<Block> values(first_gate + source.gates.size());
  std::vector<Block> slots(program.slot_count);
  Inputs inputs(input_count, patterns.is_exhaustive);
  for (std::uint64_t done = 0; done < patterns.count; done += 64 * words_at_once) {
    inputs.write_next(values);
    std::copy_n(values.begin() + 1, input_count, slots.begin() + 1);
    for (std::size_t i = 0; i < source.gates.size(); ++i)
      compute(values, source.gates[i].is_xor, source.gates[i].fanins, values[first_gate + i]);
    for (const auto& step : program.steps) {
      if (step.kind == Schedule::Kind::copy)
        slots[step.to] = slots[step.operands[0] >> 1U];
      else
        compute(slots, step.kind == Schedule::Kind::xor3, step.operands, slots[step.to]);
    }
    for (std::size_t i = 0; i < program.outputs.size(); ++i)
      if (read(slots, program.outputs[i]) != read(values, source.outputs[i].signal)) return i;
  }
  return std::nullopt;
}

}  // namespace nestor::check::simd
