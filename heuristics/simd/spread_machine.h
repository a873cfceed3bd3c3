// A machine that spreads the gates of a given order over as many arrays as are useful. A single working array
// must save and restore each value that does not fit in its rows, at a cost of two copies. Here a value stays
// in the array that computed it, and a gate runs in the array where the fewest of its fanins are missing. A
// value read in another array costs one copy. Two kinds of netlists need this: netlists whose inputs fill
// several arrays (each input is copied once, to its readers), and netlists with far more live values than an
// array has rows.
//
// The order is known, so the evicted value is chosen by its next use. A value that another array also stores
// is evicted at no cost. The only instance of a value is first copied to the array with the other fanins of
// its next reader.
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

  /// An `array_limit` of 0 means the problem's limit.
  explicit SpreadMachine(const ScheduleProblem& problem, std::uint32_t array_limit = 0);

  /// Places the gates in this order. Returns false if `most` copies are reached, if no array can run a gate,
  /// or if `stop` returns true.
  bool place(std::span<const std::uint32_t> order, std::uint32_t most, const Stop& stop);
  std::uint32_t copies() const { return copies_; }
  const std::vector<Choice>& choices() const { return choices_; }
  Schedule record(const Netlist& netlist);
  /// Returns the number of arrays examined for gates so far, the deterministic measure of work.
  std::uint64_t work() const { return work_; }

  // Called by the recorder.
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
    std::uint32_t first = 0;  ///< first row that may be written
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
  std::vector<std::uint32_t> use_, end_, read_at_;                  ///< positions of each value's readers
  std::vector<boost::container::small_vector<Holder, 2>> holders_;  ///< arrays and rows that store each value
  std::vector<Array> arrays_;
  std::vector<Choice> choices_;
  std::uint32_t current_ = 0;  ///< array for new values
  std::uint32_t position_ = 0, copies_ = 0;
  std::uint64_t work_ = 0;
  bool stuck_ = false;
  Recorder recorder_;
};

}  // namespace nestor::simd
