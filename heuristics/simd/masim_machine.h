// MASIM's machine and priority (docs/scheduling.md, section 6.1), as a problem for heuristics/priority. The
// priority compares the copies that a choice causes now, then its change in close partner pairs (CICPP).
// Unlike the evaluator of model/simd, it considers only the current state, not when a value is needed next.
//
// Two values are *partners* through every gate that reads both and is not computed yet. Partners in the same
// array are close. The number of pairs is maintained for every value and array, so a priority takes only a
// few additions. If a gate needs more than one row of a full array, its steps are executed and undone to
// determine their cost, because each eviction changes the cost of the next.
//
// The published counts are from the authors' program, which differs from the text of the paper in ways that
// cost copies. This machine follows the program; docs/scheduling.md, section 6.3, lists its rules.
#pragma once

#include <array>
#include <bit>
#include <boost/dynamic_bitset.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "heuristics/priority/priority.h"
#include "heuristics/simd/recorder.h"
#include "model/simd/stop.h"

namespace nestor::simd {

class MasimMachine {
 public:
  struct Choice {
    std::uint32_t gate = 0;
    std::uint32_t array = 0;
  };
  struct Priority {
    std::uint32_t copies = 0;
    std::int32_t close_pairs = 0;
    friend bool operator<(const Priority& a, const Priority& b) {
      return a.copies != b.copies ? a.copies > b.copies : a.close_pairs < b.close_pairs;
    }
  };
  using Cost = std::uint32_t;

  static constexpr std::uint32_t most_arrays = 64;

  /// At most `arrays` arrays are used (and at most `most_arrays`); if these are too few, every construction
  /// is a dead end. Once `stop` returns true, no array accepts a gate, so the current derivation becomes a
  /// dead end.
  MasimMachine(const ScheduleProblem& problem, std::uint32_t arrays, Stop stop = {});

  void reset();
  bool complete() const { return state_.computed == problem_->gate_count(); }
  Cost cost() const { return state_.copies; }
  void apply(const Choice& choice);
  template <typename Visit>
  void for_each_choice(Visit&& visit);
  template <typename Visit>
  void for_each_variant(const Choice& choice, Visit&& visit);
  std::size_t perturb(std::span<Choice> sequence, Random& random);
  void rewind(std::span<const Choice> prefix);

  /// Replays a complete sequence and returns its instructions, or none if it was stopped.
  Schedule record(const Netlist& netlist, std::span<const Choice> sequence, const Stop& stop = {});

  /// Returns the number of priorities computed so far, the deterministic measure of work.
  std::uint64_t work() const { return work_; }
  /// True if the stop rule has interrupted work.
  bool stopped() const { return stopped_; }

 private:
  static constexpr std::size_t most_candidates = 101;
  static constexpr std::uint32_t no_array = ~std::uint32_t{0};
  static constexpr std::uint32_t any_copies = ~std::uint32_t{0};
  /// At most four values are evicted, and three more may be fanins, which stay.
  static constexpr std::size_t victim_count = 7;
  struct Victim {
    Value value = no_value;
    std::uint32_t to = 0;  ///< array to which it is copied first, or no_array if another array also stores it
    std::int32_t change = 0;
  };
  /// Values that a full array would evict, least harmful first.
  struct Victims {
    std::uint64_t version = 0;  ///< version of the state to which they belong
    std::uint32_t count = 0;
    std::uint32_t duplicated = 0;  ///< number of values also stored in another array; they come first
    /// True if `list` also contains values that must be copied before eviction. These are determined only on
    /// demand.
    bool movable_known = false;
    std::array<Victim, victim_count> list{};
  };
  struct State {
    std::uint32_t computed = 0;
    std::uint32_t copies = 0;
    std::uint32_t arrays_used = 0;
    std::vector<std::uint64_t> mask;        ///< arrays that store each value
    std::vector<std::uint32_t> unread;      ///< uncomputed readers of each value
    std::vector<std::int32_t> near;         ///< [value][array]: pairs of the value with values in the array
    std::vector<std::uint32_t> row_of;      ///< [value][array]
    std::vector<Value> value_at;            ///< [array][row]
    boost::dynamic_bitset<> free_rows;      ///< [array][row]
    std::vector<std::uint32_t> free_count;  ///< [array]
    std::vector<std::uint32_t> shared;      ///< per partnership, uncomputed gates that read both values
    std::vector<std::uint32_t> missing;     ///< per gate, fanins not yet computed
    boost::dynamic_bitset<> ready;          ///< per gate
    std::size_t first_ready = 0;            ///< lowest index of a ready gate; never decreases
  };
  struct Partner {
    Value value;
    std::uint32_t partnership;
  };
  struct Snapshot {
    std::uint64_t prefix_hash = 0;  ///< 0 until the snapshot is taken
    State state;
  };

