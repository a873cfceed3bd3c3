// Names of one Verilog module: their declarations, and the network symbol of each bit.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/tables/hash_table.h"
#include "io/error.h"
#include "io/netlist/network_builder.h"

namespace nestor::io {

/// Bits of an operand or target, least significant first. They are symbols or, in operands, constants.
using VerilogBits = std::vector<PostfixToken>;

struct VerilogRange {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t width() const { return (left > right ? left - right : right - left) + 1; }
};

enum class VerilogNet : std::uint8_t { wire, input, output };

class VerilogScope {
 public:
  /// `text_size` limits the bits that vectors may declare, so that a short file cannot request much memory.
  /// Names must outlive the scope.
  VerilogScope(NetworkBuilder& builder, std::size_t text_size);

  MaybeError list_port(std::string_view name, TextPosition where);
  MaybeError declare(std::string_view name, VerilogNet net, std::optional<VerilogRange> range,
                     TextPosition where);
  /// Checks, at the end of the module, that ports and directions agree.
  MaybeError check_ports() const;

  /// Appends the bits of a name, or only the selected bits. An undeclared name is a one-bit wire.
  MaybeError append_bits(std::string_view name, std::optional<VerilogRange> select, TextPosition where,
                         VerilogBits& bits);

 private:
  struct Declared {
    bool wire = false;
    bool port = false;
    bool operator[](VerilogNet net) const { return net == VerilogNet::wire ? wire : port; }
  };
  struct Vector {
    VerilogRange range;
    SymbolId first = 0;  ///< symbol of the least significant bit; those of the other bits follow
    Declared declared;
  };
  struct Port {
    std::string_view name;
    TextPosition where;
  };

  MaybeError declare_scalar(std::string_view name, VerilogNet net, TextPosition where);
  MaybeError declare_vector(std::string_view name, VerilogNet net, VerilogRange range, TextPosition where);
  MaybeError add_port_bits(VerilogNet net, SymbolId first, std::uint32_t width, TextPosition where);

  NetworkBuilder& builder_;
  std::size_t bit_limit_;
  std::size_t bits_declared_ = 0;
  HashMap<std::string_view, Vector> vectors_;
  std::vector<Declared> scalars_;  ///< indexed by symbol
  std::vector<Port> listed_;
  HashSet<std::string_view> listed_names_;
  std::vector<Port> directed_;
  HashSet<std::string_view> directed_names_;
};

}  // namespace nestor::io
