// Test with a small network that is trained here in floats, quantised, compiled and run on the crossbars. The
// test counts how often the crossbars and the float network agree on the class.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "chip_model_run.h"

namespace nestor::tests::trained_model_test {
namespace {

using bench::ModelBuilder;
using bench::Value;
using Reals = std::vector<double>;

constexpr std::size_t side = 12, pooled = side / 2, channels = 6, classes = 10, taps = 9;
constexpr std::size_t features = channels * pooled * pooled;

struct Example {
  Reals image;  ///< side x side pixels
  std::size_t label = 0;
};

// Random images with known classes. Each class is a pattern of smooth blobs, shifted by up to a pixel, with
// varying brightness and noise.
class Examples {
 public:
  explicit Examples(std::uint64_t seed) : random_(seed) {
    for (auto& pattern : patterns_) {
      pattern.assign(side * side, 0);
      for (int blob = 0; blob < 4; ++blob) {
        const double y = random_.unit() * side, x = random_.unit() * side, height = 2 * random_.unit() - 1;
        for (std::size_t i = 0; i < side * side; ++i) {
          const std::size_t row = i / side, column = i % side;
          const double dy = static_cast<double>(row) - y, dx = static_cast<double>(column) - x;
          pattern[i] += height * std::exp(-(dy * dy + dx * dx) / 6);
        }
      }
    }
  }
  Example draw() {
    Example example{Reals(side * side), static_cast<std::size_t>(random_.below(classes))};
    const auto down = random_.between(-1, 1), right = random_.between(-1, 1);
    const double light = 0.6 + 0.8 * random_.unit();
    for (std::size_t i = 0; i < side * side; ++i) {
      const auto at = [&](std::size_t place, std::int64_t by) {
        return static_cast<std::size_t>(
            std::clamp<std::int64_t>(static_cast<std::int64_t>(place) + by, 0, side - 1));
      };
      const double noise = random_.unit() + random_.unit() + random_.unit() - 1.5;
      example.image[i] =
          light * patterns_[example.label][at(i / side, down) * side + at(i % side, right)] + 0.9 * noise;
    }
    return example;
  }

 private:
  Random random_;
  std::array<Reals, classes> patterns_;
};

// Network of a 3 x 3 convolution, Relu, 2 x 2 maximum pooling and a fully connected layer. Features are
// ordered channel by channel, as in ONNX's Flatten.
class FloatNetwork {
 public:
  explicit FloatNetwork(std::uint64_t seed) {
    Random random(seed);
    const auto fill = [&](Reals& weights, std::size_t count, double width) {
      for (std::size_t i = 0; i < count; ++i) weights.push_back(width * (2 * random.unit() - 1));
    };
    fill(kernel, channels * taps, 0.5);
    fill(matrix, classes * features, 0.08);
    kernel_bias.assign(channels, 0);
    matrix_bias.assign(classes, 0);
  }

  Reals scores(const Reals& image) {
    pool_.assign(features, 0);
    from_.assign(features, 0);
    for (std::size_t c = 0; c < channels; ++c)
      for (std::size_t i = 0; i < side * side; ++i) {
        double sum = kernel_bias[c];
        for (std::size_t t = 0; t < taps; ++t) sum += kernel[c * taps + t] * pixel(image, i, t);
        const std::size_t p = (c * pooled + i / side / 2) * pooled + i % side / 2;
        if (sum > pool_[p]) {  // starts at 0, which implements Relu
          pool_[p] = sum;
          from_[p] = i;
        }
      }
    Reals made = matrix_bias;
    for (std::size_t k = 0; k < classes; ++k)
      for (std::size_t f = 0; f < features; ++f) made[k] += matrix[k * features + f] * pool_[f];
    return made;
  }

  void learn(const Example& example, double rate) {
    Reals slope = scores(example.image);
    const double most = *std::max_element(slope.begin(), slope.end());
    double sum = 0;
    for (double& score : slope) sum += score = std::exp(score - most);
    for (double& score : slope) score /= sum;
    slope[example.label] -= 1;
    Reals back(features, 0);
    for (std::size_t k = 0; k < classes; ++k) {
      matrix_bias[k] -= rate * slope[k];
      for (std::size_t f = 0; f < features; ++f) {
        back[f] += slope[k] * matrix[k * features + f];
        matrix[k * features + f] -= rate * slope[k] * pool_[f];
      }
    }
    for (std::size_t f = 0; f < features; ++f) {
      if (pool_[f] <= 0) continue;
      const std::size_t c = f / (pooled * pooled);
      kernel_bias[c] -= rate * back[f];
      for (std::size_t t = 0; t < taps; ++t)
        kernel[c * taps + t] -= rate * back[f] * pixel(example.image, from_[f], t);
    }
  }

