// One worker of Nestor's scheduler. It builds an order, sorts it by minimum cuts, anneals it for few live
// values, and then anneals the whole schedule with its exact number of copies. Workers differ in seed,
// starting order and working arrays. Their actions depend only on their work, never on time.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "heuristics/simd/constructions.h"
#include "heuristics/simd/order_annealer.h"

namespace nestor::simd {

/// The distribution of a worker's planned work.
struct NestorPlan {
  std::uint64_t work = 0;               ///< planned work; the worker continues beyond it with more cycles
  double order_share = 0.35;            ///< share of the work spent on annealing the order alone
  double order_work_per_gate = 20'000;  ///< more work than this does not improve an order
  double order_hot = 100, order_warm = 8, order_cold = 3;  ///< warm: initial temperature for a good order
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

  /// Performs a stretch of work. Returns false if it was stopped; the stretch is then discarded.
  bool round();
  /// Returns the best result from which other workers may continue.
  const Found& best() const { return best_.copies < before_.copies ? best_ : before_; }
  /// Returns the best schedule that the evaluator cannot describe, if there is one.
  const Found& elsewhere() const { return constructions_.elsewhere; }
  /// True if the worker has nothing left to do.
  bool finished() const { return stage_ == Stage::end; }
  /// True if the worker is past its constructions. It then runs until it reaches a limit.
  bool endless() const { return stage_ != Stage::start && stage_ != Stage::end; }
  std::uint64_t work() const { return work_; }
  int starts() const { return starts_; }
  /// Continues from another worker's better schedule if this worker's last cycle gained nothing.
  void offer(const Found& found);
  bool at_cycle_start() const { return stage_ == Stage::copies && cycle_done_ == 0 && !restarted_; }

 private:
  enum class Stage : std::uint8_t { start, order, sort, copies, end };
  /// Steps of a start.
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
  bool start_step();  ///< runs the current step
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
  void start_over();
  double first_hot() const;
  void begin_order_leg(const Order& order);
  Order sorted_by_cuts(const Order& order, std::uint32_t array);
  bool try_partitions();
  bool make_fit();
  bool stopped() const { return should_stop(stop_); }
  /// True if the array is not the home of any input, so that inputs must be copied to it.
  bool travels_to(std::uint32_t array) const { return array >= problem_->home_arrays(); }
  static double cooled(double hot, double cold, double fraction) {
    return hot * std::pow(cold / hot, fraction);
  }

  /// Work between two checks of the limits.
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
  int cycles_without_gain_ = 0;
  double order_start_ = 0;  ///< temperature at the start of the first leg
  int order_leg_ = 0;
  std::uint32_t order_array_ = 0;
  std::unique_ptr<OrderAnnealer> order_annealer_;
  std::unique_ptr<Annealer> annealer_;
  Found best_;    ///< best of the current start
  Found before_;  ///< best of all earlier starts
  int starts_ = 1;
  bool sorts_file_ = false;           ///< true if the order of the file was better than the worker's own
  bool restarted_ = false;            ///< true while a later start is in progress
  std::uint64_t start_began_at_ = 0;  ///< work when the start began
};

}  // namespace nestor::simd
