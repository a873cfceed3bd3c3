// nestor estimate: how long a kernel takes on a compute-near-memory system.
#include "app/cnm/cnm.h"
#include "app/cnm/estimate_json.h"
#include "app/cnm/kernel_input.h"
#include "app/console.h"
#include "app/output.h"
#include "io/cnm/system_file.h"

namespace nestor::app::cnm_space {
namespace {

io::Error refused(const KernelInput& input, const std::string& why, int line) {
  return io::input_error({input.file, line, 0}, why);
}

}  // namespace

io::Result<cnm::System> read_system(const io::RunOptions& options) {
  if (options.arch.empty())
    return io::usage_error("--arch is missing: expected a compute-near-memory system");
  return io::read_cnm_system(options.arch, options.settings);
}

io::Result<Outcome> estimate(const io::RunOptions& options) {
  const auto system = read_system(options);
  if (!system) return system.error();
  if (!options.table.empty()) return estimate_table(options, *system);
  if (options.inputs.size() != 1)
    return io::usage_error(fmt::format("expected one kernel, found {} inputs", options.inputs.size()));
  const auto input = read_kernel(options.inputs.front(), options, *system);
  if (!input) return input.error();
  const bool upmem = system->target == cnm::Target::upmem;

  cnm::KernelEstimate result;
  auto maps = io::Json::array();
  if (input->kernel) {
    const auto mapping = read_mapping(options, *input->kernel, *system);
    if (!mapping) return mapping.error();
    result = cnm::estimate_kernel(*input->kernel, *mapping, *system, shipped_library());
    if (!result.refusal.empty()) return refused(*input, result.refusal, 0);
    for (const auto& map : result.maps) maps.push_back(map_json(&map.map, map.estimate, *system, 1));
  } else {
    if (!options.mapping.empty())
      return io::usage_error(
          "--mapping does not go with a kernel that is lowered already: expected --tasklets");
    if (upmem == input->stream.has_value())
      return refused(*input,
                     fmt::format("a kernel of another target than '{}'",
                                 cnm::target_names[static_cast<std::size_t>(system->target)]),
                     0);
    auto outcome = input->program ? cnm::estimate_known_program(*system, *input->program, input->tasklets, {})
                   : input->listing ? cnm::estimate_listing(*system, *input->listing, input->tasklets)
                                    : cnm::estimate_stream(*system, *input->stream);
    if (input->tasklets > system->levels.back().size && upmem)
      return io::usage_error(fmt::format("--tasklets: {} tasklets, expected 1 to {}", input->tasklets,
                                         system->levels.back().size));
    if (!outcome.estimate) return refused(*input, outcome.refusal, outcome.line);
    cnm::CnmMap one;
    one.tuples.assign(system->levels.size(), {1});
    if (upmem) one.tuples.back() = {input->tasklets};
    maps.push_back(map_json(nullptr, *outcome.estimate, *system, input->tasklets));
    result.time_ms = outcome.estimate->time_ms;
    result.cycles = outcome.estimate->cycles;
    result.maps.push_back({std::move(one), std::move(*outcome.estimate)});
  }
  if (prints_tables(options)) {
    print_text(estimate_table_text(result, *system));
    if (!result.note.empty()) print("{}\n", result.note);
    for (const auto& warning : input->warnings) print("{}\n", warning);
  }
  auto json = head_json("estimate", input->name, *system, options);
  json["time_ms"] = result.time_ms;
  json["cycles"] = result.cycles;
  if (!result.note.empty()) json["note"] = result.note;
  json["maps"] = std::move(maps);
  if (auto error = write_json_output(options, json)) return *error;
  return Outcome::solved;
}

}  // namespace nestor::app::cnm_space
