// Tests of the reader and the writer of .npy files. Written arrays are read back unchanged, arrays written by
// NumPy are read, and malformed files cause an error of one line.
#include "io/chip/npy.h"

#include <gtest/gtest.h>

namespace nestor::io::npy_test {
namespace {

std::string file(const std::string& header, const std::string& data, char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {version, 0, static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  if (version > 1) bytes += std::string(2, '\0');
  return bytes + header + data;
}

std::string message(const std::string& bytes) {
  const auto read = parse_npy(bytes, "x.npy");
  return read.ok() ? "accepted" : read.error().to_string();
}

TEST(Npy, RoundTripsUnchanged) {
  const std::vector<Int> values = {1, -2, 127, -128, 0, 5};
  for (const Int bits : {8, 16, 32, 64}) {
    for (const std::vector<Int>& shape : {std::vector<Int>{2, 3}, {6}, {1, 6, 1}}) {
      const auto bytes = npy_of(values, shape, bits);
      const auto read = parse_npy(bytes, "x.npy");
      ASSERT_TRUE(read.ok()) << read.error().to_string();
      EXPECT_EQ(read->shape, shape);
      EXPECT_EQ(read->bits, bits);
      EXPECT_FALSE(read->real);
      EXPECT_EQ(read->values, std::vector<double>(values.begin(), values.end()));
      EXPECT_EQ((bytes.size() - 6 * static_cast<std::size_t>(bits / 8)) % 64, 0U);
    }
  }
}

TEST(Npy, TypesOrdersAndVersionsAreRead) {
  const auto values = [](const std::string& bytes) {
    const auto read = parse_npy(bytes, "x.npy");
    return read.ok() ? read->values : std::vector<double>{-1};
  };
  using List = std::vector<double>;
  const std::string one = std::string("\0\0\x80\x3f", 4);
  EXPECT_EQ(values(file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n", one)), List{1});
  EXPECT_EQ(values(file("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", one, 2)), List{1});
  EXPECT_EQ(values(file("{\"shape\": (1,), \"descr\": '>f4', 'fortran_order': False}",
                        std::string("\x3f\x80\0\0", 4))),
            List{1});
  EXPECT_EQ(values(file("{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }",
                        std::string("\0\x3c\0\xc0\x01\0", 6))),
            (List{1, -2, 0x1p-24}));
  EXPECT_EQ(values(file("{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", "\xff\x01")),
            (List{255, 1}));
  EXPECT_EQ(values(file("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }", "\1\4\2\5\3\6")),
            (List{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, HostileFilesGetOneLineErrors) {
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
  EXPECT_EQ(message(""), "x.npy: not an .npy file");
  EXPECT_EQ(message(file(good, "", 9)), "x.npy: version 9 of .npy is unknown; expected 1 to 3");
  EXPECT_EQ(message(file(good, "abc")), "x.npy: 3 bytes of elements, expected 4");
  EXPECT_EQ(message(file(good, std::string("\0\0\xc0\x7f", 4))),
            "x.npy: element 0 is not finite, or too large");
  EXPECT_EQ(message(file(good, "abcd").substr(0, 20)),
            "x.npy: truncated: the header should have 57 bytes, 10 are left");
  EXPECT_EQ(message(file("[]", "")), "x.npy: expected a dictionary in the header");
  EXPECT_EQ(message(file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "")),
            "x.npy: elements of type '|O'; expected floats or integers of at most 8 bytes");
  EXPECT_EQ(
      message(file("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 99999999999), }", "")),
      "x.npy: more than 2^28 elements");
  EXPECT_EQ(message(file("{'descr': '<f4', 'fortran_order': 7, 'shape': (1,), }", "")),
            "x.npy: fortran_order is neither True nor False");
  EXPECT_EQ(message(file("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", "")),
            "x.npy: the shape is not a tuple of at most 16 whole numbers");
  EXPECT_EQ(message(file("{'descr': '<f4', 'shape': (1,), }", "abcd")),
            "x.npy: expected descr, fortran_order and shape in the header");
  EXPECT_EQ(message(file(good + "import os", "abcd")), "x.npy: the header continues after its dictionary");
}

}  // namespace
}  // namespace nestor::io::npy_test
