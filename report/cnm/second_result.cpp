#include "report/cnm/second_result.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/cnm/llvcnm.h"
#include "model/cnm/estimate/pim_kernel.h"
#include "model/cnm/estimate/pim_map.h"
#include "model/cnm/second_reading/figures.h"
#include "model/cnm/second_reading/read_channel_map.h"
#include "model/cnm/second_reading/read_listing.h"
#include "model/cnm/second_reading/read_map.h"
#include "report/cnm/estimate_json.h"
#include "report/keys/cnm.h"
#include "report/keys/common.h"
#include "sim/cnm/hbm_stepper.h"
#include "sim/cnm/second_estimate.h"

namespace nestor::report {
namespace {

constexpr Int most_stepped_cycles = 100'000'000;
constexpr Int replay_budget = 1'000'000'000;
constexpr Int most_groups = 1'000'000;  // maximum number of groups in a generated stream

using cnm::second::HostFigures;

class Recomputation {
 public:
  Recomputation(const KernelTask& task, const cnm::System& system, std::string_view verb)
      : task_(task), system_(system), replayed_(verb == "simulate"), searched_(verb == "map") {}

  SecondTask run() {
    if (task_.input.kernel)
      add_maps();
    else
      add_lowered();
    auto& expected = result_.expected;
    if (!maps_.empty()) {
      expected[key::time_ms] = time_ms_;
      expected[key::cycles] = cycles_;
      if (replayed_) expected[key::replay_time_ms] = replay_ms_;
    }
    expected[key::maps] = std::move(maps_);
    result_.time_ms = time_ms_;
    return std::move(result_);
  }

 private:
  void refuse(const std::string& why) {
    if (result_.fault.empty()) result_.fault = why;
  }
  void leave_open(const std::string& key) {
    if (std::find(result_.open.begin(), result_.open.end(), key) == result_.open.end())
      result_.open.push_back(key);
  }
  double ms(double cycles) const { return cnm::second::milliseconds(system_, cycles); }
  HostFigures host_of(Int tasklets, Int partial = 0, Int in = 0, Int out = 0) const {
    return cnm::second::read_host(system_, tasklets, partial, in, out);
  }

  void finish(io::Json entry, double cycles, const HostFigures& host) {
    const double time = ms(cycles) + host.sum();
    entry[key::time_ms] = time;
    entry[key::host_ms] = {
        {key::launch, host.launch}, {key::reduce, host.reduce}, {key::transfer, host.transfer}};
    time_ms_ += time;
    cycles_ += cycles;
    maps_.push_back(std::move(entry));
  }

  void add_replay(io::Json& entry, Int cycles, const HostFigures& host, const io::Json& causes) {
    const double time = ms(static_cast<double>(cycles)) + host.sum();
    replay_ms_ += time;
    entry[key::replay] = {{key::cycles, cycles}, {key::time_ms, time}, {key::causes, causes}};
  }

  // Adds a program on a DPU.
  void add_program(io::Json entry, const cnm::Program& program, Int tasklets, const HostFigures& host) {
    const auto estimate = sim::cnm::estimate_again(system_, program, tasklets);
    if (!estimate) return refuse("the program is too long to be replayed");
    entry[key::cycles] = estimate->cycles;
    entry[key::causes] = {{key::issue, estimate->causes[0]},
                          {key::barrier, estimate->causes[1]},
                          {key::dma, estimate->causes[2]},
                          {key::gap, estimate->causes[3]}};
    entry[key::bounds] = {
        {key::issue, estimate->issue}, {key::dma, estimate->dma}, {key::tasklet, estimate->tasklet}};
    entry[key::simulated] = {{key::runs, estimate->runs},
                             {key::cycles, estimate->cycles_simulated},
                             {key::k, estimate->k},
                             {key::linear, estimate->linear}};
    if (replayed_) {
      const auto whole = cnm::simulate_whole(system_, program, tasklets, replay_budget);
      if (!whole) return refuse("the program is too long to be simulated completely");
      const auto& c = whole->causes;
      add_replay(entry, whole->cycles, host,
                 {{key::issue, c.issue}, {key::barrier, c.barrier}, {key::dma, c.dma}, {key::gap, c.gap}});
    }
    finish(std::move(entry), estimate->cycles, host);
  }

