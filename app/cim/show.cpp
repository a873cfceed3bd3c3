// nestor show for cim machines, and for mappings in results of the cim space or in files.
#include <fmt/format.h>

#include "app/cim/cim.h"
#include "app/cim/nests.h"
#include "app/nest_report.h"
#include "io/cim/architecture_file.h"
#include "io/neighbours/mapping_forms.h"
#include "report/cim/architecture_text.h"
#include "report/cim/mapping_text.h"

namespace nestor::app::cim_space {

io::Result<Shown> show_architecture(const std::string& path_or_name, const io::RunOptions& options) {
  const auto architecture = io::read_architecture(path_or_name, options.settings);
  if (!architecture) return architecture.error();
  return Shown{report::architecture_text(*architecture), io::architecture_to_json(*architecture)};
}

namespace {

// Shows mappings in the form of another tool.
io::Result<Shown> show_form(const io::CimRun& run, io::ShownForm form) {
  if (!io::neighbours::is_mapping_form(form))
    return io::usage_error(
        fmt::format("--as {} requires a kernel; a mapping is shown as zigzag, timeloop or accelforge",
                    io::shown_forms.word(form)));
  std::vector<io::neighbours::MappedLayer> layers;
  for (const auto& record : run.layers) {
    if (!record.best.mapping) continue;
    if (!(record.best.nest(record.layer.shape) == record.layer.shape))
      return io::usage_error(
          fmt::format("--as {}: the bounds of layer '{}' are padded, which no other tool supports",
                      io::shown_forms.word(form), record.layer.name));
    layers.push_back({&record.layer, &*record.best.mapping});
  }
  if (layers.empty()) return io::usage_error("--as: there is no mapping to show");
  auto text = io::neighbours::write_mappings(form, layers, run.machine);
  if (!text) return text.error();
  Shown shown{std::move(*text), io::run_to_json(run)};
  shown.with.layers = shown.with.has_forms = true;
  return shown;
}

}  // namespace

io::Result<Shown> show_solutions(const io::RunOptions& options) {
  auto run = read_legal_layers<CimNests>(options, io::Verb::show);
  if (!run) return run.error();
  if (options.show_as) return show_form(*run, *options.show_as);
  const auto& machine = run->machine;
  const auto model = io::latency_model_of(*run);
  return show_nests<CimNests>(
      *run,
      [&](const io::CimRecord& record, io::CimPoint& point) {
        io::set_cost(point, cim::evaluate(point.nest(record.layer.shape), machine.machine, *point.mapping),
                     machine.machine, model);
      },
      [&](const io::CimRecord& record, const LayerShape& nest) {
        const auto& mapping = *record.best.mapping;
        return report::mapping_text(mapping, cim::evaluate(nest, machine.machine, mapping), machine);
      });
}

}  // namespace nestor::app::cim_space
