// Evaluator that counts the copies that a sequence (order and array of every gate) requires. The arrays are
// simulated as caches. Fanins are copied in when they are needed. The value to evict is chosen by its next
// use, which the fixed order determines. This is Belady's rule, weighted by the cost of losing the value:
// nothing if another array has it and it is not read here again, one copy to save it or to copy it back, two
// copies for both.
//
// Gates run in at most 15 *working* arrays; all other arrays form one *pool* that only stores values. Because
// any row may be copied to any other, only the total capacity of the pool matters; emit() chooses rows and
// pool arrays.
//
// Re-evaluation after a stretch of the order was rearranged is cheap. The state is saved at checkpoints every
// few positions. A trial restarts before the stretch. After the stretch, it stops as soon as it reaches a
// saved state. Decisions before the stretch are not changed (they stay legal), so a trial may differ from a
// fresh evaluation. The recorded transfers always describe the schedule whose copies were counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/simd/sequence.h"
#include "model/simd/stop.h"

namespace nestor::simd {

using Copies = std::uint32_t;
inline constexpr Copies impossible = ~Copies{0};
inline constexpr std::uint8_t max_working_arrays = 15;

/// Working arrays, by their numbers on the machine.
struct WorkingArrays {
  std::vector<std::uint32_t> physical;
  std::uint8_t count() const { return static_cast<std::uint8_t>(physical.size()); }
};

enum class TransferKind : std::uint8_t { bring, save, drop };

/// One event between computes. In `from` and `to`, the index count() of the working arrays denotes the pool.
struct Transfer {
  std::uint32_t position = 0;
  Value value = 0;
  TransferKind kind = TransferKind::bring;
  bool for_result = false;  ///< true if it frees a row for the gate's result, after its fanins were read
  std::uint8_t from = 0;
  std::uint8_t to = 0;
};

class Evaluator {
 public:
  /// Without `trials`, only the initial state is stored as a checkpoint. This saves memory if only one
  /// evaluation is needed.
  Evaluator(const ScheduleProblem& problem, WorkingArrays working, bool trials);

  const WorkingArrays& working() const { return working_; }

  /// Evaluates from the start; the result becomes the current evaluation. Returns `impossible` if the machine
  /// is too small, or if the evaluation was stopped.
  Copies evaluate(const Sequence& sequence, const Stop& stop = {});
  struct TrialLimits {
    Copies copies = impossible;  ///< results above this number are not useful
    /// A trial ends when its expected copies exceed `copies` by more than this.
    Copies slack = 0;
    /// Number of positions after the change within which a saved state must recur.
    std::uint32_t patience = never;
  };
  /// Evaluates a change of the positions [first, last] of the current evaluation. Returns `impossible` as
  /// soon as the result exceeds `limits.copies`, or probably will according to the other limits.
  Copies trial(const Sequence& sequence, std::uint32_t first, std::uint32_t last, const TrialLimits& limits);
  /// Makes the last trial the current evaluation.
  void accept();

  Copies current() const { return current_total_; }
  /// Number of positions simulated so far, a deterministic measure of work.
  std::uint64_t work() const { return work_; }
  std::vector<Transfer> transfers() const;

 private:
  struct Checkpoint {
    Copies copies = 0;
    std::uint64_t fingerprint = 0;
    std::vector<std::uint32_t> counts;  ///< number of residents per array
    std::vector<Value> residents;
    std::vector<std::uint32_t> uses;  ///< index of the next use of each resident, then of each input
  };
  struct Segment {
    Checkpoint start;
    std::vector<Transfer> transfers;
  };
  struct Slot {
    Value value;
    std::uint32_t next;  ///< position of the next use in this array, or `never`
  };
  struct Array {
    std::uint32_t capacity = 0;
    std::vector<Slot> slots;
    bool full() const { return slots.size() >= capacity; }
  };

  void reset();
  void clear();
  void save(Checkpoint& checkpoint) const;
  void restore(const Sequence& sequence, const Checkpoint& checkpoint);
  bool run_segment(const Sequence& sequence, std::uint32_t segment, std::vector<Transfer>& log,
                   const Stop& stop = {});
  bool step(const Sequence& sequence, std::uint32_t position, std::vector<Transfer>& log);
  bool make_room(const Sequence& sequence, std::uint8_t array, std::uint32_t position, const Fanins* pinned,
                 std::vector<Transfer>& log);
  std::uint8_t saving_place(std::uint8_t array) const;
  std::uint8_t preferred_place(const Sequence& sequence, Value value, std::uint8_t array) const;
  bool thin_pool(std::uint32_t position, bool for_result, std::vector<Transfer>& log);
  void add(Value value, std::uint8_t array, std::uint32_t next);
  void remove(Value value, std::uint8_t array);
  void retire(Value value);
  std::size_t slot_index(Value value, std::uint8_t array) const {
    return std::size_t{value} * (std::size_t{working_.count()} + 1) + array;
  }
  std::uint32_t segment_count() const;

  const ScheduleProblem* problem_;
  WorkingArrays working_;
  std::uint8_t pool_;
  std::vector<Array> arrays_;  ///< working arrays, then the pool
  std::vector<std::uint16_t> home_;
  std::vector<std::uint16_t> mask_;  ///< arrays that store the value, one bit each
  std::vector<std::uint32_t> use_;   ///< index of the value's next use in the sequence
  std::vector<std::uint32_t> slot_of_;
  std::uint64_t fingerprint_ = 0;
  Copies copies_ = 0;
  std::uint64_t work_ = 0;

  std::uint32_t segment_length_;
  std::vector<Segment> current_, trial_;
  Copies current_total_ = 0, trial_total_ = 0;
  std::uint32_t trial_begin_ = 0, trial_end_ = 0;
};

}  // namespace nestor::simd
