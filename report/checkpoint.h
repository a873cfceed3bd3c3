// nestor map --checkpoint and --resume, whatever the loop-nest space: the states of all searches are kept in
// a file while the run goes on, and a later run of the same problem goes on from them. A search is
// deterministic, and its state is kept at the end of a round, so the later run finds what the first would
// have found: its result is the same but for times. What is finished is the state of a search that has ended;
// its mappings are checked and costed afresh, as those of any search are.
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
  /// Of a run over so many shapes. Packed states count as memory of the search. An empty path: nothing is
  /// written.
  Checkpoint(std::string path, std::chrono::duration<double> interval, std::size_t shapes,
             MemoryBudget& memory);
  ~Checkpoint();
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  /// Begins the run whose result so far is `result()`, which is asked for only where something is kept, with
  /// the states that an earlier run of it left at `resume`, if that is not empty.
  io::MaybeError begin(const std::function<io::Json()>& result, const std::string& resume);
  /// What the searches of a shape leave their states with; nullptr where nothing is kept or resumed.
  StateKeeper* states(std::size_t shape);
  /// Writes the file if there is something new and it is time, as happens with every state that is kept. Of
  /// what fails, the first is reported by every later call. Thread-safe.
  io::MaybeError catch_up(bool at_end = false);

 private:
  class Keeper;

  void replace(std::size_t shape, std::size_t search, std::string packed);

  std::string path_;
  std::chrono::duration<double> interval_;
  MemoryBudget& memory_;
  std::mutex mutex_;  // of what follows
  io::CheckpointFile file_;
  bool behind_ = true;  // that nothing is kept yet is worth a file, too
  std::vector<std::unique_ptr<Keeper>> keepers_;
  std::chrono::steady_clock::time_point next_write_ = std::chrono::steady_clock::now();
  io::MaybeError failure_;
};

}  // namespace nestor::report
