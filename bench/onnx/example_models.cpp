#include "bench/onnx/example_models.h"

#include <array>

namespace nestor::bench {

std::span<const ExampleModel> example_models() {
  static constexpr std::array models = {
      ExampleModel{"alexnet", build_alexnet},
      ExampleModel{"bert-base-128", build_bert_base_128},
      ExampleModel{"gpt2-medium-decode", build_gpt2_medium_decode},
      ExampleModel{"gpt2-medium-prefill", build_gpt2_medium_prefill},
      ExampleModel{"mlperf-tiny-autoencoder", build_tiny_autoencoder},
      ExampleModel{"mlperf-tiny-dscnn", build_tiny_dscnn},
      ExampleModel{"mlperf-tiny-mobilenetv1", build_tiny_mobilenetv1},
      ExampleModel{"mlperf-tiny-resnet8", build_tiny_resnet8},
      ExampleModel{"mobilenetv2", build_mobilenetv2},
      ExampleModel{"resnet101", build_resnet101},
      ExampleModel{"resnet18", build_resnet18},
      ExampleModel{"resnet34", build_resnet34},
      ExampleModel{"resnet50", build_resnet50},
      ExampleModel{"vgg16", build_vgg16},
      ExampleModel{"vit-b16", build_vit_b16},
  };
  return models;
}

std::span<const ChipModel> chip_models() {
  // Gelu is a single operator from opset 20 on.
  static constexpr std::array models = {
      ChipModel{{"mobilenetv2", build_mobilenetv2}},
      ChipModel{{"resnet101", build_resnet101}},
      ChipModel{{"resnet101-chain", build_resnet101}, 17, true},
      ChipModel{{"resnet18", build_resnet18}},
      ChipModel{{"resnet18-chain", build_resnet18}, 17, true},
      ChipModel{{"resnet34", build_resnet34}},
      ChipModel{{"resnet34-chain", build_resnet34}, 17, true},
      ChipModel{{"resnet50", build_resnet50}},
      ChipModel{{"resnet50-chain", build_resnet50}, 17, true},
      ChipModel{{"vgg16", build_vgg16}},
      ChipModel{{"vgg16-chain", build_vgg16}, 17, true},
      ChipModel{{"vgg7", build_vgg7}},
      ChipModel{{"vit-b16", build_vit_b16}, 20},
  };
  return models;
}

std::string make_model(const ExampleModel& example, const ModelOptions& options) {
  ModelBuilder model(std::string(example.name), options);
  example.build(model);
  return model.bytes();
}

}  // namespace nestor::bench
