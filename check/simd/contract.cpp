#include "check/simd/contract.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "check/json.h"
#include "check/simd/contract_values.h"

namespace nestor::check::simd {
namespace {

using Signal = Netlist::Signal;
using Place = Schedule::Place;
using Kind = Schedule::Kind;

constexpr Signal nothing = std::numeric_limits<Signal>::max();
constexpr std::size_t most_samples = 200;
constexpr std::size_t most_occupancies = 10'000'000;

// Thrown if a rule is broken.
struct Fault {
  Schedule::Line line;
  std::string sentence;
};
template <typename... Parts>
[[noreturn]] void fail(Schedule::Line line, const Parts&... parts) {
  throw Fault{line, sentence(parts...)};
}

// In the text, `%` and two hexadecimal digits stand for a byte.
std::string unescaped(std::string_view word) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string name;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool is_escape =
        word[i] == '%' && i + 2 < word.size() && digit(word[i + 1]) >= 0 && digit(word[i + 2]) >= 0;
    name += is_escape ? static_cast<char>(16 * digit(word[i + 1]) + digit(word[i + 2])) : word[i];
    if (is_escape) i += 2;
  }
  return name;
}

std::string text_of(Place place) { return sentence("array ", place.array, " row ", place.row); }

std::uint64_t key_of(Place place) { return std::uint64_t{place.array} << 32U | place.row; }

// The place of input `index` at the start, by (2.1).
Place home_of(std::size_t index, std::uint32_t rows) {
  return {static_cast<std::uint32_t>(index / rows), static_cast<std::uint32_t>(index % rows)};
}

// Replays a schedule. `holds_` is the node whose value each slot stores.
class Replay {
 public:
  explicit Replay(const ScheduleClaim& claim)
      : schedule_(claim.schedule), netlist_(claim.netlist), source_(claim.source), claim_(claim) {}

  Json run() {
    if (netlist_.inputs != source_.inputs || netlist_.outputs.size() != source_.outputs.size())
      fail(0, "the mapped netlist has different inputs or outputs");
    if (schedule_.rows == 0) fail(0, "the arrays have no rows");
    place_inputs();
    for (std::size_t i = 0; i < netlist_.gates.size(); ++i)
      gates_.emplace(netlist_.gate_names[i], static_cast<std::uint32_t>(i));
    times_computed_.assign(netlist_.gates.size(), 0);
    for (const auto& step : schedule_.steps) step.kind == Kind::copy ? copy(step) : compute(step);
    for (std::size_t i = 0; i < times_computed_.size(); ++i)
      if (times_computed_[i] == 0) fail(0, "never computes '", netlist_.gate_names[i], "'");
    find_outputs();
    program_.slot_count = holds_.size();
    const auto patterns = patterns_for(source_, claim_.random_patterns);
    if (const auto output = differing_output(program_, source_, patterns))
      fail(output_lines_[*output], "output '", source_.outputs[*output].name,
           "' differs from the source netlist");
    return figures(patterns);
  }

 private:
  std::string name_of(Signal signal) const {
    const auto node = signal >> 1U;
    const std::string sign = (signal & 1U) != 0 ? "~" : "";
    if (signal == nothing) return "nothing";
    if (node == 0) return sign.empty() ? "0" : "1";
    const auto inputs = netlist_.inputs.size();
    return sentence(sign, "'",
                    node <= inputs ? netlist_.inputs[node - 1] : netlist_.gate_names[node - 1 - inputs], "'");
  }

  Slot slot_of(Place place) {
    const auto [entry, is_new] = slots_.try_emplace(key_of(place), static_cast<Slot>(holds_.size()));
    if (is_new) {
      holds_.push_back(nothing);
      places_.push_back(place);
    }
    return entry->second;
  }
  void check_place(Place place, Schedule::Line line, const std::string& role) const {
    if (place.row >= schedule_.rows)
      fail(line, role, " row ", place.row, ", but arrays have ", schedule_.rows, " rows, numbered from 0");
    if (schedule_.array_limit != 0 && place.array >= schedule_.array_limit)
      fail(line, role, " array ", place.array, ", but the number of arrays is ", schedule_.array_limit,
           ", numbered from 0");
  }
  Slot target(const Schedule::Step& step) {
    check_place(step.to, step.line, "writes");
    const auto slot = slot_of(step.to);
    if (slot <= netlist_.inputs.size())
      fail(step.line, "overwrites input ", name_of(slot << 1U), " in ", text_of(step.to));
    return slot;
  }
  // Returns the slot of a place that is read, which must store a value.
  Slot stored(Place place, Schedule::Line line, const std::string& role) {
    check_place(place, line, role);
    const auto slot = slot_of(place);
    if (holds_[slot] == nothing) fail(line, role, " ", text_of(place), ", which holds nothing");
    return slot;
  }

