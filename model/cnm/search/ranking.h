// Ranked mapping space of a kernel: all legal mappings with their times, best first, ties in the documented
// order. The cost of a program does not depend on the number of ranks and DPUs that run it. Mappings with the
// same work of a tasklet therefore share one list of forms (block and order, with their cycles). A member is
// represented by a cut and a form, in sixteen bytes.
#pragma once

#include "model/cnm/search/channel_maps.h"
#include "model/cnm/search/map_space.h"
#include "solver/engine/executor.h"

namespace nestor::cnm {

/// A member and its time.
struct RankedMap {
  CnmMap map;
  double time_ms = 0;
};

class Ranking {
 public:
  /// `most` is the maximum number of members. If there are more, or if `stop` is requested, nothing is
  /// ranked. `extents` are the limits up to which the kernel's extents may grow; empty if they may not.
  Ranking(const Kernel& kernel, const System& system, const Library& library, Executor& executor,
          std::size_t most, const StopSignal* stop = nullptr, std::vector<Int> extents = {},
          ChannelSpace channels = ChannelSpace::whole);

  /// False if there are more members or cuts than allowed, or if the ranking was stopped.
  bool complete() const { return complete_; }
  std::size_t size() const { return members_.size(); }
  RankedMap operator[](std::size_t place) const;

  // For printing: members of one cut have the same tuples, members of one form have the same block and order.
  std::size_t cut_of(std::size_t place) const { return members_[place].cut; }
  std::size_t form_of(std::size_t place) const;
  std::size_t cut_count() const { return cuts_.size(); }
  std::size_t form_count() const { return form_count_; }
  std::size_t work_count() const { return works_.size(); }
  CnmMap map_of(std::size_t place) const;
  /// Returns a cost in whole picoseconds.
  double cost_of(std::size_t place) const { return members_[place].cost; }

 private:
  struct Form {
    std::uint32_t block = 0, order = 0;
    double cycles = 0;
  };
  /// Work of a tasklet, with its blocks and orders in the order of ties.
  struct Work {
    Int tasklets = 1;
    std::vector<Int> local;      ///< local extents of a tasklet
    std::size_t cut = 0;         ///< index of the first cut with this work
    std::size_t cuts = 0;        ///< number of cuts with this work
    std::size_t first_form = 0;  ///< index of the first form of this work among all forms
    std::vector<std::vector<Int>> blocks;
    std::vector<std::vector<std::size_t>> orders;
    std::vector<Form> forms;
  };
  struct Cut {
    CnmMap map;  ///< without block and order
    std::uint32_t work = 0;
    double host_ms = 0;
  };
  struct Member {
    double cost = 0;
    std::uint32_t cut = 0, form = 0;
  };

  void list_cuts(MapSpace& space);
  std::size_t most_members(MapSpace& space, Executor& executor, std::size_t most) const;
  /// Block and order of a work, by index.
  struct Place {
    std::uint32_t work = 0, block = 0, order = 0;
  };
  std::vector<Place> list_places(const MapSpace& space, Executor& executor);
  bool precedes_in_batch(const Place& a, const Place& b) const;
  std::vector<double> estimate(MapSpace& space, Executor& executor, const std::vector<Place>& places,
                               std::size_t most);
  void list_members(const MapSpace& space, std::size_t count, Executor& executor);
  void sort_members(Executor& executor);
  void take_channels(const Kernel& kernel, const System& system, ChannelSpace space);

  bool stopped() const { return stop_ != nullptr && stop_->requested(); }

  const StopSignal* stop_;
  bool complete_ = true;
  std::size_t form_count_ = 0;
  std::vector<Cut> cuts_;  ///< in the order of ties
  std::vector<Work> works_;
  std::vector<Member> members_;
};

}  // namespace nestor::cnm
