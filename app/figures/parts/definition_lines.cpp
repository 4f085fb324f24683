// Definitions (core/encodings/definition.hpp) written with the interface's digits, in lines whose numbers can be dragged.
#include "app/figures/parts/definition.hpp"
#include "app/figures/parts/explain.hpp"

namespace posiscope::figures::definition {
namespace {

// Values that core computes from the Scene for the encoding's definition.
struct Facts {
    Result<Action> action = Action{};
    FrequencyForm form;
    std::vector<double> ratio;  // scaled over unscaled frequency; empty where nothing is scaled
    std::vector<TypedLine> typed = {};
};
struct FactsKey {
    Kept<ActionInput> input;
    bool operator==(const FactsKey&) const = default;
};
struct RowKey {
    Kept<ActionInput> input;
    std::int64_t position;
    bool operator==(const RowKey&) const = default;
};
struct Known {
    Memo<FactsKey, Facts> facts;
    Memo<RowKey, Result<std::vector<double>>> row;  // of what is added
};

Facts facts_of(const ActionInput& scene) {
    Facts made{.action = action_of(scene), .form = frequency_form(scene), .ratio = {}};
    if (const auto typed = encoding_of(scene).slots.typed) made.typed = typed(scene);
    if (encoding_of(scene).rotating.unscaled == nullptr) return made;
    const auto now = spectrum_of(scene), before = unscaled_spectrum_of(scene);
    if (!now || !before || now->frequency == before->frequency || now->pairs() != before->pairs())
        return made;
    for (std::size_t i = 0; i < now->pairs(); ++i)
        made.ratio.push_back(now->frequency[i] / before->frequency[i]);
    return made;
}

const Facts& facts(const Frame& f) {
    return *f.derived.part<Known>().facts.get({f.derived.input<ActionInput>(f.scene)},
                                              [](const FactsKey& key) { return facts_of(*key.input); });
}

DefinitionTerms with_facts(const Terms& t) {
    const Facts& known = facts(t.frame);
    const PairAxes& axes = axes_of(t.frame);
    const auto pair = static_cast<std::size_t>(t.pair);
    DefinitionTerms made{.scene = t.frame.scene,
                         .action = known.action ? &*known.action : nullptr,
                         .spectrum = t.spectrum,
                         .frequency = known.form,
                         .typed = known.typed,
                         .axis = {},
                         .position = t.position,
                         .offset = t.offset,
                         .pair = t.pair,
                         .head = t.head,
                         .letters = t.letters,
                         .stacked = t.stacked};
    if (!known.ratio.empty()) made.scaled = known.ratio[pair];
    if ((axes.parted || known.form.axes > 1) && !axes.empty()) made.axis = axes.of(pair);
    return made;
}

class LinePen final : public DefinitionPen {
public:
    explicit LinePen(const Terms& terms) : DefinitionPen(with_facts(terms)), frame_(terms.frame) {}

    DefinitionPen& add(std::string_view formula) override {
        line.add(formula);
        return *this;
    }
    DefinitionPen& add(Digits number) override {
        line.add(text(number));
        return *this;
    }
    DefinitionPen& add(Handle handle, Digits number) override {
        line.add(handle, text(number));
        return *this;
    }
    std::optional<double> added(std::int64_t column) override {
        const auto& row = *frame_.derived.part<Known>().row.get(
            {frame_.derived.input<ActionInput>(frame_.scene), at.position},
            [](const RowKey& key) { return input_table(*key.input, key.position, 1); });
        return row ? std::optional((*row)[static_cast<std::size_t>(column)]) : std::nullopt;
    }
    // Head 0's, as in Scores.
    std::optional<double> logit() override {
        if (frame_.derived.logits_problem(frame_.scene) != nullptr) return std::nullopt;
        const double value = frame_.derived.logit(frame_.scene, at.offset);
        return std::isfinite(value) ? std::optional(value) : std::nullopt;
    }

    Line line;

private:
    std::string_view text(Digits number) const {
        ui::Scratch& s = frame_.scratch;
        switch (number.form) {
            case Digits::Form::whole: return ui::integer(s, static_cast<std::int64_t>(number.value));
            case Digits::Form::shortest: return ui::shortest(s, number.value);
            case Digits::Form::four: break;
        }
        return ui::significant(s, number.value, 4);
    }

    Frame& frame_;
};

}  // namespace

Line define(const Terms& terms, int component) {
    LinePen pen(terms);
    write_definition(pen, component);
    return pen.line;
}

Line frequency(const Terms& terms) {
    LinePen pen(terms);
    write_frequency(pen);
    return pen.line;
}

}  // namespace posiscope::figures::definition
