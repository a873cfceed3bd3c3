// Workers of a sweep as a Slurm job array. Its tasks pull points from the store, so the number of tasks does
// not depend on the number of points.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "app/console.h"
#include "app/run_command.h"
#include "app/sweep.h"
#include "io/files.h"
#include "io/output_file.h"

namespace nestor::app {
namespace {

// Returns a job name that contains only characters that file names can have.
std::string job_name(std::string_view plan) {
  std::string name = "nestor-";
  for (const char c : plan.substr(0, 40)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.';
    name += plain ? c : '_';
  }
  return name;
}

std::string script_of(const io::RunOptions& options, const std::string& plan) {
  std::error_code code;
  auto program = std::filesystem::read_symlink("/proc/self/exe", code).string();
  if (code) program = "nestor";
  const Int threads = options.threads > 0 ? options.threads : 1;
  std::string text = "#!/bin/bash\n";
  const auto set = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) text += fmt::format("#SBATCH --{}={}\n", name, value);
  };
  set("job-name", job_name(plan));
  set("array", fmt::format("1-{}", options.tasks));
  set("ntasks", "1");
  set("cpus-per-task", fmt::format("{}", threads));
  set("partition", options.partition);
  set("time", options.job_time);
  set("mem", options.job_memory);
  set("output", "%x-%A_%a.log");
  set("signal", "B:TERM@60");
  return text +
         fmt::format(
             "#SBATCH --requeue\n"
             "# The worker replaces this shell, receives the signal, and returns its points to the store.\n"
             "exec {} work --store {} --threads {} --lease {}\n",
             shell_string(program), shell_string(options.store), threads, options.lease);
}

io::Result<std::string> submit(const std::string& script) {
  constexpr double most_seconds = 120;
  const auto log = script + ".log";
  // The scheduler stores the environment of the job, so the password is removed from it.
  const auto run =
      run_command("env -u PGPASSWORD sbatch --parsable " + shell_string(script), log, most_seconds);
  const auto said = io::read_file(log);
  std::error_code code;
  std::filesystem::remove(log, code);
  const auto words = said ? said->substr(0, said->find_last_not_of("\n") + 1) : std::string();
  if (run.started && run.status == 0 && run.signal == 0 && !words.empty()) return words;
  auto error =
      io::output_error(script, fmt::format("is not submitted: {}", words.empty() ? "no answer" : words));
  return error;
}

}  // namespace

io::MaybeError check_submission(const io::RunOptions& options) {
  if (!io::is_on_server(options.store))
    return io::usage_error(
        "--submit needs --store postgresql://USER@HOST/DATABASE: several machines cannot share a file");
  if (!options.dry_run && !is_installed("sbatch"))
    return io::usage_error("--submit slurm: sbatch is not installed here (--dry-run prints the script)");
  return std::nullopt;
}

io::Result<ExitStatus> submit_workers(const io::RunOptions& options, const std::string& plan) {
  const auto text = script_of(options, plan);
  if (options.dry_run) {
    print_text(text);
    return ExitStatus::solved;
  }
  const auto script = std::filesystem::path(options.inputs.front()).replace_extension(".sbatch").string();
  if (auto error = io::write_somewhere(script, text)) return *error;
  if (std::getenv("PGPASSWORD") != nullptr)
    print_remark("PGPASSWORD is not passed on to the job: its tasks read the file that PGPASSFILE names");
  const auto job = submit(script);
  if (!job) return job.error();
  print("job {}: {} workers ({}); --status shows their progress\n", *job, options.tasks, script);
  return ExitStatus::solved;
}

}  // namespace nestor::app
