#include "sim/cnm/second_estimate.h"

#include <algorithm>
#include <cmath>

namespace nestor::sim::cnm {
namespace {

using nestor::cnm::Item;
using nestor::cnm::ItemKind;
using nestor::cnm::Program;

constexpr Int most_steps = 400'000'000;

// A loop that contains transfers or barriers. Its index is its position in program order.
struct RequestLoop {
  Int trips = 0, reduced = 0, step = 0;
  double runs_around = 1;  // runs of the enclosing loops, with reduced trips
  bool innermost = true;
  std::array<double, 5> delta{};
  std::vector<std::size_t> inside;
};

bool has_requests(const Item& item) {
  if (item.kind == ItemKind::loop)
    return item.amount > 0 && std::any_of(item.body.begin(), item.body.end(), has_requests);
  return item.kind == ItemKind::read || item.kind == ItemKind::write || item.kind == ItemKind::barrier;
}

Int slots_in(const Program& program) {
  Int sum = 0;
  for (const Item& item : program)
    sum += item.kind == ItemKind::slots  ? item.amount
           : item.kind == ItemKind::loop ? item.amount * slots_in(item.body)
                                         : 0;
  return sum;
}

class Again {
 public:
  Again(const nestor::cnm::System& system, const Program& program, Int tasklets)
      : system_(system), program_(program), tasklets_(tasklets) {
    list(program_, outermost_);
  }

  std::optional<SecondEstimate> run() {
    add_bounds();
    if (runs_of_innermost() <= static_cast<double>(system_.engine.whole)) {
      for (RequestLoop& loop : loops_) loop.reduced = loop.trips;
      const auto whole = simulate(loops_.size(), 0);
      if (!whole) return std::nullopt;
      conclude(*whole);
      return result_;
    }
    for (result_.k = system_.engine.k;; result_.k *= 2) {
      const auto base = measure(result_.k);
      if (!base) return std::nullopt;
      if (!result_.linear && result_.k < system_.engine.k_max) continue;
      auto total = *base;
      for (const std::size_t q : outermost_) {
        const auto more = extra(q);
        for (std::size_t c = 0; c < total.size(); ++c) total[c] += more[c];
      }
      conclude(total);
      return result_;
    }
  }

 private:
  using Figures = std::array<double, 5>;  // cycles, followed by the four causes

  void list(const Program& program, std::vector<std::size_t>& here) {
    for (const Item& item : program) {
      if (item.kind != ItemKind::loop || !has_requests(item)) continue;
      const std::size_t number = loops_.size();
      here.push_back(number);
      loops_.emplace_back();
      loops_[number].trips = item.amount;
      std::vector<std::size_t> inside;
      list(item.body, inside);
      loops_[number].innermost = inside.empty();
      loops_[number].inside = std::move(inside);
    }
  }

  double runs_of_innermost() const {
    double sum = 0;
    const auto add = [&](const auto& self, std::size_t q, double around) -> void {
      const double runs = around * static_cast<double>(loops_[q].trips);
      if (loops_[q].innermost) sum += runs;
      for (const std::size_t c : loops_[q].inside) self(self, c, runs);
    };
    for (const std::size_t q : outermost_) add(add, q, 1);
    return sum;
  }

  // Returns the program with reduced trips, in which loops without transfers and barriers are replaced by
  // slots. The loop with index `longer` gets `more` additional trips.
  Program shortened(const Program& program, std::size_t& number, std::size_t longer, Int more) const {
    Program result;
    for (const Item& item : program) {
      if (item.kind != ItemKind::loop) {
        result.push_back(item);
      } else if (!has_requests(item)) {
        result.push_back(nestor::cnm::slots(item.amount * slots_in(item.body)));
      } else {
        const std::size_t q = number++;
        Program body = shortened(item.body, number, longer, more);
        result.push_back(nestor::cnm::loop(loops_[q].reduced + (q == longer ? more : 0), std::move(body)));
      }
    }
    return result;
  }

  std::optional<Figures> simulate(std::size_t longer, Int more) {
    std::size_t number = 0;
    StepperLimits limits;
    limits.steps = steps_left_;
    const auto run = step_dpu(system_, shortened(program_, number, longer, more), tasklets_, limits);
    if (!run) return std::nullopt;
    steps_left_ -= run->causes.issue;
    ++result_.runs;
    result_.cycles_simulated += run->cycles;
    const auto& c = run->causes;
    return Figures{static_cast<double>(run->cycles), static_cast<double>(c.issue),
                   static_cast<double>(c.barrier), static_cast<double>(c.dma), static_cast<double>(c.gap)};
  }

