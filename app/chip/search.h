// What the options of `compile` ask of the search of the chip space, and what they let it use: for compile,
// and for verify --recheck.
#pragma once

#include "app/space.h"
#include "mapper/chip/compile_network.h"
#include "report/tables/progress.h"

namespace nestor::app::chip_space {

/// What --method, --objective, --limit, --levels, --gap and --work-limit say.
io::Result<chip::NetworkRequest> request_of(const io::RunOptions& options, chip::Mode mode);

/// --threads, --time-limit and signals, with a progress line that bears the network's name.
class SearchSetup final : public EngineObserver {
 public:
  SearchSetup(const io::RunOptions& options, const std::string& network);

  const chip::SearchResources& resources() const { return resources_; }
  void round_ended(const EngineProgress& progress) override;
  void clear_line() { line_.clear(); }

 private:
  std::string network_;
  std::unique_ptr<Executor> executor_;
  io::ProgressLine line_;
  chip::SearchResources resources_;
};

}  // namespace nestor::app::chip_space
