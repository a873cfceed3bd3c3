#include <algorithm>
#include <array>
#include <boost/dynamic_bitset.hpp>

#include "base/tables/hash_table.h"
#include "io/netlist/netlist_writer.h"
#include "io/netlist/written_names.h"

namespace nestor::io {
namespace {

using simd::GateKind;
using simd::Signal;

// Keywords of Verilog-2005.
constexpr std::string_view keywords =
    "always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config deassign "
    "default defparam design disable edge else end endcase endconfig endfunction endgenerate endmodule "
    "endprimitive endspecify endtable endtask event for force forever fork function generate genvar "
    "highz0 highz1 if ifnone incdir include initial inout input instance integer join large liblist "
    "library localparam macromodule medium module nand negedge nmos nor noshowcancelled not notif0 "
    "notif1 or output parameter pmos posedge primitive pull0 pull1 pulldown pullup pulsestyle_ondetect "
    "pulsestyle_onevent rcmos real realtime reg release repeat rnmos rpmos rtran rtranif0 rtranif1 "
    "scalared showcancelled signed small specify specparam strong0 strong1 supply0 supply1 table task "
    "time tran tranif0 tranif1 tri tri0 tri1 triand trior trireg unsigned use vectored wait wand weak0 "
    "weak1 while wire wor xnor xor";

bool is_keyword(std::string_view name) {
  static const HashSet<std::string_view> words = [] {
    HashSet<std::string_view> all;
    for (std::size_t begin = 0; begin < keywords.size();) {
      const auto end = std::min(keywords.find(' ', begin), keywords.size());
      all.insert(keywords.substr(begin, end - begin));
      begin = end + 1;
    }
    return all;
  }();
  return words.count(name) != 0;
}

bool is_plain_identifier(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto belongs = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '$'; };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), belongs) &&
         !is_keyword(name);
}

class VerilogWriter {
 public:
  explicit VerilogWriter(const simd::Netlist& netlist)
      : netlist_(netlist), names_(netlist, WrittenNames::Format::verilog) {}

  std::string write();

 private:
  void add_name(std::string_view name) {
    if (is_plain_identifier(name)) {
      text_ += name;
    } else {
      text_ += '\\';
      text_ += name;
      text_ += ' ';  // ends an escaped identifier
    }
  }
  void add_literal(Signal signal) {
    if (signal.is_constant()) {
      text_ += signal.complemented() ? "1'b1" : "1'b0";
      return;
    }
    if (signal.complemented()) text_ += '~';
    add_name(names_.node(signal.node()));
  }
  void add_binary(Signal a, std::string_view op, Signal b) {
    add_literal(a);
    text_ += op;
    add_literal(b);
  }
  void add_majority(const std::array<Signal, 3>& fanin);
  void add_gate(const simd::Gate& gate);
  template <typename NameOf>
  void add_list(std::size_t count, NameOf name_of);
  void add_ports();
  void add_wires();

  const simd::Netlist& netlist_;
  WrittenNames names_;
  std::string text_;
};

template <typename NameOf>
void VerilogWriter::add_list(std::size_t count, NameOf name_of) {
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text_ += ", ";
    add_name(name_of(i));
  }
}

void VerilogWriter::add_majority(const std::array<Signal, 3>& fanin) {
  const auto [a, b, c] = fanin;
  // If only the last fanin is constant, `a & b` or `a | b` is equivalent. A constant in another position must
  // be preserved in the text.
  if (c.is_constant() && !a.is_constant() && !b.is_constant()) {
    add_binary(a, c.complemented() ? " | " : " & ", b);
    return;
  }
  text_ += '(';
  add_binary(a, " & ", b);
  text_ += ") | (";
  add_binary(a, " & ", c);
  text_ += ") | (";
  add_binary(b, " & ", c);
  text_ += ')';
}

void VerilogWriter::add_gate(const simd::Gate& gate) {
  if (gate.kind == GateKind::maj3) return add_majority(gate.fanin);
  add_binary(gate.fanin[0], " ^ ", gate.fanin[1]);
  text_ += " ^ ";
  add_literal(gate.fanin[2]);
}

void VerilogWriter::add_ports() {
  const auto input_name = [&](std::size_t i) { return std::string_view(netlist_.input_names[i]); };
  const auto output_name = [&](std::size_t i) { return names_.output(i); };
  const auto inputs = netlist_.input_names.size();
  const auto outputs = netlist_.outputs.size();
  text_ += '(';
  add_list(inputs, input_name);
  if (inputs > 0 && outputs > 0) text_ += ", ";
  add_list(outputs, output_name);
  text_ += ");\n";
  if (inputs > 0) {
    text_ += "  input ";
    add_list(inputs, input_name);
    text_ += ";\n";
  }
  if (outputs > 0) {
    text_ += "  output ";
    add_list(outputs, output_name);
    text_ += ";\n";
  }
}

void VerilogWriter::add_wires() {
  boost::dynamic_bitset<> is_port(netlist_.node_count());
  for (std::size_t i = 0; i < netlist_.outputs.size(); ++i) {
    if (names_.is_connected(i)) is_port[netlist_.outputs[i].signal.node()] = true;
  }
  std::vector<simd::NodeIndex> wires;
  for (simd::NodeIndex node = netlist_.first_gate(); node < netlist_.node_count(); ++node) {
    if (!is_port[node]) wires.push_back(node);
  }
  if (wires.empty()) return;
  text_ += "  wire ";
  add_list(wires.size(), [&](std::size_t i) { return names_.node(wires[i]); });
  text_ += ";\n";
}

std::string VerilogWriter::write() {
  text_ += "module ";
  add_name(netlist_.name.empty() ? "top" : netlist_.name);
  add_ports();
  add_wires();
  for (simd::NodeIndex node = netlist_.first_gate(); node < netlist_.node_count(); ++node) {
    text_ += "  assign ";
    add_name(names_.node(node));
    text_ += " = ";
    add_gate(netlist_.gate(node));
    text_ += ";\n";
  }
  for (std::size_t i = 0; i < netlist_.outputs.size(); ++i) {
    if (names_.is_connected(i)) continue;
    text_ += "  assign ";
    add_name(names_.output(i));
    text_ += " = ";
    add_literal(netlist_.outputs[i].signal);
    text_ += ";\n";
  }
  return std::move(text_) + "endmodule\n";
}

}  // namespace

std::string to_verilog(const simd::Netlist& netlist) { return VerilogWriter(netlist).write(); }

}  // namespace nestor::io
