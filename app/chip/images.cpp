#include "app/chip/images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/chip/model.h"
#include "app/chip/programs.h"
#include "io/chip/npy.h"
#include "io/files.h"
#include "model/chip/program/constants.h"
#include "report/results/result_parts.h"
#include "report/tables/progress.h"
#include "sim/chip/model_reference.h"
#include "sim/chip/quantise.h"
#include "sim/chip/real_run.h"

namespace nestor::app::chip_space {
namespace {

using chip_program::OperatorNumbers;
using report::ProgramRun;

// The model of a program (--network, or else the network that the result names), and the options of its
// quantisation as recorded in the result.
struct Origin {
  std::string network;
  io::RunOptions options;
};

Origin origin_of(const ProgramRun& run, const io::RunOptions& options) {
  Origin origin{options.chip_network, options};
  if (!run.model) return origin;
  const auto text = io::read_file(run.file, io::result_limits.bytes);
  const auto json = text ? io::Json::parse(*text, nullptr, false) : io::Json();
  if (!json.is_object()) return origin;
  if (const auto given = json.find("options"); given != json.end() && given->is_object())
    for (const auto& [name, value] : given->items())
      if (value.is_string() &&
          (name == "calibrate" || name == "per-tensor" || name == "dim" || name == "unknown"))
        io::set_option(origin.options, io::Verb::compile, name, value.get<std::string>());
  if (const auto inputs = json.find("inputs");
      inputs != json.end() && inputs->is_array() && origin.network.empty())
    for (const auto& input : *inputs)
      if (input.is_object() && input.value("role", "") == "network") origin.network = input.value("name", "");
  return origin;
}

// Returns the model that --network or the result names. Returns nothing if no model is named, or if the
// program has its own weights and no option needs the model. A model that no option needs may be unreadable.
io::Result<std::optional<Model>> find_model(const ProgramRun& run, const io::RunOptions& options,
                                            const Origin& origin) {
  const bool needed = !options.images.empty() || !options.chip_network.empty() || options.reference;
  if (origin.network.empty()) return std::optional<Model>();
  if (run.program.numbers && !needed) return std::optional<Model>();
  auto model = read_model(origin.network, run.machine, origin.options);
  if (!model && !needed && run.model) return std::optional<Model>();  // unreadable: use seeded data
  return model;
}

class ImageRun {
 public:
  ImageRun(ProgramRun& run, const io::RunOptions& options) : run_(run), options_(options) {}

  io::MaybeError run(std::string& npy);

 private:
  io::MaybeError take_model();
  io::MaybeError take_images();
  io::MaybeError one(std::size_t image);
  io::MaybeError compare(const std::vector<Int>& elements, const std::vector<double>& reals);
  void keep_output(const std::vector<double>* reals);
  const OperatorNumbers* reader() const;
  std::vector<Int> assembled() const;

