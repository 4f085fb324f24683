// fourier.cpp — the square wave of period n, the length, as a sum of harmonics; below, their frequencies beside those of the
// encoding on one logarithmic axis. Harmonics are multiples of one frequency and crowd to the right; the encoding's are
// powers of one ratio and stand evenly. So the encoding is no Fourier series, though both are made of sines.
#include "app/figures/waves/waves.hpp"
#include "app/plot/plot.hpp"

#include "core/basis/fourier.hpp"

#include <numbers>

namespace posiscope::figures::waves {
namespace {

using canvas::Align;

constexpr std::int64_t kMostTerms = 512, kFirstTerms = 8;
constexpr double kAmplitude = 0.5;  // |c| of sin(ωp): half at ω, half at −ω

std::int64_t terms_of(const Scene& scene) {
    const Json* terms = view_value(scene, "waves", "terms");
    const std::int64_t wanted =
        terms != nullptr && terms->is_number_integer() ? terms->get<std::int64_t>() : kFirstTerms;
    return std::clamp<std::int64_t>(wanted, 1, kMostTerms);
}

struct Sum {
    SquareSum of;
    std::vector<double> curve;  // over one period
};
struct Fourier {
    Memo<std::int64_t, Sum> sum;
};

const Sum& sum_of(Frame& f) {
    return *f.derived.part<Fourier>().sum.get(terms_of(f.scene), [](std::int64_t terms) {
        Sum made{square_sum(terms), {}};
        // Each of its 4m extremes is a sample.
        const std::int64_t between = (1024 + 4 * terms - 1) / (4 * terms);
        made.curve.resize(static_cast<std::size_t>(4 * terms * between));
        square_curve(terms, made.curve);
        return made;
    });
}

// ---- the sum ---------------------------------------------------------------------------------------------------

void draw_sum(Frame& f, Rect area) {
    canvas::Canvas& c = f.canvas;
    ui::Scratch& s = f.scratch;
    const ui::Theme& theme = f.theme;
    const Sum& sum = sum_of(f);
    const auto period = static_cast<double>(f.scene.length);
    const plot::Plot p(f, area, {plot::Kind::whole, 0.0, period, f.text("fourier.position")},
                       {plot::Kind::whole, -1.3, 1.45});
    if (!p.has_room()) return;
    // How far above the jump its sums go, however many there are.
    const std::string_view over = s.format("+{}%", ui::fixed(s, 100.0 * kGibbsOvershoot, 2));
    p.level(1.0 + 2.0 * kGibbsOvershoot, over, {.stroke = {theme.beyond, 1.0F, 4.0F}, .right = true});
    if (f.link.position) p.rule(static_cast<double>(*f.link.position), {theme.ink_faint, 1.0F});
    const Point square[] = {p.at(0.0, 0.0),           p.at(0.0, 1.0),     p.at(0.5 * period, 1.0),
                            p.at(0.5 * period, -1.0), p.at(period, -1.0), p.at(period, 0.0)};
    p.line(square, {theme.ink_faint, 1.5F});
    p.curve(sum.curve, {theme.ink, 1.6F}, 0.0, period / static_cast<double>(sum.curve.size()));

    // Written as it is summed: every harmonic twice, at n and at −n.
    const std::int64_t last = 2 * terms_of(f.scene) - 1;
    const std::string_view many = last == 1   ? std::string_view("n = ±1")
                                  : last == 3 ? std::string_view("n = ±1, ±3")
                                              : s.format("n = ±1, ±3 … ±{}", last);
    if (p.area.height() > 90.0F && p.area.width() > 500.0F) {
        c.formula(p.at(0.75 * period, 0.55), "S(t) = \\sum c_n e^{i 2 \\pi n t / T}", 16.0F, theme.ink,
                  Align::centre);
        c.formula(p.at(0.75 * period, 0.55) + Point{0.0F, 21.0F},
                  s.format("{}, T = {}", many, ui::integer(s, f.scene.length)), 14.0F, theme.ink_soft,
                  Align::centre);
    }

    if (!p.over()) return;
    const std::int64_t position = std::llround(p.pointed_x());
    f.hovered.position = position;
    const auto i = static_cast<std::size_t>(
        std::llround(static_cast<double>(position) / period * static_cast<double>(sum.curve.size())));
    f.tip.formula = s.format("S_{{{}}}({})", ui::integer(s, terms_of(f.scene)), ui::integer(s, position));
    f.tip.value = s.format("= {}", ui::significant(s, sum.curve[i % sum.curve.size()], 4));
    f.tip.details[0] = f.text("fourier.square");
}

// ---- the frequencies -------------------------------------------------------------------------------------------

// On logarithms of frequencies and of |c|.
struct Spectral {
    plot::Plot p;
    double fundamental;

