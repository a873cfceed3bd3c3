// Benchmark of the time of one evaluation with all outputs, for each reference mapping. The median over the
// mappings must be below 5 microseconds. The machine-independent figure comes first: the number of heap
// allocations, which must be 0.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

#include "model/cim/evaluate.h"
#include "model/loopnest/canonical.h"
#include "support/reference_data.h"

namespace {
std::size_t allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace nestor {
namespace {

class MedianReporter final : public benchmark::ConsoleReporter {
 public:
  MedianReporter() : ConsoleReporter(OO_None) {}
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const auto& run : runs) {
      times_.push_back(run.GetAdjustedRealTime());
      allocations_ += run.counters.at("allocations").value;
    }
    ConsoleReporter::ReportRuns(runs);
  }
  double median_time() {
    std::nth_element(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(times_.size() / 2),
                     times_.end());
    return times_[times_.size() / 2];
  }
  std::size_t count() const { return times_.size(); }
  double allocations() const { return allocations_; }

 private:
  std::vector<double> times_;
  double allocations_ = 0;
};

void evaluate_one(benchmark::State& state, const tests::ReferenceCase& reference) {
  auto mapping = reference.mapping;
  normalise(mapping, reference.layer, reference.architecture.machine);
  const std::size_t before = allocations;
  for (auto _ : state) {
    auto evaluation = cim::evaluate(reference.layer, reference.architecture.machine, mapping);
    benchmark::DoNotOptimize(evaluation);
  }
  state.counters["allocations"] = static_cast<double>(allocations - before);
  state.counters["loops"] = static_cast<double>(mapping.loops.size());
}

}  // namespace
}  // namespace nestor

int main(int count, char** arguments) {
  const auto cases = nestor::tests::load_reference_cases("examples.json");
  if (cases.empty()) {
    std::puts("no reference data: nothing measured");
    return 0;
  }
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto name = cases[i].architecture.name + "/" + std::to_string(i);
    benchmark::RegisterBenchmark(name.c_str(), nestor::evaluate_one, cases[i]);
  }
  benchmark::Initialize(&count, arguments);
  nestor::MedianReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  std::printf("allocations %.0f, median over %zu mappings %.2f us\n", reporter.allocations(),
              reporter.count(), reporter.median_time() / 1000);
  constexpr double bar_us = 5;
  return reporter.allocations() == 0 && reporter.median_time() / 1000 < bar_us ? 0 : 1;
}
