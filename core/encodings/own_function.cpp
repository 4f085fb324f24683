#include "core/encodings/own_function.hpp"

#include "core/jobs/of_this_thread.hpp"

#include <algorithm>
#include <cmath>

namespace posiscope {

using formula::Binding;

OwnFunction::OwnFunction(const formula::Formula& formula, const Json& values, const SpectrumInput& scene,
                         double width)
    : formula_(formula) {
    for (const formula::Name& name : formula_.names()) {
        Binding binding{.one = 1.0};
        if (name.text == "b") binding.one = scene.base;
        if (name.text == "n") binding.one = static_cast<double>(scene.length);
        if (name.text == "L") binding.one = static_cast<double>(scene.trained.length.value_or(scene.length));
        if (name.text == "d") binding.one = width;
        if (name.text == "H") binding.one = static_cast<double>(scene.num_heads);
        if (const auto given = values.find(name.text); given != values.end() && !name.bound) {
            if (given->is_number()) binding.one = given->get<double>();
            else {
                lists_.push_back(given->get<std::vector<double>>());
                binding.list = lists_.back();
            }
        }
        names_.push_back(binding);
    }
}

std::vector<Binding> OwnFunction::bound(std::span<const Given> given) const {
    std::vector<Binding> names = names_;
    for (std::size_t n = 0; n < names.size(); ++n)
        for (const Given& one : given)
            if (!formula_.names()[n].bound && formula_.names()[n].text == one.name) names[n] = one.binding;
    return names;
}

double OwnFunction::operator()(std::initializer_list<std::pair<std::string_view, double>> given) const {
    auto& names = of_this_thread<std::vector<Binding>, struct OfOwnFunction>();
    names.assign(names_.begin(), names_.end());
    for (std::size_t n = 0; n < names.size(); ++n)
        for (const auto& [name, value] : given)
            if (!formula_.names()[n].bound && formula_.names()[n].text == name) names[n] = {.one = value};
    return formula::value_of(formula_, names);
}

bool OwnFunction::sums() const {
    const auto nodes = formula_.nodes();
    return std::any_of(nodes.begin(), nodes.end(),
                       [](const formula::Node& node) { return node.op == formula::Op::sum; });
}

Problem own_not_finite(std::string_view slot, std::string where, const formula::NotFinite& why) {
    return {"formula.not_finite",
            {{"path", "encoding." + std::string(slot)},
             {"where", std::move(where)},
             {"operation", why.operation},
             {"value", std::isnan(why.value) ? "NaN"
                       : why.value > 0.0     ? "∞"
                                             : "−∞"},
             {"column", std::to_string(why.column)}}};
}

}  // namespace posiscope
