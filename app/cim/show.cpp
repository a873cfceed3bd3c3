#include "app/cim/cim.h"
#include "app/cim/inputs.h"
#include "io/cim/architecture_file.h"
#include "report/cim/architecture_text.h"
#include "report/cim/mapping_text.h"
#include "report/network_text.h"

namespace nestor::app::cim_space {

io::Result<Shown> show_architecture(const std::string& path_or_name, const io::RunOptions& /*options*/) {
  const auto architecture = io::read_architecture(path_or_name);
  if (!architecture) return architecture.error();
  return Shown{report::architecture_text(*architecture), io::architecture_to_json(*architecture)};
}

io::Result<Shown> show_solutions(const io::RunOptions& options) {
  auto run = read_legal_layers(options, io::Verb::show);
  if (!run) return run.error();
  Shown shown;
  shown.with.layers = true;
  for (const auto& record : run->layers) {
    if (!record.best.mapping) continue;
    const auto evaluation =
        cim::evaluate(record.layer.shape, run->architecture.machine, *record.best.mapping);
    shown.add_layer(record.layer.name, run->architecture.name, report::shape_text(record.layer.shape),
                    report::mapping_text(*record.best.mapping, evaluation, run->architecture));
  }
  shown.json = io::result_to_json(*run);
  return shown;
}

}  // namespace nestor::app::cim_space
