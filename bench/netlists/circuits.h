// Functions that build the circuits of generate.h. The table of generators in generate.cpp explains `width`
// and `count`.
#pragma once

#include "bench/netlists/generate.h"

namespace nestor::bench {

// Defined in arithmetic.cpp.
void build_adder(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_multiplier(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_divider(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_square_root(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_sine(simd::XmgBuilder& builder, const GeneratorSize& size);

// Defined in adders.cpp.
void build_brent_kung(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_kogge_stone(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_carry_select(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_carry_save(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_wallace(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_dot_product(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_population_count(simd::XmgBuilder& builder, const GeneratorSize& size);

// Defined in control.cpp.
void build_comparator(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_max(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_priority(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_decoder(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_sorter(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_crc(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_bitonic(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_random(simd::XmgBuilder& builder, const GeneratorSize& size);

// Defined in logic.cpp.
void build_parity(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_barrel(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_sbox(simd::XmgBuilder& builder, const GeneratorSize& size);
void build_mesh(simd::XmgBuilder& builder, const GeneratorSize& size);

}  // namespace nestor::bench
