// matrix.cpp — the encoding and derived matrices as heatmaps: positions down, dimensions across.
// value          of learned tables and of fairseq's with padding: every number (table.cpp); else
// value / cache  every component; under 2 px per column all first components are left and all second ones right,
//                since a pixel must not average sines with cosines
// phase          the angle of each pair, on a cyclic map
// gram           the score of every two positions, a function of only their distance
// back           the same once W = M_{−k} has moved every query: largest k back, wherever the query is
// logits         the same for encodings without rotation: the shown head's logits
// attention      the weight of each key for each query of one head, from the Scene's content
// shift          M_k, dimensions by dimensions
// beside         sinusoidal and learned tables and their dot products beside one another (beside.cpp)
// residual       |PE(p + k) − M_k PE(p)| in float64, at every position and dimension
// columns, dft, rank, gap   the table as a basis (basis.hpp)
#include "app/figures/matrix/matrix.hpp"

#include "app/figures/parts/headline.hpp"

#include "app/figures/parts/curtain.hpp"
#include "app/figures/parts/marks.hpp"
#include "app/figures/parts/memo.hpp"
#include "app/figures/parts/sentence.hpp"
#include "app/figures/parts/stored.hpp"

#include "app/figures/matrix/basis.hpp"
#include "app/figures/parts/cells.hpp"
#include "app/figures/parts/text.hpp"
#include "core/encodings/encodings.hpp"

#include <algorithm>

