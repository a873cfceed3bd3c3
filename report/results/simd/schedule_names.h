// Escaping of names, so that each is one word in the text of a schedule.
#pragma once

#include <string>
#include <string_view>

namespace nestor::io {

std::string escaped_name(std::string_view name);
/// Returns the name that a word encodes. A % that is not followed by two hexadecimal digits is kept.
std::string unescaped_name(std::string_view word);

}  // namespace nestor::io