  /// A change of the state, recorded so that it can be undone.
  struct Step {
    Value value;
    std::uint32_t array, row;
    bool stored;
  };

  // Priorities.
  bool best_array(std::uint32_t gate, std::uint32_t most_copies, Choice& choice, Priority& best);
  bool evaluate(std::uint32_t gate, std::uint32_t array, const Priority& best, Priority& priority);
  bool try_out(std::uint32_t gate, std::uint32_t array, const Priority& best, Priority& priority);
  std::uint32_t copies_with_room(std::uint32_t gate) const;
  std::int32_t pairs_between(Value a, Value b) const;
  Value last_read_by(const Fanins& fanins, std::uint32_t array) const;
  void start(Victims& found, std::uint32_t array) const;
  std::uint32_t duplicates(std::uint32_t array, const Fanins& staying);
  const Victim* victim(Victims& found, std::uint32_t array, const Fanins& staying) const;
  void find_duplicated(std::uint32_t array, Victims& found) const;
  void find_movable(std::uint32_t array, Victims& found) const;
  static void insert(Victims& found, std::uint32_t begin, const Victim& victim);
  bool gap_in(std::uint32_t array, std::int32_t& change, Value& victim) const;

  // The state.
  void go_to(const State& state);
  bool bring_together(std::uint32_t gate, std::uint32_t array, std::uint32_t most_copies, Priority& total);
  bool make_row(std::uint32_t array, const Fanins& staying, Priority& total);
  std::uint32_t lowest_free_row(std::uint32_t array) const;
  void store(Value value, std::uint32_t array, std::uint32_t row);
  void drop(Value value, std::uint32_t array);
  void copy(Value value, std::uint32_t to, CopyCause cause);
  void finish_gate(std::uint32_t gate);
  void compute(std::uint32_t gate, std::uint32_t array);
  static constexpr std::uint64_t bit(std::uint32_t array) { return std::uint64_t{1} << array; }
  std::uint32_t arrays_open() const;
  /// Returns the first array that can compute; earlier ones are full of inputs.
  std::uint32_t first_array() const { return problem_->input_count() / problem_->rows(); }
  bool holds(std::uint32_t array, Value value) const { return (state_.mask[value] >> array & 1U) != 0; }
  bool needed(Value value) const { return state_.unread[value] > 0 || problem_->must_stay(value); }
  bool at_home(Value value, std::uint32_t array) const {
    return problem_->is_input(value) && problem_->home_of(value) == array;
  }
  std::size_t place(std::uint32_t array, std::uint32_t row) const {
    return std::size_t{array} * problem_->rows() + row;
  }
  std::size_t cell(Value value, std::uint32_t array) const { return std::size_t{value} * stride_ + array; }
  std::span<const Partner> partners(Value value) const {
    return {partners_.data() + partner_begin_[value], partner_begin_[value + 1] - partner_begin_[value]};
  }
  bool link_partners();
  bool begin();
  bool stops_here();
  bool is_stopped();

  const ScheduleProblem* problem_;
  std::uint32_t stride_;
  std::vector<Fanins> fanins_;  ///< per gate, in ascending order, so inputs come first
  std::vector<std::uint32_t> partner_begin_;
  std::vector<Partner> partners_;
  std::vector<std::array<std::uint32_t, 3>> gate_partnerships_;
  std::uint32_t partnership_count_ = 0;
  State initial_, state_;
  std::uint64_t version_ = 1;  ///< increases with every call of apply() and go_to()
  std::vector<Victims> victims_;
  std::vector<Step> trail_;
  bool on_trail_ = false;
  std::vector<Snapshot> snapshots_;
  std::vector<std::uint32_t> position_;
  std::uint64_t work_ = 0;
  bool is_built_ = false, stuck_ = false, stopped_ = false;
  Stop stop_;
  Recorder recorder_;
};

template <typename Visit>
void MasimMachine::for_each_variant(const Choice& choice, Visit&& visit) {
  Choice best = choice;
  Priority priority;
  if (best_array(choice.gate, any_copies, best, priority)) visit(best, priority);
}

/// Skips gates that cause more copies than a gate visited earlier.
template <typename Visit>
void MasimMachine::for_each_choice(Visit&& visit) {
  std::size_t left = most_candidates;
  std::uint32_t most_copies = any_copies;
  for (std::size_t gate = state_.first_ready; gate < state_.ready.size();
       gate = state_.ready.find_next(gate)) {
    Choice best{static_cast<std::uint32_t>(gate), 0};
    Priority priority;
    if (best_array(best.gate, most_copies, best, priority)) {
      most_copies = priority.copies;
      visit(best, priority);
    } else if (most_copies == any_copies) {
      continue;  // fits in no array
    }
    if (--left == 0) return;
  }
}

}  // namespace nestor::simd
