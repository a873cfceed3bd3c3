// Nestor's own scheduler, one worker of it: an order is built, sorted by minimum cuts, annealed for few
// values alive, and then annealed as a whole schedule with its true count of copies. Workers differ in seed,
// starting order and working arrays; what each does depends on its work only, never on time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "heuristics/simd/annealer.h"
#include "heuristics/simd/order_annealer.h"
#include "heuristics/simd/orders.h"

namespace nestor::simd {

/// How a worker spends its planned work.
struct NestorPlan {
  std::uint64_t work = 0;               ///< planned for the worker; it goes on beyond with more cycles
  double order_share = 0.35;            ///< of the work, spent on the order alone
  double order_work_per_gate = 20'000;  ///< more work than this does not make an order better
  double order_hot = 100, order_warm = 8, order_cold = 3;  ///< warm: from an order better than our own
  double hot = 2.0, cold = 0.12;                           ///< temperatures of a cycle on copies
};

class NestorWorker {
 public:
  NestorWorker(const Problem& problem, std::uint32_t index, std::uint64_t seed, const NestorPlan& plan);

  /// A stretch of work of a fixed size.
  void round();
  const Found& best() const { return best_.copies < before_.copies ? best_ : before_; }
  /// Has it nothing left to do?
  bool finished() const { return stage_ == Stage::end; }
  std::uint64_t work() const { return work_; }
  int starts() const { return starts_; }
  /// Continues from another worker's better schedule, if its own last cycle gained nothing.
  void offer(const Found& found);
  bool at_cycle_start() const { return stage_ == Stage::copies && cycle_done_ == 0 && !afresh_; }

 private:
  enum class Stage : std::uint8_t { start, order, copies, end };
  void start();
  void give_up_start();
  void order_round();
  void copies_round();
  void try_order(const Order& order);
  void begin_copies();
  void begin_cycle();
  void end_cycle();
  void give_up_cycles();
  bool is_small() const;
  void try_many_orders();
  bool tried_many_orders() const;
  void start_afresh();
  double first_hot() const;
  void begin_order_leg(const Order& order);
  Order sorted_by_cuts(const Order& order, std::uint32_t array);
  void try_partitions();
  void make_fit();
  WorkingArrays single(std::uint32_t array) const { return WorkingArrays{{array}}; }

  const Problem* problem_;
  std::uint32_t index_;
  Random random_;
  NestorPlan plan_;
  Stage stage_ = Stage::start;
  std::uint64_t work_ = 0;
  std::uint64_t cycle_done_ = 0, cycle_length_ = 0;
  Copies cycle_began_at_ = impossible;
  double hot_ = 0;
  int vain_cycles_ = 0;     ///< cycles in a row that gained nothing
  double order_start_ = 0;  ///< temperature
  int order_leg_ = 0;
  std::uint32_t order_array_ = 0;
  std::unique_ptr<OrderAnnealer> order_annealer_;
  std::unique_ptr<Annealer> annealer_;
  Found best_;    ///< of what is worked on
  Found before_;  ///< of all that was before a worker started afresh
  int starts_ = 1;
  bool afresh_ = false;               ///< a later start has its part of the plan
  std::uint64_t start_began_at_ = 0;  ///< work
};

}  // namespace nestor::simd