  // Adds a stream on a channel, simulated cycle by cycle.
  void add_stream(io::Json entry, const cnm::Stream& stream, const HostFigures& host) {
    Int bursts = 0;
    const auto run =
        sim::cnm::step_channel(system_, stream, most_stepped_cycles, [&](const sim::cnm::HbmEvent& event) {
          bursts += static_cast<Int>(event.command == 'R' || event.command == 'W');
        });
    if (!run) return refuse("the stream is too long to be replayed");
    const auto& c = run->causes;
    const io::Json causes = {{key::column, c.column},
                             {key::refresh, c.refresh},
                             {key::mode, c.mode},
                             {key::row, c.row},
                             {key::timing, c.timing}};
    entry[key::cycles] = run->cycles;
    entry[key::causes] = causes;
    entry[key::bounds] = {{key::issue, bursts}, {key::dma, 0}, {key::tasklet, 0}};
    for (const char* key : {key::wram_bytes, key::mram_bytes, key::iram_bytes}) entry[key] = 0;
    leave_open("maps[].simulated");
    if (replayed_) {
      const auto fast = cnm::run_channel(system_, stream, replay_budget);
      if (!fast) return refuse("the stream is too long to be simulated completely");
      const auto& f = fast->causes;
      add_replay(entry, fast->cycles, host,
                 {{key::column, f.column},
                  {key::refresh, f.refresh},
                  {key::mode, f.mode},
                  {key::row, f.row},
                  {key::timing, f.timing}});
    }
    finish(std::move(entry), static_cast<double>(run->cycles), host);
  }

  io::Json head_of(const cnm::CnmMap& map) const {
    io::Json entry = {
        {key::name, map.name}, {key::tuples, map.tuples}, {key::block, map.block}, {key::order, map.order}};
    if (map.collect) entry[key::collect] = *map.collect;
    add_pim_keys(entry, map.pim);
    const std::vector<Int> taken = cnm::second::read_units(map, system_);
    auto units = io::Json::object();
    for (std::size_t level = 0; level < system_.levels.size(); ++level) {
      const bool banks = system_.target == cnm::Target::hbm_pim && level == 1;  // a block has two banks
      if (taken[level] > (banks ? 2 : 1) * system_.levels[level].size) units["fault"] = taken[level];
      units[system_.levels[level].name] = taken[level];
    }
    entry[key::units] = std::move(units);
    return entry;
  }

  void add_maps() {
    const cnm::Kernel& kernel = *task_.input.kernel;
    for (const auto& map : task_.mapping)
      if (auto fault = cnm::find_shape_fault(map, kernel.dim_count(), system_); !fault.empty())
        return refuse(fault);
    if (system_.target == cnm::Target::hbm_pim) return add_channels(kernel);
    if (auto fault = cnm::allocate(task_.mapping, kernel.extents).fault;
        !task_.mapping.empty() && !fault.empty())
      return refuse(fault);
    if (!kernel.library_call.empty()) return add_library_call(kernel);
    Int written = 0;
    const auto order = cnm::execution_order(task_.mapping);
    std::vector<cnm::second::ReadMap> read;
    for (const std::size_t i : order) {
      const cnm::CnmMap& map = task_.mapping[i];
      if (map.block.empty() || map.order.size() != kernel.dim_count())
        return refuse(fmt::format("map {} has no block or no order for all dims", map.name));
      read.push_back(cnm::second::read_map(kernel, map, system_));
      if (!read.back().fault.empty()) return refuse(fmt::format("map {}: {}", map.name, read.back().fault));
      written += read.back().written;
    }
    for (std::size_t i = 0; i < order.size() && result_.fault.empty(); ++i) {
      const auto& one = read[i];
      auto entry = head_of(task_.mapping[order[i]]);
      entry[key::wram_bytes] = one.wram;
      entry[key::mram_bytes] = one.mram;
      entry[key::iram_bytes] = one.iram;
      HostFigures host = host_of(one.tasklets, one.partial_results, one.rank_bytes_in, one.rank_bytes_out);
      if (i + 1 == order.size())  // after the last map, for results that several maps share
        host.reduce += host_of(0, written - cnm::second::read_results(kernel)).reduce;
      add_program(std::move(entry), one.program, one.tasklets, host);
    }
  }

