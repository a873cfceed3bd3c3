#include <array>

#include "io/netlist/netlist_writer.h"
#include "io/netlist/written_names.h"
#include "io/output_file.h"

namespace nestor::io {
namespace {

using simd::GateKind;

class BlifWriter {
 public:
  explicit BlifWriter(const simd::Netlist& netlist)
      : netlist_(netlist), names_(netlist, WrittenNames::Format::blif) {}

  std::string write();

 private:
  void add_gate(simd::NodeIndex node);
  void add_cover(const simd::Gate& gate);

  const simd::Netlist& netlist_;
  WrittenNames names_;
  std::string text_;
};

// Writes the on-set as minterms over the fanins that are not constant.
void BlifWriter::add_cover(const simd::Gate& gate) {
  std::array<std::size_t, 3> variable{};
  std::size_t variables = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!gate.fanin[i].is_constant()) variable[variables++] = i;
  }
  for (unsigned minterm = 0; minterm < 1U << variables; ++minterm) {
    std::array<unsigned, 3> value{};
    for (std::size_t i = 0; i < 3; ++i) value[i] = gate.fanin[i].complemented() ? 1 : 0;
    std::string cube;
    for (std::size_t v = 0; v < variables; ++v) {
      const unsigned bit = (minterm >> v) & 1U;
      value[variable[v]] ^= bit;
      cube += bit != 0 ? '1' : '0';
    }
    const unsigned ones = value[0] + value[1] + value[2];
    const bool result = gate.kind == GateKind::xor3 ? (ones & 1U) != 0 : ones >= 2;
    if (!result) continue;
    text_ += cube;
    text_ += variables > 0 ? " 1\n" : "1\n";
  }
}

void BlifWriter::add_gate(simd::NodeIndex node) {
  const auto& gate = netlist_.gate(node);
  text_ += ".names";
  for (const auto fanin : gate.fanin) {
    if (fanin.is_constant()) continue;
    text_ += ' ';
    text_ += names_.node(fanin.node());
  }
  text_ += ' ';
  text_ += names_.node(node);
  text_ += '\n';
  add_cover(gate);
}

std::string BlifWriter::write() {
  text_ += ".model ";
  const bool sayable = !netlist_.name.empty() && netlist_.name.find_first_of("#\\") == std::string::npos;
  text_ += sayable ? netlist_.name : "top";
  text_ += "\n.inputs";
  for (simd::NodeIndex node = 1; node < netlist_.first_gate(); ++node) (text_ += ' ') += names_.node(node);
  text_ += "\n.outputs";
  for (std::size_t i = 0; i < netlist_.outputs.size(); ++i) (text_ += ' ') += names_.output(i);
  text_ += '\n';
  for (auto node = netlist_.first_gate(); node < netlist_.node_count(); ++node) add_gate(node);
  for (std::size_t i = 0; i < netlist_.outputs.size(); ++i) {
    if (names_.is_connected(i)) continue;
    const auto signal = netlist_.outputs[i].signal;
    text_ += ".names ";
    if (!signal.is_constant()) (text_ += names_.node(signal.node())) += ' ';
    text_ += names_.output(i);
    text_ += '\n';
    if (!signal.is_constant()) {
      text_ += signal.complemented() ? "0 1\n" : "1 1\n";
    } else if (signal.complemented()) {
      text_ += "1\n";
    }
  }
  return std::move(text_) + ".end\n";
}

}  // namespace

std::string to_blif(const simd::Netlist& netlist) { return BlifWriter(netlist).write(); }

MaybeError write_netlist(const std::filesystem::path& path, const simd::Netlist& netlist) {
  return write_somewhere(path, path.extension() == ".blif" ? to_blif(netlist) : to_verilog(netlist));
}

}  // namespace nestor::io
