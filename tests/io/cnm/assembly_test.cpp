// Tests of the reader of DPU assembly. To find the numbers of loop iterations and the sizes of transfers, the
// reader follows values through registers, stack slots and arguments. It reports values that it cannot find.
#include "io/cnm/assembly.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "io/cnm/system_file.h"
#include "model/cnm/engine.h"
#include "places.h"

namespace nestor::io::assembly_test {
namespace {

using cnm::Item;
using cnm::Program;

/// Issue slots, transfers and transferred bytes of a program, summed over all iterations of its loops.
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

// Two loops. The inner loop replaces the size in r18 by a pointer, and the size is restored from r16.
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

TEST(Assembly, ValuesRestoredByEveryPassAreKnown) {
  AssemblyFacts facts;
  facts.registers = {{"r18", 64}, {"r21", 0}, {"r7", 5}};
  EXPECT_EQ(work_of(restored, facts), (Work{5 * (3 + 3 + 10 * 3 + 3), 5, 0, 5 * 64}));
  facts.registers.erase("r18");
  EXPECT_EQ(message(restored, facts),
            "k.s:6:2: the size of this ldma is unknown: specify --args, or --regs r1=N");
}

// The counter is in a stack slot between passes. The bound and the size come from stack slots that were
// filled earlier.
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
  // Without values for the slots, the reader uses the values of the registers into which the slots are
  // loaded, and warns.
  facts.registers = {{"r14", 0}, {"r18", 128}, {"r0", 20}, {"r17", 0xffffffff}};
  const auto kernel = read_assembly(spilled, "k.s", facts, upmem());
  ASSERT_TRUE(kernel.ok()) << kernel.error().to_string();
  EXPECT_EQ(kernel->warnings.size(), 2U);
  EXPECT_EQ(work_of(spilled, facts), (Work{10 * 9, 0, 10, 10 * 128}));
}

TEST(Assembly, LoopsThatAnInnerLoopAlwaysExitsRunOnce) {
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
  EXPECT_EQ(message(text, facts),
            "k.s:3:2: the trip count of loop '.outer' is unknown: specify --trips .outer=N");
}

TEST(Assembly, OnlyFragmentsBranchToLabelsOutside) {
  const std::string fragment = "\tjeq r0, 0, .left\n\tadd r1, r1, 1, true, .left\n";
  AssemblyFacts facts;
  facts.registers = {{"r0", 1}};
  const auto kernel = read_assembly(fragment, "k.s", facts, upmem());
  ASSERT_TRUE(kernel.ok()) << kernel.error().to_string();
  EXPECT_EQ(kernel->warnings,
            std::vector<std::string>{"k.s: no label '.left' here, a branch to it ends the fragment"});
  EXPECT_EQ(message("main:\n" + fragment, facts),
            "k.s:2:2: no label '.left' here, and no such function in the system's calls");
  EXPECT_EQ(message("main:\n\tjump mem_reset\n", {}), "");  // a tail call of a runtime function
}

TEST(Assembly, UnknownRegistersAreRefused) {
  AssemblyFacts facts;
  facts.registers = {{"r24", 1}};
  EXPECT_EQ(message("\tnop\n", facts),
            "--regs: expected r0 to r23, or a stack slot such as r22-24, found 'r24'");
}

TEST(Assembly, TripsAndSharesMustNameLabelsOfTheFile) {
  AssemblyFacts facts;
  facts.shares = {{".away", 0.5}, {".near", 0.5}};
  EXPECT_EQ(message("\tnop\n.near:\n\tnop\n", facts), "--branch: no label '.away' in k.s");
  facts.trips = {{".far", 2}};
  EXPECT_EQ(message("\tnop\n.near:\n\tnop\n", facts), "--trips: no label '.far' in k.s");
  facts.trips.clear();
  facts.shares.erase(".away");
  EXPECT_EQ(message("\tnop\n.near:\n\tnop\n", facts), "");
}

// PrIM's vector addition as printed by the vendor's compiler, with a table of kernels and 16 tasklets. Blocks
// have 1,024 bytes; the last block may be shorter.
const std::string prim_va = R"(
	.text
	.section	.text.main,"ax",@progbits
	.globl	main
main:
	sd r22, 8, d22
	add r22, r22, 16
	move r0, DPU_INPUT_ARGUMENTS
	lw r0, r0, 8
	move r1, kernels
	lsl_add r0, r1, r0, 2
	lw r0, r0, 0
	call r23, r0
	ld d22, r22, -8
	jump r23
	.section	.text.main_kernel1,"ax",@progbits
main_kernel1:
	sd r22, 24, d22
	add r22, r22, 32
	sd r22, -16, d14
	sd r22, -24, d16
	move r14, id, nz, .LBB1_2
	call r23, mem_reset
.LBB1_2:
	move r0, my_barrier
	call r23, barrier_wait
	move r0, 1024
	call r23, mem_alloc
	move r15, r0
	move r0, 1024
	call r23, mem_alloc
	move r16, r0
	lw r2, zero, DPU_INPUT_ARGUMENTS
	move r0, DPU_INPUT_ARGUMENTS
	lw r3, r0, 4
	lsl r4, r14, 10
	jleu r2, r4, .LBB1_9
	move r5, __sys_used_mram_end
	add r6, r3, r5
.LBB1_4:
	add r7, r4, 1024
	move r8, 1024
	jltu r7, r2, .LBB1_6
	sub r8, r2, r4
.LBB1_6:
	add r9, r8, -1
	lsr r9, r9, 3
	add r10, r5, r4
	lsl_add r11, r15, r9, 24
	ldma r11, r10, 0
	add r12, r6, r4
	lsl_add r11, r16, r9, 24
	ldma r11, r12, 0
	lsr r8, r8, 2
	move r7, 0
	jeq r8, 0, .LBB1_8
.LBB1_7:
	lsl_add r0, r15, r7, 2
	lw r1, r0, 0
	lsl_add r0, r16, r7, 2
	lw r13, r0, 0
	add r1, r13, r1
	add r7, r7, 1
	sw r0, 0, r1
	jneq r8, r7, .LBB1_7
.LBB1_8:
	lsl_add r11, r16, r9, 24
	sdma r11, r12, 0
	add r4, r4, 16384
	jltu r4, r2, .LBB1_4
.LBB1_9:
	move r0, 0
	ld d16, r22, -24
	ld d14, r22, -16
	ld d22, r22, -8
	jump r23

