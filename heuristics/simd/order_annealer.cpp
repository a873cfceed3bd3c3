#include "heuristics/simd/order_annealer.h"

#include <cmath>

namespace nestor::simd {

OrderAnnealer::OrderAnnealer(const ScheduleProblem& problem, std::span<const std::uint32_t> order,
                             AlivePrice price, bool inputs_travel)
    : sequence_(problem, order), mover_(sequence_, {{0}}), profile_(sequence_, price, inputs_travel) {}

void OrderAnnealer::run(std::uint64_t moves, double temperature, Random& random) {
  for (std::uint64_t move = 0; move < moves; ++move) {
    work_ += 8;
    if (!mover_.propose(random)) continue;
    work_ += mover_.last() - mover_.first();
    const double allowed = temperature > 0 ? -temperature * std::log(1.0 - random.unit()) : 0.0;
    if (profile_.change(mover_.first(), mover_.last()) > allowed) {
      mover_.undo();
    } else {
      profile_.commit();
    }
  }
}

}  // namespace nestor::simd
