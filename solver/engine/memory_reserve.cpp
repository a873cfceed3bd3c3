#include "solver/engine/memory_reserve.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace nestor {
namespace {

// Never accessed, so it uses only address space.
constexpr std::size_t reserve_bytes = std::size_t{32} << 20U;

std::atomic<void*> reserve{nullptr};
std::atomic<bool> ran_out{false};

void give_back_reserve() {
  void* const held = reserve.exchange(nullptr);
  if (held == nullptr) throw std::bad_alloc();
  ran_out.store(true, std::memory_order_relaxed);
  std::free(held);
}

}  // namespace

void keep_memory_reserve() {
  if (reserve.load() != nullptr) return;
  reserve = std::malloc(reserve_bytes);
  if (reserve.load() != nullptr) std::set_new_handler(give_back_reserve);
}

bool memory_ran_out() { return ran_out.load(std::memory_order_relaxed); }

}  // namespace nestor
