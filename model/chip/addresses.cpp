#include "model/chip/addresses.h"

#include <algorithm>

namespace nestor::chip {
namespace {

struct Life {
  std::size_t first = 0;
  std::size_t last = 0;
  bool meets(const Life& other) const { return first <= other.last && other.first <= last; }
};

std::vector<Life> lives_of(const ChipProblem& problem, std::span<const SegmentDecision> segments) {
  const ChipNetwork& network = problem.network;
  const std::size_t end = network.operators.size() - 1;
  std::vector<SegmentDecision> of_operator(network.operators.size(), SegmentDecision{});
  for (std::size_t i = 0; i <= end; ++i) of_operator[i] = {i, i, false};
  for (const auto& segment : segments)
    for (std::size_t i = segment.first; i <= segment.last; ++i)
      if (segment.pipeline) of_operator[i] = segment;

  std::vector<Life> lives(network.tensors());
  for (std::size_t i = 0; i <= end; ++i) {
    lives[network.tensor_of(i)] = {of_operator[i].first, i};
    for (const auto& input : network.operators[i].inputs)
      lives[input.tensor].last = std::max(lives[input.tensor].last, of_operator[i].last);
  }
  for (const std::size_t output : network.outputs) lives[network.tensor_of(output)].last = end;
  return lives;
}

struct Taken {
  Int begin;
  Int end;
};

// Returns the lowest address at which `bytes` bytes overlap none of the blocks in `taken`, which it sorts.
Int first_fit(std::vector<Taken>& taken, Int bytes) {
  std::sort(taken.begin(), taken.end(), [](const Taken& a, const Taken& b) { return a.begin < b.begin; });
  Int address = 0;
  for (const auto& block : taken) {
    if (block.begin >= address + bytes) break;
    address = std::max(address, block.end);
  }
  return address;
}

}  // namespace

Addresses assign_addresses(const ChipProblem& problem, std::span<const SegmentDecision> segments) {
  const ChipNetwork& network = problem.network;
  const std::size_t placed = network.inputs.size() + segments.back().last + 1;
  const auto lives = lives_of(problem, segments);
  std::vector<Int> bytes;
  for (const auto& input : network.inputs)
    bytes.push_back(input.rows * input.width * input.channels * ceil_divide(network.bits.I, 8));
  for (const auto& facts : problem.facts) bytes.push_back(facts.tensor_bytes);

  Addresses result;
  std::vector<Taken> taken;
  for (std::size_t t = 0; t < placed; ++t) {
    taken.clear();
    for (std::size_t other = 0; other < t; ++other)
      if (lives[other].meets(lives[t]))
        taken.push_back({result.tensors[other], result.tensors[other] + bytes[other]});
    result.tensors.push_back(first_fit(taken, bytes[t]));
  }
  for (const auto& segment : segments) {
    Int highest = 0;
    for (std::size_t t = 0; t < placed; ++t)
      if (lives[t].meets({segment.first, segment.last}))
        highest = std::max(highest, result.tensors[t] + bytes[t]);
    result.segment_bytes.push_back(highest);
  }
  return result;
}

}  // namespace nestor::chip
