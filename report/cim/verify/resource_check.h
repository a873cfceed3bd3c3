// Check of a result's figures for its machine's resources: the causes of cycles, the use of each resource,
// and mappings onto machines with more of one resource. Their optimality is a claim of the search that is not
// checked here. Internal to report/cim/verify.
#pragma once

#include "report/cim/verify/point_check.h"

namespace nestor::io {

class ResourceCheck {
 public:
  ResourceCheck(Claims& claims, const Terms& terms, const NamedArchitecture& architecture,
                const LayerResult& layer, const check::Contract& contract)
      : claims_(claims), terms_(terms), named_(architecture), layer_(layer), contract_(contract) {}

  /// Checks that each wait is the increase in latency when its port is added to all preceding ports, and that
  /// all parts sum to the latency.
  void spent_cycles();
  void resources();

 private:
  void resource(const ResourceRecord& record);
  void change(const ResourceRecord& record, std::size_t place, const char* which,
              const ResourceChange<MappedPoint>& change);
  void binding(const ResourceRecord& record);
  std::optional<std::size_t> place_of(const NamedResource& resource) const;
  Int& amount_in(Architecture& machine, Resource::Kind kind, std::size_t place) const;
  Int cycles() const { return terms_.cycles(contract_.figures); }
  /// Returns the bits that an operand moves through the inner side of a memory, in one instance.
  Int bits_through(std::size_t memory, Operand operand) const;
  double used(const ResourceRecord& record, std::size_t place) const;
  void share(std::string_view what, double claimed, double found);

  Claims& claims_;
  const Terms& terms_;
  const NamedArchitecture& named_;
  const LayerResult& layer_;
  const check::Contract& contract_;
};

}  // namespace nestor::io
