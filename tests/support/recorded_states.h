// A state keeper that stores the states of a layer's searches at the ends of rounds, for tests that resume
// from each of them.
#pragma once

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "solver/engine/observer.h"
#include "solver/engine/state.h"

namespace nestor::tests {

/// The states of a layer's searches in order, as in a checkpoint.
using States = std::vector<std::string>;

class RecordedStates final : public StateKeeper {
 public:
  /// Resumes from the states in `from`. Stores the states once in `every` rounds, or never if `every` is 0.
  explicit RecordedStates(std::size_t every, States from = {}) : every_(every), states_(std::move(from)) {}

  bool begin(const Read& read) override {
    ++searches_;
    if (searches_ <= states_.size()) {
      const std::string& bytes = states_[searches_ - 1];
      std::size_t at = 0;
      StateReader reader([&](std::byte* to, std::size_t count) {
        if (count > bytes.size() - at) return false;
        std::memcpy(to, bytes.data() + at, count);
        at += count;
        return true;
      });
      if (read(reader)) return ++taken_, true;
      ++refused_;
    }
    states_.resize(searches_ - 1);
    return false;
  }
  bool is_due() const override { return every_ > 0 && ++rounds_ % every_ == 0; }
  void keep(const Write& write) override {
    if (every_ == 0) return;
    std::string bytes;
    StateWriter writer([&](const std::byte* from, std::size_t count) {
      bytes.append(reinterpret_cast<const char*>(from), count);
      return true;
    });
    if (!write(writer)) return;
    states_.resize(searches_ - 1);
    states_.push_back(std::move(bytes));
    pictures_.push_back(states_);
  }

  const std::vector<States>& pictures() const { return pictures_; }
  std::size_t searches() const { return searches_; }
  std::size_t taken() const { return taken_; }
  std::size_t refused() const { return refused_; }

 private:
  std::size_t every_;
  States states_;
  std::vector<States> pictures_;
  std::size_t searches_ = 0;
  std::size_t taken_ = 0;
  std::size_t refused_ = 0;
  mutable std::size_t rounds_ = 0;
};

/// Passes recorded states to a search and ignores all events.
class AlbumObserver final : public EngineObserver {
 public:
  explicit AlbumObserver(RecordedStates& album) : album_(album) {}
  void round_ended(const EngineProgress& /*progress*/) override {}
  StateKeeper* states() override { return &album_; }

 private:
  RecordedStates& album_;
};

}  // namespace nestor::tests
