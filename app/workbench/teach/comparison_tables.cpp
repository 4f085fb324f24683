#include "app/workbench/teach/comparison_tables.hpp"

#include "app/ui/numbers.hpp"
#include "core/claims/claims.hpp"
#include "core/encodings/encodings.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace posiscope::workbench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kSampled = 64;      // positions of a learned table
constexpr std::int64_t kWidestMixed = 64;  // W mixes every feature with every other
constexpr std::int64_t kLongestScanned = 1 << 20;

// The Scene with another encoding, everything that does not fit it moved into bounds.
Scene with(const Scene& scene, const Json& partial) {
    auto laid = overlay(scene, partial);
    return laid ? std::move(laid->scene) : scene;
}

double number(const Result<Residual>& made, std::string_view name) {
    if (!made) return kNone;
    for (const auto& [own, value] : made->numbers)
        if (own == name) return value;
    return kNone;
}

Result<Residual> of(const char* claim, const Scene& scene) { return measure(*find_measure(claim), scene); }

// Least and most of p · p′ at the offset, over positions spread along the table.
std::pair<double, double> products(const Scene& scene, double& rows) {
    const auto action = action_of(scene);
    if (!action || !action->add) return {kNone, kNone};
    rows = static_cast<double>(action->positions);
    const std::int64_t last = std::min(scene.length, action->positions) - 1 - std::abs(scene.offset);
    if (last < 0) return {kNone, kNone};
    const std::int64_t every = std::max<std::int64_t>(1, (last + 1) / kSampled);
    std::pair<double, double> range{std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity()};
    std::vector<double> a, b;
    for (std::int64_t p = 0; p <= last; p += every) {
        a.assign(static_cast<std::size_t>(scene.d_model), 0.0);
        b = a;
        action->add(p, a);
        action->add(p + std::abs(scene.offset), b);
        const double product = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
        range = {std::min(range.first, product), std::max(range.second, product)};
    }
    return range;
}

}  // namespace

TableNumbers table_numbers(const AttentionInput& input, std::int64_t offset) {
    Scene scene;
    static_cast<AttentionInput&>(scene) = input;
    scene.position = std::max<std::int64_t>(0, -offset);
    scene.offset = offset;
    TableNumbers t;
    t.d = static_cast<double>(scene.d_model);
    t.n = static_cast<double>(scene.length);
    t.heads = static_cast<double>(scene.num_heads);
    t.offset = static_cast<double>(offset);
    const std::int64_t doubled = std::min(2 * scene.length, kLastPosition);
    const Json plain{{"trained", nullptr}, {"compare", nullptr}, {"content", "equal"}, {"pair", 0}};
    const Scene base = with(scene, plain);

    const Scene sinusoidal = with(base, {{"encoding", "sinusoidal"}});
    t.spread = of("A9", sinusoidal).map([](const Residual& r) { return r.value; }).value_or(kNone);
    t.gap = scene.length > kLongestScanned ? kNone : number(of("B30", sinusoidal), "value");
    const auto rises = scene.length > kLongestScanned ? tl::unexpected(Problem{}) : of("A10", sinusoidal);
    t.first_rise = number(rises, "first");
    t.rises = number(rises, "value");
    const auto far = [&](const Scene& of_scene) {
        Scene longer = of_scene;
        longer.trained.length = of_scene.length;
        longer.length = doubled;
        return of("B29", longer);
    };
    const auto new_angles = far(sinusoidal);
    t.unseen = number(new_angles, "value");
    t.pairs = number(new_angles, "pairs");

    const Scene learned = with(base, {{"encoding", "learned"}});
    std::tie(t.learned_least, t.learned_most) = products(learned, t.learned_rows);

    const Json seeded{{"kind", "seeded"}, {"seed", 0}, {"weights", "seeded"}};
    const Scene weighted = with(sinusoidal, {{"content", seeded},
                                             {"num_heads", 1},
                                             {"d_model", std::min(scene.d_model, kWidestMixed)},
                                             {"length", std::min<std::int64_t>(scene.length, 256)}});
    t.mixed_by_weights = number(of("A13", weighted), "value");
    const Scene rope = with(base, {{"encoding", "rope"}, {"content", {{"kind", "seeded"}, {"seed", 0}}}});
    t.rope_moved = number(of("C3", rope), "value");
    const auto new_rope = far(rope);
    t.unseen_rope = number(new_rope, "value");
    t.rope_pairs = number(new_rope, "pairs");
    t.cache = number(of("C15", rope), "value");
    if (const auto alibi = action_of(with(base, {{"encoding", "alibi"}})); alibi && alibi->bias)
        t.lost = -alibi->bias(0, doubled - 1, 0);
    return t;
}

namespace {

class TableWriter {
public:
    explicit TableWriter(const Strings& strings) : strings_(strings) {}

