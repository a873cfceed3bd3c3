// Names as words of a schedule's text.
#pragma once

#include <string>
#include <string_view>

namespace nestor::io {

std::string escaped_name(std::string_view name);
/// Text that escaped_name() cannot have written is taken as it stands.
std::string unescaped_name(std::string_view word);

}  // namespace nestor::io
