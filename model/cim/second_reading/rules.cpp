#include "model/cim/second_reading/rules.h"

#include "model/cim/second_reading/figures.h"
#include "model/loopnest/second_reading/nest_rules.h"

namespace nestor::verify {

std::vector<std::string> broken_rules(const LayerShape& layer, const NamedArchitecture& architecture,
                                      const Mapping& mapping) {
  if (!is_computable(layer, architecture.machine))
    return {"the layer has a bound, stride, dilation or width below 1, or its figures do not fit 128 bits"};
  return broken_nest_rules(layer, architecture.machine, {architecture.memory_names, architecture.axis_names},
                           mapping);
}

}  // namespace nestor::verify