  void shorten(std::size_t q, double around, Int k) {
    RequestLoop& loop = loops_[q];
    loop.step = loop.innermost ? k : 2;
    loop.reduced = loop.trips < 3 * loop.step ? loop.trips : loop.step;
    loop.runs_around = around;
    for (const std::size_t c : loop.inside) shorten(c, around * static_cast<double>(loop.reduced), k);
  }

  std::optional<Figures> measure(Int k) {
    for (const std::size_t q : outermost_) shorten(q, 1, k);
    const auto base = simulate(loops_.size(), 0);
    if (!base) return std::nullopt;
    result_.linear = true;
    for (std::size_t q = 0; q < loops_.size(); ++q) {
      RequestLoop& loop = loops_[q];
      if (loop.reduced == loop.trips) continue;
      const auto once = simulate(q, loop.step);
      if (!once) return std::nullopt;
      for (std::size_t c = 0; c < 5; ++c) loop.delta[c] = (*once)[c] - (*base)[c];
      if (!loop.innermost) continue;
      const auto twice = simulate(q, 2 * loop.step);
      if (!twice) return std::nullopt;
      const double first = loop.delta[0];
      for (std::size_t c = 0; c < 5; ++c) loop.delta[c] = (*twice)[c] - (*once)[c];
      if (std::abs(loop.delta[0] - first) > system_.engine.alpha * loop.delta[0]) result_.linear = false;
    }
    return base;
  }

  // Returns the figures that the trips omitted from a loop would add, including those of the loops inside it.
  Figures extra(std::size_t q) const {
    const RequestLoop& loop = loops_[q];
    Figures inside{}, result{};
    for (const std::size_t c : loop.inside) {
      const auto more = extra(c);
      for (std::size_t i = 0; i < 5; ++i) inside[i] += more[i];
    }
    for (std::size_t i = 0; i < 5; ++i) {
      const double red = loop.reduced == loop.trips
                             ? 0
                             : loop.delta[i] / (static_cast<double>(loop.step) * loop.runs_around);
      result[i] = static_cast<double>(loop.trips) * (red + inside[i]) -
                  (loop.reduced == loop.trips ? 0 : static_cast<double>(loop.reduced) * red);
    }
    return result;
  }

  void conclude(const Figures& figures) {
    result_.cycles = std::max({figures[0], result_.issue, result_.dma, result_.tasklet});
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += result_.causes[i] = figures[i + 1];
    for (double& cause : result_.causes) cause = sum > 0 ? cause * result_.cycles / sum : 0;
  }

  void add_bounds() {
    bool alone = false;
    const auto add = [&](const auto& self, const Program& program, double times) -> void {
      for (const Item& item : program) {
        const double units = alone ? 1 : static_cast<double>(tasklets_);
        switch (item.kind) {
          case ItemKind::leave:
            alone = true;
            break;
          case ItemKind::loop:
            self(self, item.body, times * static_cast<double>(item.amount));
            break;
          case ItemKind::slots:
            result_.issue += units * times * static_cast<double>(item.amount);
            result_.tasklet += static_cast<double>(system_.gap) * times * static_cast<double>(item.amount);
            break;
          case ItemKind::read:
          case ItemKind::write: {
            const auto& time = item.kind == ItemKind::read ? system_.dma.read : system_.dma.write;
            const double busy =
                std::floor(time.setup + time.per_byte * static_cast<double>(item.amount) + 0.5);
            const double wait = busy + std::floor(time.back + 0.5) - static_cast<double>(system_.gap);
            result_.issue += units * times;
            result_.dma += units * times * busy;
            result_.tasklet += times * (static_cast<double>(system_.gap) + std::max(0.0, wait));
            break;
          }
          case ItemKind::barrier:
            break;
        }
      }
    };
    add(add, program_, 1);
    result_.dma /= static_cast<double>(ports_of(system_.dma, tasklets_));
  }

  const nestor::cnm::System& system_;
  const Program& program_;
  Int tasklets_;
  std::vector<RequestLoop> loops_;
  std::vector<std::size_t> outermost_;
  Int steps_left_ = most_steps;
  SecondEstimate result_;
};

}  // namespace

std::optional<SecondEstimate> estimate_again(const nestor::cnm::System& system,
                                             const nestor::cnm::Program& program, Int tasklets) {
  return Again(system, program, tasklets).run();
}

}  // namespace nestor::sim::cnm
