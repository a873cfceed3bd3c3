#include "report/results/checkpoint_file.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>
#include <optional>

#include "io/output_file.h"
#include "io/sha256.h"
#include "report/keys/common.h"
#include "report/results/result_parts.h"

namespace nestor::io {
namespace {

constexpr std::uintmax_t most_bytes_of_a_file = std::uintmax_t{64} << 30;

// Returns the first line, with the hash of the rest. The second line has the run and the size of every
// state.
std::string first_line(std::string_view hash_of_rest) {
  return fmt::format("{{\"{}\": \"{}\", \"{}\": \"{}\"}}\n", key::schema, checkpoint_schema, key::sha256,
                     hash_of_rest);
}
std::string second_line(const CheckpointFile& checkpoint) {
  Json head = {{key::run, checkpoint.run}};
  auto& sizes = head[key::states] = Json::array();
  for (const ShapeStates& states : checkpoint.shapes) {
    auto& of_shape = sizes.emplace_back(Json::array());
    for (const std::string& state : states) of_shape.push_back(state.size());
  }
  return head.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

// Returns the states of all shapes from the end of the file, or nothing if the stated sizes do not match its
// length.
std::optional<std::vector<ShapeStates>> cut_out(const Json& sizes, std::string_view bytes) {
  std::vector<ShapeStates> shapes;
  if (!sizes.is_array()) return std::nullopt;
  for (const Json& of_shape : sizes) {
    auto& states = shapes.emplace_back();
    if (!of_shape.is_array()) return std::nullopt;
    for (const Json& size : of_shape) {
      if (!size.is_number_unsigned() || size.get<std::uint64_t>() > bytes.size()) return std::nullopt;
      states.emplace_back(bytes.substr(0, size.get<std::size_t>()));
      bytes.remove_prefix(states.back().size());
    }
  }
  return bytes.empty() ? std::optional(std::move(shapes)) : std::nullopt;
}

}  // namespace

MaybeError write_checkpoint(const std::filesystem::path& path, const CheckpointFile& checkpoint) {
  const std::string head = second_line(checkpoint);
  Sha256 hash;
  hash.add(head);
  for (const ShapeStates& states : checkpoint.shapes)
    for (const std::string& state : states) hash.add(state);
  return write_durably(path, [&, first = first_line(hash.finish())](const PieceSink& sink) {
    return sink(first) && sink(head) &&
           std::all_of(checkpoint.shapes.begin(), checkpoint.shapes.end(), [&](const ShapeStates& states) {
             return std::all_of(states.begin(), states.end(), sink);
           });
  });
}

Result<CheckpointFile> read_checkpoint(const std::string& path) {
  const auto text = read_file(path, most_bytes_of_a_file);
  return text ? parse_checkpoint(*text, path) : text.error();
}

Result<CheckpointFile> parse_checkpoint(std::string_view all, const std::string& path) {
  const auto refused = [&](std::string message) { return input_error({path, 1, 1}, std::move(message)); };
  const std::string start = fmt::format("{{\"{}\": \"{}\", ", key::schema, checkpoint_schema);
  const auto line = all.find('\n');
  if (!all.starts_with(start) || line == std::string_view::npos)
    return refused(fmt::format("is not a checkpoint, expected schema {}", checkpoint_schema));
  const auto rest = all.substr(line + 1);
  if (all.substr(0, line + 1) != first_line(sha256(rest)))
    return refused("has been changed: its hash differs; a checkpoint cannot be edited");
  const auto end = rest.find('\n');
  const std::string_view head_text = rest.substr(0, end);
  if (end != std::string_view::npos && head_text.size() <= result_limits.bytes) {
    const Json head = Json::parse(head_text, nullptr, false);
    if (head.is_object() && head.contains(key::run) && head.contains(key::states))
      if (auto shapes = cut_out(head[key::states], rest.substr(end + 1)))
        return CheckpointFile{head[key::run], std::move(*shapes)};
  }
  return refused("is a checkpoint whose states are not at the stated positions");
}

std::string pack_state(const StateKeeper::Write& write) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, 1);
  std::string packed;
  std::string block(ZSTD_CStreamOutSize(), '\0');
  const auto put = [&](const std::byte* bytes, std::size_t count, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{bytes, count, 0};
    while (true) {
      ZSTD_outBuffer out{block.data(), block.size(), 0};
      const std::size_t left = ZSTD_compressStream2(context.get(), &out, &in, directive);
      if (ZSTD_isError(left) != 0) return false;
      packed.append(block, 0, out.pos);
      if (directive == ZSTD_e_end ? left == 0 : in.pos == in.size) return true;
    }
  };
  StateWriter writer(
      [&](const std::byte* bytes, std::size_t count) { return put(bytes, count, ZSTD_e_continue); });
  if (!write(writer) || !put(nullptr, 0, ZSTD_e_end)) return {};
  return packed;
}

bool unpack_state(const std::string& packed, std::size_t most_bytes, const StateKeeper::Read& read) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  StateReader reader([&](std::byte* bytes, std::size_t count) {
    if (count > most_bytes) return false;
    most_bytes -= count;
    ZSTD_outBuffer out{bytes, count, 0};
    while (out.pos < out.size) {
      const std::size_t before = out.pos;
      const std::size_t hint = ZSTD_decompressStream(context.get(), &out, &in);
      if (ZSTD_isError(hint) != 0 || (out.pos == before && in.pos == in.size)) return false;
    }
    return true;
  });
  return read(reader);
}

}  // namespace nestor::io
