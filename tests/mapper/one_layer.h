// A fixture for tests of the mapper: a layer, a machine, a request and one thread.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "io/cim/architecture_file.h"
#include "mapper/cim/request.h"

namespace nestor::mapper {

class OneLayer : public ::testing::Test {
 protected:
  static Architecture machine_of(const char* text) {
    return io::parse_architecture(text, "test").value().machine;
  }

  LayerShape layer_;
  Architecture machine_;
  CimRequest request_;
  std::unique_ptr<Executor> executor_ = make_executor(ExecutorKind::serial, 1);
  MemoryBudget memory_{std::size_t{1} << 30};
  Resources resources_{*executor_, memory_};
};

}  // namespace nestor::mapper
