// A kernel in llvcnm, the virtual assembly of the cnm space: what one tasklet runs, an instruction a line,
// with trips on the labels of loops. All languages come down to a listing; program_of() turns it into the
// tree of slots and transfers that the machine runs. docs/models/cnm.md, "llvcnm".
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
  std::vector<Int> dims;  ///< empty: one element
  Direction direction = Direction::in;
  bool shared = false;  ///< all tasklets of a DPU use the same elements
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
  leave  ///< all tasklets but the first end here
};

struct Line {
  LineKind kind = LineKind::op;
  Op op = Op::move;
  Type type = Type::index;
  std::string name{};                   ///< of a label, a called symbol, a buffer; condition of a branch
  std::vector<std::string> operands{};  ///< registers and numbers as written
  std::string condition{};              ///< of an op that also branches
  std::string target{};                 ///< label branched to; operand of a transfer
  std::optional<Int> amount{};          ///< trips, bytes
  Int share_thousandths = 0;            ///< of a share, in 1/1000
  int source_line = 0;                  ///< where it was read, for messages
  int source_column = 0;
  bool branches() const { return kind == LineKind::jump || kind == LineKind::branch || !condition.empty(); }
  /// Equal but for where they were read.
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
  Int multiply_k = default_multiply_k;  ///< "values mul=K"
  std::vector<Line> lines;
  friend bool operator==(const Listing&, const Listing&) = default;
};

/// The loop of this label is what runs before main; it takes no room in the instruction memory.
inline constexpr std::string_view start_label = "start";

struct ListingProgram {
  Program program;
  std::string error{};  ///< what cannot be run, and ...
  int line = 0;         ///< ... the line of the source that says it
  int column = 0;
};
ListingProgram program_of(const Listing& listing, const System& system);

/// Instructions in the instruction memory: a line is one, whatever its slots; labels, shares, barriers' waits
/// and the start are none.
Int instruction_count(const Listing& listing);

/// Scratchpad of one tasklet in bytes, stack included, each buffer rounded up to `align`; nothing if too
/// large.
std::optional<Int> scratchpad_bytes(const Listing& listing, const System& system);

/// Bytes of the operands in the memory of a DPU of so many tasklets; nothing if too large.
std::optional<Int> operand_bytes(const Listing& listing, Int tasklets);

/// Bytes that the host moves into and out of a DPU, or the DPUs of a rank, for what a kernel reads and
/// writes.
struct MovedBytes {
  Int in = 0;
  Int out = 0;
};
/// Of a DPU of so many tasklets; nothing if too many to count.
std::optional<MovedBytes> moved_bytes(const Listing& listing, Int tasklets);

}  // namespace nestor::cnm
