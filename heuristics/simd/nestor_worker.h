// Nestor's own scheduler, one worker of it: an order is built, sorted by minimum cuts, annealed for few
// values alive, and then annealed as a whole schedule with its true count of copies. Workers differ in seed,
// starting order and working arrays; what each does depends on its work only, never on time.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "heuristics/simd/constructions.h"
#include "heuristics/simd/order_annealer.h"

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
  /// `netlist`: see Constructions.
  NestorWorker(const ScheduleProblem& problem, std::uint32_t index, std::uint64_t seed,
               const NestorPlan& plan, const Netlist* netlist = nullptr, Stop stop = {});
  NestorWorker(const NestorWorker&) = delete;
  NestorWorker& operator=(const NestorWorker&) = delete;
  ~NestorWorker() = default;

  /// A stretch of work. False if it was stopped: then it counts for nothing.
  bool round();
  /// The best that others may go on from.
  const Found& best() const { return best_.copies < before_.copies ? best_ : before_; }
  /// A better schedule of another machine, if there is one.
  const Found& elsewhere() const { return constructions_.elsewhere; }
  /// Has it nothing left to do?
  bool finished() const { return stage_ == Stage::end; }
  /// Is it past its constructions? From here on it ends only by what it is given to spend.
  bool endless() const { return stage_ != Stage::start && stage_ != Stage::end; }
  std::uint64_t work() const { return work_; }
  int starts() const { return starts_; }
  /// Continues from another worker's better schedule, if its own last cycle gained nothing.
  void offer(const Found& found);
  bool at_cycle_start() const { return stage_ == Stage::copies && cycle_done_ == 0 && !afresh_; }

 private:
  enum class Stage : std::uint8_t { start, order, sort, copies, end };
  /// What is left of a start.
  enum class Step : std::uint8_t {
    at_once,
    one_array,
    quick,
    constructions,
    masim,
    fit,
    sort,
    file,
    sort_file,
    partitions,
    choose
  };
  bool start_step();  ///< one of them
  void next_step() { step_ = static_cast<Step>(static_cast<std::uint8_t>(step_) + 1); }
  void choose_start();
  void give_up_start();
  bool order_round();
  bool sort_round();
  bool copies_round();
  bool try_order(const Order& order) { return constructions_.count(order, best_); }
  bool begin_copies();
  void begin_cycle();
  void end_cycle();
  void give_up_cycles();
  bool is_small() const;
  bool try_many_orders();
  bool tried_many_orders() const;
  void start_afresh();
  double first_hot() const;
  void begin_order_leg(const Order& order);
  Order sorted_by_cuts(const Order& order, std::uint32_t array);
  bool try_partitions();
  bool make_fit();
  bool stopped() const { return should_stop(stop_); }
  /// Inputs are not where gates in this array are computed.
  bool travels_to(std::uint32_t array) const { return array >= problem_->home_arrays(); }
  static double cooled(double hot, double cold, double fraction) {
    return hot * std::pow(cold / hot, fraction);
  }

  /// Moves between two looks at the limits.
  static constexpr std::uint64_t round_work = 400'000;

  const ScheduleProblem* problem_;
  std::uint32_t index_;
  std::uint64_t seed_;
  Random random_;
  NestorPlan plan_;
  Stop stop_;
  Constructions constructions_;
  Stage stage_ = Stage::start;
  Step step_ = Step::at_once;
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
  bool sorts_file_ = false;           ///< its order was better than our own
  bool afresh_ = false;               ///< a later start has its part of the plan
  std::uint64_t start_began_at_ = 0;  ///< work
};

}  // namespace nestor::simd
