// A temporary folder in which a test runs the tool and reads its output.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "places.h"

namespace nestor {

class ToolFolder {
 public:
  ToolFolder()
      : folder_(std::filesystem::temp_directory_path() / ("nestor-test-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ToolFolder(const ToolFolder&) = delete;
  ToolFolder& operator=(const ToolFolder&) = delete;
  ~ToolFolder() { std::filesystem::remove_all(folder_); }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string text(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  }

  /// Runs the tool in the folder and returns its exit status. Its output is in `out` and `err`.
  int run(const std::string& arguments) const {
    const auto command = "cd '" + folder_.string() +
                         "' && NESTOR_DATA='" NESTOR_SOURCE_DIR "/data' '" NESTOR_TOOL "' " + arguments +
                         " >out 2>err </dev/null";
    return WEXITSTATUS(std::system(command.c_str()));
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace nestor
