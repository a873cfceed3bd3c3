// Builder of XOR3/MAJ3 netlists, gate by gate. It folds constants, shares equal gates, and moves negations so
// that few remain. Generators and technology mapping both use it, so their netlists are normalised.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/simd/netlist.h"

namespace nestor::simd {

class XmgBuilder {
 public:
  explicit XmgBuilder(std::string name) { netlist_.name = std::move(name); }

  /// Adds an input. All inputs must be added before the first gate.
  Signal input(std::string name);
  void output(std::string name, Signal signal) { netlist_.outputs.push_back({std::move(name), signal}); }

  static constexpr Signal constant(bool value) { return Signal(0, value); }
  Signal xor3(Signal a, Signal b, Signal c);
  Signal maj3(Signal a, Signal b, Signal c);

  Signal xor2(Signal a, Signal b) { return xor3(a, b, constant(false)); }
  Signal and2(Signal a, Signal b) { return maj3(a, b, constant(false)); }
  Signal or2(Signal a, Signal b) { return maj3(a, b, constant(true)); }
  /// Returns select ? a : b, with three gates.
  Signal mux(Signal select, Signal a, Signal b) { return or2(and2(select, a), and2(!select, b)); }

  std::size_t gate_count() const { return netlist_.gates.size(); }
  const Netlist& netlist() const { return netlist_; }

  /// Returns the netlist. Each gate is named "n<node index>", extended if an input or output has that name.
  Netlist finish();

 private:
  Signal hashed(Gate gate);
  std::size_t slot_of(const Gate& gate) const;
  void grow_table();

  Netlist netlist_;
  std::vector<NodeIndex> table_;  ///< open addressing; 0 is empty
};

}  // namespace nestor::simd
