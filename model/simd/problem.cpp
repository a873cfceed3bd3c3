#include "model/simd/problem.h"

#include <algorithm>

namespace nestor::simd {

namespace {

Fanins distinct_fanins(const Gate& gate) {
  Fanins result{no_value, no_value, no_value};
  std::size_t count = 0;
  for (const Signal signal : gate.fanin) {
    if (signal.is_constant()) continue;
    const Value value = signal.node() - 1;
    if (std::find(result.begin(), result.end(), value) == result.end()) result[count++] = value;
  }
  return result;
}

}  // namespace

ScheduleProblem::ScheduleProblem(const Netlist& netlist, std::uint32_t rows, std::uint32_t array_limit)
    : rows_(rows),
      array_limit_(array_limit),
      input_count_(static_cast<std::uint32_t>(netlist.input_names.size())) {
  fanins_.reserve(netlist.gates.size());
  for (const Gate& gate : netlist.gates) fanins_.push_back(distinct_fanins(gate));

  reader_begin_.assign(value_count() + 1, 0);
  for (const Fanins& fanins : fanins_)
    for (const Value value : fanins)
      if (value != no_value) ++reader_begin_[value + 1];
  for (std::uint32_t value = 0; value < value_count(); ++value)
    reader_begin_[value + 1] += reader_begin_[value];
  readers_.resize(reader_begin_.back());
  std::vector<std::uint32_t> cursor(reader_begin_.begin(), reader_begin_.end() - 1);
  for (std::uint32_t gate = 0; gate < gate_count(); ++gate)
    for (const Value value : fanins_[gate])
      if (value != no_value) readers_[cursor[value]++] = gate;

  must_stay_.assign(value_count(), 0);
  for (const Output& output : netlist.outputs) {
    if (!netlist.is_gate(output.signal.node())) continue;
    std::uint8_t& stays = must_stay_[output.signal.node() - 1];
    if (stays == 0) staying_.push_back(output.signal.node() - 1);
    stays = 1;
  }
}

}  // namespace nestor::simd
