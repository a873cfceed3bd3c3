// Tests that compare two independent readers of lowered kernels. The texts are streams and llvcnm listings:
// of lowered kernels, of built-in kernels, and with a line changed, dropped or doubled. The libraries are
// compared with the text generated from their tables.
#include "model/cnm/second_reading/read_listing.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "io/cnm/kernel_template.h"
#include "io/cnm/llvcnm.h"
#include "io/cnm/stream_text.h"
#include "io/cnm/system_file.h"
#include "model/cnm/estimate/estimate_kernel.h"
#include "model/cnm/stream_cursor.h"
#include "random_kernels.h"
#include "support/setting.h"

namespace nestor::cnm::read_listing_test {
namespace {

// Returns false if the main reader or the legality rules refuse the text. Otherwise, the independent reader
// must give the same result.
bool agree(const std::string& text, const System& system, Int tasklets, const std::string& which) {
  const auto listing = io::parse_llvcnm(text, "text");
  const auto second = second::read_listing(text, system, tasklets);
  if (!listing) return false;
  const auto legality = check_listing(system, *listing, tasklets);
  const auto first = program_of(*listing, system);
  const bool good = legality.legal() && first.error.empty() && count(first.program);
  if (!good) return false;
  EXPECT_EQ(second.fault, "") << which << "\n" << text;
  EXPECT_EQ(simplify(second.program), simplify(first.program)) << which << "\n" << text;
  EXPECT_EQ(second.wram, legality.use.wram) << which;
  EXPECT_EQ(second.mram, legality.use.mram) << which;
  EXPECT_EQ(second.iram, legality.use.iram) << which;
  const auto moved = moved_bytes(*listing, tasklets).value_or(MovedBytes{-1, -1});
  EXPECT_EQ(second.bytes_in, moved.in) << which;
  EXPECT_EQ(second.bytes_out, moved.out) << which;
  return true;
}

std::string built_in_text(Random& random, Int& tasklets) {
  constexpr std::array<const char*, 9> names = {"va",   "red2in",    "hst",     "sel",     "scan",
                                                "gemv", "gemv_set2", "gemm_n8", "gemm_n16"};
  const char* const name = names[random.below(names.size())];
  io::KernelDims dims;
  dims.type = random.chance(0.5) ? Type::i32 : Type::i64;
  dims.buffer_elems = std::array<Int, 3>{2, 4, 8}[random.below(3)];
  dims.tasklets = tasklets = random.between(1, 24);
  dims.iterations = random.between(1, 70);
  dims.cols = dims.buffer_elems * random.between(1, 9);
  const auto listing = io::built_in_kernel(name, dims);
  return listing ? io::to_text(*listing) : std::string();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Returns the text with one line dropped, doubled, moved or replaced, or with one digit changed.
std::string mutated(const std::string& text, Random& random) {
  auto lines = lines_of(text);
  const std::size_t at = 1 + random.below(lines.size() - 1);
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
  switch (random.below(5)) {
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
      lines[at] = random.chance(0.5)
                      ? "  share 0." + std::to_string(random.between(1, 9)) + " skip"
                      : "  call " + std::string(random.chance(0.5) ? "__mulsi3" : "memset, 64");
      break;
    default:
      if (const auto digit = lines[at].find_first_of("0123456789"); digit != std::string::npos)
        lines[at][digit] = static_cast<char>('0' + random.below(10));
  }
  std::string all;
  for (const auto& line : lines) all += line + "\n";
  // The text in the form that a result contains.
  const auto listing = io::parse_llvcnm(all, "text");
  return listing ? io::to_text(*listing) : std::string();
}

TEST(ReadListing, AgreesWithTheParser) {
  const auto upmem = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(upmem.ok());
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto wanted = tests::setting("NESTOR_CNM_READINGS", 3000) / 3;
  std::size_t read = 0, mutants = 0, refused = 0, shares = 0, calls = 0, summed = 0;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    Random random(seed + i);
    Int tasklets = 1;
    std::string text;
    if (random.chance(0.5)) {
      text = built_in_text(random, tasklets);
    } else {
      const auto drawn = tests::random_listed_map(random, *upmem);
      if (!drawn) continue;
      text = io::to_text(drawn->listing.listing);
      tasklets = tasklets_of(drawn->map);
    }
    if (text.empty()) continue;
    read += agree(text, *upmem, tasklets, "seed " + std::to_string(seed + i)) ? 1U : 0U;
    shares += text.find("share") != std::string::npos ? 1U : 0U;
    calls += text.find("call") != std::string::npos ? 1U : 0U;
    summed += text.find("leave") != std::string::npos ? 1U : 0U;
    for (int mutant = 0; mutant < 4; ++mutant) {
      const std::string other = mutated(text, random);
      if (other.empty()) continue;
      const bool runs = agree(other, *upmem, tasklets, "mutant of seed " + std::to_string(seed + i));
      (runs ? mutants : refused) += 1;
    }
    if (HasFailure()) return;
  }
  EXPECT_GE(read, wanted / 3);
  EXPECT_GE(mutants, wanted / 2);
  EXPECT_GE(refused, wanted / 10);
  EXPECT_GE(shares, wanted / 50);
  EXPECT_GE(calls, wanted / 20);
  EXPECT_GE(summed, wanted / 100);
}

using Burst = std::tuple<bool, Int, Int>;

std::vector<std::vector<Burst>> bursts_of(const Stream& stream) {
  std::vector<std::vector<Burst>> groups;
  for (StreamCursor at(stream); !at.at_end(); at.advance()) {
    groups.emplace_back();
    for (const Access& access : at.group().accesses)
      for (Int i = 0; i < access.count; ++i)
        groups.back().emplace_back(access.write, access.bank, at.address(access) + i);
  }
  return groups;
}

TEST(WriteStream, MatchesTheLibrary) {
  const auto system = io::read_cnm_system("hbm-pim", {});
  ASSERT_TRUE(system.ok());
  std::size_t odd = 0;
  for (std::size_t kind = 0; kind < pim_kernels.size(); ++kind)
    for (Int o = 1; o <= 9; ++o)
      for (Int n = 1; n <= 7; ++n) {
        const PimKernel kernel{kind, kind < 3 ? o * n * 17 : o, n};
        const auto first = stream_of(kernel, *system);
        const auto second = second::write_stream(kernel, *system, 100'000);
        ASSERT_TRUE(first && second);
        ASSERT_EQ(bursts_of(*second), bursts_of(*first)) << pim_kernels[kind] << " " << o << " " << n;
        odd += static_cast<std::size_t>(n % 2);
      }
  EXPECT_GT(odd, 0U);
  EXPECT_FALSE(second::write_stream({3, 1 << 20, 1 << 10}, *system, 1'000'000).has_value());
}

TEST(WriteLibrary, MatchesTheLibrary) {
  const auto system = io::read_cnm_system("upmem", {});
  ASSERT_TRUE(system.ok());
  for (const char* name : {"hst", "sel", "scan"})
    for (const Type type : {Type::i32, Type::i64})
      for (Int n = 1; n <= 9; ++n)
        for (const Int it : {1, 2, 17}) {
          const Int tasklets = 1 + (n * it) % 24;
          auto listing = io::built_in_kernel(name, {type, tasklets, it, 0, n});
          ASSERT_TRUE(listing.ok());
          const Int k = n % 2 == 0 ? 8 : n;
          if (k != 8) listing->multiply_k = k;
          const auto first = program_of(*listing, *system);
          ASSERT_EQ(first.error, "");
          const auto second = second::write_library(name, {type, n, it, tasklets, k}, *system);
          ASSERT_TRUE(second);
          EXPECT_EQ(simplify(*second), simplify(first.program)) << name << " " << n << " " << it;
        }
  EXPECT_FALSE(second::write_library("va", {}, *system));
  System slower = *system;
  slower.cost(Op::add, Type::index).base = 2;
  EXPECT_FALSE(second::write_library("hst", {}, slower));
}

std::string random_rows(Random& random, std::size_t depth) {
  std::string text = std::to_string(random.below(5000));
  for (std::size_t d = 0; d < depth; ++d) {
    if (random.chance(0.4)) continue;
    text += "+";
    if (random.chance(0.8)) text += std::to_string(random.below(70)) + "*";
    text += "ijkl"[d];
  }
  return text;
}

std::string random_stream_text(Random& random, std::size_t depth) {
  std::string text;
  const auto items = random.between(depth == 0 ? 1 : 0, 4);
  for (Int item = 0; item < items; ++item) {
    if (depth < max_stream_depth && random.chance(0.4)) {
      text +=
          "loop x" + std::to_string(random.below(5)) + " {\n" + random_stream_text(random, depth + 1) + "}\n";
      continue;
    }
    for (auto bursts = random.between(1, 3); bursts > 0; --bursts)
      text += std::string(random.chance(0.5) ? "rd " : "wr ") + std::to_string(random.below(16)) + " " +
              random_rows(random, depth) + " " + random_rows(random, depth) + " " +
              std::to_string(random.between(1, 64)) + " data\n";
    text += "fence\n";
  }
  return text;
}

TEST(ReadStream, AgreesWithTheParser) {
  const auto system = io::read_cnm_system("hbm-pim", {});
  ASSERT_TRUE(system.ok());
  const auto seed = tests::setting("NESTOR_CNM_SEED", 1);
  const auto wanted = tests::setting("NESTOR_CNM_READINGS", 3000) / 3;
  std::size_t groups = 0, looped = 0, refused = 0;
  for (std::uint64_t i = 0; i < wanted; ++i) {
    Random random(seed + i);
    const auto first =
        io::parse_stream("llvcnm 1 some hbm-pim\n" + random_stream_text(random, 0), "text", *system);
    if (!first) continue;
    auto text = io::to_text(*first, *system);
    const auto second = second::read_stream(text, *system, 1'000'000);
    ASSERT_EQ(second.fault, "") << text;
    const auto bursts = bursts_of(first->stream);
    ASSERT_EQ(bursts_of(second.stream), bursts) << text;
    groups += bursts.size();
    looped += text.find("loop x4") != std::string::npos ? 1U : 0U;
    if (bursts.size() > 1) {
      EXPECT_TRUE(second::read_stream(text, *system, static_cast<Int>(bursts.size()) - 1).too_long);
    }
    // Only the independent reader may refuse this text, because its last line is truncated.
    text.resize(text.find('\n') + 1 + random.below(text.size() - text.find('\n') - 1));
    refused += second::read_stream(text, *system, 1'000'000).fault.empty() ? 0U : 1U;
  }
  EXPECT_GE(groups, 5 * wanted);
  EXPECT_GE(looped, wanted / 10);
  EXPECT_GE(refused, wanted / 5);
}

}  // namespace
}  // namespace nestor::cnm::read_listing_test
