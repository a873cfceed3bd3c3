// Programs of a DPU's tasklets, expanded for model/cnm/dpu_clock: a list of requests (transfers, barriers and
// ends) with the number of slots before each request. All tasklets run the same list. Most requests equal the
// previous one (the rows of a tile, the trips of a loop), so consecutive equal requests form a series. Many
// lists are stored together, with the length of the prefix that each list shares with the previous one.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/cnm/program.h"
#include "model/cnm/system.h"

namespace nestor::cnm {

class RequestLists {
 public:
  enum class Ending : std::uint8_t { read, write, barrier, end, others_end };
  /// Repeated slots and the request that follows them. Adjacent series differ in more than the number of
  /// repetitions.
  struct Series {
    Int issues = 0;         ///< number of slots, including that of a transfer
    Int busy = 0;           ///< cycles of the engine
    std::uint32_t end = 0;  ///< number of requests of the list up to the end of this series
    Ending ending = Ending::end;
    bool transfers() const { return ending <= Ending::write; }
    bool alike(const Series& other) const {
      return issues == other.issues && busy == other.busy && ending == other.ending;
    }
  };
  struct List {
    std::size_t begin = 0, end = 0;  ///< range of series
    std::uint32_t shared = 0;        ///< number of requests that all tasklets run
    std::uint32_t alike = 0;         ///< number of leading requests equal to those of the previous list
    std::size_t next_smaller = 0;    ///< index of the next list with a smaller `alike`
  };

  explicit RequestLists(const System& system) : system_(system) {}

  /// Adds a list. Returns false for the rare programs that are not supported: very long lists, and tasklets
  /// that end early in a loop or before a barrier.
  bool read(const FlatProgram& program, std::span<const Int> trips);
  /// Computes `alike` and `next_smaller` of each list.
  void compare();
  void clear();

  std::size_t size() const { return lists_.size(); }
  std::size_t series_count() const { return series_.size(); }
  const List& operator[](std::size_t list) const { return lists_[list]; }
  const Series* first_of(std::size_t list) const { return series_.data() + lists_[list].begin; }
  /// Returns the number of requests of a list over all tasklets, including their ends.
  Int requests(std::size_t list, Int tasklets) const;

 private:
  void list_transfers(const FlatProgram& program);
  bool write_out(const FlatProgram& program, std::span<const Int> trips, List& list);
  std::uint32_t length(const List& list) const {
    return series_.size() == list.begin ? 0 : series_.back().end;
  }
  void put(const List& list, const Series& series, std::uint32_t times);
  bool repeat_from(const List& list, std::uint32_t first, Int times);

  const System& system_;
  std::vector<Series> series_;  ///< series of all lists
  std::vector<List> lists_;
  std::array<Int, max_depth + 1> left_{};  ///< remaining trips, by depth
  /// Number of requests before the second trip, by depth.
  std::array<std::uint32_t, max_depth + 1> second_{};
  struct Transfer {
    Int busy = 0;             ///< cycles of the engine
    std::uint32_t again = 0;  ///< number of repetitions after this one, with the slots before it
  };
  std::vector<Transfer> transfers_;  ///< by step; set only for transfers
};

}  // namespace nestor::cnm
