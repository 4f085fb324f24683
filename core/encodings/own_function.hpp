// own_function.hpp — a slot of a typed encoding as a function: its formula with everything bound but what changes from call to
// call.
#pragma once

#include "core/encodings/own.hpp"
#include "core/formula/evaluate.hpp"

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace posiscope {

class OwnFunction {
public:
    // `width` is what d stands for.
    OwnFunction(const formula::Formula& formula, const Json& values, const SpectrumInput& scene,
                double width);
    OwnFunction(OwnFunction&&) = default;  // a list's numbers stay where they are
    OwnFunction(const OwnFunction&) = delete;

    struct Given {
        std::string_view name;
        formula::Binding binding;
    };
    std::vector<formula::Binding> bound(std::span<const Given> given) const;
    // Allocates nothing after the first call if only numbers change.
    double operator()(std::initializer_list<std::pair<std::string_view, double>> given) const;
    bool uses(std::string_view name) const { return formula_.uses(name); }
    const formula::Formula& formula() const { return formula_; }
    double units() const { return formula::units(formula_); }  // of one value, without the terms of its sums
    bool sums() const;

private:
    formula::Formula formula_;
    std::vector<formula::Binding> names_;
    std::vector<std::vector<double>> lists_;
};

// The Problem of a value that is none: slot, where, and the operation that has no value.
Problem own_not_finite(std::string_view slot, std::string where, const formula::NotFinite& why);

// The value of each typed slot at one place: p the position, q = p + offset, k = p, D = q − k, i the pair, j = 2i, h the head.
// `where` has those of them that the formula uses, as "D = 3". None if a Scene is refused, or more than 2e7 units of work.
struct OwnPlace {
    std::int64_t position, offset, pair, head;
    bool operator==(const OwnPlace&) const = default;
};
struct OwnReading {
    std::string_view slot;
    double value;
    std::string where;
    std::optional<Problem> problem = {};  // why it is no number
};
std::vector<OwnReading> own_readings(const SpectrumInput& scene, const OwnPlace& at);

}  // namespace posiscope
