// Names as words in the text of a schedule.
#pragma once

#include <string>
#include <string_view>

namespace nestor::io {

std::string escaped_name(std::string_view name);
/// Returns the name that a word stands for. A word that escaped_name() cannot produce is unchanged.
std::string unescaped_name(std::string_view word);

}  // namespace nestor::io
