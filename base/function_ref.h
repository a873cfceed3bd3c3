// A non-owning reference to a callable, like std::function_ref of C++26, for callbacks that a function calls
// before it returns. A large function that takes a FunctionRef is compiled once; a template would be compiled
// once per callable type.
//
//     void each_divisor(Int n, FunctionRef<void(Int)> visit);
//     each_divisor(12, [&](Int divisor) { sum += divisor; });
#pragma once

#include <memory>

namespace nestor {

template <typename Signature>
class FunctionRef;

template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  /// The callable must outlive the reference. A temporary argument lives until the call ends, which is long
  /// enough.
  template <typename Callable>
  FunctionRef(const Callable& callable)
      : callable_(std::addressof(callable)), call_([](const void* object, Arguments... arguments) -> Result {
          return (*static_cast<const Callable*>(object))(arguments...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(callable_, arguments...); }

 private:
  const void* callable_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace nestor
