// nestor show for networks of chip operators and for chip programs.
#include "app/chip/chip.h"
#include "app/chip/programs.h"
#include "io/chip/network_file.h"
#include "report/chip/input_text.h"

namespace nestor::app::chip_space {
namespace {

io::Result<Shown> show_network(const std::string& path) {
  const auto text = io::read_file(path, io::DocumentLimits{}.bytes);
  if (!text) return text.error();
  const auto network = io::parse_chip_network(*text, path);
  if (!network) return network.error();
  return Shown{report::chip_network_text(*network), io::chip_network_to_json(*network)};
}

}  // namespace

io::Result<Shown> show_file(const std::string& path, const io::RunOptions& options) {
  return is_program(path, io::read_head(path, io::head_bytes)) ? show_program(path, options)
                                                               : show_network(path);
}

}  // namespace nestor::app::chip_space
