#include "io/chip/network_file.h"
#include "io/files.h"
#include "io/find_data.h"
#include "io/onnx/chip/import.h"

namespace nestor::io {

Result<chip::ChipNetwork> read_chip_workload(const std::string& path_or_name,
                                             const chip::ChipMachine& machine, const OnnxOptions& options) {
  const auto path = find_data(chip_networks, path_or_name);
  if (!path) return path.error();
  if (path->extension() == ".onnx") return import_chip_network(*path, machine, options);
  const auto text = read_file(*path, DocumentLimits{}.bytes);
  if (!text) return text.error();
  return parse_chip_network(*text, path->string());
}

}  // namespace nestor::io
