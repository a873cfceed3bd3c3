// A kernel mapped onto HBM-PIM, as in a result file, and its time. The code that reads the JSON and computes
// the time is independent of the rest of Nestor; its specification is docs/models/cnm.md ("General streams",
// "The HBM-PIM machine").
#pragma once

#include <functional>

#include "check/cnm/model.h"

namespace nestor::check::cnm {

/// Rows that switch the mode of all banks, or address the registers.
inline constexpr Int all_bank_row = 0x17ff, single_bank_row = 0x1fff, register_row = 0x3fff;

struct PimMachine {
  std::string name;
  std::array<Int, 3> levels{};  ///< numbers of channels, blocks and lanes
  Int grf = 1, crf = 1, instructions_per_burst = 1, row_bursts = 1, reserved_row = 1;
  // Timings of the memory in cycles, under their usual names.
  Int ranks = 1, banks = 1, groups = 1, queue = 1, BL = 1, RL = 0, WL = 0, tCCDS = 0, tCCDL = 0, tRCDRD = 0;
  Int tRCDWR = 0, tRAS = 0, tRP = 0, tRC = 0, tRRDS = 0, tRRDL = 0, tRTPL = 0, tWR = 0, tWTRL = 0, tRTRS = 0;
  Int XAW = 1, tXAW = 0, tREFI = 1, tRFC = 0;
  Fraction cycle, reduce;  ///< picoseconds of a cycle and of adding a partial result

  Int group_of(Int bank) const { return bank / (banks / groups); }
  /// Cycles from a burst to the next one of the same kind.
  Int again(bool same_group) const { return std::max({Int{1}, same_group ? tCCDL : tCCDS, BL / 2}); }
  /// Cycles from a write to a read, or from a read to a write.
  Int turn(bool from_write) const { return from_write ? WL + BL / 2 + tWTRL : RL + BL / 2 + tRTRS - WL; }
  /// Cycles from a burst to closing its bank, and from opening a bank to a burst.
  Int closing(bool write) const { return BL / 2 + (write ? WL + tWR : std::max(tRTPL, tCCDL) - tCCDL); }
  Int opening(bool write) const { return write ? tRCDWR : tRCDRD; }
  Int after_last() const { return RL + BL / 2 + 2; }
};

/// Values of the keys `half` and `layout` of a mapping. `none`: the mapping does not have the key.
enum class Half : std::uint8_t { none, alternate, split, even };
enum class Layout : std::uint8_t { none, apart, together };

/// A mapping. For a stream of the vendor's library, the members after `local` are not set.
struct PimMapping {
  Tuple channels, blocks, lanes, local;
  Tuple block, order;  ///< block and order of a reduction
  Half half = Half::none;
  Layout layout = Layout::none;  ///< layout of a pointwise kernel, which also has grf
  Int grf = 0;
  std::optional<std::size_t> half_dim{};  ///< dim whose steps the halves share, if it is not the default
  bool is_library() const { return half == Half::none; }
  friend bool operator<(const PimMapping& a, const PimMapping& b);
};

/// The stream of the vendor's library that computes a kernel.
enum class PimLibrary : std::uint8_t { none, add, mul, relu, gemv };

struct PimProblem {
  PimMachine machine;
  Kernel kernel;
  bool is_reduction = false;  ///< false for a pointwise kernel
  std::size_t output = 0;     ///< index of the output, which is the last operand
  // Data of pointwise kernels.
  std::vector<std::size_t> reads;  ///< inputs that a tile reads, in order
  Int alive = 1;                   ///< maximum number of results in registers at a time
  bool has_constants = false;      ///< true if there are constants that no instruction implies
  // Data of reductions.
  std::vector<std::size_t> stored;  ///< inputs that every step reads from the banks
  bool is_product = false;          ///< true if the kernel sums products of the stored input and `factor`
  std::size_t factor = 0;
  PimLibrary library = PimLibrary::none;
};

/// True if the library's streams use these blocks and lanes: all blocks for the first dim, all lanes for the
/// last.
bool are_units_of_library(const PimMachine& machine, const Tuple& blocks, const Tuple& lanes);

PimMachine read_pim_machine(const Json& architecture);
/// Analyses the region of a kernel. Throws NotChecked if HBM-PIM cannot compute the kernel.
PimProblem pim_problem(const PimMachine& machine, const Kernel& kernel);
PimProblem read_pim_problem(const Json& result);
PimMapping read_mapping(const Json& map, const PimProblem& problem);
/// Sets the half and the layout that a map states.
void read_pim_words(const Json& map, PimMapping& mapping);

/// Returns the number of partial results that the host adds: those beyond the first of each element.
Int partial_results(const PimProblem& problem, const PimMapping& mapping);

/// A burst of a stream. A fence follows the last burst of each Group.
struct Burst {
  bool write = false;
  Int bank = 0, row = 0, column = 0;
  friend bool operator==(const Burst&, const Burst&) = default;
};
using Group = std::vector<Burst>;

/// A channel that receives its stream group by group ("The HBM-PIM machine").
class Channel {
 public:
  explicit Channel(const PimMachine& machine);
  void take(const Group& group);
  /// Finishes the stream after the last group. Returns its cycles.
  Int finish();
  /// Returns the cycle of the last burst of the groups before the latest one.
  Int last_burst() const { return last_; }
  /// Causes of cycles. Every burst is a cycle of `of_column`.
  enum Cause : std::uint8_t { of_column, of_refresh, of_mode, of_row, of_timing };
  /// Returns the cycles of each cause of a finished stream.
  const std::array<Int, 5>& causes() const { return causes_; }
  /// Thrown if a burst waits forever.
  struct Stuck {};

