// Check of the inputs that a result names, if they are available: their digests, the architecture, and the
// layers of the network. A complete result must have exactly these layers.
#pragma once

#include "report/verify/run_claims.h"

namespace nestor::io {

/// Returns true if the machine with this name or file, with the values of --set, equals that of the result.
using IsMachine = std::function<bool(const std::string& name, std::span<const std::string> settings)>;

class InputCheck {
 public:
  InputCheck(const RunClaims& run, ResultCheck& check, const NetworkReader& read_network,
             const IsMachine& is_machine)
      : run_(run), check_(check), claims_(check), read_network_(read_network), is_machine_(is_machine) {}

  void run();

 private:
  bool is_available(std::size_t index);
  void layers(const Network& network);

  const RunClaims& run_;
  ResultCheck& check_;
  Claims claims_;
  const NetworkReader& read_network_;
  const IsMachine& is_machine_;
};

}  // namespace nestor::io
