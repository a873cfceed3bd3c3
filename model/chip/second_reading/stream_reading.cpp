#include "model/chip/second_reading/operator_reading.h"

namespace nestor::chip_reading {
namespace {

// Returns the index floor((a*at + b - before) / c) of a row or pixel, clamped to the valid range.
Wide element(const chip::Need& need, Wide before, Wide at, Wide count) {
  const Wide over = Wide{need.a} * at + need.b - before;
  return over < 0 ? 0 : smaller(count - 1, over / need.c);
}

class StreamReading {
 public:
  StreamReading(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                const std::vector<OperatorReading>& readings, std::size_t first, std::size_t index,
                const std::vector<std::vector<Span>>& rows, const std::vector<Wide>& ways)
      : network_(network),
        readings_(readings),
        first_(first),
        rows_(rows),
        ways_(ways),
        op_(network.operators[index]),
        own_(readings[index]) {
    if (own_.on_array) matrix_ = read_matrix(machine, op_);
  }

  std::vector<Span> run() {
    const Wide steps = own_.rounds * own_.phases;
    Wide opened = own_.in;
    for (const auto& input : op_.inputs)
      if (input.gated) opened = larger(opened, own_.in + own_.gate + whole_of(input));
    std::vector<Span> made;
    for (Wide r = 0; r < op_.rows; ++r) {
      Span row{opened, 0, 0};
      if (r >= own_.lanes) row.from = larger(row.from, made[static_cast<std::size_t>(r - own_.lanes)].to);
      for (const auto& input : op_.inputs) {
        if (input.gated || is_outside(input)) continue;
        row.from = larger(row.from, producer_runs(input, r, 0) + seen_after(input, 0));
        for (Wide step = 0; step < steps; ++step) {
          const Wide wait = seen_after(input, step / own_.phases) - step * own_.row / steps;
          row.run = larger(row.run, producer_runs(input, r, step % own_.phases) + larger(0, wait));
        }
      }
      row.run = larger(row.run, row.from);
      row.to = row.run + own_.row;
      made.push_back(row);
    }
    return made;
  }

 private:
  bool is_outside(const chip::OperatorInput& input) const {
    return input.tensor < network_.inputs.size() + first_;
  }
  std::size_t from(const chip::OperatorInput& input) const { return input.tensor - network_.inputs.size(); }

  Wide whole_of(const chip::OperatorInput& input) const {
    if (is_outside(input)) return 0;
    const std::size_t j = from(input);
    return rows_[j].back().to + readings_[j].out + ways_[j];
  }

  // Returns the start of the run of the operand's row that group y of the row parts needs for output row r.
  Wide producer_runs(const chip::OperatorInput& input, Wide r, Wide y) const {
    const std::size_t j = from(input);
    Wide missing = 0;  // number of rows of the window below those that the group uses
    if (own_.on_array && matrix_.group_rows == 0) {
      const Wide parts = (y + 1) * own_.parts / own_.phases;
      const Wide last = smaller(op_.matrix.rows, parts * matrix_.rows_used(own_.parts)) - 1;
      missing = input.taps - 1 - last * input.taps / op_.matrix.rows;
    }
    const Wide row = element(input.need, missing * input.tap_step, r, network_.operators[j].rows);
    return rows_[j][static_cast<std::size_t>(row)].run;
  }

  // Returns the time from the run of the operand's row until the windows of a round can be gathered.
  Wide seen_after(const chip::OperatorInput& input, Wide round) const {
    const std::size_t j = from(input);
    const Wide width = network_.operators[j].width;
    const Wide window = smaller(op_.width, (round + 1) * own_.sharing) - 1;
    const Wide pixel = input.pixels ? element(*input.pixels, 0, window, width) : width - 1;
    const Wide turns = pixel / readings_[j].sharing + 1;
    return round_up_division(turns * readings_[j].row, readings_[j].rounds) + readings_[j].out + ways_[j] +
           own_.in;
  }

  const chip::ChipNetwork& network_;
  const std::vector<OperatorReading>& readings_;
  std::size_t first_;
  const std::vector<std::vector<Span>>& rows_;
  const std::vector<Wide>& ways_;
  const chip::Operator& op_;
  const OperatorReading& own_;
  MatrixReading matrix_;
};

}  // namespace

std::vector<Span> read_stream(const chip::ChipMachine& machine, const chip::ChipNetwork& network,
                              const std::vector<OperatorReading>& readings, std::size_t first,
                              std::size_t index, const std::vector<std::vector<Span>>& rows,
                              const std::vector<Wide>& ways) {
  return StreamReading(machine, network, readings, first, index, rows, ways).run();
}

}  // namespace nestor::chip_reading