 private:
  struct Bank {
    std::size_t group = 0;
    bool is_idle = true;  ///< false while it is open, closing or refreshing (until `until`)
    Int row = 0, act = 0, read = 0, write = 0, pre = 0, until = 0;
  };
  struct Waiting : Burst {
    bool is_gone = false;
  };
  void run();
  void begin_cycle();
  Cause cause() const;
  bool refresh_rank();
  bool issue();
  void burst(const Burst& burst);
  bool activate();
  bool close();
  void close_bank(std::size_t b);
  Int next_event() const;
  Int ready(const Burst& burst) const;

  const PimMachine& machine_;
  std::vector<Bank> banks_;
  std::uint32_t open_ = 0, changing_ = 0;  ///< sets of banks, as bits
  struct Column {
    Int read = 0, write = 0;
  };
  std::vector<Column> columns_;           ///< per bank group: earliest next read and write
  std::vector<Int> activations_;          ///< ring buffer with the cycles of the last activations
  std::size_t oldest_ = 0, turn_ = 0;     ///< oldest activation; start of the next search for a bank to close
  std::vector<Int> refreshes_, due_;      ///< next refresh of each rank; ranks that wait for a refresh
  Int next_refresh_ = 0, refreshed_ = 0;  ///< first cycle after the latest refresh of rank 0
  std::array<Int, 5> causes_{};
  unsigned enters_ = 0, leaves_ = 0;
  bool toggles_ = false, all_bank_ = false, pim_ = false;
  std::vector<Waiting> waiting_;  ///< bursts of the group, then of the next one
  std::vector<Burst> wanted_;     ///< first burst of each sequence in waiting_ with one bank and kind
  std::size_t own_ = 0, head_ = 0, entered_ = 0;
  Group behind_;
  Int in_queue_ = 0, now_ = 0, last_ = 0;
};

/// Returns the number of vectors in an operand's tile of a reduction.
Int tile_vectors(const PimProblem& problem, const PimMapping& mapping, std::size_t operand);

/// Returns a lower bound on the cycles of a mapping, from the bursts that any stream requires for a bank's
/// part.
Int least_cycles(const PimProblem& problem, const PimMapping& mapping);

/// The stream of one channel for one mapping of the space.
class PimStream {
 public:
  PimStream(const PimProblem& problem, const PimMapping& mapping);