  Reals kernel, kernel_bias, matrix, matrix_bias;

 private:
  static double pixel(const Reals& image, std::size_t i, std::size_t tap) {
    const std::size_t y = i / side + tap / 3, x = i % side + tap % 3;  // coordinates plus 1
    return y == 0 || x == 0 || y > side || x > side ? 0 : image[(y - 1) * side + x - 1];
  }
  Reals pool_;
  std::vector<std::size_t> from_;  ///< source pixel of each maximum
};

::onnx::ModelProto to_onnx(const FloatNetwork& network) {
  ModelBuilder model("trained", {});
  const Value input = model.input("input", {1, 1, side, side});
  const Value conv = model.add(
      "Conv", {input, model.weight("kernel", {channels, 1, 3, 3}), model.weight("bias", {channels})},
      {{"pads", std::vector<bench::Int>{1, 1, 1, 1}}});
  const Value pool = model.add(
      "MaxPool", {model.add("Relu", {conv})},
      {{"kernel_shape", std::vector<bench::Int>{2, 2}}, {"strides", std::vector<bench::Int>{2, 2}}});
  model.output(model.add("Gemm",
                         {model.add("Flatten", {pool}), model.weight("matrix", {classes, features}),
                          model.weight("offset", {classes})},
                         {{"transB", bench::Int{1}}}));
  auto proto = model.proto();
  const auto set = [&](const char* name, const Reals& values) {
    set_data(proto, name, std::vector<float>(values.begin(), values.end()));
  };
  set("kernel", network.kernel);
  set("bias", network.kernel_bias);
  set("matrix", network.matrix);
  set("offset", network.matrix_bias);
  return proto;
}

template <typename T>
std::size_t best(const std::vector<T>& scores) {
  return static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

// Returns the number of images, out of 100, to which the crossbars and the float network assign the same
// class.
std::size_t agreement(FloatNetwork& network, const std::vector<Example>& training, Examples& examples,
                      Int adc_bits) {
  auto machine = isaac(chip::Mode::WLM);
  machine.cell.adc = adc_bits;
  const Model model = import_filled(to_onnx(network), machine);
  sim::chip::Calibration calibration;
  for (std::size_t i = 0; i < 100; ++i) calibration.images.push_back(training[i].image);
  const auto numbers = quantised(model, calibration);
  const auto program = compile_filled(model, numbers, machine);
  EXPECT_TRUE(std::holds_alternative<chip_program::Program>(program));
  const chip::TensorFormat format{numbers.operators.front().scales.front(), 0, -127, 127};
  std::size_t agreed = 0;
  for (int i = 0; i < 100; ++i) {
    const auto example = examples.draw();
    std::vector<Int> input;
    for (const double x : example.image) input.push_back(sim::chip::quantised(x, format));
    const auto made = sim::chip::execute(std::get<0>(program), machine, {}, {&input, {}});
    EXPECT_TRUE(std::holds_alternative<sim::chip::Execution>(made));
    agreed += best(std::get<0>(made).results.back()) == best(network.scores(example.image)) ? 1U : 0U;
  }
  return agreed;
}

TEST(TrainedModel, KeepsItsClassesOnTheCrossbars) {
  Examples examples(1);
  std::vector<Example> training;
  for (int i = 0; i < 1500; ++i) training.push_back(examples.draw());
  FloatNetwork network(2);
  for (int pass = 0; pass < 8; ++pass)
    for (const auto& example : training) network.learn(example, 0.02);
  std::size_t right = 0;
  for (int i = 0; i < 500; ++i) {
    const auto example = examples.draw();
    right += best(network.scores(example.image)) == example.label ? 1U : 0U;
  }
  EXPECT_GE(right, 400U);  // the network has learned
  EXPECT_LT(right, 500U);  // the classes are not trivially separable
  const auto exact = agreement(network, training, examples, 0);
  const auto converted = agreement(network, training, examples, 8);
  const auto coarse = agreement(network, training, examples, 3);
  std::cout << "right " << right << " of 500; top-1 agreement of 100: " << exact << " exact, " << converted
            << " with ADCs of 8 bits, " << coarse << " of 3 bits\n";
  EXPECT_GE(exact, 98U);
  EXPECT_GE(converted, 98U);
}

}  // namespace
}  // namespace nestor::tests::trained_model_test