  // Adds a library call. Its program is a shipped listing, which is read again and compared with the table of
  // kernels.
  void add_library_call(const cnm::Kernel& kernel) {
    if (kernel.operands.empty() || kernel.dim_count() != 1)
      return refuse("a library call has other operands");
    const auto library = shipped_library();
    for (const std::size_t i : cnm::execution_order(task_.mapping)) {
      const cnm::CnmMap& map = task_.mapping[i];
      const Int local = map.tuples.back()[0], tasklets = map.tuples[map.tuples.size() - 2][0];
      if (map.block.size() != 1 || map.block[0] < 1 || local % map.block[0] != 0)
        return refuse(fmt::format("map {} has no block that divides its elements", map.name));
      const cnm::second::LibraryDims dims{kernel.operands[0].type, map.block[0], local / map.block[0],
                                          tasklets, kernel.multiply_k};
      auto listing = library({kernel.library_call, dims.type, dims.elements, dims.iterations, dims.tasklets});
      if (!listing) return refuse("no kernel " + kernel.library_call + " in the library");
      listing->multiply_k = kernel.multiply_k;
      const auto read = cnm::second::read_listing(io::to_text(*listing), system_, tasklets);
      if (!read.fault.empty()) return refuse(read.fault);
      const auto table = cnm::second::write_library(kernel.library_call, dims, system_);
      if (!table)
        leave_open("maps (the program of " + kernel.library_call + " is taken from the library)");
      else if (cnm::simplify(*table) != cnm::simplify(read.program))
        return refuse("the library's " + kernel.library_call + " differs from the table of kernels");
      auto entry = head_of(map);
      add_listing(std::move(entry), read, tasklets, map.tuples[1][0]);
    }
  }

  // Checks that the part of each unit is the smallest one that covers the kernel in whole tiles. A map
  // written by hand can have larger parts.
  void check_cover(const cnm::Kernel& kernel, const cnm::CnmMap& map) {
    for (std::size_t d = 0; d < kernel.dim_count(); ++d) {
      const Int parts = map.tuples[0][d] * map.tuples[1][d] * map.tuples[2][d], left = map.tuples[3][d],
                extent = kernel.extents[d], tile = map.block.empty() ? 1 : map.block[d];
      if (parts * left < extent)
        return refuse(
            fmt::format("map {} covers {} x {} of {} in dim {}", map.name, parts, left, extent, d + 1));
      if (parts * (left - tile) < extent) continue;
      if (searched_)
        return refuse(fmt::format("map {} assigns {} to a unit in dim {}, but {} x {} cover {}", map.name,
                                  left, d + 1, parts, left - tile, extent));
      leave_open("maps[].tuples (how far they extend beyond the kernel)");
    }
  }

  // Adds a stream of the library.
  void add_library_stream(const cnm::Kernel& part, const cnm::CnmMap& map, Int between,
                          std::vector<Int>& padded) {
    const auto plan = cnm::plan_channels(part, map.tuples[0], system_);
    if (!plan.plan) return refuse(plan.refusal);
    auto figures = cnm::second::read_channels(part, map.tuples[0], system_);
    padded = std::move(figures.padded);
    auto stream = cnm::second::write_stream(plan.plan->kernel, system_, most_groups);
    if (!stream) {
      leave_open("maps (the stream is taken from the library)");
      stream = cnm::stream_of(plan.plan->kernel, system_);
    }
    add_stream(head_of(map), *stream, host_of(0, figures.partial + between));
  }

