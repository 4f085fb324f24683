#include "core/lessons/lesson.hpp"

#include "core/cost.hpp"
#include "core/formula/evaluate.hpp"
#include "core/random.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace posiscope::lessons {
namespace {

constexpr std::int64_t kLargest = 1LL << 31;
constexpr double kOfValue = 2e7;  // units

struct Number {
    std::string name;
    double value = 0.0;
};
using Drawn = std::vector<Number>;

const double* find(const Drawn& drawn, std::string_view name) {
    const auto found = std::ranges::find(drawn, name, &Number::name);
    return found != drawn.end() ? &found->value : nullptr;
}

// Whole numbers stay whole: most keys of a Scene are.
Json as_json(double value) {
    if (value == std::floor(value) && std::abs(value) < static_cast<double>(kLargest))
        return static_cast<std::int64_t>(value);
    return value;
}

// {$k} becomes {!3}. Other names stay, and are refused as unknown values where the text is read.
std::string filled_text(std::string_view text, const Drawn& drawn) {
    std::string made;
    while (!text.empty()) {
        const auto open = text.find("{$");
        made += text.substr(0, open);
        if (open == std::string_view::npos) break;
        text.remove_prefix(open + 2);
        const std::string_view name = text.substr(0, text.find_first_of(":}"));
        if (const double* value = find(drawn, name)) {
            made += fmt::format("{{!{}", *value);
            text.remove_prefix(name.size());
        } else {
            made += "{$";
        }
    }
    return made;
}

Json filled(const Json& json, const Drawn& drawn) {
    if (json.is_string()) {
        const std::string_view text = json.get_ref<const std::string&>();
        if (text.starts_with('$'))
            if (const double* value = find(drawn, text.substr(1))) return as_json(*value);
        return filled_text(text, drawn);
    }
    Json made = json;
    if (json.is_structured())
        for (Json& part : made) part = filled(part, drawn);
    return made;
}

class Drawing {
public:
    Drawing(const Lesson& lesson, const Json& written, const std::string& path, std::uint64_t seed,
            double& units)
        : lesson_(lesson), written_(written), path_(path), units_(units) {
        if (seed != 0) random_.emplace(seed, 1);
    }

    Result<void> run() {
        const Json& list = written_["draw"];
        if (!list.is_array() || list.empty() || list.size() > kMostDrawn) return wrong("");
        for (const Json& one : list) {
            if (!one.is_object() || one.size() != 1) return wrong("");
            const std::string& name = one.begin().key();
            const auto value = number(one.front());
            if (!value) return tl::unexpected(value.error());
            if (!std::isfinite(*value)) return wrong(name);
            drawn_.push_back({name, *value});
        }
        return {};
    }

    Json step() {
        Json made = filled(written_, drawn_);
        made.erase("draw");
        if (random_ && made.contains("ask") && made["ask"].is_object() && made["ask"].contains("choices") &&
            made["ask"]["choices"].is_array()) {
            Json& choices = made["ask"]["choices"];
            for (std::size_t left = choices.size(); left > 1; --left)
                std::swap(choices[left - 1],
                          choices[static_cast<std::size_t>(random_->below(static_cast<std::int64_t>(left)))]);
        }
        return made;
    }

private:
    tl::unexpected<Problem> wrong(std::string_view name) const {
        return refuse("lesson.draw", {{"path", path_ + ".draw"}, {"name", std::string(name)}});
    }

    std::int64_t below(std::int64_t count) { return random_ ? random_->below(count) : 0; }

    tl::unexpected<Problem> too_slow(const std::string& name) const {
        return refuse("lesson.slow_value", {{"name", name}, {"path", path_ + ".draw"}});
    }

    Result<double> number(const Json& rule) {
        if (rule.is_array() && !rule.empty()) {
            const Json& one = rule[static_cast<std::size_t>(below(static_cast<std::int64_t>(rule.size())))];
            if (one.is_number()) return one.get<double>();
        }
        if (rule.is_string()) return of_formula(rule.get_ref<const std::string&>());
        if (rule.is_object() && rule.size() == 2 && rule.contains("from") && rule.contains("to"))
            return of_range(filled(rule["from"], drawn_), filled(rule["to"], drawn_));
        if (rule.is_object() && rule.contains("value") && rule["value"].is_string() &&
            (rule.size() == 1 || (rule.size() == 2 && rule.contains("scene") && rule["scene"].is_object())))
            return of_scene(rule["value"].get_ref<const std::string&>(),
                            rule.size() == 1 ? nullptr : &rule["scene"]);
        return wrong("");
    }

    Result<double> of_range(const Json& from, const Json& to) {
        if (!from.is_number_integer() || !to.is_number_integer() || from < -kLargest || to > kLargest ||
            from > to || to.get<std::int64_t>() - from.get<std::int64_t>() >= kLargest - 1)
            return wrong("");
        const auto least = from.get<std::int64_t>();
        return static_cast<double>(least + below(to.get<std::int64_t>() - least + 1));
    }

    Result<double> of_formula(const std::string& text) {
        const auto formula = formula::parse(text, path_ + ".draw");
        if (!formula) return tl::unexpected(formula.error());
        std::vector<formula::Binding> names;
        for (const formula::Name& name : formula->names()) {
            const double* value = find(drawn_, name.text);
            if (value == nullptr && !name.bound) return wrong(name.text);
            names.push_back({.one = value != nullptr ? *value : 0.0});
        }
        return formula::value_of(*formula, names);
    }

    // The value in the step's Scene with `partial` over it, or with its answer, as far as its numbers are drawn.
    Result<double> of_scene(const std::string& name, const Json* partial) {
        const Value* value = find_value(name);
        if (value == nullptr) return tl::unexpected(unknown_value(name));
        if (value->slow) return too_slow(name);
        const auto scene_of = [&](const Json& from) {
            return from.is_object() && from.contains("scene") && from["scene"].is_object()
                       ? filled(from["scene"], drawn_)
                       : Json::object();
        };
        Step step;
        step.scene = scene_of(written_);
        if (written_.contains("preset") && written_["preset"].is_string())
            step.preset = written_["preset"].get<std::string>();
        if (written_.contains("ask") && written_["ask"].is_object() && written_["ask"].contains("then"))
            step.question.emplace().then_scene = scene_of(written_["ask"]["then"]);
        const auto scene = partial != nullptr ? step_scene_with(lesson_, step, filled(*partial, drawn_))
                                              : step_scene(lesson_, step, true);
        if (!scene) return tl::unexpected(scene.error());
        Named named;
        named.add(*value);
        const double before = work_done();
        const Numbers numbers(named, ValueInput(*scene), std::clamp(units_, 0.0, kOfValue));
        units_ -= work_done() - before;
        const Result<double>* found = numbers.of(*value);
        return found != nullptr ? *found : too_slow(name);
    }

    const Lesson& lesson_;
    const Json& written_;
    const std::string& path_;
    std::optional<Random> random_;
    Drawn drawn_;
    double& units_;
};

}  // namespace

Result<Json> with_numbers(const Lesson& lesson, const Json& written, const std::string& path,
                          std::uint64_t seed, double& units) {
    Drawing drawing(lesson, written, path, seed, units);
    if (auto done = drawing.run(); !done) return tl::unexpected(std::move(done.error()));
    return drawing.step();
}

}  // namespace posiscope::lessons
