// SPDX-License-Identifier: Apache-2.0
// Implementation of the C API for runs, based on app/background_run: the inputs, options, files and result of
// one run. No exception leaves these functions.
#include "bindings/run/nestor_run.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/background_run.h"
#include "bindings/c/message.h"
#include "report/html/page.h"
#include "report/results/result_figures.h"

namespace app = nestor::app;
namespace io = nestor::io;
namespace report = nestor::report;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

double number_of(const io::Json& value) { return value.is_number() ? value.get<double>() : none; }

// Figures together with the data that their pointers refer to.
struct Figures {
  explicit Figures(report::PartFigures from)
      : part(std::move(from)), mapping(part.mapping != nullptr ? part.mapping->dump() : "") {
    add_shares(part.latency_by, latency_names, latency);
    add_shares(part.energy_by, energy_names, energy);
    plain = {.name = part.name.c_str(),
             .status = part.status.c_str(),
             .repeat = part.repeat,
             .objective = number_of(part.objective),
             .bound = number_of(part.bound),
             .gap = number_of(part.gap),
             .mapping = mapping.c_str(),
             .latency_count = latency.size(),
             .latency_by = latency.data(),
             .energy_count = energy.size(),
             .energy_by = energy.data()};
  }
  Figures(const Figures&) = delete;
  Figures& operator=(const Figures&) = delete;

  static void add_shares(const io::Json& from, std::vector<std::string>& names,
                         std::vector<nestor_run_share>& shares) {
    names.reserve(from.size());
    for (const auto& [name, value] : from.items())
      if (value.is_number()) shares.push_back({names.emplace_back(name).c_str(), value.get<double>()});
  }

  report::PartFigures part;
  std::string mapping;
  std::vector<std::string> latency_names, energy_names;
  std::vector<nestor_run_share> latency, energy;
  nestor_run_figures plain{};
};

}  // namespace

struct nestor_run {
  io::Verb verb{};
  std::vector<std::string> inputs;
  app::OptionWords words;
  io::MemoryFiles files;
  std::atomic<bool> stop = false;
  bool executed = false;

  std::optional<app::HostedResult> result;
  io::Json json;
  std::string value;
  std::optional<io::Error> error;
  nestor_run_error failure{};
  std::optional<Figures> whole;
  std::deque<Figures> layers;
};

namespace {

// Calls code that may throw. Only memory exhaustion can reach this handler.
template <typename Action>
nestor_status guarded(const Action& action) {
  try {
    return action();
  } catch (...) {
    return NESTOR_MEMORY_LIMIT;
  }
}

nestor_run_progress plain(const app::Progress& progress) {
  const auto& figures = progress.figures;
  return {.text = progress.text.c_str(),
          .part = figures.part.c_str(),
          .finished = figures.finished,
          .all = figures.all,
          .objective = figures.objective.value_or(none),
          .bound = figures.bound.value_or(none),
          .work = figures.work};
}

app::HostedResult execute(nestor_run& run, nestor_run_report* report, void* user) {
  io::RunOptions options;
  options.inputs = run.inputs;
  if (auto error = app::set_options(options, run.verb, run.words)) return {*error, {}, {}};
  app::BackgroundRun solve(run.verb, options, run.files, report != nullptr);
  for (bool ended = false; !ended;) {
    if (run.stop.load()) solve.stop();
    ended = solve.wait();
    while (const auto progress = solve.next_progress()) {
      const auto told = plain(*progress);
      if (!ended && !run.stop.load() && report(user, &told) != 0) nestor_run_stop(&run);
    }
  }
  return solve.result();
}

void take(nestor_run& run, app::HostedResult result) {
  run.result = std::move(result);
  if (!run.result->end) {
    const auto& error = run.error.emplace(run.result->end.error());
    run.failure = {.kind = app::word_of(error.kind),
                   .file = error.where.file.c_str(),
                   .line = error.where.line,
                   .column = error.where.column,
                   .message = error.message.c_str()};
  }
  run.json = io::Json::parse(run.result->json, nullptr, false);
  if (!run.json.is_object()) {
    run.result->json.clear();
    return;
  }
  auto figures = report::result_figures(run.json);
  run.whole.emplace(std::move(figures.whole));
  for (auto& layer : figures.layers) run.layers.emplace_back(std::move(layer));
}

}  // namespace

