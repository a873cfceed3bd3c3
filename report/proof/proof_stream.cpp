// Encoding and compression of proof files (proof_file.h).
#include <zstd.h>

#include <new>

#include "report/proof/proof_file.h"

namespace nestor::io {
namespace {

std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63U);
}

}  // namespace

void ProofStream::head(const Json& description) {
  pending_ += proof_schema;
  text('\n', description);
}

void ProofStream::layer(const Json& description) { text('L', description); }

void ProofStream::choice(std::span<const Int> factors, std::size_t nests) {
  // Without groups, a choice is written without the dimension G.
  const auto is_group = [](std::size_t i) { return i % dim_count == index_of(Dim::G); };
  bool has_groups = false;
  for (std::size_t i = 0; i < factors.size(); ++i) has_groups |= is_group(i) && factors[i] != 1;
  byte(has_groups ? 'G' : 'C');
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (has_groups || !is_group(i)) number(static_cast<std::uint64_t>(factors[i]));
  number(nests);
  last_parent_ = 0;
  ++choices_;
  nests_ += nests;
}

void ProofStream::nest(const ProofNest& nest) {
  number(zigzag(std::int64_t{nest.parent} - std::int64_t{last_parent_}));
  last_parent_ = nest.parent;
  unsigned moved = 0;
  for (std::size_t x = 0; x < operand_count; ++x) moved |= static_cast<unsigned>(nest.step.moved[x]) << x;
  byte(nest.step.dim | moved << 3U);
  number(static_cast<std::uint64_t>(nest.step.factor));
  for (std::size_t x = 0; x < operand_count; ++x)
    if (nest.step.moved[x]) byte(nest.step.at[x] | static_cast<unsigned>(nest.step.doubled[x]) << 4U);
  if (pending_.size() >= frame_size) compress();
}

void ProofStream::end_of_layer() {
  byte('E');
  number(choices_);
  number(nests_);
  choices_ = nests_ = 0;
}

void ProofStream::end_of_file() { byte('Z'); }

std::string ProofStream::flush() {
  compress();
  return take();
}

void ProofStream::text(char tag, const Json& json) {
  byte(static_cast<unsigned char>(tag));
  const std::string dumped = to_text(json);
  number(dumped.size());
  pending_ += dumped;
}

void ProofStream::number(std::uint64_t value) {
  for (; value >= 0x80U; value >>= 7U) byte(static_cast<unsigned>(value & 0x7FU) | 0x80U);
  byte(static_cast<unsigned>(value));
}

void ProofStream::compress() {
  if (pending_.empty()) return;
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  if (context == nullptr) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, 3);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const auto before = frames_.size();
  frames_.resize(before + ZSTD_compressBound(pending_.size()));
  const auto size = ZSTD_compress2(context.get(), frames_.data() + before, frames_.size() - before,
                                   pending_.data(), pending_.size());
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();  // no other error is possible
  frames_.resize(before + size);
  pending_.clear();
}

}  // namespace nestor::io
