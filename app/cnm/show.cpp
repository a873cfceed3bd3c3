// nestor show for the cnm space: systems, and kernels lowered as far as asked.
#include "app/cnm/cnm.h"
#include "io/cnm/system_fields.h"
#include "io/cnm/system_file.h"

namespace nestor::app::cnm_space {
namespace {

// The file's tree again: every path split at its dots.
io::Json system_json(const cnm::System& system) {
  io::Json json = {{"name", system.name},
                   {"kind", "cnm"},
                   {"target", cnm::target_names[static_cast<std::size_t>(system.target)]}};
  auto levels = io::Json::array();
  for (const auto& level : system.levels) levels.push_back({{"name", level.name}, {"size", level.size}});
  json["levels"] = std::move(levels);
  for (const auto& path : io::system_paths(system)) {
    if (path.starts_with("levels.")) continue;
    io::Json* at = &json;
    std::size_t begin = 0;
    for (auto dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
      at = &(*at)[path.substr(begin, dot - begin)];
      begin = dot + 1;
    }
    const auto value = io::system_value(system, path);
    const auto number = io::Json::parse(value, nullptr, false);
    (*at)[path.substr(begin)] = number.is_discarded() ? io::Json(value) : number;
  }
  return json;
}

}  // namespace

io::Result<Shown> show_architecture(const std::string& path_or_name, const io::RunOptions& options) {
  const auto system = io::read_cnm_system(path_or_name, options.settings);
  if (!system) return system.error();
  return Shown{io::to_text(*system), system_json(*system)};
}

bool owns(std::string_view path, std::string_view head) {
  static_cast<void>(head);
  return path.ends_with(".llvcnm") || path.ends_with(".mlir") || path.ends_with(".cnm") ||
         path.ends_with(".s");
}

}  // namespace nestor::app::cnm_space