nestor_status nestor_run_open_for(uint32_t abi, nestor_run** run, const char* verb) {
  if (run == nullptr) return NESTOR_BAD_ARGUMENT;
  *run = nullptr;
  if (abi != NESTOR_ABI) return NESTOR_ABI_MISMATCH;
  const auto known = verb != nullptr ? app::verb_named(verb) : std::nullopt;
  if (!known) return NESTOR_BAD_ARGUMENT;
  return guarded([&] {
    *run = new nestor_run;
    (*run)->verb = *known;
    return NESTOR_RUNNING;
  });
}

void nestor_run_close(nestor_run* run) { delete run; }

nestor_status nestor_run_add_input(nestor_run* run, const char* name) {
  if (run == nullptr || name == nullptr) return NESTOR_BAD_ARGUMENT;
  return guarded([&] {
    run->inputs.emplace_back(name);
    return NESTOR_RUNNING;
  });
}

nestor_status nestor_run_set_option(nestor_run* run, const char* name, const char* value) {
  if (run == nullptr || name == nullptr || value == nullptr) return NESTOR_BAD_ARGUMENT;
  return guarded([&] {
    run->words.emplace_back(name, value);
    return NESTOR_RUNNING;
  });
}

nestor_status nestor_run_add_file(nestor_run* run, const char* name, const void* content, size_t bytes) {
  if (run == nullptr || name == nullptr || (content == nullptr && bytes > 0)) return NESTOR_BAD_ARGUMENT;
  return guarded([&] {
    run->files[name] = bytes > 0 ? std::string(static_cast<const char*>(content), bytes) : std::string();
    return NESTOR_RUNNING;
  });
}

nestor_status nestor_run_execute(nestor_run* run, nestor_run_report* report, void* user) {
  if (run == nullptr || run->executed) return NESTOR_BAD_ARGUMENT;
  run->executed = true;
  return guarded([&] {
    take(*run, execute(*run, report, user));
    if (run->stop.load()) return NESTOR_CANCELLED;
    return run->error ? NESTOR_BAD_FILE : NESTOR_RUNNING;
  });
}

void nestor_run_stop(nestor_run* run) {
  if (run != nullptr) run->stop.store(true);
}

int nestor_run_exit(const nestor_run* run) {
  if (run == nullptr || !run->result) return -1;
  return run->error ? static_cast<int>(run->error->kind) : static_cast<int>(*run->result->end);
}

const nestor_run_error* nestor_run_failure(const nestor_run* run) {
  return run != nullptr && run->error ? &run->failure : nullptr;
}

const char* nestor_run_remark(const nestor_run* run, size_t index) {
  if (run == nullptr || !run->result || index >= run->result->remarks.size()) return nullptr;
  return run->result->remarks[index].c_str();
}

const char* nestor_run_json(const nestor_run* run) {
  return run != nullptr && run->result ? run->result->json.c_str() : "";
}

const char* nestor_run_value(nestor_run* run, const char* pointer) {
  if (run == nullptr || pointer == nullptr || !run->whole) return nullptr;
  try {
    const io::Json::json_pointer place(pointer);
    if (!run->json.contains(place)) return nullptr;
    run->value = run->json.at(place).dump();
    return run->value.c_str();
  } catch (...) {  // the text is not a valid pointer
    return nullptr;
  }
}

const nestor_run_figures* nestor_run_whole(const nestor_run* run) {
  return run != nullptr && run->whole ? &run->whole->plain : nullptr;
}

size_t nestor_run_layer_count(const nestor_run* run) { return run != nullptr ? run->layers.size() : 0; }

const nestor_run_figures* nestor_run_layer(const nestor_run* run, size_t index) {
  return index < nestor_run_layer_count(run) ? &run->layers[index].plain : nullptr;
}

char* nestor_run_page(const char* const* results, size_t count, char* message, size_t message_bytes) {
  try {
    std::vector<report::html::ReportedResult> reported;
    for (size_t i = 0; i < count; ++i) {
      const auto json = io::Json::parse(results[i], nullptr, false);
      auto taken = report::html::take_reported("result " + std::to_string(i + 1), json);
      if (!taken) {
        nestor::c_api::tell(taken.error().to_string(), message, message_bytes);
        return nullptr;
      }
      reported.push_back(std::move(*taken));
    }
    const auto page = report::html::page(reported);
    auto* const copy = static_cast<char*>(std::malloc(page.size() + 1));
    if (copy != nullptr) std::memcpy(copy, page.c_str(), page.size() + 1);
    return copy;
  } catch (const std::exception& failure) {
    nestor::c_api::tell(failure.what(), message, message_bytes);
    return nullptr;
  }
}

void nestor_run_free(char* text) { std::free(text); }
