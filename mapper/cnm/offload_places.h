// Numbered places of an offloading problem's values, and the times of transfers between them. Internal to
// mapper/cnm.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "base/tables/hash_table.h"
#include "mapper/cnm/offload.h"

namespace nestor::cnm {

class OffloadPlaces {
 public:
  static constexpr std::size_t host = 0;  ///< number of the host as a place, for every value

  explicit OffloadPlaces(const OffloadProblem& problem);

  /// Time in picoseconds; nothing if the system does not run the operation.
  const std::optional<Int>& time(std::size_t operation, std::size_t system) const {
    return times_[operation][system];
  }
  /// False for values whose transfers are not counted.
  bool counts(std::size_t value) const { return values_[value].counts; }
  bool host_reads(std::size_t value) const { return values_[value].host_reads; }
  const std::optional<std::size_t>& maker(std::size_t value) const { return values_[value].maker; }
  std::size_t count(std::size_t value) const { return values_[value].places.size(); }
  /// Place of the value if `system` computes it.
  std::size_t made_at(std::size_t value, std::size_t system) const { return values_[value].made_at[system]; }
  /// Time of the transfer to the host that is part of computing the value on the system, if any.
  const std::optional<Int>& return_ps(std::size_t value, std::size_t system) const {
    return values_[value].return_ps[system];
  }
  Int from_ps(std::size_t value, std::size_t place) const { return values_[value].places[place].from_ps; }
  Int to_ps(std::size_t value, std::size_t place) const { return values_[value].places[place].to_ps; }

  struct Read {
    std::size_t value;
    std::vector<std::size_t> at;  ///< for each system, the place where it reads the value
  };
  /// Reads of an operation, without values whose transfers are not counted.
  const std::vector<Read>& reads(std::size_t operation) const { return reads_[operation]; }
  /// The last operation that reads the value, or the operation that computes it if none reads it.
  std::size_t last_read(std::size_t value) const { return values_[value].last_read; }
  /// Places where operations after `operation` may read the value. Requires a value that is read after the
  /// operation that computes it, and an operation before the last reader.
  const std::vector<bool>& read_after(std::size_t value, std::size_t operation) const {
    return values_[value].read_after[operation - values_[value].maker.value_or(0)];
  }
  /// True if the sum of all times does not overflow.
  bool is_countable() const { return countable_; }

 private:
  struct Place {
    std::size_t system = 0;
    std::string token;
    Int bytes = 0;
    Int from_ps = 0, to_ps = 0;
  };
  struct Value {
    bool counts = false, host_reads = false;
    std::optional<std::size_t> maker;
    std::size_t last_read = 0;
    std::vector<Place> places;
    std::vector<std::size_t> made_at;
    std::vector<std::optional<Int>> return_ps;
    std::vector<std::vector<bool>> read_after;
  };

  std::size_t place_of(std::size_t value, std::size_t operation, std::size_t system);
  Int transfer(double gbs, double us, Int bytes);
  void add_time(Int ps);
  static void note_read(Value& value, std::size_t operation, std::size_t place);
  void find_roles(const OffloadProblem& problem);
  void find_reads(const OffloadProblem& problem);

  const OffloadProblem& problem_;
  std::vector<std::vector<std::optional<Int>>> times_;
  std::vector<Value> values_;
  std::vector<std::vector<Read>> reads_;
  Int all_ = 0;
  bool countable_ = true;
};

}  // namespace nestor::cnm