	.type	kernels,@object
	.section	.data.kernels,"aw",@progbits
	.globl	kernels
	.p2align	2
kernels:
	.long	main_kernel1
	.size	kernels, 4
)";

TEST(Assembly, FindsAKernelInItsTableWithAShortLastBlock) {
  AssemblyFacts facts;
  facts.arguments = {99000, 99000, 0};
  const Int enter = 8 + 4 + 1 + 6 + 1 + 2 * (1 + 24 + 1) + 7, leave = 5 + 2;
  const Int block = 3 + 9 + 8 * 256 + 3, last = 4 + 9 + 8 * 174 + 3;
  EXPECT_EQ(work_of(prim_va, facts), (Work{enter + 6 * block + last + leave, 14, 7, 3 * (6 * 1024 + 696)}));
  EXPECT_TRUE(read_assembly(prim_va, "k.s", facts, upmem())->warnings.empty());
  facts.arguments = {99000, 99000};
  EXPECT_EQ(message(prim_va, facts),
            "k.s:13:2: the called function is unknown: specify --args if it comes from a table of kernels");
  facts.arguments = {99000, 99000, 1};
  EXPECT_EQ(message(prim_va, facts),
            "k.s:13:2: the called function is unknown: specify --args if it comes from a table of kernels");
}

TEST(Assembly, AJumpThroughARegisterIsACall) {
  AssemblyFacts facts;
  const std::string text =
      "main:\n\tmove r0, table\n\tlw r0, r0, 4\n\tjump r0\nf:\n\tnop\ng:\n\tnop\n\tjump r23\n"
      "\t.data\ntable:\n\t.long f, g\n";
  EXPECT_EQ(work_of(text, facts).slots, 3 + 2);
}

TEST(Assembly, DifferingPassesAreSimulatedOneByOne) {
  // A triangular loop: the inner loop has one more iteration in each pass.
  EXPECT_EQ(work_of("\tmove r0, 0\n.outer:\n\tmove r1, 0\n.inner:\n\tadd r1, r1, 1\n\tjleu r1, r0, .inner\n"
                    "\tadd r0, r0, 1\n\tjneq r0, 10, .outer\n",
                    {})
                .slots,
            1 + 10 * 3 + 2 * 55);
  // Every fourth iteration runs two more instructions.
  EXPECT_EQ(
      work_of("\tmove r0, 0\n.loop:\n\tand r1, r0, 3, nz, .skip\n\tnop\n\tnop\n.skip:\n\tadd r0, r0, 1\n"
              "\tjneq r0, 10, .loop\n",
              {})
          .slots,
      1 + 10 * 3 + 3 * 2);
  // The counter is halved in each pass.
  EXPECT_EQ(work_of("\tmove r0, 64\n.loop:\n\tlsr r0, r0, 1\n\tjneq r0, 0, .loop\n", {}).slots, 1 + 7 * 2);
  // An infinite loop is refused.
  EXPECT_EQ(message("\tmove r0, 64\n.loop:\n\tasr r0, r0, 1\n\tor r0, r0, 1\n\tjneq r0, 0, .loop\n", {}),
            "k.s:5:2: the code is too long to interpret");
}

TEST(Assembly, FragmentsOfForeignProgramsAreRead) {
  struct Case {
    const char* file;
    std::map<std::string, Int> registers;
    Work work;
  };
  // 128 elements in a buffer, 64 buffers (gemv: 64 rows of two chunks; gemm: 64 rows of 256 chunks).
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
      {"sel",  // selects every other value
       {{"r14", 512}, {"r3", 0}, {"r18", 64}, {"r19", 128}},
       {0, 63, 128, 63 * 512 + 64 * (512 + 16)}},
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
}  // namespace nestor::io::assembly_test
