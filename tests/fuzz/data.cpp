// data.cpp — any bytes as a scene whose numbers somebody writes: every quantity within a little memory and work, then every
// form of code. Each is what its shape says, or one sentence.
#include "core/code/code.hpp"
#include "core/cost.hpp"
#include "core/quantities/quantities.hpp"

#include <cstdlib>

using namespace posiscope;

namespace {

constexpr std::uint64_t kMemory = 1 << 18;
constexpr double kWork = 1e6;  // of one quantity

void compute(const Quantity& quantity, const Scene& scene) {
    const Allowance allowance(kWork);
    const auto shapes = quantity.shapes(scene);
    const auto arrays = evaluate(quantity, scene, kMemory);
    if (!arrays) {
        if (arrays.error().key.empty()) std::abort();
        return;
    }
    if (!shapes || shapes->size() != arrays->size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto json = parse_json({reinterpret_cast<const char*>(data), size});
    if (!json) return 0;
    const auto laid = overlay(Scene(), *json);
    if (!laid) return 0;
    for (const Quantity* quantity : quantities()) try {
            compute(*quantity, laid->scene);
        } catch (const Interrupted&) {}
    for (const CodeForm& form : code_forms()) {
        const auto text = form.write(laid->scene);
        if (text ? text->empty() : text.error().key.empty()) std::abort();
    }
    return 0;
}
