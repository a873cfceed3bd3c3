// SPDX-License-Identifier: Apache-2.0
//
// C++17 interface of nestor.h and nestor_files.h: classes that own their resources, and errors as exceptions.
// Header only, so the shared library has a pure C interface.
//
//     nestor::Task task("miredo-default", "resnet18");
//     for (std::size_t i = 0; i < task.size(); ++i) {
//       nestor::Search search(task.machine(), task.layer(i));
//       if (search.solve() == NESTOR_OPTIMAL) task.keep(i, search.mapping());
//     }
//     task.write("mappings.json");
//
// docs/library.md is the guide.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "nestor_files.h"

namespace nestor {

struct Error : std::runtime_error {
  Error(nestor_status of, const std::string& message)
      : std::runtime_error(message.empty() ? nestor_status_text(of) : message), status(of) {}
  nestor_status status;
};

/// A machine and the layers of a network, from files or built-in names.
class Task {
 public:
  Task(const std::string& machine, const std::string& network) {
    nestor_task* opened = nullptr;
    char message[512] = "";
    const nestor_status status =
        nestor_open(&opened, machine.c_str(), network.c_str(), message, sizeof message);
    if (status != NESTOR_RUNNING) throw Error(status, message);
    task_.reset(opened);
  }
  const nestor_machine& machine() const { return *nestor_task_machine(task_.get()); }
  std::string memory_name(std::size_t i) const { return checked(nestor_task_memory_name(task_.get(), i)); }
  std::string axis_name(std::size_t i) const { return checked(nestor_task_axis_name(task_.get(), i)); }
  std::size_t size() const { return nestor_task_layer_count(task_.get()); }
  const nestor_layer& layer(std::size_t i) const { return *checked(nestor_task_layer(task_.get(), i)); }
  std::string layer_name(std::size_t i) const { return checked(nestor_task_layer_name(task_.get(), i)); }
  std::int64_t repeat(std::size_t i) const { return nestor_task_layer_repeat(task_.get(), i); }
  /// Returns the loop nest of a mapping, with one line for each loop and the names of the memories.
  std::string nest(const nestor_mapping& mapping) const {
    std::string text(nestor_nest_text(task_.get(), &mapping, nullptr, 0), '\0');
    nestor_nest_text(task_.get(), &mapping, text.data(), text.size() + 1);
    return text;
  }
  /// Stores a layer's mapping for write().
  void keep(std::size_t i, const nestor_mapping& mapping) {
    if (const nestor_status status = nestor_keep_mapping(task_.get(), i, &mapping); status != NESTOR_RUNNING)
      throw Error(status, "");
  }
  /// Writes the mappings of all layers.
  void write(const std::string& path) const {
    char message[512] = "";
    const nestor_status status = nestor_write_mappings(task_.get(), path.c_str(), message, sizeof message);
    if (status != NESTOR_RUNNING) throw Error(status, message);
  }

 private:
  template <typename T>
  static const T* checked(const T* found) {
    if (found == nullptr) throw std::out_of_range("nestor::Task: no such position");
    return found;
  }
  struct Close {
    void operator()(nestor_task* task) const { nestor_close(task); }
  };
  std::unique_ptr<nestor_task, Close> task_;
};

/// Search for one layer in its own memory. By default, the memory is large enough for a proof.
class Search {
 public:
  Search(const nestor_machine& machine, const nestor_layer& layer, const nestor_options& options = {},
         std::size_t workspace = 0)
      : arena_(nestor_arena_bytes(workspace > 0 ? workspace : nestor_workspace_bytes(&machine, &layer))),
        status_(nestor_create(&problem_, arena_.data(), arena_.size(), &machine, &layer, &options)) {
    if (status_ < 0) {
      const char* fault = nestor_fault(&machine, &layer, &options, nullptr);
      throw Error(status_, fault != nullptr ? fault : "");
    }
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// Continues the search until it ends or reaches a limit.
  nestor_status solve() { return status_ = problem_ != nullptr ? nestor_solve(problem_) : status_; }
  /// Continues the search for about `work` units.
  nestor_status step(std::uint64_t work) {
    return status_ = problem_ != nullptr ? nestor_step(problem_, work) : status_;
  }
  nestor_status status() const { return status_; }
  bool has_mapping() const { return nestor_has_mapping(problem_) != 0; }
  nestor_mapping mapping() const {
    nestor_mapping found;
    const nestor_status status = nestor_get_mapping(problem_, &found);
    if (status != NESTOR_RUNNING) throw Error(status, "");
    return found;
  }
  nestor_evaluation evaluate(const nestor_mapping& mapping) const {
    nestor_evaluation found;
    const nestor_status status = nestor_evaluate(problem_, &mapping, &found);
    if (status != NESTOR_RUNNING) throw Error(status, "");
    return found;
  }
  nestor_value cost() const { return nestor_cost(problem_); }
  nestor_value bound() const { return nestor_bound(problem_); }

 private:
  std::vector<unsigned char> arena_;
  nestor_problem* problem_ = nullptr;
  nestor_status status_;
};

}  // namespace nestor
