// Check of a machine's resources in a result: the causes of cycles, the use of each resource, and mappings
// onto machines with more of one resource. Their optimality is a claim of the search that is not checked
// here. Internal to report/cim/verify.
#pragma once

#include <functional>

#include "report/results/cim/result_file.h"
#include "report/verify/nest_check.h"

namespace nestor::io {

/// Returns what a result must state about a mapping onto a machine, or nothing if the mapping is illegal.
using PointOf =
    std::function<std::optional<FoundPoint>(const CimPoint&, const Json& machine, const std::string& path)>;

/// Returns the name of the port by which an operand uses a memory: "buffer/W".
std::string port_name(const std::string& memory, Operand operand);

class ResourceCheck {
 public:
  /// `best` is the mapping of the layer.
  ResourceCheck(Comparison& comparison, const NamedArchitecture& architecture, const CimRecord& layer,
                const FoundPoint& best, PointOf point_of)
      : comparison_(comparison),
        named_(architecture),
        layer_(layer),
        best_(best),
        cycles_(best.json[key::latency_cycles].get<Int>()),
        point_of_(std::move(point_of)) {}

  /// Returns the causes of the cycles. Each wait is the increase in latency when its port is added to all
  /// preceding ports. A sum of all parts other than the latency is a finding.
  Json spent_cycles(const Json& machine, bool stall, const std::string& path) const;
  /// Returns the resources. `claims` are those of the layer.
  Json resources(const Json& claims, const std::string& path) const;

 private:
  void resource(Json& found, const ResourceRecord& record, const std::string& path) const;
  void change(Json& found, const ResourceRecord& record, std::size_t place,
              const ResourceChange<CimPoint>& change, const std::string& path) const;
  std::optional<std::size_t> place_of(const NamedResource& resource) const;
  Int& amount_in(Architecture& machine, Resource::Kind kind, std::size_t place) const;
  /// Returns the bits that an operand moves through the inner side of a memory, in one instance.
  Int bits_through(std::size_t memory, Operand operand) const;
  double used(const ResourceRecord& record, std::size_t place) const;

  Comparison& comparison_;
  const NamedArchitecture& named_;
  const CimRecord& layer_;
  const FoundPoint& best_;
  const Int cycles_;
  PointOf point_of_;
};

}  // namespace nestor::io
