// Random tasklet programs for tests of the DPU machine: all kinds of items, nested loops, and parameters of
// the engine and the refresh that differ from those of the shipped machines.
#pragma once

#include "base/random.h"
#include "model/cnm/program.h"
#include "model/cnm/system.h"

namespace nestor::tests {

inline cnm::System random_dpu(Random& random) {
  cnm::System system;
  system.gap = std::array<Int, 5>{1, 4, 7, 11, 14}[random.below(5)];
  const auto time = [&] {
    return cnm::TransferTime{.setup = static_cast<double>(random.below(200)) / 4,
                             .per_byte = static_cast<double>(random.below(9)) / 8,
                             .back = static_cast<double>(random.below(60))};
  };
  system.dma.read = time();
  system.dma.write = time();
  if (random.chance(0.3)) system.dma.ports = random.between(0, 4);
  if (random.chance(0.6)) {
    system.dma.refresh.every = random.between(40, 3000);
    system.dma.refresh.busy =
        random.chance(0.7) ? random.between(0, system.dma.refresh.every / 2)
                           : random.between(0, system.dma.refresh.every - system.dma.refresh.every / 512 - 1);
  }
  for (const Int tasklets : {1, 2, 8, 24})
    system.barrier[tasklets] = static_cast<double>(random.below(3000)) / 2;
  return system;
}

inline cnm::Program random_program(Random& random, int depth, bool in_loop) {
  cnm::Program program;
  const auto items = random.between(1, 5);
  for (Int i = 0; i < items; ++i) {
    const auto kind = random.below(10);
    if (kind < 4)
      program.push_back(cnm::slots(random.chance(0.2) ? random.between(0, 400) : random.between(0, 30)));
    else if (kind < 6)
      program.push_back(cnm::read(8 << random.below(9)));
    else if (kind < 7)
      program.push_back(cnm::write(8 << random.below(9)));
    else if (kind < 8)
      program.push_back(cnm::barrier());
    else if (depth > 0)
      program.push_back(cnm::loop(random.between(0, 6), random_program(random, depth - 1, true)));
  }
  if (!in_loop && random.chance(0.1)) {
    program.push_back({cnm::ItemKind::leave});
    program.push_back(cnm::slots(random.between(0, 50)));
    program.push_back(cnm::write(64));
  }
  return program;
}

/// Returns tiles of many rows. Each row is a transfer, often with work in between.
inline cnm::Program random_tiles(Random& random) {
  cnm::Program trip;
  const auto tiles = random.between(1, 3);
  for (Int tile = 0; tile < tiles; ++tile) {
    const Int rows = random.between(1, 40), bytes = 8 << random.below(7);
    const Int slots = random.chance(0.8) ? 1 : random.between(0, 6);
    const bool write = random.chance(0.2);
    for (Int row = 0; row < rows; ++row) {
      trip.push_back(cnm::slots(slots));
      trip.push_back(write ? cnm::write(bytes) : cnm::read(bytes));
    }
    const Int most_work = std::array<Int, 5>{3000, 3000, 3000, 40, 0}[random.below(5)];
    trip.push_back(cnm::slots(random.between(0, most_work)));
  }
  return {cnm::barrier(), cnm::slots(random.between(0, 300)), cnm::loop(random.between(1, 5), trip)};
}

/// Returns the tree of items from which a list of steps was generated, with the trips in the list's table.
inline cnm::Program tree_of(const cnm::FlatProgram& flat) {
  std::vector<cnm::Program> open(1);
  for (std::size_t at = 0; at < flat.steps.size(); ++at) {
    for (std::size_t end = flat.steps.size(); end-- > at;)
      if (flat.steps[end].kind == cnm::ItemKind::loop && flat.steps[end].target == at) open.emplace_back();
    const cnm::Step& step = flat.steps[at];
    if (step.kind != cnm::ItemKind::loop) {
      open.back().push_back({step.kind, step.amount});
      continue;
    }
    cnm::Program body = std::move(open.back());
    open.pop_back();
    open.back().push_back(cnm::loop(flat.trips[step.loop], std::move(body)));
  }
  return open.front();
}

}  // namespace nestor::tests
