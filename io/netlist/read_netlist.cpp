#include "io/netlist/read_netlist.h"

#include "io/files.h"
#include "io/netlist/verilog_reader.h"

namespace nestor::io {
namespace {

constexpr std::uintmax_t netlist_size_limit = std::uintmax_t{4} << 30U;

}  // namespace

Result<simd::LogicNetwork> read_netlist(const std::filesystem::path& path) {
  const auto text = read_file(path, netlist_size_limit);
  if (!text) return text.error();
  return parse_netlist(*text, path.string());
}

Result<simd::LogicNetwork> parse_netlist(std::string_view text, const std::string& file) {
  return parse_verilog(text, file);
}

}  // namespace nestor::io
