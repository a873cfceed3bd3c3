// CNM IR: a kernel as one tasklet runs it on a system, with explicit loops and requests but without slots
// (docs/models/cnm.md, "CNM IR"). It is the level between linalg and llvcnm. Parsing its printed text yields
// the same IR.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/cnm/listing.h"

namespace nestor::cnm {

/// Linear combination of loop variables and a constant.
struct IndexExpr {
  std::vector<std::pair<std::string, Int>> terms;
  Int constant = 0;

  bool uses(const std::string& variable) const;
  bool varies() const { return !terms.empty(); }
  friend bool operator==(const IndexExpr&, const IndexExpr&) = default;
};

struct IrStatement {
  enum class Kind : std::uint8_t {
    loop,
    read,
    write,
    barrier,
    constant,
    load,
    operation,
    store,
    reduce
  } kind = Kind::loop;
  std::string name{};  ///< loop variable, operand, or value that is defined or stored
  /// Number of trips, of elements of a request, or of elements of a reduction over tasklets.
  Int amount = 0;
  Int parts = 0;  ///< number of parts of a reduction over tasklets
  std::string buffer{};
  std::vector<IndexExpr> indices{};  ///< all indices of an operand, or the single index of a buffer
  Op op = Op::add;
  Type type = Type::i32;
  std::vector<std::string> arguments{};
  std::vector<IrStatement> body{};

  friend bool operator==(const IrStatement&, const IrStatement&) = default;
};

struct IrKernel {
  std::string name;
  std::vector<ListingOperand> operands;
  std::vector<Buffer> buffers;
  std::vector<IrStatement> body;
  friend bool operator==(const IrKernel&, const IrKernel&) = default;
};

}  // namespace nestor::cnm
