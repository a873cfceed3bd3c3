// Functions that write output files. A regular file is replaced atomically if possible, and keeps its mode
// and owner. Other files (a device, a pipe, a descriptor such as /dev/fd/3) are written in place. Links are
// followed, never replaced.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "io/error.h"

namespace nestor::io {

/// Returns an error of ErrorKind::output.
Error output_error(const std::filesystem::path& path, std::string message);

/// Checks, without changing the file, that write_file can succeed. Call it before work begins.
MaybeError check_writable(const std::filesystem::path& path);

/// True if `path` can be written repeatedly. False for files that are written in place, since a pipe accepts
/// its content only once.
bool is_replaced(const std::filesystem::path& path);

/// True if writing to one path overwrites the content of the other.
bool are_one_output(const std::filesystem::path& one, const std::filesystem::path& other);

/// Writes like write_file (files.h). If that fails and the target is neither a device nor standard output,
/// writes to a file in the temporary folder instead, and returns an error that names this file.
MaybeError write_somewhere(const std::filesystem::path& path, std::string_view content);

/// Content in pieces. The function passes the pieces to the sink in order, until the sink returns false. It
/// returns true if the sink accepted all of them. Each call starts at the first piece.
using PieceSink = std::function<bool(std::string_view)>;
using Pieces = std::function<bool(const PieceSink&)>;
MaybeError write_somewhere(const std::filesystem::path& path, const Pieces& content);

/// Writes like write_file (files.h), and returns after the content is on disk. After a crash of the machine,
/// the file has either the old or the new content.
MaybeError write_durably(const std::filesystem::path& path, const Pieces& content);

}  // namespace nestor::io
