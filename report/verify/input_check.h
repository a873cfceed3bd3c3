// The inputs that a result names, where they are at hand: their digests, the architecture, and the layers of
// the network, all of them and nothing else. Internal to report/verify.
#pragma once

#include "report/verify/claims.h"
#include "report/verify/file_check.h"

namespace nestor::io {

class InputCheck {
 public:
  InputCheck(const RunResult& run, ResultCheck& check, const NetworkReader& read_network)
      : run_(run), check_(check), claims_(check), read_network_(read_network) {}

  void run();

 private:
  bool is_at_hand(std::size_t index);
  void architecture(const ResultInput& input);
  void layers(const Network& network);

  const RunResult& run_;
  ResultCheck& check_;
  Claims claims_;
  const NetworkReader& read_network_;
};

}  // namespace nestor::io