    double harmonic(std::int64_t n) const { return fundamental * static_cast<double>(n); }
    Point top(double frequency, double amplitude) const {
        return p.at(std::log10(frequency), std::log10(amplitude));
    }
    // The mark of one frequency; `hollow`: left out, or of B.
    void mark(double frequency, double amplitude, ui::Colour colour, bool hollow, float size) const {
        canvas::Canvas& c = p.frame.canvas;
        const Point at = top(frequency, amplitude);
        c.line({at.x, p.area.y1}, at, {hollow ? ui::faded(colour, 0.45F) : colour, 1.0F});
        if (hollow) c.circle(at, size, {colour, 1.0F});
        else c.disc(at, size, colour);
    }
};

Spectral spectral(Frame& f, Rect area, const Spectrum& spectrum) {
    const double fundamental = 2.0 * std::numbers::pi / static_cast<double>(f.scene.length);
    double least = fundamental, most = fundamental * static_cast<double>(2 * kMostTerms - 1);
    for (const double frequency : spectrum.frequency)
        if (frequency > 0.0) {
            least = std::min(least, frequency);
            most = std::max(most, frequency);
        }
    const double margin = 0.03 * (std::log10(most) - std::log10(least));  // their ratio may be infinite
    const double lowest = std::log10(square_coefficient(2 * kMostTerms - 1));
    const std::array<plot::Key, 2> legend = {
        plot::Key{f.text("fourier.harmonics"), {f.theme.ink}, plot::Shape::disc},
        plot::Key{f.text("fourier.encoding"), {ui::pair_colour(f.theme, 0.5)}, plot::Shape::disc}};
    return {plot::Plot(f, area,
                       {plot::Kind::log, std::log10(least) - margin, std::log10(most) + margin,
                        f.text("fourier.frequency")},
                       {plot::Kind::log, lowest - 0.15, 0.1, "$|c_{±n}|$"}, legend),
            fundamental};
}

void draw_encoding(const Spectral& v, const Spectrum& spectrum) {
    Frame& f = v.p.frame;
    const std::size_t pairs = spectrum.pairs();
    // No more marks than can be told apart.
    const auto fit = static_cast<std::size_t>(std::max(2.0F, v.p.area.width() / 2.0F));
    const std::size_t every = (pairs + fit - 1) / fit;
    const auto lit = linked(f, spectrum);
    for (std::size_t i = 0; i < pairs; i += every) {
        if (!(spectrum.frequency[i] > 0.0)) continue;
        const double part = pairs > 1 ? static_cast<double>(i) / static_cast<double>(pairs - 1) : 0.0;
        const bool chosen = lit ? lit->pair == i : static_cast<std::int64_t>(i) == f.scene.pair;
        v.mark(spectrum.frequency[i], kAmplitude, ui::pair_colour(f.theme, part), false,
               chosen ? 4.5F : 2.5F);
    }
    const Spectrum* other = f.other != nullptr ? circles(*f.other) : nullptr;
    if (other == nullptr) return;
    for (std::size_t i = 0; i < other->pairs(); i += (other->pairs() + fit - 1) / fit)
        if (const Point at = v.top(std::max(other->frequency[i], 1e-300), kAmplitude); at.x >= v.p.area.x0)
            f.canvas.circle(at, 4.5F, {f.theme.ink, 1.0F});
}

// Terms to the left of the rule are in the sum.
void drag_terms(const Spectral& v, std::int64_t terms) {
    const double at = std::log10(v.fundamental * 2.0 * static_cast<double>(terms));
    const auto to = v.p.drag_x({.name = "terms", .at = at, .rule = {v.p.frame.theme.slider, 1.2F}});
    if (!to) return;
    const auto wanted = std::llround(0.5 * std::pow(10.0, *to) / v.fundamental);
    set_view_value(v.p.frame.edit(), "waves", "terms", std::clamp<std::int64_t>(wanted, 1, kMostTerms));
}

void hover(const Spectral& v, const Spectrum& spectrum) {
    Frame& f = v.p.frame;
    if (!v.p.over()) return;
    ui::Scratch& s = f.scratch;
    const double wanted = v.p.pointed_x();
    // Above the line of the harmonics are the encoding's.
    const auto n = std::clamp<std::int64_t>(
        2 * std::llround(0.5 * (std::pow(10.0, wanted) / v.fundamental - 1.0)) + 1, 1, 2 * kMostTerms - 1);
    const Point harmonic = v.top(v.harmonic(n), square_coefficient(n));
    std::size_t pair = 0;
    double nearest = 1e9;
    for (std::size_t i = 0; i < spectrum.pairs(); ++i)
        if (const double gap = std::abs(std::log10(std::max(spectrum.frequency[i], 1e-300)) - wanted);
            gap < nearest)
            nearest = gap, pair = i;
    const Point own = v.top(std::max(spectrum.frequency[pair], 1e-300), kAmplitude);
    if (length(f.pointer->at - harmonic) < length(f.pointer->at - own)) {
        f.tip.formula = s.format("|c_{{{}}}| = \\frac{{2}}{{{} \\pi}}", n, n);
        f.tip.value = s.format("= {}", ui::significant(s, square_coefficient(n), 4));
        f.tip.details[0] = f.format("fourier.tip_harmonic", fmt::arg("n", n),
                                    fmt::arg("frequency", ui::significant(s, v.harmonic(n), 4)));
        return;
    }
    const double omega = spectrum.frequency[pair];
    f.hovered.frequency = omega;
    f.tip.formula = s.format("\\omega_{{{}}} = {}", pair, ui::significant(s, omega, 6));
    f.tip.details[0] =
        f.format("fourier.tip_pair", fmt::arg("times", ui::significant(s, omega / v.fundamental, 4)));
    f.cursor = Cursor::hand;
    if (f.clicked(v.p.area)) f.edit().pair = static_cast<std::int64_t>(pair);
}

void draw_frequencies(Frame& f, Rect area, const Spectrum& spectrum) {
    canvas::Canvas& c = f.canvas;
    const ui::Theme& theme = f.theme;
    const Spectral v = spectral(f, area, spectrum);
    if (!v.p.has_room()) return;
    const std::int64_t terms = terms_of(f.scene);
    for (std::int64_t j = kMostTerms; j >= 1; --j) {
        const std::int64_t n = 2 * j - 1;
        const bool kept = j <= terms;
        // A line through the tops of harmonics says the same as marks that crowd.
        if (kept || v.top(v.harmonic(n + 2), 1.0).x - v.top(v.harmonic(n), 1.0).x > 2.0F)
            v.mark(v.harmonic(n), square_coefficient(n), kept ? theme.ink : theme.ink_faint, !kept, 2.5F);
    }
    c.line(v.top(v.harmonic(1), square_coefficient(1)),
           v.top(v.harmonic(2 * kMostTerms - 1), square_coefficient(2 * kMostTerms - 1)),
           {theme.ink_faint, 1.0F, 3.0F});
    draw_encoding(v, spectrum);
    drag_terms(v, terms);
    hover(v, spectrum);
}

}  // namespace

std::string_view fourier_headline(Frame& f) {
    ui::Scratch& s = f.scratch;
    const SquareSum& sum = sum_of(f).of;
    const std::int64_t terms = terms_of(f.scene);
    return f.format(terms == 1 ? "fourier.headline_one" : "fourier.headline",
                    fmt::arg("terms", ui::integer(s, terms)),
                    fmt::arg("overshoot", ui::fixed(s, 100.0 * sum.overshoot, 2)),
                    fmt::arg("limit", ui::fixed(s, 100.0 * kGibbsOvershoot, 2)),
                    fmt::arg("error", ui::significant(s, sum.error, 2)));
}

void draw_fourier(Frame& f, Rect area) {
    const Spectrum* spectrum = circles(f);
    if (spectrum == nullptr || area.width() < 130.0F) return;
    // With room for one picture, the frequencies are drawn: they tell both apart.
    if (area.height() < 250.0F && area.width() > 560.0F) {
        draw_sum(f, area.cut_left(0.5F * area.width()));
        return draw_frequencies(f, area, *spectrum);
    }
    if (area.height() >= 220.0F) draw_sum(f, area.cut_top(0.46F * area.height()));
    draw_frequencies(f, area, *spectrum);
}

}  // namespace posiscope::figures::waves
