// User choices about compute-near-memory programs: which transfers are included in the time, where constants
// are at the start, and how a convolution is computed.
#pragma once

#include <cstdint>

#include "base/enum_words.h"

namespace nestor::cnm {

/// Transfers that are included in the time: all, only those between operations, or none.
enum class CountedTransfers : std::uint8_t { all, inner, none };
inline constexpr auto counted_transfers = enum_words<CountedTransfers>(
    {{CountedTransfers::all, "all"}, {CountedTransfers::inner, "inner"}, {CountedTransfers::none, "none"}});

/// Location of constants: resident where they are read, or at first on the host.
enum class Weights : std::uint8_t { resident, move };
inline constexpr auto weight_words =
    enum_words<Weights>({{Weights::resident, "resident"}, {Weights::move, "move"}});

/// Form of a convolution: a matrix product whose windows the host forms, or its own loop nest.
enum class ConvolutionForm : std::uint8_t { im2col, direct };
inline constexpr auto convolution_forms =
    enum_words<ConvolutionForm>({{ConvolutionForm::im2col, "im2col"}, {ConvolutionForm::direct, "direct"}});

}  // namespace nestor::cnm