  void place_inputs() {
    const auto& names = netlist_.inputs;
    holds_.assign(1, 0);
    places_.assign(1, {});
    for (std::size_t i = 0; i < schedule_.inputs.size(); ++i) {
      const auto& input = schedule_.inputs[i];
      const auto name = unescaped(input.name);
      if (i >= names.size())
        fail(input.line, "input '", name, "': the netlist has only ", names.size(), " inputs");
      if (name != names[i])
        fail(input.line, "found input '", name, "', expected '", names[i], "' (the order of the netlist)");
      const auto home = home_of(i, schedule_.rows);
      if (key_of(input.place) != key_of(home))
        fail(input.line, "input '", name, "' belongs in ", text_of(home), ", found ", text_of(input.place));
      holds_[slot_of(home)] = static_cast<Signal>(i + 1) << 1U;
    }
    if (schedule_.inputs.size() < names.size())
      fail(0, "input '", names[schedule_.inputs.size()], "' is missing");
    const auto filled = ceiling(names.size(), std::size_t{schedule_.rows});
    if (schedule_.array_limit != 0 && filled > schedule_.array_limit)
      fail(0, "the inputs fill ", filled, " arrays, but the number of arrays is ", schedule_.array_limit);
  }

  // Rule (2.3).
  void copy(const Schedule::Step& step) {
    check_place(step.from, step.line, "copies from");
    const auto to = target(step);
    if (step.from.array == step.to.array)
      fail(step.line, "copies within array ", step.to.array, ", but a copy must go to another array");
    const auto from = slot_of(step.from);
    if (holds_[from] == nothing) fail(step.line, "copies ", text_of(step.from), ", which holds nothing");
    holds_[to] = holds_[from];
    program_.steps.push_back({Kind::copy, to, {from << 1U}});
  }

