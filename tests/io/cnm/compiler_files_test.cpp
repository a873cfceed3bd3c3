// Tests of the MLIR reader on files written by torch-mlir, IREE and Polygeist (compilers/*.mlir). Each file
// must yield the program or the error message in its paragraph of compilers/expected.txt. Lines such as "//
// shape: ARG=4x8" in a file specify its --shape.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/split.h"
#include "io/cnm/mlir.h"
#include "io/cnm/program_file.h"
#include "places.h"

namespace nestor::compiler_files_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string names_of(const cnm::KernelProgram& program, const std::vector<std::size_t>& values) {
  std::string text;
  for (const auto value : values) text += (text.empty() ? "" : " ") + program.values[value].name;
  return text;
}

std::string map_of(const cnm::KernelOperand& operand) {
  std::string text;
  for (const auto& expr : operand.map) {
    std::string sum;
    for (std::size_t d = 0; d < expr.factors.size(); ++d)
      if (expr.factors[d] != 0)
        sum += fmt::format("{}{}d{}", sum.empty() ? "" : "+",
                           expr.factors[d] == 1 ? "" : fmt::format("{}*", expr.factors[d]), d);
    if (expr.constant != 0 || sum.empty()) sum += fmt::format("{}{}", sum.empty() ? "" : "+", expr.constant);
    text += (text.empty() ? "" : ",") + sum;
  }
  return fmt::format("{}{}[{}]", operand.output ? "> " : "", cnm::element_types.word(operand.type), text);
}

// Returns a line such as "forward.1: 4x8x16 sum d2 | arg0 cst > 2 | f32[d0,d2] f32[d2,d1] > f32[d0,d1] | mulf
// addf".
std::string line_of(const cnm::KernelProgram& program, const cnm::ProgramOperation& operation) {
  std::string dims, sums, maps, region;
  if (operation.kernel) {
    const auto& kernel = *operation.kernel;
    for (std::size_t d = 0; d < kernel.extents.size(); ++d) {
      dims += fmt::format("{}{}", d == 0 ? "" : "x", kernel.extents[d]);
      if (kernel.reduction[d]) sums += fmt::format(" d{}", d);
    }
    for (const auto& operand : kernel.operands) maps += " " + map_of(operand);
    for (const auto& step : kernel.region)
      if (step.kind != cnm::RegionStep::Kind::constant) region += " " + step.text;
  } else {
    dims = "host: " + operation.host;
  }
  return fmt::format("{}: {}{}{} | {} > {} |{} |{}\n", operation.name, dims, sums.empty() ? "" : " sum", sums,
                     names_of(program, operation.reads), names_of(program, operation.writes), maps, region);
}

io::Result<io::MlirFile> read_programs(const fs::path& path) {
  const std::string text = text_of(path);
  io::MlirChoices choices;
  for (const auto line : split_list(text, '\n'))
    if (line.starts_with("// shape: ")) choices.shapes.emplace_back(line.substr(10));
  return io::parse_mlir_programs(text, path.filename().string(), choices);
}

std::string paragraph_of(const fs::path& path) {
  const auto read = read_programs(path);
  std::string found = path.filename().string() + "\n";
  if (!read.ok()) return found + "  " + read.error().to_string() + "\n";
  for (const auto& program : read->programs) {
    for (const auto& operation : program.operations) found += "  " + line_of(program, operation);
    found += "  outputs " + names_of(program, program.outputs) + "\n";
  }
  return found;
}

const fs::path folder = fs::path(NESTOR_SOURCE_DIR) / "tests/io/cnm/compilers";

std::vector<fs::path> all_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".mlir") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  EXPECT_GE(files.size(), 40U);
  return files;
}

// Returns everything that determines a kernel's time: the steps of its region, sorted and without predicates,
// and its operands.
std::string cost_of(const cnm::Kernel& kernel) {
  std::vector<std::string> parts;
  for (const auto& step : kernel.region)
    if (step.kind != cnm::RegionStep::Kind::constant)
      parts.push_back(
          fmt::format("{} {}", step.text.substr(0, step.text.find(' ')), cnm::element_types.word(step.type)));
  std::sort(parts.begin(), parts.end());
  for (const auto& operand : kernel.operands)
    parts.push_back(fmt::format("{} {} {}", fmt::join(operand.dims, "x"), map_of(operand), operand.read));
  return fmt::format("{}", fmt::join(parts, "; "));
}

TEST(CompilerFiles, ReadBackFromTheJsonOfTheirPrograms) {
  int kernels = 0;
  for (const auto& path : all_files()) {
    const auto read = read_programs(path);
    if (!read) continue;
    for (const auto& program : read->programs) {
      const auto json = io::to_json(program);
      const auto document = io::Document::parse(json.dump(), "program.json");
      ASSERT_TRUE(document.ok());
      const auto again = io::program_from(document->root());
      ASSERT_TRUE(again.ok()) << path << ": " << again.error().to_string();
      EXPECT_EQ(io::to_json(*again), json) << path;
      for (std::size_t i = 0; i < program.operations.size(); ++i) {
        const auto& before = program.operations[i];
        const auto& after = again->operations[i];
        EXPECT_EQ(after.updates, before.updates) << path;
        if (!before.kernel || !after.kernel) continue;
        EXPECT_EQ(cost_of(*after.kernel), cost_of(*before.kernel)) << path;
        ++kernels;
      }
    }
  }
  EXPECT_GE(kernels, 40);
}

TEST(CompilerFiles, GiveTheExpectedProgramOrRefusal) {
  std::string found;
  for (const auto& path : all_files()) found += paragraph_of(path);
  EXPECT_EQ(found, text_of(folder / "expected.txt"));
}

}  // namespace
}  // namespace nestor::compiler_files_test
