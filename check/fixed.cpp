// Constraints that fix spatial factors and memories (--fix), as embedded in results.
#include "check/problem.h"

namespace nestor::check {
namespace {

constexpr std::array fixed_axis_form = {form::optional(form::any("dims")),
                                        form::optional(form::counts("factors", 1, most_size)),
                                        form::optional(form::amount("min_utilisation"))};
constexpr std::array fixed_memory_form = {form::optional(form::any("must_use")),
                                          form::optional(form::any("must_not_use"))};
constexpr std::array constraints_form = {
    form::optional(form::any("axes")), form::optional(form::any("memories")),
    form::optional(form::any("outer_loops")), form::optional(form::any("stationary"))};

// Reads a list of letters, which may be empty.
std::vector<std::size_t> places(const Json& node, const char* key, std::string_view letters) {
  std::vector<std::size_t> places;
  for (const Json& letter : node.value(key, Json::array())) places.push_back(place_of(letter, letters));
  return places;
}

void fix_axis(FixedAxis& axis, const Json& node) {
  check_form(node, fixed_axis_form, "a fixed axis");
  if (node.contains("dims")) axis.dims = {};
  for (const std::size_t d : places(node, "dims", dim_letters)) axis.dims[d] = true;
  const Json factors = node.value("factors", Json::object());
  for (const auto& [letter, factor] : factors.items())
    axis.factors[place_of(letter, dim_letters)] = integer_of(factor, letter);
  axis.share = node.value("min_utilisation", 0.0);
}

void fix_memory(Machine& machine, std::size_t memory, const Json& node) {
  check_form(node, fixed_memory_form, "a fixed memory");
  const auto check_held = [&](std::size_t operand) {
    const auto& chain = machine.chains[operand];
    if (std::find(chain.begin(), chain.end(), memory) == chain.end())
      throw Unreadable("its constraints require an operand in a memory that cannot hold it");
  };
  for (const std::size_t x : places(node, "must_not_use", operand_letters)) {
    check_held(x);
    auto& chain = machine.chains[x];
    if (chain.front() == memory || chain.back() == memory)
      throw Unreadable("its constraints exclude the home or the innermost memory of an operand");
    std::erase(chain, memory);
  }
  for (const std::size_t x : places(node, "must_use", operand_letters)) {
    check_held(x);
    machine.needed[memory][x] = true;
  }
}

}  // namespace

void fix(Machine& machine, const Json& result) {
  const bool is_asked = member(result, "options").contains("fix");
  if (is_asked != result.contains("constraints"))
    throw Unreadable("'constraints' and the option --fix require each other");
  if (!is_asked) return;
  const Json& given = result["constraints"];
  check_form(given, constraints_form, "its constraints");
  for (const auto* const key : {"outer_loops", "stationary"})
    if (!given.value(key, Json::array()).empty())
      throw Unreadable(std::string(key) + " of its constraints is not supported");
  machine.is_fixed = true;
  for (std::size_t a = 0; a < machine.axes.size(); ++a) machine.fixed_axes.emplace_back().dims.fill(true);
  const Json axes = given.value("axes", Json::object());
  for (const auto& [name, node] : axes.items()) {
    const auto axis = std::find_if(machine.axes.begin(), machine.axes.end(),
                                   [&, &name = name](const Axis& each) { return each.name == name; });
    if (axis == machine.axes.end()) throw Unreadable("there is no axis '" + name + "'");
    fix_axis(machine.fixed_axes[static_cast<std::size_t>(axis - machine.axes.begin())], node);
  }
  const Json memories = given.value("memories", Json::object());
  for (const auto& [name, node] : memories.items()) fix_memory(machine, memory_named(machine, name), node);
}

bool keeps_fixed_axes(const Spatial& spatial, const Machine& machine) {
  for (std::size_t a = 0; a < machine.fixed_axes.size(); ++a) {
    const FixedAxis& axis = machine.fixed_axes[a];
    double lanes = 1;
    for (std::size_t d = 0; d < dim_count; ++d) {
      const Int factor = spatial[a][d];
      if (factor > 1 && !axis.dims[d]) return false;
      if (axis.factors[d] != 0 && axis.factors[d] != factor) return false;
      lanes *= static_cast<double>(factor);
    }
    if (lanes < axis.share * static_cast<double>(machine.axes[a].size)) return false;
  }
  return true;
}

}  // namespace nestor::check