  // Rule (2.2). Both operations are symmetric, so operands match the fanins in any order.
  void compute(const Schedule::Step& step) {
    const auto found = gates_.find(unescaped(step.node));
    if (found == gates_.end()) fail(step.line, "the netlist has no node '", unescaped(step.node), "'");
    const auto index = found->second;
    const auto& gate = netlist_.gates[index];
    const auto node = static_cast<Signal>(1 + netlist_.inputs.size() + index);
    if ((step.kind == Kind::xor3) != gate.is_xor)
      fail(step.line, "computes ", name_of(node << 1U),
           gate.is_xor ? " as maj3, expected xor3" : " as xor3, expected maj3");
    SlotProgram::Step run{step.kind, 0, {}};
    std::array<Signal, 3> operands{};
    auto missing = gate.fanins;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto& operand = step.operands[i];
      const auto slot = operand.is_constant ? 0 : stored({step.to.array, operand.row}, step.line, "reads");
      run.operands[i] = slot << 1U | static_cast<std::uint32_t>(operand.is_negated);
      operands[i] = holds_[slot] ^ static_cast<Signal>(operand.is_negated);
      auto* const match = std::find(missing.begin(), missing.end(), operands[i]);
      if (match == missing.end())
        fail(step.line, "computes ", name_of(node << 1U), " from ", name_of(operands[i]),
             ", but its fanins are ", name_of(gate.fanins[0]), ", ", name_of(gate.fanins[1]), ", ",
             name_of(gate.fanins[2]));
      *match = nothing;
    }
    run.to = target(step);
    if (++times_computed_[index] > 1 && !schedule_.recompute)
      fail(step.line, "computes ", name_of(node << 1U), " a second time");
    holds_[run.to] = node << 1U;
    program_.steps.push_back(run);
  }

  // Rule (2.4). Puts the outputs in the order of the netlist.
  void find_outputs() {
    std::unordered_map<std::string, const Schedule::Output*> stated;
    for (const auto& output : schedule_.outputs)
      if (!stated.emplace(unescaped(output.name), &output).second)
        fail(output.line, "output '", unescaped(output.name), "' is given twice");
    std::unordered_map<std::string_view, Slot> inputs;
    for (std::size_t i = 0; i < netlist_.inputs.size(); ++i)
      inputs.emplace(netlist_.inputs[i], static_cast<Slot>(i + 1));
    for (const auto& [name, wanted] : netlist_.outputs) {
      const auto at = stated.find(std::string(name));
      if (at == stated.end()) fail(0, "output '", name, "' is missing");
      const auto& output = *at->second;
      stated.erase(at);
      Slot slot = 0;
      std::string where;
      if (!output.input.empty()) {
        const auto input = inputs.find(unescaped(output.input));
        if (input == inputs.end())
          fail(output.line, "the netlist has no input '", unescaped(output.input), "'");
        slot = input->second;
      } else if (!output.is_constant) {
        slot = stored(output.place, output.line, sentence("output '", name, "' refers to"));
        where = " (" + text_of(output.place) + ")";
      }
      const auto found = holds_[slot] ^ static_cast<Signal>(output.is_negated);
      if (found != wanted)
        fail(output.line, "output '", name, "' must be ", name_of(wanted), ", found ", name_of(found), where);
      program_.outputs.push_back(slot << 1U | static_cast<std::uint32_t>(output.is_negated));
      output_lines_.push_back(output.line);
    }
    if (!stated.empty())
      fail(stated.begin()->second->line, "the netlist has no output '", stated.begin()->first, "'");
  }

  Json figures(const Patterns& patterns) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> pairs;
    std::uint64_t copies = 0;
    std::uint64_t passed = 0;
    for (const auto& step : schedule_.steps) {
      if (step.kind != Kind::copy) continue;
      ++copies;
      ++pairs[{step.from.array, step.to.array}];
      passed += std::max(step.from.array, step.to.array) - std::min(step.from.array, step.to.array) - 1;
    }
    // (3.2)
    const auto computes = schedule_.steps.size() - copies;
    const auto& energies = claim_.energies;
    const long double energy = static_cast<long double>(computes) * energies.compute +
                               static_cast<long double>(copies) * energies.copy +
                               static_cast<long double>(passed) * energies.copy_step;
    auto by_pair = Json::array();
    for (const auto& [pair, count] : pairs)
      by_pair.push_back({{"from", pair.first}, {"to", pair.second}, {"copies", count}});
    std::unordered_map<std::uint32_t, std::uint32_t> rows;  // by array
    for (std::size_t slot = 1; slot < places_.size(); ++slot) ++rows[places_[slot].array];
    std::uint32_t rows_used = 0;
    for (const auto& [array, used] : rows) rows_used = std::max(rows_used, used);
    return {{"rows", schedule_.rows},
            {"array_limit", schedule_.array_limit},
            {"recompute", schedule_.recompute},
            {"nodes", netlist_.gates.size()},
            {"computes", computes},
            {"copies", copies},
            {"arrays_passed", passed},
            {"energy", static_cast<double>(energy)},
            {"arrays_used", rows.size()},
            {"rows_used", rows_used},
            {"by_pair", std::move(by_pair)},
            {"occupancy", occupancy()},
            {"verified", {{"patterns", patterns.count}, {"exhaustive", patterns.is_exhaustive}}}};
  }

  // Counts the rows of each array that hold a value still to be read, after some numbers of steps. A value is
  // held from the step that writes it to the last step that reads it. Rows of inputs are not counted. Returns
  // null if there are too many arrays for a list.
  Json occupancy() const {
    const auto length = program_.steps.size();
    const auto samples = std::min(most_samples, length + 1);
    std::vector<std::size_t> after;
    for (std::size_t i = 0; i < samples; ++i) after.push_back(samples == 1 ? 0 : length * i / (samples - 1));
    struct Stay {
      std::size_t begin = 0, end = 0;
    };
    std::vector<Stay> stays(holds_.size());
    std::size_t arrays = 0;
    for (std::size_t slot = netlist_.inputs.size() + 1; slot < places_.size(); ++slot)
      arrays = std::max(arrays, std::size_t{places_[slot].array} + 1);
    if (arrays > most_occupancies / samples) return nullptr;
    std::vector<std::vector<Int>> change(arrays, std::vector<Int>(samples + 1));
    const auto sample_from = [&](std::size_t time) {
      return std::lower_bound(after.begin(), after.end(), time) - after.begin();
    };
    const auto close = [&](Slot slot) {
      const auto [begin, end] = stays[slot];
      auto& of_array = change[places_[slot].array];
      ++of_array[static_cast<std::size_t>(sample_from(begin))];
      --of_array[static_cast<std::size_t>(sample_from(end))];
    };
    const auto read = [&](SlotSignal signal, std::size_t time) {
      const auto slot = signal >> 1U;
      if (slot > netlist_.inputs.size()) stays[slot].end = time;
    };
    std::size_t time = 0;
    for (const auto& step : program_.steps) {
      ++time;
      for (const auto operand : step.operands) read(operand, time);
      close(step.to);
      stays[step.to] = {time, time};
    }
    for (const auto output : program_.outputs) read(output, time + 1);
    for (std::size_t slot = netlist_.inputs.size() + 1; slot < stays.size(); ++slot)
      close(static_cast<Slot>(slot));
    auto list = Json::array();
    for (std::size_t array = 0; array < arrays; ++array) {
      std::vector<Int> held;
      Int now = 0;
      for (std::size_t i = 0; i < samples; ++i) held.push_back(now += change[array][i]);
      list.push_back({{"array", array}, {"rows", std::move(held)}});
    }
    return {{"after_instructions", after}, {"arrays", std::move(list)}};
  }

  const Schedule& schedule_;
  const Netlist& netlist_;
  const Netlist& source_;
  const ScheduleClaim& claim_;
  std::unordered_map<std::uint64_t, Slot> slots_;
  std::vector<Place> places_;  // by slot
  std::vector<Signal> holds_;  // by slot
  std::unordered_map<std::string_view, std::uint32_t> gates_;
  std::vector<std::uint32_t> times_computed_;  // by gate
  std::vector<Schedule::Line> output_lines_;   // by output of the netlist
  SlotProgram program_;
};

}  // namespace

ScheduleContract contract_of(const ScheduleClaim& claim) {
  try {
    return {"", 0, Replay(claim).run()};
  } catch (const Fault& fault) {
    return {fault.sentence, fault.line, nullptr};
  } catch (const std::exception& error) {
    return {error.what(), 0, nullptr};
  }
}

}  // namespace nestor::check::simd
