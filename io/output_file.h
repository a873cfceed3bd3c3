// Output files: a regular file is replaced in one step and keeps its mode and owner; what is no regular
// file (a device, a pipe, a descriptor as /dev/fd/3) is written to. Links are followed, never replaced.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "io/error.h"

namespace nestor::io {

/// ErrorKind::output: the input was not at fault.
Error output_error(const std::filesystem::path& path, std::string message);

/// Whether write_file would get anywhere, without harm to what is there. To be asked before work begins.
MaybeError check_writable(const std::filesystem::path& path);

/// Whether `path` can be written again and again: false for what is written to (a pipe takes everything
/// once).
bool is_replaced(const std::filesystem::path& path);

/// Whether what is written to the one is lost when the other is written.
bool are_one_output(const std::filesystem::path& one, const std::filesystem::path& other);

/// As write_file (files.h); where that fails, and not on a device, to a file in the folder for temporary
/// files, which the error then names.
MaybeError write_somewhere(const std::filesystem::path& path, std::string_view content);

/// Content in pieces: gives them to the sink one after the other until it returns false, and says whether all
/// went through. May be asked again from the beginning.
using PieceSink = std::function<bool(std::string_view)>;
using Pieces = std::function<bool(const PieceSink&)>;
MaybeError write_somewhere(const std::filesystem::path& path, const Pieces& content);

/// As write_file (files.h), and on the disk when it returns: what is read after a crash of the machine is the
/// old content or the new.
MaybeError write_durably(const std::filesystem::path& path, const Pieces& content);

}  // namespace nestor::io
