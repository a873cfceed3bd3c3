// CBC on programs of tiny cases, where it is installed and NESTOR_MIP_CBC is set: the nightly run.
#pragma once

#include <string>

#include "model/loopnest/mip/program.h"

namespace nestor::testing {

/// Holds programs against CBC and counts those whose optimum it proves within a minute; programs of more than
/// NESTOR_MIP_COLUMNS columns are left out.
class MipReferee {
 public:
  MipReferee();
  ~MipReferee();
  MipReferee(const MipReferee&) = delete;
  MipReferee& operator=(const MipReferee&) = delete;

  /// Fails the test where CBC proves another optimum than `expected`. `name`: of the file.
  void judge(const mip::Program& program, double expected, const std::string& name, const std::string& what);

 private:
  bool asked_;
  int tried_ = 0;
  int proved_ = 0;
};

}  // namespace nestor::testing
