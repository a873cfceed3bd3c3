// Fuzzer for the checkpoint reader. Reading any text and unpacking the states of a checkpoint never crashes.
// The fuzzer corrects the hash, because very few inputs would have a valid one.
#include "io/sha256.h"
#include "report/results/checkpoint_file.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace nestor;
  std::string text(reinterpret_cast<const char*>(data), size);
  const std::string tag = "\"sha256\": \"";
  const auto hash = text.find(tag);
  const auto line = text.find('\n');
  if (hash != std::string::npos && line != std::string::npos && hash < line)
    text.replace(hash + tag.size(), line - hash - tag.size(), io::sha256(text.substr(line + 1)) + "\"}");
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
