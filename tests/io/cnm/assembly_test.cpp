// DPU assembly: values are followed through registers, stack slots and arguments until loops have trips and
// transfers sizes; what stays unknown is asked for.
#include "io/cnm/assembly.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "io/cnm/system_file.h"
#include "model/cnm/engine.h"
#include "places.h"

namespace nestor::io {
namespace {

using cnm::Item;
using cnm::Program;

/// Slots and transferred bytes of a program, trips multiplied out.
struct Work {
  Int slots = 0, reads = 0, writes = 0, bytes = 0;
  friend bool operator==(const Work&, const Work&) = default;
};

void add(const Program& program, Int times, Work& work) {
  for (const Item& item : program) {
    const Int amount = item.amount;
    switch (item.kind) {
      case cnm::ItemKind::slots:
        work.slots += times * amount;
        break;
      case cnm::ItemKind::read:
        work.reads += times;
        work.bytes += times * amount;
        break;
      case cnm::ItemKind::write:
        work.writes += times;
        work.bytes += times * amount;
        break;
      case cnm::ItemKind::loop:
        add(item.body, times * amount, work);
        break;
      default:
        break;
    }
  }
}

cnm::System upmem() {
  const auto system = read_cnm_system("upmem", {});
  return system ? *system : cnm::System{};
}

std::string message(const std::string& text, const AssemblyFacts& facts) {
  const auto kernel = read_assembly(text, "k.s", facts, upmem());
  return kernel ? "" : kernel.error().to_string();
}

Work work_of(const std::string& text, const AssemblyFacts& facts) {
  const auto kernel = read_assembly(text, "k.s", facts, upmem());
  EXPECT_TRUE(kernel.ok()) << kernel.error().to_string();
  Work work;
  if (kernel) add(kernel->program, 1, work);
  return work;
}

// Two loops; the size in r18 makes way for a pointer inside and comes back from r16.
const std::string restored = R"(
.outer:
	move r0, -1
	lsr_add r0, r0, r18, 3
	lsl_add r1, r19, r0, 24
	ldma r1, r15, 0
	move r16, r18
	move r18, r19
	move r20, 10
.inner:
	lw r2, r18, 0
	add r18, r18, 4
	add r20, r20, -1, nz, .inner
	move r18, r16
	add r21, r21, 1
	jltu r21, r7, .outer
)";

TEST(Assembly, AValueThatEveryPassRestoresIsKnown) {
  AssemblyFacts facts;
  facts.registers = {{"r18", 64}, {"r21", 0}, {"r7", 5}};
  EXPECT_EQ(work_of(restored, facts), (Work{5 * (3 + 3 + 10 * 3 + 3), 5, 0, 5 * 64}));
  facts.registers.erase("r18");
  EXPECT_EQ(message(restored, facts),
            "k.s:6:2: the size of this ldma is not known: give --args, or --regs r1=N");
}

// The counter lives in a stack slot between passes; bound and size come from slots filled before.
const std::string spilled = R"(
.loop:
	sw r22, -8, r14
	lw r18, r22, -16
	lsr_add r0, r17, r18, 3
	lsl_add r0, r19, r0, 24
	sdma r0, r1, 0
	move r14, r1
	lw r14, r22, -8
	add r14, r14, 2
	lw r0, r22, -24
	jltu r14, r0, .loop
)";

TEST(Assembly, CountersAndBoundsMayLiveOnTheStack) {
  AssemblyFacts facts;
  facts.registers = {{"r14", 0}, {"r22-16", 128}, {"r22-24", 20}, {"r17", 0xffffffff}};
  EXPECT_EQ(work_of(spilled, facts), (Work{10 * 9, 0, 10, 10 * 128}));
  // Without the slots, what the registers that read them were given, and a word about it.
  facts.registers = {{"r14", 0}, {"r18", 128}, {"r0", 20}, {"r17", 0xffffffff}};
  const auto kernel = read_assembly(spilled, "k.s", facts, upmem());
  ASSERT_TRUE(kernel.ok()) << kernel.error().to_string();
  EXPECT_EQ(kernel->warnings.size(), 2U);
  EXPECT_EQ(work_of(spilled, facts), (Work{10 * 9, 0, 10, 10 * 128}));
}

TEST(Assembly, ALoopThatALoopInsideAlwaysLeavesRunsOnce) {
  const std::string text = R"(
.outer:
	move r1, 0
.inner:
	add r3, r3, 1
	jeq r3, r4, .away
	add r1, r1, 1
	jeq r1, 8, .outer
	jump .inner
)";
  AssemblyFacts facts;
  facts.registers = {{"r3", 0}, {"r4", 6}};
  EXPECT_EQ(work_of(text, facts).slots, 1 + 5 * 5 + 2);
  facts.registers = {{"r3", 0}};
  EXPECT_EQ(message(text, facts), "k.s:3:2: the trips of loop '.outer' are not known: give --trips .outer=N");
}

TEST(Assembly, RegistersAreNamedAsTheyAre) {
  AssemblyFacts facts;
  facts.registers = {{"r24", 1}};
  EXPECT_EQ(message("\tnop\n", facts), "--regs: expected r0 to r23, or a stack slot as r22-24, found 'r24'");
}

TEST(Assembly, FragmentsOfForeignProgramsAreRead) {
  struct Case {
    const char* file;
    std::map<std::string, Int> registers;
    Work work;
  };
  // 128 elements a buffer, 64 buffers (gemv: 64 rows of two chunks; gemm: 64 rows of 256 chunks).
  const Case cases[] = {
      {"red",
       {{"r14", 512}, {"r18", 128}, {"r2", 0}, {"r19", 64}},
       {64 * (7 + 7 * 128 + 4), 128, 0, 128 * 512}},
      {"scan",
       {{"r14", 512}, {"r17", 128}, {"r1", 0}, {"r2", 0}, {"r6", 64}},
       {64 * (4 + 6 * 128 + 7), 64, 64, 128 * 512}},
      {"hst",
       {{"r14", 512}, {"r20", 128}, {"r0", 64}, {"r15", 0}},
       {64 * (5 + 25 * 128 + 4), 64, 0, 64 * 512}},
      {"gemv",
       {{"r18", 512}, {"r20", 128}, {"r7", 2}, {"r0", 64}, {"r22-32", 0}},
       {0, 63 * 4, 1, 63 * 4 * 512 + 512}},
      {"gemm", {{"r18", 1024}, {"r15", 256}, {"r14", 0}, {"r0", 64}}, {0, 64 * 257, 0, 64 * 257 * 1024}},
  };
  for (const Case& c : cases) {
    const auto path = std::string(NESTOR_SHARED_DIR "/data/cnm/samples/") + c.file + ".s";
    std::ifstream file(path);
    if (!file) GTEST_SKIP() << "no reference data";
    std::stringstream text;
    text << file.rdbuf();
    AssemblyFacts facts;
    facts.registers = c.registers;
    Work work = work_of(text.str(), facts);
    if (c.work.slots == 0) work.slots = 0;
    EXPECT_EQ(work, c.work) << c.file << ": " << work.slots << " slots, " << work.reads << " reads, "
                            << work.writes << " writes, " << work.bytes << " bytes";
  }
}

}  // namespace
}  // namespace nestor::io
