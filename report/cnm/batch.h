// Estimates of one kernel under many mappings (`estimate --batch`): one JSON object per line as input, and
// one per line as output.
#pragma once

#include <string>
#include <string_view>

#include "io/files.h"
#include "model/cnm/estimate/estimate_kernel.h"

namespace nestor::report {

class BatchEstimate {
 public:
  /// The kernel and the system must outlive this object.
  BatchEstimate(const cnm::Kernel& kernel, const cnm::System& system);

  /// Returns the answer to a line, without a newline: the id in the line (or else the line's number) with
  /// time, cycles and causes, or with an error.
  std::string answer(std::string_view line, std::size_t number);
  std::size_t failed() const { return failed_; }

 private:
  io::Json answer_to(const io::Json& question);

  const cnm::Kernel& kernel_;
  const cnm::System& system_;
  cnm::Library library_;
  cnm::EstimateMemory memory_;
  std::size_t failed_ = 0;
};

/// Returns the cycles of each cause, summed over all maps.
std::vector<cnm::NamedShare> causes_of(const cnm::KernelEstimate& estimate);

}  // namespace nestor::report
