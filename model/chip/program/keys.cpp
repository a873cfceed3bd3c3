#include "model/chip/program/keys.h"

#include <limits>

namespace nestor::chip_program {
namespace {

constexpr Int any = std::numeric_limits<Int>::min();

constexpr std::array key_table = {
    Key{"bits", 3, [](Keys& k) { return k.bits.data(); }, 1},
    Key{"kernel", 2, [](Keys& k) { return k.kernel.data(); }, 1},
    Key{"stride", 2, [](Keys& k) { return k.stride.data(); }, 1},
    Key{"pad", 2, [](Keys& k) { return k.pad.data(); }, any},
    Key{"dilation", 2, [](Keys& k) { return k.dilation.data(); }, 1},
    Key{"groups", 1, [](Keys& k) { return &k.groups; }, 1},
    Key{"matrix", 2, [](Keys& k) { return k.matrix.data(); }},
    Key{"piece", 3, [](Keys& k) { return k.piece.data(); }},
    Key{"partial", 1, [](Keys& k) { return &k.partial; }},
    Key{"parts", 1, [](Keys& k) { return &k.parts; }},
    Key{"columns", 1, [](Keys& k) { return &k.columns; }},
    Key{"copies", 1, [](Keys& k) { return &k.copies; }, 1},
    Key{"phases", 1, [](Keys& k) { return &k.phases; }, 1},
    Key{"xb", 1, [](Keys& k) { return &k.xb; }},
    Key{"usable", 1, [](Keys& k) { return &k.usable; }},
    Key{"spacing", 1, [](Keys& k) { return &k.spacing; }},
    Key{"requant", 2, [](Keys& k) { return k.requant.data(); }},
    Key{"seed", 1, [](Keys& k) { return &k.seed; }},
    Key{"in_channels", 1, [](Keys& k) { return &k.in_channels; }},
    Key{"row_in", 1, [](Keys& k) { return &k.row_in; }},
    Key{"ops", 1, [](Keys& k) { return &k.ops; }},
    Key{"transposed", 1, [](Keys& k) { return &k.transposed; }},
    Key{"constant_rows", 1, [](Keys& k) { return &k.constant_rows; }},
    Key{"view", 4, [](Keys& k) { return k.view.data(); }},
    Key{"view2", 4, [](Keys& k) { return k.view2.data(); }},
};

}  // namespace

std::span<const Key> operator_keys() { return key_table; }

}  // namespace nestor::chip_program
