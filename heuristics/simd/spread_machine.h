// Gates of a given order spread over as many arrays as are useful. What a single working array lacks room for
// it must save and bring back, two copies; here a value stays where it was made, and a gate runs where the
// fewest of its fanins are missing, so that a value read elsewhere costs one copy. This is what netlists need
// whose inputs fill several arrays (inputs apart are copied once, to where their readers are) and those that
// hold far more values than an array has rows.
//
// The order is known, so rows are given up by next use: a copy held elsewhere for nothing, a value that is
// the only one for a copy to the array where its next reader's other fanins are.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "heuristics/simd/orders.h"
#include "heuristics/simd/recorder.h"

namespace nestor::simd {

class SpreadMachine {
 public:
  struct Choice {
    std::uint32_t gate = 0;
    std::uint32_t array = 0;
  };

  /// `array_limit` 0: the problem's.
  explicit SpreadMachine(const ScheduleProblem& problem, std::uint32_t array_limit = 0);

  /// Places the gates in this order. Gives up with false once `most` copies are reached, where no array can
  /// take a gate, or when `stop` says so.
  bool place(std::span<const std::uint32_t> order, std::uint32_t most, const Stop& stop);
  std::uint32_t copies() const { return copies_; }
  const std::vector<Choice>& choices() const { return choices_; }
  Schedule record(const Netlist& netlist);
  /// Arrays looked at for a gate so far: the deterministic measure of work.
  std::uint64_t work() const { return work_; }

  // For the recorder.
  void reset();
  void apply(const Choice& choice);

 private:
  struct Offer {
    std::uint32_t array = 0;
    double price = 0;
  };
  struct Holder {
    std::uint32_t array, row;
  };
  struct Array {
    std::uint32_t first = 0;  ///< row that may be written
    std::vector<Value> value_at;
    std::vector<std::uint32_t> free;
  };

  void set_order(std::span<const std::uint32_t> order);
  std::uint32_t next_use(Value value) const {
    return use_[value] == end_[value] ? ~std::uint32_t{0} : read_at_[use_[value]];
  }
  const Holder* holder(Value value, std::uint32_t array) const;
  bool dies_here(Value value) const { return use_[value] + 1 == end_[value] && !problem_->must_stay(value); }
  bool is_home(Value value, std::uint32_t array) const {
    return problem_->is_input(value) && problem_->home_of(value) == array;
  }
  bool open_array();
  std::uint32_t roomiest();
  void offer(std::uint32_t gate, std::uint32_t array, Offer& best, bool& found);
  double price_of_room(std::uint32_t array, const Fanins& fanins, std::uint32_t rows) const;
  Value victim(std::uint32_t array, const Fanins* pinned, double& loss) const;
  bool make_room(std::uint32_t array, const Fanins* pinned);
  std::uint32_t place_to_save(Value value, std::uint32_t from);
  void store(Value value, std::uint32_t array);
  void drop(Value value, std::uint32_t array);
  void copy(Value value, std::uint32_t to, CopyCause cause);

  const ScheduleProblem* problem_;
  std::uint32_t array_limit_;
  std::size_t little_room_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> use_, end_, read_at_;                  ///< positions that read each value
  std::vector<boost::container::small_vector<Holder, 2>> holders_;  ///< of each value
  std::vector<Array> arrays_;
  std::vector<Choice> choices_;
  std::uint32_t current_ = 0;  ///< the array with room that new values go to
  std::uint32_t position_ = 0, copies_ = 0;
  std::uint64_t work_ = 0;
  bool stuck_ = false;
  Recorder recorder_;
};

}  // namespace nestor::simd
