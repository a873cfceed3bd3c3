// A class that runs nestor and nestor-check in a temporary folder, which its destructor removes.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace nestor::check_cases {

using Json = nlohmann::ordered_json;

class ToolRuns {
 public:
  ToolRuns()
      : folder_(std::filesystem::temp_directory_path() / ("nestor_check_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ToolRuns(const ToolRuns&) = delete;
  ToolRuns& operator=(const ToolRuns&) = delete;
  ~ToolRuns() { std::filesystem::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  std::string read(const char* name) const {
    std::ifstream in(path(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// Runs a program and returns its exit status. Its output is in the file "said".
  int run(const std::string& program, const std::string& arguments) const {
    return WEXITSTATUS(
        std::system(("'" + program + "' " + arguments + " >" + path("said") + " 2>&1").c_str()));
  }
  /// Returns the result of a nestor verb, or a discarded value if the verb failed.
  Json nestor(const std::string& arguments) const {
    std::filesystem::remove(path("out.json"));
    return run(NESTOR_TOOL, arguments + " --json " + path("out.json")) <= 1
               ? Json::parse(read("out.json"), nullptr, false)
               : Json(Json::value_t::discarded);
  }
  /// Returns the exit status of nestor-check for a result and a proof file.
  int check(const std::string& result, const std::string& proof, std::string* said = nullptr) const {
    const int status = run(NESTOR_CHECK, write("r.json", result) + " --proof " + proof);
    if (said != nullptr) *said = read("said");
    return status;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace nestor::check_cases