    std::string text(const char* key) const { return std::string(strings_.text(name(key))); }
    // Says that a cell is not computed if its number is missing.
    template <class... Arguments>
    std::string cell(const char* key, std::pair<const char*, Arguments>... values) {
        if ((std::isnan(values.second) || ...)) return std::string(strings_.text("tables.not_computed"));
        scratch_.reset();
        return strings_.format(name(key), fmt::arg(values.first, shown(values.second))...);
    }
    void row(panels::LivingTable& table, const char* key, std::vector<std::string> cells,
             const char* claim = "") const {
        table.rows.push_back({text(key), std::move(cells), claim});
    }

private:
    std::string_view name(const char* key) const { return key_ = std::string("tables.") + key; }
    std::string_view shown(double value) {
        if (value == std::round(value) && std::abs(value) < ui::kLargestWhole)
            return ui::integer(scratch_, static_cast<std::int64_t>(value));
        if (std::abs(value) < ui::kRounding) return scratch_.format("≤ {}", ui::residual(scratch_, value));
        return ui::significant(scratch_, value);
    }

    const Strings& strings_;
    ui::Scratch scratch_;
    mutable std::string key_;
};

std::pair<const char*, double> value(const char* name, double of) { return {name, of}; }

}  // namespace

std::vector<panels::LivingTable> tables_of(const TableNumbers& t, const Strings& strings) {
    TableWriter w(strings);
    const auto d = value("d", t.d), n = value("n", t.n), k = value("k", t.offset);
    panels::LivingTable fixed{
        w.text("fixed"), w.cell("of", d, n, k), {w.text("sinusoidal"), w.text("learned")}, {}};
    w.row(fixed, "parameters",
          {w.text("no_parameters"), w.cell("parameters_learned", value("rows", t.learned_rows), d,
                                           value("count", t.learned_rows * t.d))});
    w.row(fixed, "extrapolation",
          {w.cell("extrapolation_sinusoidal", value("unseen", t.unseen), value("pairs", t.pairs)),
           w.cell("extrapolation_learned", value("rows", t.learned_rows))},
          "B29");
    w.row(fixed, "relative",
          {w.cell("relative_sinusoidal", k, value("spread", t.spread)),
           w.cell("relative_learned", k, value("least", t.learned_least), value("most", t.learned_most))},
          "A9");
    w.row(fixed, "distance",
          {t.first_rise == 0.0 ? w.cell("distance_falls", n)
                               : w.cell("distance_sinusoidal", value("first", t.first_rise),
                                        value("rises", t.rises), value("steps", t.n - 1.0)),
           w.text("distance_learned")},
          "A10");
    w.row(fixed, "long",
          {w.cell("long_sinusoidal", n, value("gap", t.gap)),
           w.cell("long_learned", value("rows", t.learned_rows))},
          "B30");
    const std::string bits = w.cell("bits_cell", n, value("bits", std::log2(t.n)), d);
    w.row(fixed, "bits", {bits, bits}, "B23");

    panels::LivingTable kinds{
        w.text("kinds"), w.cell("of", d, n, k), {w.text("absolute"), w.text("rope"), w.text("alibi")}, {}};
    w.row(kinds, "encodes",
          {w.cell("encodes_absolute", k, value("moved", t.mixed_by_weights)),
           w.cell("encodes_rope", k, value("moved", t.rope_moved)), w.text("encodes_alibi")},
          "A13");
    w.row(kinds, "where", {w.text("where_absolute"), w.text("where_rope"), w.text("where_alibi")});
    w.row(kinds, "stored",
          {w.cell("stored_absolute", value("bytes", 4.0 * t.n * t.d)),
           w.cell("stored_rope", value("bytes", t.cache)), w.cell("stored_alibi", value("heads", t.heads))},
          "C15");
    w.row(kinds, "extrapolation",
          {w.cell("extrapolation_sinusoidal", value("unseen", t.unseen), value("pairs", t.pairs)),
           w.cell("extrapolation_sinusoidal", value("unseen", t.unseen_rope), value("pairs", t.rope_pairs)),
           w.cell("extrapolation_alibi", value("lost", t.lost))},
          "C17");
    const std::string untested = w.text("untested");
    w.row(kinds, "quality", {untested, untested, untested}, "C24");
    return {std::move(fixed), std::move(kinds)};
}

std::span<const panels::LivingTable> LivingTables::of(const Scene& scene, const Strings& strings) {
    const Key key{figures::part_of(input_, scene), scene.offset};
    const auto made = numbers_.get(background_, key, [](const Key& at) {
        spend(2.0 * figures::kFrameWork);  // never on the window's thread
        return table_numbers(*at.input, at.offset);
    });
    if (made != nullptr && (made != said_of_ || said_in_ != strings.language())) {
        said_of_ = made;
        said_in_ = strings.language();
        said_ = tables_of(*made, strings);
    }
    return said_;
}

}  // namespace posiscope::workbench
