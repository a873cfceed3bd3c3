#include "model/chip/search/knapsack.h"

#include <algorithm>
#include <limits>

namespace nestor::chip {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();

}  // namespace

void Knapsack::clear(Int cores) {
  items_.clear();
  begin_.clear();
  cores_ = cores;
}

bool Knapsack::solve() {
  const std::size_t count = groups();
  least_.assign(count, 0);
  Int spare = cores_;
  Int useful = 0;  // no solution uses more cores than the largest items of all groups
  for (std::size_t g = 0; g < count; ++g) {
    Int least = items_[begin_[g]].cores;
    Int most = least;
    for (std::size_t p = begin_[g]; p < group_end(g); ++p) {
      least = std::min(least, items_[p].cores);
      most = std::max(most, items_[p].cores);
    }
    least_[g] = least;
    spare -= least;
    useful += most - least;
  }
  if (spare < 0) return false;
  width_ = static_cast<std::size_t>(std::min(spare, useful)) + 1;
  forward_.resize((count + 1) * width_);
  std::fill_n(forward_.begin(), width_, 0.0);
  for (std::size_t g = 0; g < count; ++g) {
    const double* before = forward_.data() + g * width_;
    double* after = forward_.data() + (g + 1) * width_;
    std::fill_n(after, width_, impossible);
    for (std::size_t p = begin_[g]; p < group_end(g); ++p) {
      const auto taken = static_cast<std::size_t>(items_[p].cores - least_[g]);
      const double cost = items_[p].cost;
      for (std::size_t b = taken; b < width_; ++b) after[b] = std::min(after[b], before[b - taken] + cost);
    }
  }
  value_ = forward_[count * width_ + width_ - 1];
  answer_.assign(count, 0);
  std::size_t left = width_ - 1;
  for (std::size_t g = count; g-- > 0;) {
    const double* before = forward_.data() + g * width_;
    const double goal = forward_[(g + 1) * width_ + left];
    for (std::size_t p = begin_[g]; p < group_end(g); ++p) {
      const auto taken = static_cast<std::size_t>(items_[p].cores - least_[g]);
      if (taken > left || before[left - taken] + items_[p].cost != goal) continue;
      answer_[g] = p;
      left -= taken;
      break;
    }
  }
  return true;
}

std::span<const double> Knapsack::with_each() {
  const std::size_t count = groups();
  with_.assign(items_.size(), impossible);
  backward_.assign(width_, 0.0);
  next_.resize(width_);
  for (std::size_t g = count; g-- > 0;) {
    const double* before = forward_.data() + g * width_;
    std::fill(next_.begin(), next_.end(), impossible);
    for (std::size_t p = begin_[g]; p < group_end(g); ++p) {
      const auto taken = static_cast<std::size_t>(items_[p].cores - least_[g]);
      if (taken >= width_) continue;
      const double cost = items_[p].cost;
      const std::size_t room = width_ - 1 - taken;
      double least = impossible;
      for (std::size_t b = 0; b <= room; ++b) least = std::min(least, before[b] + backward_[room - b]);
      with_[p] = least + cost;
      for (std::size_t b = taken; b < width_; ++b) next_[b] = std::min(next_[b], backward_[b - taken] + cost);
    }
    std::swap(backward_, next_);
  }
  return with_;
}

}  // namespace nestor::chip
