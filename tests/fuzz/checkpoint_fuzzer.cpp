// Fuzzer for the checkpoint reader. Reading any text and unpacking the states of a checkpoint never crashes.
// The fuzzer corrects the digest, because very few inputs would have a valid one.
#include "io/digest.h"
#include "report/results/checkpoint_file.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor;
  std::string text(reinterpret_cast<const char*>(data), size);
  const std::string tag = "\"digest\": \"";
  const auto digest = text.find(tag);
  const auto line = text.find('\n');
  if (digest != std::string::npos && line != std::string::npos && digest < line)
    text.replace(digest + tag.size(), line - digest - tag.size(), io::digest(text.substr(line + 1)) + "\"}");
  const auto file = io::parse_checkpoint(text, "fuzz");
  if (!file) return 0;
  for (const auto& states : file->shapes)
    for (const auto& state : states)
      io::unpack_state(state, std::size_t{1} << 24, [](StateReader& reader) {
        std::vector<std::uint64_t> numbers;
        std::vector<std::uint32_t> small;
        return reader.array(numbers) && reader.list(small, [&](auto& item) { return reader.values(item); });
      });
  return 0;
}
