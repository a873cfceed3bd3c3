// The name each node and output gets in a written netlist: its own, unless two different signals would share
// it (an output called like a gate it is not, or like an input it is not), which only netlists built in
// memory or read from BLIF and AIGER can bring about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/tables/hash_table.h"
#include "model/simd/netlist.h"

namespace nestor::io {

class WrittenNames {
 public:
  /// Verilog escapes any name, and no output can be an input. BLIF has no way to write # and \, but lets an
  /// output be an input by having its name.
  enum class Format { verilog, blif };
  WrittenNames(const simd::Netlist& netlist, Format format);

  std::string_view node(simd::NodeIndex node) const;
  std::string_view output(std::size_t index) const { return outputs_[index]; }
  /// The output's name is that of its gate or input: nothing is left to connect.
  bool is_connected(std::size_t index) const;

 private:
  void replace_unsayable();
  std::string_view sayable(const std::string& name) const;

  const simd::Netlist& netlist_;
  std::vector<std::string> outputs_;
  HashMap<std::string, std::string> replaced_;  ///< by name: what stands for it throughout
  HashMap<simd::NodeIndex, std::string> renamed_;
};

}  // namespace nestor::io
