// Names of nodes and outputs in a written netlist. Each node and output keeps its name unless two different
// signals would share it, such as an output with the name of another gate or input. Only netlists built in
// memory or read from BLIF and AIGER have such clashes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/tables/hash_table.h"
#include "model/simd/netlist.h"

namespace nestor::io {

class WrittenNames {
 public:
  /// Verilog can escape any name, but an output port cannot have the name of an input port. BLIF cannot
  /// express # and \, but an output with the name of an input is that input.
  enum class Format { verilog, blif };
  WrittenNames(const simd::Netlist& netlist, Format format);

  std::string_view node(simd::NodeIndex node) const;
  std::string_view output(std::size_t index) const { return outputs_[index]; }
  /// True if the output has the name of its gate or input, so that it needs no connection.
  bool is_connected(std::size_t index) const;

 private:
  void replace_unsayable();
  std::string_view sayable(const std::string& name) const;

  const simd::Netlist& netlist_;
  std::vector<std::string> outputs_;
  HashMap<std::string, std::string> replaced_;  ///< replacement of each name that the format cannot express
  HashMap<simd::NodeIndex, std::string> renamed_;
};

}  // namespace nestor::io
