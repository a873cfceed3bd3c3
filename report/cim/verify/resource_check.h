// Check of the causes of cycles and of the resources of a CIM machine. Internal to report/cim/verify.
#pragma once

#include "report/results/cim/result_file.h"
#include "report/verify/resource_check.h"

namespace nestor::io {

class CimResourceCheck : public ResourceCheck<CimRecord, Architecture> {
 public:
  using ResourceCheck::ResourceCheck;

  /// Returns the causes of the cycles. Each wait is the increase in latency when its port is added to all
  /// preceding ports. A sum of all parts other than the latency is a finding.
  Json spent_cycles(const Json& machine, bool stall, const std::string& path) const;

 private:
  Json machine_json(const NamedArchitecture& machine) const override;
  const Mapping& nest() const override { return *layer_.best.mapping; }
  const Json& figures() const override { return best_.figures; }
  double moving_cycles(std::size_t memory, Operand operand) const override;
};

}  // namespace nestor::io
