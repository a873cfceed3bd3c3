// Programs of a DPU's tasklets, written out for model/cnm/dpu_clock: a list of requests with the slots
// before each. All tasklets run the same list. Most requests are like the one before them (the rows of a
// tile, the trips of a loop), so those that are alike and follow one another are a series. Many lists are
// held together and know how far each is like the one before.
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
  /// Slots, and what follows them, some times in a row. Never is the one before it alike but for the times.
  struct Series {
    Int issues = 0;         ///< with a transfer's own slot
    Int busy = 0;           ///< cycles of the engine
    std::uint32_t end = 0;  ///< requests of the list up to here
    Ending ending = Ending::end;
    bool transfers() const { return ending <= Ending::write; }
    bool alike(const Series& other) const {
      return issues == other.issues && busy == other.busy && ending == other.ending;
    }
  };
  struct List {
    std::size_t begin = 0, end = 0;  ///< series
    std::uint32_t shared = 0;        ///< requests that every tasklet runs
    std::uint32_t alike = 0;         ///< to those of the list before
    std::size_t parts_before = 0;    ///< the next list that is less alike
  };

  explicit RequestLists(const System& system) : system_(system) {}

  /// Adds a list. False for the rare programs that are left out: very long lists, and tasklets that end early
  /// in a loop or before a barrier.
  bool read(const FlatProgram& program, std::span<const Int> trips);
  /// How far each list is like the one before, and where the lists end that are like it that far.
  void compare();
  void clear();

  std::size_t size() const { return lists_.size(); }
  std::size_t series_count() const { return series_.size(); }
  const List& operator[](std::size_t list) const { return lists_[list]; }
  const Series* first_of(std::size_t list) const { return series_.data() + lists_[list].begin; }
  /// Requests and ends of tasklets of a list.
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
  std::vector<Series> series_;  ///< of all lists
  std::vector<List> lists_;
  std::array<Int, max_depth + 1> left_{};              ///< trips, by depth
  std::array<std::uint32_t, max_depth + 1> second_{};  ///< requests before the second trip
  struct Transfer {
    Int busy = 0;             ///< cycles of the engine
    std::uint32_t again = 0;  ///< so often in a row after this one, with the slots before it
  };
  std::vector<Transfer> transfers_;  ///< by step
};

}  // namespace nestor::cnm