  bool is_legal() const { return fault_ == nullptr; }
  /// Returns the rule that the mapping breaks. There must be one.
  const char* fault() const { return fault_; }
  /// Returns a lower bound on the cycles.
  Int bound() const { return least_from(0, machine_.tREFI / machine_.ranks) + machine_.after_last(); }
  /// Returns the cycles, or a lower bound that is at least `enough`. Returns nothing if the stream waits
  /// forever.
  std::optional<Int> cycles(Int enough) const;
  /// Returns a key. Streams with equal keys have equal groups.
  Tuple key() const;
  void each_group(const std::function<void(const Group&)>& take) const;
  /// Returns the extents in whole tiles of a stream of the library: of the kernel, or of all its elements.
  Tuple padded() const;

 private:
  static constexpr std::size_t registers = ~std::size_t{0};
  /// Consecutive bursts in one bank.
  struct Run {
    bool write = false;
    Int bank = 0;
    std::size_t operand = registers;
    Int first = 0, count = 1, times = 1;  ///< first: column of a run in registers
    bool is_old = false;                  ///< true for a tile of the previous step
  };
  using Runs = std::vector<Run>;
  struct Loop {
    std::size_t dim = 0;
    Int trips = 1;
    bool is_halved = false;  ///< true if its steps are divided between two banks
  };
  using Places = std::vector<Int>;  ///< number of completed steps of each loop

  void plan_points();
  void plan_steps();
  void plan_library();
  Int step_of(std::size_t loop, Int place) const;
  Int bank_at(std::size_t loop, Int place) const;
  bool changes(std::size_t operand, std::size_t moved) const;
  Int column_of(std::size_t operand, const Places& places) const;
  Runs runs_of_step(std::size_t moved, Int bank) const;
  Runs runs_of_tile(Int bank) const;
  void count_steps();
  void count_points();

  Int gap(const Run& a, const Run& b) const;
  Int inside(const Run& run) const;
  Int gaps(const Run* before, const Runs& runs) const;
  void count(Int times, const Run* before, const Runs& runs);
  void take_windows(const Run& before);
  Int least_from(Int done, Int first_refresh) const;

  /// Passes all groups of the stream to `take`. After each step or tile, calls `step` with the sum of its
  /// gaps between bursts.
  void write(const std::function<void(const Group&)>& take, const std::function<void(Int)>& step) const;
  void write_steps(const std::function<void(const Group&)>& take, const std::function<void(Int)>& step) const;
  void write_points(const std::function<void(const Group&)>& take,
                    const std::function<void(Int)>& step) const;
  void write_products(const std::function<void(const Group&)>& take) const;
  void write_vectors(const std::function<void(const Group&)>& take) const;
  void write_run(const std::function<void(const Group&)>& take, const Run& run, Int column) const;

  const PimProblem& problem_;
  const PimMachine& machine_;
  const PimMapping& mapping_;
  const char* fault_ = nullptr;
  Int program_ = 1;  ///< number of instructions
  // Pointwise kernels: number of tiles of one half.
  Int tiles_ = 1;
  // Streams of the library: numbers of tiles of the output and of the input, and the distance in columns
  // between vectors.
  Int out_tiles_ = 1, in_tiles_ = 1, apart_ = 0;
  // Reductions.
  std::vector<Loop> loops_;
  std::size_t half_dim_ = 0;
  bool from_banks_ = false, by_lane_ = false, stays_ = true;
  Int repeats_ = 1;
  std::vector<Int> vectors_, base_;  ///< per operand: vectors of a tile, and first column of the operand
  bool are_apart_ = false;           ///< true if operands share no row
  // Sums of gaps between bursts, in cycles. The reads of stored inputs in a step are a window.
  Int total_ = 0;           ///< gaps up to the last burst
  Int first_ = 0;           ///< gaps up to the end of the first step or tile
  Int behind_windows_ = 0;  ///< gaps from the start of the last window
  Int longest_ = 0;         ///< longest gaps from a burst to the start of the next window
  Int lost_ = 0;            ///< minimum cycles lost to a refresh; 0: refreshes are not counted
};

}  // namespace nestor::check::cnm