  void add_channels(const cnm::Kernel& kernel) {
    if (task_.mapping.empty()) return;
    const bool alone = task_.mapping.size() == 1;
    if (!alone)
      if (auto fault = cnm::allocate(task_.mapping, kernel.extents).fault; !fault.empty())
        return refuse(fault);
    const auto order = cnm::execution_order(task_.mapping);
    Int written = 0;
    for (const cnm::CnmMap& map : task_.mapping) written += cnm::second::read_written(kernel, map);
    std::vector<Int> padded;
    for (const std::size_t i : order) {
      const cnm::CnmMap& map = task_.mapping[i];
      if (alone) check_cover(kernel, map);
      if (!result_.fault.empty()) return;
      const bool last = i == order.back() && !alone;
      const Int between = last ? std::max<Int>(0, written - cnm::second::read_results(kernel)) : 0;
      if (cnm::is_library_form(map, system_) && cnm::pim_kernel_of(kernel)) {
        cnm::Kernel part = kernel;
        for (std::size_t d = 0; d < kernel.dim_count() && !alone; ++d) part.extents[d] = map.extent(d);
        add_library_stream(part, map, between, padded);
        continue;
      }
      auto read = cnm::second::read_stream_of_map(kernel, map, system_, most_groups);
      if (!read.fault.empty()) return refuse(fmt::format("map {}: {}", map.name, read.fault));
      if (read.too_long) {
        leave_open("maps (the stream is too long to be generated a second time)");
        auto work = cnm::channel_work(kernel, map, alone, system_);
        if (!work.stream) return refuse(work.refusal);
        read.stream = std::move(*work.stream);
      }
      padded = std::move(read.covered);
      add_stream(head_of(map), read.stream, host_of(0, read.partial + between));
    }
    if (!alone) padded.clear();
    if (auto note = cnm::channel_note(kernel, padded); !note.empty())
      result_.expected[key::note] = std::move(note);
  }

  void add_lowered() {
    const KernelInput& input = task_.input;
    const auto units = unit_programs(task_, system_);
    if (!units[0].fault.empty()) return refuse(units[0].fault);
    const bool upmem = system_.target == cnm::Target::upmem;
    if (upmem == input.stream.has_value()) return refuse("the kernel and the system have different targets");
    cnm::CnmMap one;
    for (std::size_t level = 0; level < system_.levels.size(); ++level)
      one.tuples.push_back({upmem && level + 1 == system_.levels.size() ? input.tasklets : 1});
    io::Json entry = head_of(one);
    if (!upmem) return add_stream_text(std::move(entry), *units[0].stream);
    if (!input.text.empty()) {
      const auto read = cnm::second::read_listing(input.text, system_, input.tasklets);
      return read.fault.empty() ? add_listing(std::move(entry), read, input.tasklets, 1) : refuse(read.fault);
    }
    for (const char* key : {key::wram_bytes, key::mram_bytes, key::iram_bytes})
      if (input.program)
        entry[key] = 0;
      else
        leave_open(fmt::format("maps[].{}", key));
    add_program(std::move(entry), *units[0].program, input.tasklets, host_of(input.tasklets));
  }

  void add_stream_text(io::Json entry, const cnm::Stream& stream) {
    const auto read = cnm::second::read_stream(task_.input.text, system_, most_groups);
    if (!read.fault.empty()) return refuse(read.fault);
    if (read.too_long) leave_open("maps (the stream's text is read only once)");
    add_stream(std::move(entry), read.too_long ? stream : read.stream, host_of(0));
  }

  void add_listing(io::Json entry, const cnm::second::ReadListing& read, Int tasklets, Int dpus) {
    entry[key::wram_bytes] = read.wram;
    entry[key::mram_bytes] = read.mram;
    entry[key::iram_bytes] = read.iram;
    add_program(std::move(entry), read.program, tasklets,
                host_of(tasklets, 0, dpus * read.bytes_in, dpus * read.bytes_out));
  }

  const KernelTask& task_;
  const cnm::System& system_;
  bool replayed_;
  bool searched_;
  io::Json maps_ = io::Json::array();
  double time_ms_ = 0, cycles_ = 0, replay_ms_ = 0;
  SecondTask result_;
};

}  // namespace

SecondTask work_out_again(const KernelTask& task, const cnm::System& system, std::string_view verb) {
  return Recomputation(task, system, verb).run();
}

}  // namespace nestor::report
