// Resolution of the names in a parsed schedule to the nodes, inputs and outputs of a netlist
// (schedule_file.h).
#include <fmt/format.h>

#include "base/tables/hash_table.h"
#include "report/results/simd/schedule_file.h"
#include "report/results/simd/schedule_names.h"

namespace nestor::io {
namespace {

class Resolver {
 public:
  Resolver(const ScheduleText& text, const simd::Netlist& netlist, const std::string& file)
      : text_(text), netlist_(netlist), file_(file), result_(text.schedule) {}

  Result<simd::Schedule> resolve();

 private:
  MaybeError check_inputs();
  MaybeError find_nodes();
  MaybeError find_outputs();
  Error error(std::uint32_t line, std::string message) const {
    return input_error({file_, static_cast<int>(line), 0}, std::move(message));
  }

  const ScheduleText& text_;
  const simd::Netlist& netlist_;
  const std::string& file_;
  simd::Schedule result_;
};

MaybeError Resolver::check_inputs() {
  const auto& names = netlist_.input_names;
  for (std::size_t i = 0; i < text_.inputs.size(); ++i) {
    const auto& input = text_.inputs[i];
    const auto name = unescaped_name(input.name);
    if (i >= names.size()) {
      return error(input.line, fmt::format("input '{}': the netlist has only {} inputs", name, names.size()));
    }
    if (name != names[i]) {
      return error(input.line,
                   fmt::format("found input '{}', expected '{}' (the order of the netlist)", name, names[i]));
    }
    const auto place = simd::input_place(static_cast<std::uint32_t>(i), result_.rows);
    if (input.place != place) {
      return error(input.line, fmt::format("input '{}' belongs in array {} row {}, found array {} row {}",
                                           name, place.array, place.row, input.place.array, input.place.row));
    }
  }
  if (text_.inputs.size() < names.size()) {
    return error(0, fmt::format("input '{}' is missing", names[text_.inputs.size()]));
  }
  return {};
}

MaybeError Resolver::find_nodes() {
  HashMap<std::string_view, simd::NodeIndex> nodes;
  nodes.reserve(netlist_.gates.size());
  for (auto node = netlist_.first_gate(); node < netlist_.node_count(); ++node) {
    nodes.emplace(netlist_.gate_names[node - netlist_.first_gate()], node);
  }
  for (std::size_t i = 0; i < text_.steps.size(); ++i) {
    auto& instruction = result_.instructions[i];
    if (instruction.is_copy()) continue;
    const auto name = unescaped_name(text_.steps[i].node);
    const auto found = nodes.find(name);
    if (found == nodes.end())
      return error(text_.steps[i].line, fmt::format("the netlist has no node '{}'", name));
    instruction.node = found->second;
  }
  return {};
}

MaybeError Resolver::find_outputs() {
  HashMap<std::string_view, std::uint32_t> inputs;
  for (std::uint32_t i = 0; i < netlist_.input_names.size(); ++i) inputs.emplace(netlist_.input_names[i], i);
  HashMap<std::string, const ScheduleText::Output*> claimed;
  for (const auto& output : text_.outputs) {
    const auto name = unescaped_name(output.name);
    if (!claimed.emplace(name, &output).second)
      return error(output.line, fmt::format("output '{}' is given twice", name));
  }
  for (const auto& output : netlist_.outputs) {
    const auto found = claimed.find(output.name);
    if (found == claimed.end()) return error(0, fmt::format("output '{}' is missing", output.name));
    auto place = found->second->place;
    if (place.kind == simd::OutputPlace::Kind::input) {
      const auto name = unescaped_name(found->second->input);
      const auto input = inputs.find(name);
      if (input == inputs.end()) {
        return error(found->second->line, fmt::format("the netlist has no input '{}'", name));
      }
      place.input = input->second;
    }
    result_.outputs.push_back(place);
    claimed.erase(found);
  }
  if (!claimed.empty()) {
    const auto* extra = claimed.begin()->second;
    return error(extra->line, fmt::format("the netlist has no output '{}'", unescaped_name(extra->name)));
  }
  return {};
}

Result<simd::Schedule> Resolver::resolve() {
  if (auto failed = check_inputs()) return *failed;
  if (auto failed = find_nodes()) return *failed;
  if (auto failed = find_outputs()) return *failed;
  return std::move(result_);
}

}  // namespace

Result<simd::Schedule> resolve_schedule(const ScheduleText& text, const simd::Netlist& netlist,
                                        const std::string& file) {
  return Resolver(text, netlist, file).resolve();
}

std::uint32_t line_of(const ScheduleText& text, const simd::ScheduleFault& fault,
                      const simd::Netlist& netlist) {
  if (fault.part == simd::ScheduleFault::Part::instruction) return text.steps[fault.index].line;
  if (fault.part == simd::ScheduleFault::Part::whole) return 0;
  for (const auto& output : text.outputs) {
    if (unescaped_name(output.name) == netlist.outputs[fault.index].name) return output.line;
  }
  return 0;
}

}  // namespace nestor::io
