#include "io/netlist/read_netlist.h"

#include <algorithm>

#include "io/files.h"
#include "io/netlist/aiger_reader.h"
#include "io/netlist/blif_reader.h"
#include "io/netlist/verilog_reader.h"

namespace nestor::io {
namespace {

enum class Format { unknown, verilog, blif, aiger };

Format format_of(std::string_view text, std::string_view file) {
  const auto dot = file.rfind('.');
  const auto ending = dot == std::string_view::npos ? std::string_view() : file.substr(dot);
  if (ending == ".v" || ending == ".sv" || ending == ".verilog") return Format::verilog;
  if (ending == ".blif") return Format::blif;
  if (ending == ".aig" || ending == ".aag") return Format::aiger;
  if (text.substr(0, 4) == "aag " || text.substr(0, 4) == "aig ") return Format::aiger;
  // Finds the first word after blanks and line comments of either language.
  while (!text.empty()) {
    const auto word = text.find_first_not_of(" \t\r\n");
    if (word == std::string_view::npos) break;
    text.remove_prefix(word);
    if (text.substr(0, 2) != "//" && text.front() != '#') break;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  if (text.substr(0, 6) == ".model") return Format::blif;
  if (text.substr(0, 6) == "module" || text.substr(0, 2) == "/*" || text.substr(0, 2) == "(*")
    return Format::verilog;
  return Format::unknown;
}

}  // namespace

Result<simd::LogicNetwork> read_netlist(const std::filesystem::path& path) {
  const auto text = read_file(path, netlist_size_limit);
  if (!text) return text.error();
  return parse_netlist(*text, path.string());
}

Result<simd::LogicNetwork> parse_netlist(std::string_view text, const std::string& file) {
  switch (format_of(text, file)) {
    case Format::verilog:
      return parse_verilog(text, file);
    case Format::blif:
      return parse_blif(text, file);
    case Format::aiger:
      return parse_aiger(text, file);
    case Format::unknown:
      break;
  }
  return input_error({file, 1, 1},
                     "not a netlist: expected Verilog (.v), BLIF (.blif) or AIGER (.aig, .aag)");
}

}  // namespace nestor::io