  ProgramRun& run_;
  const io::RunOptions& options_;
  std::optional<Model> model_;
  chip_program::ProgramNumbers whole_;
  std::vector<std::vector<double>> images_;  ///< images in the layout of the chip
  bool real_images_ = false;
  Int offset_ = 0;  ///< subtracted from unsigned elements to make them signed
  std::vector<Int> output_;
  std::vector<Int> dims_;
  Int output_bits_ = 8;
};

const OperatorNumbers* ImageRun::reader() const {
  if (!run_.program.numbers) return nullptr;
  for (const auto& each : run_.program.numbers->operators)
    if (each.in) return &each;
  return nullptr;
}

io::MaybeError ImageRun::take_model() {
  const Origin origin = origin_of(run_, options_);
  auto found = find_model(run_, options_, origin);
  if (!found) return found.error();
  model_ = std::move(*found);
  if (!model_) return std::nullopt;
  if (!run_.program.numbers && run_.model) {
    auto numbers = quantise_model(origin.network, *model_, origin.options);
    if (!numbers) return numbers.error();
    whole_ = std::move(*numbers);
    auto fitted = fit_network(origin.network, run_.machine, model_->whole);
    if (!fitted) return fitted.error();
    const bool same = std::equal(fitted->operators.begin(), fitted->operators.end(),
                                 run_.program.operators.begin(), run_.program.operators.end(),
                                 [](const auto& a, const auto& b) { return a.name == b.name; });
    if (!same) return io::input_error({origin.network}, "is not the network of the result");
    run_.program.numbers = cut_for(*model_, whole_, *fitted);
    return std::nullopt;
  }
  auto joined = chip_program::join_numbers(model_->whole, run_.program);
  if (run_.program.numbers && !joined)
    return io::input_error({origin.network}, "is not the network of the program's weights");
  if (joined) whole_ = std::move(*joined);
  return std::nullopt;
}

io::MaybeError ImageRun::take_images() {
  if (options_.images.empty()) return std::nullopt;
  const OperatorNumbers* const first = reader();
  if (first == nullptr)
    return io::input_error({run_.file},
                           "the program has neither model weights nor an element order for its input");
  const auto array = io::read_npy(options_.images);
  if (!array) return array.error();
  real_images_ = array->real;
  auto images = images_of(*array, options_.images, *first->in);
  if (!images) return images.error();
  if (!array->real) {
    if (array->is_unsigned) offset_ = Int{1} << (array->bits - 1);
    const auto [low, high] = first->in->limits;
    for (const auto& image : *images)
      for (const double x : image)
        if (x - static_cast<double>(offset_) < static_cast<double>(low) ||
            x - static_cast<double>(offset_) > static_cast<double>(high))
          return io::input_error(
              {options_.images},
              fmt::format("contains an integer outside the range {} to {}", low + offset_, high + offset_));
  }
  if (images->empty()) return io::input_error({options_.images}, "contains no images");
  images_ = std::move(*images);
  run_.images = static_cast<Int>(images_.size());
  return std::nullopt;
}

// Returns the elements of the model's output, assembled from the operators that compute its channels.
std::vector<Int> ImageRun::assembled() const {
  std::vector<std::pair<const std::vector<Int>*, Int>> parts;
  for (std::size_t i = 0; i < run_.program.operators.size(); ++i) {
    const auto& op = run_.program.operators[i];
    if (!run_.program.numbers->operators[i].out || op.keys.partial != 0) continue;
    parts.emplace_back(&run_.numbers->results[i], run_.program.tensors[op.output].channels);
  }
  std::vector<Int> made;
  const std::size_t pixels =
      parts.empty() ? 0 : parts.front().first->size() / static_cast<std::size_t>(parts.front().second);
  for (std::size_t p = 0; p < pixels; ++p)
    for (const auto& [values, count] : parts)
      for (Int c = 0; c < count; ++c)
        made.push_back((*values)[p * static_cast<std::size_t>(count) + static_cast<std::size_t>(c)]);
  return made;
}

void ImageRun::keep_output(const std::vector<double>* reals) {
  const OperatorNumbers* maker = nullptr;
  for (std::size_t i = 0; i < run_.program.operators.size(); ++i)
    if (run_.program.numbers->operators[i].out && run_.program.operators[i].keys.partial == 0) {
      maker = &run_.program.numbers->operators[i];
      output_bits_ = run_.program.tensors[run_.program.operators[i].output].bits;
    }
  if (maker == nullptr) return;
  const auto elements = assembled();
  dims_ = maker->out->dims;
  for (const Int place : maker->out->places()) {
    if (place >= static_cast<Int>(elements.size())) return dims_.clear();
    const Int value = elements[static_cast<std::size_t>(place)];
    output_.push_back(value);
    if (reals == nullptr || maker->scales.empty()) continue;
    const double real = maker->scales.back() * static_cast<double>(value - maker->zero.back());
    run_.from_reals =
        std::max(run_.from_reals.value_or(0), std::fabs(real - (*reals)[static_cast<std::size_t>(place)]));
  }
}

io::MaybeError ImageRun::compare(const std::vector<Int>& elements, const std::vector<double>& reals) {
  const auto expected = sim::chip::model_results(model_->whole, whole_, elements);
  if (const auto* fault = std::get_if<sim::chip::Fault>(&expected)) return fault_error(run_, *fault);
  const auto verdict =
      sim::chip::compare_with_results(model_->whole, run_.program, *run_.numbers, std::get<0>(expected));
  if (const auto* fault = std::get_if<sim::chip::Fault>(&verdict)) {
    if (run_.difference.empty()) run_.difference = fault->message;
  } else {
    run_.agreeing = run_.agreeing.value_or(0) + std::get<Int>(verdict);
  }
  const auto graph = sim::chip::run_reals(model_->whole, model_->real, reals);
  if (const auto* fault = std::get_if<sim::chip::Fault>(&graph)) return fault_error(run_, *fault);
  const auto& tensors = std::get<0>(graph);
  keep_output(model_->real.output ? &tensors[model_->real.output->tensor] : nullptr);
  return std::nullopt;
}

io::MaybeError ImageRun::one(std::size_t image) {
  sim::chip::ExecutionInput input;
  std::vector<Int> elements;
  std::vector<double> reals;
  const OperatorNumbers* const first = reader();
  if (!images_.empty()) {
    const chip::TensorFormat format{first->scales.front(), first->zero.front(), first->in->limits[0],
                                    first->in->limits[1]};
    for (const double x : images_[image]) {
      elements.push_back(real_images_ ? sim::chip::quantised(x, format) : static_cast<Int>(x) - offset_);
      reals.push_back(real_images_ ? x : format.scale * static_cast<double>(elements.back() - format.zero));
    }
    input.elements = &elements;
  } else if (model_ && first != nullptr) {
    const auto& from = model_->whole.inputs.front();
    const Int seed = chip_program::seed_of(from.name);
    for (Int i = 0; i < from.rows * from.width * from.channels; ++i) {
      elements.push_back(chip_program::element(seed, i, model_->whole.bits.I));
      reals.push_back(first->scales.front() * static_cast<double>(elements.back() - first->zero.front()));
    }
  }
  io::ProgressLine line;
  input.progress = [&](std::size_t done, std::size_t of) {
    if (line.due()) line.show(fmt::format("{}: image {}, operator {} of {}", run_.file, image + 1, done, of));
  };
  auto numbers = sim::chip::execute(run_.program, run_.machine, {}, input);
  line.clear();
  if (const auto* fault = std::get_if<sim::chip::Fault>(&numbers)) return fault_error(run_, *fault);
  auto first_run = std::move(run_.numbers);
  run_.numbers = std::move(std::get<sim::chip::Execution>(numbers));
  io::MaybeError error;
  if (model_ && run_.program.numbers)
    error = compare(elements, reals);
  else if (run_.program.numbers)
    keep_output(nullptr);
  if (first_run) run_.numbers = std::move(first_run);
  return error;
}

io::MaybeError ImageRun::run(std::string& npy) {
  if (auto error = take_model()) return error;
  if (options_.reference && !model_)
    return io::usage_error("--reference needs a model with weights: --network MODEL.onnx");
  if (auto error = take_images()) return error;
  for (std::size_t i = 0; i < std::max<std::size_t>(1, images_.size()); ++i)
    if (auto error = one(i)) return error;
  if (!options_.chip_network.empty() && !model_) {
    const auto whole = read_whole_network(options_.chip_network, run_.machine, options_);
    if (!whole) return whole.error();
    const auto verdict = sim::chip::compare_with_reference(*whole, run_.program, *run_.numbers);
    if (const auto* fault = std::get_if<sim::chip::Fault>(&verdict))
      run_.difference = fault->message;
    else
      run_.agreeing = std::get<Int>(verdict);
  }
  if (options_.output.empty()) return std::nullopt;
  if (dims_.empty())
    return io::input_error({run_.file}, "the program does not specify the element order of its output");
  if (run_.images > 1) {
    if (dims_.front() == 1)
      dims_.front() = run_.images;
    else
      dims_.insert(dims_.begin(), run_.images);
  }
  npy = io::npy_of(output_, dims_, output_bits_ <= 8 ? 8 : output_bits_ <= 16 ? 16 : 32);
  return std::nullopt;
}

}  // namespace

io::Error fault_error(const ProgramRun& run, const sim::chip::Fault& fault) {
  return io::input_error({run.file}, fault.message);
}

io::MaybeError run_numbers(ProgramRun& run, const io::RunOptions& options, std::string& npy) {
  return ImageRun(run, options).run(npy);
}

}  // namespace nestor::app::chip_space
