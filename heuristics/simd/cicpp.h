// MASIM's machine and priority (masim section III-B), as a problem for heuristics/priority: copies caused now
// first, then the change in close partner pairs (CICPP). Unlike the evaluator of model/simd it looks at the
// present only: it never asks when a value is needed next.
//
// Two values are *partners* while a gate that reads both is not computed; partners in one array are a close
// pair. For every value and array the number of its partners there is kept up to date, so that a priority is
// a few additions; the victims of a full array are searched once per step and shared by all candidates.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "heuristics/priority/priority.h"
#include "heuristics/simd/recorder.h"

namespace nestor::simd {

class CicppMachine {
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

  /// At most `arrays` arrays are used (and at most `most_arrays`): with too few, constructions are dead ends.
  CicppMachine(const Problem& problem, std::uint32_t arrays);

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

  /// Replays a complete sequence and returns its instructions.
  Schedule record(const Netlist& netlist, std::span<const Choice> sequence);

  /// Priorities computed so far: the deterministic measure of work.
  std::uint64_t work() const { return work_; }

 private:
  static constexpr std::size_t victim_count = 8;
  struct Victim {
    Value value = no_value;
    std::uint32_t to = 0;  ///< array that takes it first, or no_array if it is duplicated
    std::int32_t change = 0;
  };
  /// What a full array would give up, the least harmful first.
  struct Victims {
    std::uint64_t version = 0;
    std::uint32_t duplicated = 0;  ///< of the list: these come first
    std::uint32_t count = 0;
    std::array<Victim, victim_count> list;
  };
  struct State {
    std::uint32_t computed = 0;
    std::uint32_t copies = 0;
    std::uint32_t arrays_used = 0;
    std::vector<std::uint64_t> mask;        ///< arrays that hold the value
    std::vector<std::uint32_t> unread;      ///< readers not yet computed
    std::vector<std::uint16_t> near;        ///< [value][array]: partners of the value in the array
    std::vector<std::uint32_t> row_of;      ///< [value][array]
    std::vector<Value> value_at;            ///< [array][row]
    std::vector<std::uint32_t> free_rows;   ///< [array][stack]
    std::vector<std::uint32_t> free_count;  ///< [array]
    std::vector<std::uint32_t> shared;      ///< per partnership: gates not yet computed that read both
    std::vector<std::uint32_t> missing;     ///< per gate: fanins not yet computed
    std::vector<std::uint32_t> ready, ready_at;
  };
  struct Partner {
    Value value;
    std::uint32_t partnership;
  };
  struct Snapshot {
    std::uint64_t prefix_hash = 0;
    State state;
  };

  bool evaluate(std::uint32_t gate, std::uint32_t array, Priority& priority);
  bool take_victims(std::uint32_t array, const Fanins& fanins, std::uint32_t before, std::uint32_t after,
                    Priority& priority);
  std::int32_t pairs_ended(std::uint32_t gate, std::uint32_t array) const;
  const Victims& victims(std::uint32_t array);
  void find_duplicated(std::uint32_t array, Victims& found) const;
  void find_movable(std::uint32_t array, Victims& found) const;
  static void insert(Victims& found, std::uint32_t begin, const Victim& victim);
  /// The change in close pairs when `array` takes a value by free row or duplicated victim; false if it
  /// can't.
  bool gap_in(std::uint32_t array, std::int32_t& change, Value& victim) const;
  bool make_row(std::uint32_t array, const Fanins* pinned);
  void store(Value value, std::uint32_t array);
  void drop(Value value, std::uint32_t array);
  void copy(Value value, std::uint32_t to, CopyCause cause);
  void finish_gate(std::uint32_t gate);
  void compute(std::uint32_t gate, std::uint32_t array);
  std::uint32_t arrays_open() const;
  bool needed(Value value) const { return state_.unread[value] > 0 || problem_->must_stay(value); }
  bool at_home(Value value, std::uint32_t array) const {
    return problem_->is_input(value) && problem_->home_of(value) == array;
  }
  std::size_t cell(Value value, std::uint32_t array) const { return std::size_t{value} * stride_ + array; }
  std::span<const Partner> partners(Value value) const {
    return {partners_.data() + partner_begin_[value], partner_begin_[value + 1] - partner_begin_[value]};
  }
  void link_partners();

  const Problem* problem_;
  std::uint32_t stride_;
  std::vector<std::uint32_t> partner_begin_;
  std::vector<Partner> partners_;
  std::vector<std::array<std::uint32_t, 3>> gate_partnerships_;
  std::uint32_t partnership_count_ = 0;
  State initial_, state_;
  std::uint64_t version_ = 1;  ///< of the state; victims found for another version are stale
  std::vector<Victims> victims_;
  std::vector<Snapshot> snapshots_;
  std::vector<std::uint32_t> position_;
  std::uint64_t work_ = 0;
  bool stuck_ = false;
  Recorder recorder_;
};

template <typename Visit>
void CicppMachine::for_each_variant(const Choice& choice, Visit&& visit) {
  Priority priority;
  for (std::uint32_t array = 0; array < arrays_open(); ++array)
    if (evaluate(choice.gate, array, priority)) visit(Choice{choice.gate, array}, priority);
}

template <typename Visit>
void CicppMachine::for_each_choice(Visit&& visit) {
  for (const std::uint32_t gate : state_.ready) for_each_variant(Choice{gate, 0}, visit);
}

}  // namespace nestor::simd
