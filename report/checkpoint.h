// nestor map --checkpoint and --resume in all loop-nest spaces. The states of all searches are saved to a
// file during the run, and a later run of the same problem continues from them. A search is deterministic,
// and its state is saved at the end of a round. The later run therefore has the same result as an
// uninterrupted one, except for times. A finished search also has a state; its mappings are checked and
// evaluated again, like those of any search.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

#include "report/results/checkpoint_file.h"
#include "solver/engine/host_storage.h"

namespace nestor::report {

class Checkpoint {
 public:
  /// Creates a checkpoint for a run over `shapes` shapes. Packed states are charged to `memory`. If the path
  /// is empty, nothing is written.
  Checkpoint(std::string path, std::chrono::duration<double> interval, std::size_t shapes,
             MemoryBudget& memory);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  /// Begins a run. `result()` returns its result so far and is only called if a checkpoint is written or
  /// resumed. `resume` names the file with the states of an earlier run, or is empty.
  io::MaybeError begin(const std::function<io::Json()>& result, const std::string& resume);
  /// Returns the object that stores the states of a shape's searches, or nullptr if nothing is saved or
  /// resumed.
  StateKeeper* states(std::size_t shape);
  /// Writes the file if there are new states and the next write is due or `at_end` is true. It is called for
  /// every saved state. After a failure, every later call reports the first error. Thread-safe.
  io::MaybeError catch_up(bool at_end = false);

 private:
  class Keeper;

  void replace(std::size_t shape, std::size_t search, std::string packed);

  std::string path_;
  std::chrono::duration<double> interval_;
  MemoryBudget& memory_;
  std::mutex mutex_;  // protects all members below
  io::CheckpointFile file_;
  bool behind_ = true;  // the first file is written even without states
  std::vector<std::unique_ptr<Keeper>> keepers_;
  std::chrono::steady_clock::time_point next_write_ = std::chrono::steady_clock::now();
  io::MaybeError failure_;
};

}  // namespace nestor::report
