// The command line: parse, run one verb, say what went wrong in one line, turn it into an exit status.
#include <cstdio>
#include <exception>
#include <new>

#include "app/command_line.h"
#include "app/console.h"

namespace nestor::app {
namespace {

int fail(const io::Error& error) {
  std::fflush(stdout);
  std::fputs(fmt::format("nestor: {}\n", error.to_string()).c_str(), stderr);
  return static_cast<int>(error.kind);
}

int run(std::span<const char* const> arguments) {
  const auto command = parse_command_line(arguments);
  if (!command) return fail(command.error());
  auto outcome = Outcome::solved;
  if (command->verb == nullptr) {
    print_text(command->text);
  } else {
    const auto result = command->verb->run(command->options);
    if (!result) return fail(result.error());
    outcome = result.value();
  }
  if (const auto error = finish_output()) return fail(*error);
  return static_cast<int>(outcome);
}

}  // namespace
}  // namespace nestor::app

int main(int count, char** arguments) {
  using nestor::io::internal_error;
  nestor::app::prepare_streams();
  try {
    return nestor::app::run({arguments, static_cast<std::size_t>(count)});
  } catch (const std::bad_alloc&) {
    return nestor::app::fail(internal_error("out of memory"));
  } catch (const std::exception& failure) {
    return nestor::app::fail(internal_error(failure.what()));
  }
}