namespace posiscope::figures {
namespace {

using canvas::Align;
using ui::Face;
using namespace matrix;

Mode mode_of(const Frame& f) {
    const std::string_view name = f.mode;
    if (name == "phase") return Mode::phase;
    if (name == "gram") return Mode::gram;
    if (name == "back") return Mode::back;
    if (name == "logits") return Mode::logits;
    if (name == "shift") return Mode::shift;
    if (name == "residual") return Mode::residual;
    if (name == "attention") return Mode::attention;
    return shows_table(f.scene) || as_tables(f) ? Mode::table : Mode::value;
}

std::span<const std::string_view> modes(const Scene& scene) {
    static constexpr std::array<std::string_view, 6> rotary = {"cache", "phase",    "gram",
                                                               "shift", "residual", "attention"};
    static constexpr std::array<std::string_view, 12> sinusoidal = {
        "value",     "phase",  "gram",    "back", "shift", "residual",
        "attention", "beside", "columns", "dft",  "rank",  "gap"};
    static constexpr std::array<std::string_view, 7> learned = {"value", "attention", "beside", "columns",
                                                                "dft",   "rank",      "gap"};
    static constexpr std::array<std::string_view, 6> table = {"value", "attention", "columns",
                                                              "dft",   "rank",      "gap"};
    static constexpr std::array<std::string_view, 2> others = {"logits", "attention"};
    const Encoding& encoding = encoding_of(scene);
    if (encoding.rows) return learned;
    if (encoding.acts == Acts::input && on_unit_circles(scene)) return sinusoidal;
    // No row is another one moved if logits depend on the query too.
    static constexpr std::array<std::string_view, 1> by_query = {"attention"};
    if ((encoding.logits.depends_on_query || rotation_of(scene) == Rotation::grid) && !on_unit_circles(scene))
        return by_query;
    if (!on_unit_circles(scene))
        return shows_table(scene) ? std::span<const std::string_view>(table) : others;
    return rotary;
}

constexpr double kTogether = 32.0;  // dimensions whose sines and cosines are not told apart

// Sines and cosines side by side make stripes: they stand apart from 33 dimensions on, unless the view says otherwise.
bool stand_apart(const Frame& f, double dimensions) {
    if (dimensions <= kTogether) return false;
    const Json* chosen = view_value(f.scene, f.figure, "apart");
    return chosen == nullptr || !chosen->is_boolean() || chosen->get<bool>();
}

// The button that puts them together; not in an image.
void choose_columns(Frame& f, Rect area, double dimensions) {
    if (f.pointer == nullptr || dimensions <= kTogether || area.width() < 360.0F) return;
    const bool apart = stand_apart(f, dimensions);
    const std::string_view text = f.text("matrix.apart");
    const float width = f.canvas.text_width(text, Face::text, 14.5F) + cells::kButtonPad;
    const Rect place{area.x1 - 62.0F - width, area.y0 - 3.0F, area.x1 - 62.0F, area.y0 + 18.0F};
    if (cells::button(f, "apart", place, text, apart))
        set_view_value(f.edit(), f.figure, "apart", apart ? Json(false) : Json(nullptr));
}

// ---- the picture -----------------------------------------------------------------------------------------------

// More distances in view than this, and each pixel diagonal gets one averaged value instead.
constexpr std::size_t kMostDistances = 8192;

// The score of every two positions depends on their distance, so a line of numbers gives the whole square.
// Why there is none yet, or null.
const Problem* fill_gram(View& v) {
    const double cells_a_pixel = v.picture.rows.length() / v.picture.height;
    const auto pixels =
        static_cast<std::size_t>(v.picture.width) + static_cast<std::size_t>(v.picture.height) - 1;
    Derived::Diagonals wanted;
    Toeplitz& toeplitz = v.data.toeplitz;
    wanted.first = std::floor(v.y.from) - std::ceil(v.x.to);
    wanted.count = static_cast<std::size_t>(std::ceil(v.y.to) - std::floor(v.x.from) - wanted.first) + 1;
    if (wanted.count <= kMostDistances) {
        toeplitz.first = static_cast<std::int64_t>(wanted.first);
    } else {
        wanted.first = v.y.from - v.x.from - cells_a_pixel * (v.picture.width - 1);
        wanted.step = cells_a_pixel;
        wanted.count = pixels;
        toeplitz.index = Toeplitz::Index::by_diagonal;
    }
    wanted.first -= static_cast<double>(v.moved());
    if (v.other != nullptr) {
        toeplitz.values = diagonals_difference(v, wanted);
    } else {
        const auto diagonals = v.frame.derived.diagonals(v.frame.scene, wanted);
        if (diagonals == nullptr) return &being_made();
        toeplitz.values = diagonals->values;
        if (v.mode == Mode::logits) {
            v.picture.range = diagonals->half;
            v.middle = diagonals->middle;
            const auto [first, last] = std::ranges::minmax_element(diagonals->values);
            const double least = *first, most = *last;
            v.uniform = least == most;
            if (v.uniform || v.middle != 0.0) {  // from one end to the other: 0 is no middle of these
                const ui::Theme& theme = v.frame.theme;
                v.picture.negative = theme.neutral;
                v.picture.zero = ui::mixed(theme.neutral, theme.plus, 0.5F);
            }
        }
    }
    return toeplitz.values.empty() ? &being_made() : nullptr;
}

// Why there is none, or null.
const Problem* draw_picture(View& v) {
    Frame& f = v.frame;
    const ui::Theme& theme = f.theme;
    v.picture.negative = theme.minus;
    v.picture.zero = theme.neutral;
    v.picture.positive = theme.plus;
    v.picture.border = ui::faded(theme.ink, 0.16F);
    const auto draw = [&](const canvas::HeatmapView& view) -> const Problem* {
        f.canvas.heatmap(v.key, v.plot, {view, v.data, v.samples_key});
        return nullptr;
    };
    v.data.steps = v.spectrum.step;
    if (v.mode == Mode::residual) {
        canvas::HeatmapView view = sampled(v, kMostSamples);
        const auto residuals = f.derived.residuals(f.scene, view);
        if (residuals == nullptr) return &being_made();
        view.range = v.picture.range = residuals->worst;
        v.data.samples = residuals->samples;
        v.samples_key = residuals->key;
        return draw(view);
    }
    if (v.mode == Mode::table) {
        if (const Problem* problem = fill_table(v)) return problem;
        return draw(sampled(v));
    }
    if (v.mode == Mode::attention) {
        if (const Problem* problem = fill_attention(v)) return problem;
        return draw(sampled(v, kMostSamples));
    }
    if (v.other != nullptr && (v.mode == Mode::value || v.mode == Mode::phase || v.mode == Mode::shift))
        set_difference(v);
    if (v.positions_across())
        if (const Problem* problem = fill_gram(v)) return problem;
    if (v.products() && v.other == nullptr) {
        const ScoreForm& form = f.derived.score_form(f.scene, ScoreKind::dot);
        v.picture.range = form.constant;
        for (std::size_t i = 0; i < form.even.size(); ++i)
            v.picture.range += std::hypot(form.even[i], form.odd[i]);
    }
    if (const Problem* problem = draw(v.picture)) return problem;
    if (v.uniform)
        text_on_patch(f, v.plot.centre(),
                      f.format("matrix.uniform", fmt::arg("value", ui::significant(f.scratch, v.middle, 4))),
                      {theme.ink, ui::kTextSize, Face::text, Align::centre});
    return nullptr;
}

void drag_row(View& v, std::string_view handle, std::int64_t position) {
    Frame& f = v.frame;
    const float y = v.y(static_cast<double>(position) + 0.5);
    const bool in_view = y >= v.plot.y0 - 1.0F && y <= v.plot.y1 + 1.0F;
    if (!in_view && !f.dragging()) return;
    const Rect reach{v.plot.x0 - 46.0F, y - 5.0F, v.plot.x1, y + 5.0F};
    if (!f.drag(handle, f.over(reach), {v.plot.x0 + 0.5F * v.plot.width(), y}, Cursor::vertical) ||
        !f.pointer->moved)
        return;
    const auto row = static_cast<std::int64_t>(
        std::floor(std::clamp(v.y.inverse(f.pointer->at.y), v.y.from, v.y.to - 1e-6)));
    if (handle == "position") set_position(f.edit(), row);
    else set_offset(f.edit(), row - f.drag_state->scene.position);
}

// ---- the figure ------------------------------------------------------------------------------------------------

// Why A has nothing to show, or null.
const Problem* absence(Frame& f, Mode mode) {
    if (mode == Mode::gram || mode == Mode::back || mode == Mode::logits)
        if (const Problem* problem = stored_absence(f, f.scene, f.derived)) return problem;
    return mode == Mode::table                             ? table_problem(f.scene, f.derived)
           : mode == Mode::logits && circles(f) == nullptr ? f.derived.logits_problem(f.scene)
                                                           : nullptr;
}

// Largest k back, wherever the query is: W does not know its position.
std::string_view back_headline(Frame& f) {
    ui::Scratch& s = f.scratch;
    const std::int64_t k = f.scene.offset;
    const ScoreForm& form = f.derived.score_form(f.scene, ScoreKind::dot);
    const Spectrum& spectrum = *f.derived.spectrum(f.scene);
    return f.format(k > 0   ? "matrix.headline_back"
                    : k < 0 ? "matrix.headline_ahead"
                            : "matrix.headline_itself",
                    fmt::arg("w", ui::subscript(s, -k)), fmt::arg("k", ui::integer(s, std::abs(k))),
                    fmt::arg("most", ui::significant(s, score_at(form, spectrum, 0), 4)),
                    fmt::arg("next", ui::significant(s, score_at(form, spectrum, 1), 4)));
}

// How the pairs' rates go from left to right: fast to slow, hardly changing, or in no order.
enum class Rates { falling, alike, unordered };
struct KeptRates {
    Memo<SpectrumInput, Rates> memo;
};
Rates rates(Frame& f) {
    return *f.derived.part<KeptRates>().memo.get(f.scene, [](const SpectrumInput& input) {
        const auto spectrum = spectrum_of(input);
        if (!spectrum || !std::is_sorted(spectrum->frequency.rbegin(), spectrum->frequency.rend()))
            return Rates::unordered;
        // The last one takes twice as long, or it is not slow beside the first.
        return spectrum->frequency.front() < 2.0 * spectrum->frequency.back() ? Rates::alike : Rates::falling;
    });
}

std::string_view headline(Frame& f) {
    if (is_basis(f.mode)) return basis_headline(f);
    if (f.mode == "beside") return f.other == nullptr ? beside_headline(f) : std::string_view();
    ui::Scratch& s = f.scratch;
    if (f.other != nullptr && f.other->difference) {
        const Mode shown = mode_of(f);
        if (absence(f, shown) || no_difference(f, shown)) return {};
        return difference_headline(f, shown);
    }
    if (mode_of(f) == Mode::attention) return attention_headline(f);
    if (circles(f) == nullptr) {
        if (shows_table(f.scene)) return table_headline(f);
        if (f.derived.logits_problem(f.scene) != nullptr) return {};
        return encodes_nothing(f.scene)
                   ? f.text("matrix.headline_nothing")
                   : f.format("matrix.headline_logits", fmt::arg("head", shown_head(f.scene)));
    }
    const std::size_t pairs = f.derived.spectrum(f.scene)->pairs(),
                      unfinished = f.derived.unfinished_pairs(f.scene);
    switch (mode_of(f)) {
        case Mode::gram:
            return absence(f, Mode::gram) != nullptr ? std::string_view() : f.text("matrix.headline_gram");
        case Mode::back: return back_headline(f);
        case Mode::shift:
            return f.format(f.scene.offset == 0 ? "matrix.headline_shift_none" : "matrix.headline_shift",
                            fmt::arg("offset", ui::subscript(s, f.scene.offset)),
                            fmt::arg("pairs", ui::counted(s, static_cast<std::int64_t>(pairs))));
        case Mode::residual:
            return f.format("matrix.headline_residual", fmt::arg("offset", ui::subscript(s, f.scene.offset)));
        default: break;
    }
    const ui::Count length = ui::counted(s, f.scene.length);
    if (f.scene.length == 1) return f.text("matrix.headline_one_row");
    if (pairs == 1)
        return f.format(unfinished == 0 ? "matrix.headline_one_pair" : "matrix.headline_one_pair_open",
                        fmt::arg("length", length));
    static constexpr std::array<std::string_view, 3> kRates = {"matrix.falling", "matrix.alike",
                                                               "matrix.unordered"};
    return f.format(counted_form(f, "matrix.headline", unfinished, pairs),
                    fmt::arg("rates", f.text(kRates[static_cast<std::size_t>(rates(f))])),
                    fmt::arg("unfinished", ui::counted(s, static_cast<std::int64_t>(unfinished))),
                    fmt::arg("pairs", pairs), fmt::arg("length", length));
}

void draw(Frame& f, Rect area) {
    if (is_basis(f.mode)) return draw_basis(f, area);
    const bool both = f.other != nullptr && !f.other->difference;
    if (f.mode == "beside" && f.other != nullptr) return explain_absence(f, area, "matrix.difference_beside");
    if (f.mode == "beside") return draw_beside(f, area);
    if (both) return draw_curtain(f, area);
    draw_one(f, area, 0, false);
}

std::span<const std::string_view> numbers(std::string_view mode) {
    // By the name of the mode; where both have the same, by itself.
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 13> names = {
        {{"attention", "attention"},
         {"columns", "columns"},
         {"dft", "dft"},
         {"rank", "rank"},
         {"gap", "gap"},
         {"cache", "cache"},
         {"phase", "phase"},
         {"gram", "gram"},
         {"back", "distance"},
         {"shift", "rotation"},
         {"residual", "shift"},
         {"beside", "table"},
         {"value", "table"}}};
    // Scores by distance where pairs turn; biases only have the logits.
    static constexpr std::array<std::string_view, 2> logits = {"scores", "logits"};
    if (mode == "logits") return logits;
    for (const auto& name : names)
        if (name.first == mode) return {&name.second, 1};
    return {};
}

}  // namespace

namespace matrix {

namespace {

// The plot within its labels; nothing where it would be too small.
std::optional<Rect> plot_in(const View& v, Rect area) {
    const bool large = v.whole.rows > 99999.0;
    Rect plot{area.x0 + (large ? 92.0F : 50.0F), area.y0 + 22.0F, area.x1 - 62.0F, area.y1 - 24.0F};
    if (plot.width() < 40.0F || plot.height() < 40.0F) return std::nullopt;
    if (v.positions_across() || v.dimensions_down()) {  // as many rows as columns: a square
        const float side = std::min(plot.width(), plot.height());
        plot = {plot.centre().x - 0.5F * side, plot.y0, plot.centre().x + 0.5F * side, plot.y0 + side};
    }
    return plot;
}

void set_axes(View& v) {
    v.y = cells_in_view(v.frame, v.frame.scene, "rows", v.whole.rows);
    v.x = cells_in_view(v.frame, v.frame.scene, "columns", v.whole.columns);
    v.y.at_from = v.plot.y0, v.y.at_to = v.plot.y1;
    v.x.at_from = v.plot.x0, v.x.at_to = v.plot.x1;
}

// Sets cells and pixels of the heatmap. Returns true if so few pixels fall on a column that sines and cosines have to be
// parted.
bool set_picture(View& v, double dimensions) {
    const Scene& scene = v.frame.scene;
    const bool samples = v.mode == Mode::residual || v.mode == Mode::table || v.mode == Mode::attention;
    v.picture.field = v.mode == Mode::phase   ? Field::phase
                      : samples               ? Field::samples
                      : v.positions_across()  ? Field::toeplitz
                      : v.mode == Mode::shift ? Field::shift_blocks
                                              : Field::components;
    v.picture.rows = range_of(v.y);
    v.picture.columns = range_of(v.x);
    v.picture.layout = v.encoding.layout(scene);
    v.picture.rotary = v.rotary();
    v.picture.offset = scene.offset;
    v.picture.width = std::max(1, static_cast<int>(std::lround(v.device(v.plot.width()))));
    v.picture.height = std::max(1, static_cast<int>(std::lround(v.device(v.plot.height()))));
    // A canvas puts the edges on whole pixels, so that a picture may come out one column narrower than asked for.
    auto narrower = v.picture;
    narrower.width = std::max(1, narrower.width - 1);
    const bool parted = columns_need_blocks(narrower);
    v.picture.blocks =
        (v.mode == Mode::value || v.mode == Mode::residual) && (parted || stand_apart(v.frame, dimensions));
    return parted;
}

// The Scene's pair, and the one that is linked.
void mark_pairs(View& v, std::int64_t pairs) {
    if (v.positions_across() || pairs == 0 || !marked(v.frame)) return;
    const ui::Theme& theme = v.frame.theme;
    mark_columns(v, std::min(v.frame.scene.pair, pairs - 1), {theme.ink, 1.0F, 2.0F});
    if (const auto lit = linked(v.frame, v.spectrum))
        mark_columns(v, static_cast<std::int64_t>(lit->pair),
                     {theme.ink_soft, 1.0F, lit->exact ? 0.0F : 4.0F});
}

// The rows of p and p + k, as they are and were, and the one that is linked.
void mark_positions(View& v) {
    if (v.dimensions_down() || !marked(v.frame)) return;
    const Frame& f = v.frame;
    const std::int64_t position = f.scene.position, offset = f.scene.offset;
    if (const Scene* before = f.ghost()) {
        mark_row(v, static_cast<double>(before->position), f.theme.ink, true);
        mark_row(v, static_cast<double>(before->position + before->offset), f.theme.offset, true);
    }
    std::optional<std::int64_t> lit = f.link.position;
    if (!lit && f.link.distance) lit = position + *f.link.distance;
    if (lit && *lit >= 0) mark_row(v, static_cast<double>(*lit), f.theme.ink_soft, true);
    if (offset != 0) mark_row(v, static_cast<double>(position + offset), f.theme.offset, false);
    mark_row(v, static_cast<double>(position), f.theme.ink, false);
}

void draw_words(View& v, Rect area, bool curtain) {
    Frame& f = v.frame;
    canvas::Canvas& c = f.canvas;
    const canvas::TextStyle style = small(f);
    if (v.mode == Mode::attention) {
        const std::string_view note = attention_note(v);
        const float left = v.plot.x1 - small_width(f, note);
        if (!curtain || left > v.cut + 26.0F)  // there are the names of its sides
            c.text({left, v.plot.y0 - 10.0F}, note, style);
    }
    row_numbers(v);
    column_names(v);
    c.text({area.x0, v.plot.y0 - 10.0F},
           f.text(v.dimensions_down()    ? "matrix.dimension"
                  : v.positions_across() ? "matrix.query"
                                         : "matrix.position"),
           style);
}

void drag_positions(View& v) {
    if (v.dimensions_down()) return;
    const Scene& scene = v.frame.scene;
    const std::int64_t p = scene.position, q = p + scene.offset;
    const auto away = [&](std::int64_t row) {
        return v.frame.pointer == nullptr
                   ? 0.0F
                   : std::abs(v.frame.pointer->at.y - v.y(static_cast<double>(row) + 0.5));
    };
    if (away(q) < away(p)) {  // the nearer one of thin rows
        drag_row(v, "offset", q);
        drag_row(v, "position", p);
    } else {
        drag_row(v, "position", p);
        drag_row(v, "offset", q);
    }
}

}  // namespace

std::string_view invitation(Frame& f) {
    const Spectrum* spectrum = circles(f);
    if (spectrum == nullptr || mode_of(f) != Mode::value || !f.scene.compare.is_null()) return {};
    return f.format("matrix.headline_first", fmt::arg("position", ui::integer(f.scratch, f.scene.position)),
                    fmt::arg("pairs", ui::counted(f.scratch, static_cast<std::int64_t>(spectrum->pairs()))));
}

std::optional<Rect> draw_one(Frame& f, Rect area, int key, bool curtain, float cut) {
    static const Spectrum nothing_turns;
    const Spectrum* turning = circles(f);
    const Mode shown = mode_of(f);
    if (const Problem* problem = absence(f, shown)) {
        explain_absence(f, area, *problem);
        return std::nullopt;
    }
    if (f.other != nullptr)
        if (const auto problem = no_difference(f, shown)) {
            explain_absence(f, area, *problem);
            return std::nullopt;
        }
    if (area.width() < 140.0F || area.height() < 90.0F) return std::nullopt;
    const Spectrum& spectrum = turning != nullptr ? *turning : nothing_turns;
    const auto pairs = static_cast<std::int64_t>(spectrum.pairs());
    View v{f, encoding_of(f.scene), spectrum, shown, pairs, {}, {}, {}, 0, {}, {}, {}};
    v.other = f.other;
    v.key = key;
    const auto dimensions = static_cast<double>(shown == Mode::table ? f.scene.d_model : 2 * pairs),
               positions =
                   static_cast<double>(shown == Mode::attention ? attention_rows(f.scene) : f.scene.length);
    v.whole = {v.dimensions_down() ? dimensions : positions, v.positions_across() ? positions : dimensions};
    const Rect words = take_cache_words(v, area);
    const auto plot = plot_in(v, area);
    if (!plot) return std::nullopt;
    v.plot = *plot;
    v.cut = curtain ? curtain::edge_of(f, v.plot) : cut;
    set_axes(v);

    const bool parted = set_picture(v, dimensions);
    if (const Problem* problem = draw_picture(v)) {
        explain_absence(f, area, *problem);
        return std::nullopt;
    }
    if (v.mode == Mode::table) end_of_table(v);
    if (!words.empty()) states_of_cache(v, words);
    cell_numbers(v);
    if (v.mode == Mode::shift) locator(v, {area.x0, v.plot.y1 - 26.0F, area.x0 + 26.0F, v.plot.y1});
    if (v.mode == Mode::value && !parted) choose_columns(f, area, dimensions);
    colour_bar(v, {v.plot.x1 + 16.0F, v.plot.y0, v.plot.x1 + 28.0F, v.plot.y1});
    mark_pairs(v, pairs);
    mark_positions(v);
    draw_words(v, area, curtain);

    if (curtain) curtain::drag(f, v.plot);
    drag_positions(v);
    zoom_and_pan(v);
    hover(v);
    if (f.tip.shown()) f.tip.beside = v.plot;
    return v.plot;
}

}  // namespace matrix

extern const Figure kMatrix{
    .id = "matrix",
    .headline = headline,
    .draw = draw,
    .modes = modes,
    .overlays = true,
    .subtracts = true,
    .numbers = numbers,
};

}  // namespace posiscope::figures
