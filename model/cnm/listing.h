// A kernel in llvcnm, the virtual assembly of the cnm space: the code of one tasklet, one instruction per
// line, with trips on the labels of loops. All languages are lowered to a listing. program_of() converts it
// to the tree of slots and transfers that the machine runs. See docs/models/cnm.md, "llvcnm".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/cnm/program.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

enum class Direction : std::uint8_t { in, out, inout };
inline constexpr auto directions =
    enum_words<Direction>({{Direction::in, "in"}, {Direction::out, "out"}, {Direction::inout, "inout"}});

struct ListingOperand {
  std::string name;
  Type type = Type::i32;
  std::vector<Int> dims;  ///< empty for a single element
  Direction direction = Direction::in;
  bool shared = false;  ///< true if all tasklets of a DPU use the same elements
  friend bool operator==(const ListingOperand&, const ListingOperand&) = default;
};

struct Buffer {
  std::string name;
  Type type = Type::i32;
  Int count = 1;
  friend bool operator==(const Buffer&, const Buffer&) = default;
};

enum class LineKind : std::uint8_t {
  label,
  op,
  load,
  store,
  call,
  dma_read,
  dma_write,
  barrier,
  ret,
  jump,
  branch,
  share,
  leave  ///< all tasklets except the first end here
};

struct Line {
  LineKind kind = LineKind::op;
  Op op = Op::move;
  Type type = Type::index;
  std::string name{};                   ///< label, called symbol or buffer; or condition of a branch
  std::vector<std::string> operands{};  ///< registers and numbers as written
  std::string condition{};              ///< condition of an op that also branches
  std::string target{};                 ///< label of a branch, or operand of a transfer
  std::optional<Int> amount{};          ///< number of trips or bytes
  Int share_thousandths = 0;            ///< only for a share, in 1/1000
  int source_line = 0;                  ///< position in the source, for messages
  int source_column = 0;
  bool branches() const { return kind == LineKind::jump || kind == LineKind::branch || !condition.empty(); }
  /// True if equal except for the source positions.
  friend bool operator==(const Line& a, const Line& b) {
    return a.kind == b.kind && a.op == b.op && a.type == b.type && a.name == b.name &&
           a.operands == b.operands && a.condition == b.condition && a.target == b.target &&
           a.amount == b.amount && a.share_thousandths == b.share_thousandths;
  }
};

struct Listing {
  std::string name;
  std::vector<ListingOperand> operands;
  std::vector<Buffer> buffers;
  Int multiply_k = default_multiply_k;  ///< from "values mul=K"
  std::vector<Line> lines;
  friend bool operator==(const Listing&, const Listing&) = default;
};

/// Label of the loop that represents the code before main. This code takes no instruction memory.
inline constexpr std::string_view start_label = "start";

struct ListingProgram {
  Program program;
  std::string error{};  ///< reason why the listing cannot be run, or empty
  int line = 0;         ///< position of the error in the source
  int column = 0;
};
ListingProgram program_of(const Listing& listing, const System& system);

/// Returns the number of instructions in instruction memory. Each line is one instruction, regardless of its
/// slots, except labels, shares, waits at barriers and the start loop.
Int instruction_count(const Listing& listing);

/// Returns the scratchpad bytes of one tasklet, including its stack, with each buffer rounded up to 8 bytes,
/// or nothing if the number is too large.
std::optional<Int> scratchpad_bytes(const Listing& listing, const System& system);

/// Returns the bytes of the operands in the memory of a DPU with this many tasklets, or nothing if the number
/// is too large.
std::optional<Int> operand_bytes(const Listing& listing, Int tasklets);

/// Bytes that the host moves into and out of a DPU, or of all DPUs of a rank, for the operands of a kernel.
struct MovedBytes {
  Int in = 0;
  Int out = 0;
};
/// Returns the bytes for a DPU with this many tasklets, or nothing if a number is too large.
std::optional<MovedBytes> moved_bytes(const Listing& listing, Int tasklets);

}  // namespace nestor::cnm
