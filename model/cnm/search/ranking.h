// The whole ranked space of a kernel: every legal mapping with its time, best first, ties in the documented
// order. What a program costs does not depend on how many ranks and DPUs run it, so mappings that leave a
// tasklet the same work share one list of forms (block and order, with their cycles); a member is then a cut
// and a form, sixteen bytes.
#pragma once

#include "model/cnm/search/channel_maps.h"
#include "model/cnm/search/map_space.h"
#include "solver/engine/executor.h"

namespace nestor::cnm {

/// A member with its time.
struct RankedMap {
  CnmMap map;
  double time_ms = 0;
};

class Ranking {
 public:
  /// `most`: members beyond which nothing is ranked, as once `stop` is requested.
  /// `extents`: how far those of the kernel may grow; empty: not at all.
  Ranking(const Kernel& kernel, const System& system, const Library& library, Executor& executor,
          std::size_t most, const StopSignal* stop = nullptr, std::vector<Int> extents = {},
          ChannelSpace channels = ChannelSpace::whole);

  /// False if there are more members, or more cuts, than allowed, or it was stopped.
  bool complete() const { return complete_; }
  std::size_t size() const { return members_.size(); }
  RankedMap operator[](std::size_t place) const;

  // For printing: members of one cut have their tuples in common, members of one form block and order.
  std::size_t cut_of(std::size_t place) const { return members_[place].cut; }
  std::size_t form_of(std::size_t place) const;
  std::size_t cut_count() const { return cuts_.size(); }
  std::size_t form_count() const { return form_count_; }
  std::size_t work_count() const { return works_.size(); }
  CnmMap map_of(std::size_t place) const;
  /// Whole picoseconds.
  double cost_of(std::size_t place) const { return members_[place].cost; }

 private:
  struct Form {
    std::uint32_t block = 0, order = 0;
    double cycles = 0;
  };
  /// What a tasklet may do with its part, in the order of ties.
  struct Work {
    Int tasklets = 1;
    std::vector<Int> local;      ///< the part
    std::size_t cut = 0;         ///< one that leaves this part
    std::size_t cuts = 0;        ///< how many leave it
    std::size_t first_form = 0;  ///< its number among the forms of all
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
  /// A block and an order of a work, by number.
  struct Place {
    std::uint32_t work = 0, block = 0, order = 0;
  };
  std::vector<Place> list_places(const MapSpace& space, Executor& executor);
  bool come_together(const Place& a, const Place& b) const;
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
