// Tests that compare the contract of listings on UPMEM with the estimate: of lowered kernels, of built-in
// kernels, and with a line changed, dropped or doubled. Both give the same verdict on legality and the same
// figures. NESTOR_CNM_READINGS sets the number of cases.
#include <gtest/gtest.h>

#include "check/kernel_contract.h"
#include "io/cnm/kernel_template.h"
#include "io/cnm/llvcnm.h"
#include "io/cnm/system_file.h"
#include "model/cnm/random_kernels.h"

namespace nestor::cnm_listing_contract_test {
namespace {

using namespace tests;  // NOLINT(google-build-using-namespace): helpers of this folder
using report::KernelTask;

// Returns the text of a listing with a line dropped, doubled, moved, replaced or added, or with one digit
// changed.
std::string mutated(const std::string& text, Random& random) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const std::size_t at = 1 + random.below(lines.size() - 1);
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
  const auto share = [&] { return "  share 0." + std::to_string(random.between(1, 9)) + " "; };
  switch (random.below(7)) {
    case 0:
      lines.erase(place);
      break;
    case 1:
      lines.insert(place, *place);
      break;
    case 2:
      std::swap(lines[at], lines[1 + random.below(lines.size() - 1)]);
      break;
    case 3:
      lines[at] = "  call " + std::string(random.chance(0.5) ? "__mulsi3" : "memset, 64");
      break;
    case 4:  // two branches, of which the first skips the second
      for (const auto& line : {std::string("two:"), std::string("one:"), std::string("  add.idx %q, %q, 1"),
                               std::string("  jeq %q, 1, two"), std::string("  jeq %q, 0, one"),
                               share() + "two", share() + "one"})
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), line);
      break;
    case 5:
      lines.insert(place, random.chance(0.5) ? "  leave" : share() + "outer");
      break;
    default:
      if (const auto digit = lines[at].find_first_of("0123456789"); digit != std::string::npos)
        lines[at][digit] = static_cast<char>('0' + random.below(10));
  }
  std::string all;
  for (const auto& line : lines) all += line + "\n";
  return all;
}

std::string built_in_text(Random& random, Int& tasklets) {
  constexpr std::array<const char*, 9> names = {"va",   "red2in",    "hst",     "sel",     "scan",
                                                "gemv", "gemv_set2", "gemm_n8", "gemm_n16"};
  const char* const name = names[random.below(names.size())];
  io::KernelDims dims;
  dims.type = random.chance(0.5) ? cnm::Type::i32 : cnm::Type::i64;
  dims.buffer_elems = std::array<Int, 3>{2, 4, 8}[random.below(3)];
  dims.tasklets = tasklets = random.between(1, 24);
  dims.iterations = random.between(1, 70);
  dims.cols = dims.buffer_elems * random.between(1, 9);
  const auto listing = io::built_in_kernel(name, dims);
  return listing ? io::to_text(*listing) : std::string();
}

// Both give the same verdict on a listing that the parser accepts and the contract can simulate.
enum class Outcome : std::uint8_t { unreadable, refused, estimated };
Outcome compare_listing(const std::string& text, const cnm::System& system, Int tasklets, bool is_replayed) {
  auto listing = io::parse_llvcnm(text, "text");
  if (!listing) return Outcome::unreadable;
  KernelTask task;
  task.input.listing = std::move(*listing);
  task.input.tasklets = tasklets;
  const auto estimate = report::estimate_task(task, system).estimate;
  const auto found = contract_of(task, system, is_replayed && estimate.refusal.empty());
  // The contract simulates every slot up to a limit.
  if (found.faults == std::vector<std::string>{"its program is too long to be simulated"})
    return Outcome::unreadable;
  EXPECT_EQ(found.faults.empty(), estimate.refusal.empty())
      << text << estimate.refusal << (found.faults.empty() ? "" : found.faults[0]);
  if (!estimate.refusal.empty()) return Outcome::refused;
  if (found.faults.empty()) expect_figures(task, system, estimate, found, is_replayed);
  return Outcome::estimated;
}

TEST(CnmListingContract, ChecksTransfersThatAreNeverExecuted) {
  const auto upmem = *io::read_cnm_system("upmem", {});
  const auto outcome_of = [&](const std::string& bytes) {
    return compare_listing(
        "llvcnm 1 none upmem\noperand a i64 8 in mram\nbuffer A i64 8 wram\n"
        "never: x0\n  dma.read A, a, " +
            bytes + "\n  jltu %j, %cols, never\n  ret\n",
        upmem, 1, false);
  };
  EXPECT_EQ(outcome_of("64"), Outcome::estimated);
  EXPECT_EQ(outcome_of("44"), Outcome::refused);
}

TEST(CnmListingContract, AgreesWithTheEstimate) {
  auto upmem = *io::read_cnm_system("upmem", {});
  upmem.host.to_gbs = 4;
  upmem.host.from_gbs = 8;
  const auto wanted = contract_cases() / 3;
  std::size_t read = 0, mutants = 0, refused = 0, shares = 0, calls = 0, summed = 0;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed_of_tests() + i));
    Random random(seed_of_tests() + i);
    Int tasklets = 1;
    std::string text;
    if (random.chance(0.5)) {
      text = built_in_text(random, tasklets);
    } else if (const auto drawn = random_listed_map(random, upmem)) {
      text = io::to_text(drawn->listing.listing);
      tasklets = cnm::tasklets_of(drawn->map);
    }
    if (text.empty()) continue;
    // A buffer takes a multiple of 8 bytes.
    if (random.chance(0.2)) text.insert(text.find('\n') + 1, "buffer odd i8 5 wram\n");
    read += compare_listing(text, upmem, tasklets, random.chance(0.1)) == Outcome::estimated ? 1U : 0U;
    shares += text.find("share") != std::string::npos ? 1U : 0U;
    calls += text.find("call") != std::string::npos ? 1U : 0U;
    summed += text.find("leave") != std::string::npos ? 1U : 0U;
    for (int mutant = 0; mutant < 4; ++mutant)
      switch (compare_listing(mutated(text, random), upmem, tasklets, false)) {
        case Outcome::unreadable:
          break;
        case Outcome::refused:
          ++refused;
          break;
        case Outcome::estimated:
          ++mutants;
      }
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GE(read, wanted / 3);
  EXPECT_GE(mutants, wanted / 2);
  EXPECT_GE(refused, wanted / 10);
  EXPECT_GE(shares, wanted / 50);
  EXPECT_GE(calls, wanted / 20);
  EXPECT_GE(summed, wanted / 100);
}

}  // namespace
}  // namespace nestor::cnm_listing_contract_test
