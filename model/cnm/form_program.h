// Steps that a tasklet runs under a map, generated directly from the tiling. They equal the result of
// lowering to CNM IR, llvcnm and a program, but take a fraction of the time to compute. They are used to rank
// whole mapping spaces. Only slots, transfers, loops and the machine's limits are computed. A test compares
// the steps with the lowering.
#pragma once

#include "model/cnm/engine.h"
#include "model/cnm/kernel.h"
#include "model/cnm/mapping.h"
#include "model/cnm/tiles.h"

namespace nestor::cnm {

struct FormProgram {
  /// `unknown` marks one of the rare shapes that only the lowering supports.
  enum class Verdict : std::uint8_t { legal, refused, unknown } verdict = Verdict::unknown;
  FlatProgram steps;
  ProgramBounds bounds;
};

/// Writer of the programs of one kernel's maps, which reuses the same memory for each program. Library calls
/// are not supported.
class FormWriter {
 public:
  FormWriter(const Kernel& kernel, const System& system);

  /// Writes the program of a map with block and order. The result is valid until the next call.
  const FormProgram& write(const CnmMap& map);

 private:
  using Mask = std::uint32_t;  // set of dims
  struct Sums {
    double slots = 0, engine = 0, waits = 0;
  };
  /// Number of slots, and of lines of instruction memory.
  struct Code {
    Int slots = 0, lines = 0;
    void add(Int more_slots, Int more_lines = 1) {
      slots += more_slots;
      lines += more_lines;
    }
  };

  Int cost(Op op, Type type);
  bool uses(std::size_t operand, std::size_t dim) const { return (uses_[operand] >> dim & 1U) != 0; }
  Int steps_of(std::size_t dim) const { return map_->local()[dim] / map_->block[dim]; }
  bool output(std::size_t operand) const { return kernel_.operands[operand].output; }

  void plain(const Code& code);
  void flush();
  void request(ItemKind kind, Int bytes);
  void requests(std::size_t operand, bool write, Int steps);
  void open_loop(Int trips);
  void close_loop(Int moved);
  Int moved_by(std::size_t dim, bool gathered, bool others) const;
  bool varies(std::size_t operand) const;
  void add_values(Code& code, std::size_t depth, bool store, bool in_loop);
  void level(std::size_t depth);
  void groups(std::size_t depth);
  void group(std::size_t depth, Int count, bool repeated);
  Code block_loop(std::size_t at);
  Code region(bool in_loop);
  Code element_loop(const Code& body, std::size_t depth, Int trips);
  void partial_sums();
  FormProgram::Verdict judge();

  const Kernel& kernel_;
  const System& system_;
  std::vector<Mask> uses_;       // dims that each operand uses
  std::vector<bool> is_loaded_;  // by operand: true if the region reads it
  std::vector<std::size_t> outputs_;
  bool names_differ_ = true;

  const CnmMap* map_ = nullptr;
  Tiling tiling_;
  Mask blocked_ = 0;          // dims whose blocks have more than one element
  Mask stepped_ = 0;          // dims with a step variable in the current scope
  bool in_group_ = false;     // true inside a group of several steps
  bool in_requests_ = false;  // true if the previous statement was a request
  bool refused_ = false, unknown_ = false;
  Int pending_ = 0;  // slots that are still to be merged with the slots that follow
  Int lines_ = 0, requests_ = 0, tasklets_ = 1;
  double times_ = 1, bytes_ = 0;
  Sums shared_, alone_;
  Sums* sums_ = &shared_;
  struct OpenLoop {
    std::uint32_t number = 0, start = 0;
    double times = 1;
    Int requests = 0;
  };
  std::vector<OpenLoop> open_;
  FormProgram result_;
};

}  // namespace nestor::cnm
