// models.cpp — the spectra of known models overlaid, including the Scene's own.
#include "app/figures/parts/text.hpp"
#include "app/figures/spectrum/spectrum.hpp"
#include "app/plot/plot.hpp"
#include "app/ui/known.hpp"

#include <numbers>

namespace posiscope::figures::spectrum {
namespace {

// One spectrum, and the models that have it.
struct ModelCurve {
    std::string_view name;  // of the first model that has it
    std::size_t models = 1;
    std::vector<double> frequency, wavelength;
    double length = 0.0;  // trained length; 0: not known
};

// The last rotating pair: p-RoPE has unrotated pairs after it.
std::size_t last_turning(const ModelCurve& model) {
    std::size_t last = model.wavelength.size() - 1;
    while (last > 0 && !std::isfinite(model.wavelength[last])) --last;
    return last;
}

// Each distinct spectrum of the built-in models.
const std::vector<ModelCurve>& model_curves() {
    static const std::vector<ModelCurve> curves = [] {
        std::vector<ModelCurve> made;
        for (const ModelRow& row : ui::known_models()) {
            const auto spectrum = spectrum_of(row.scene);
            if (!spectrum || encoding_of(row.scene).acts != Acts::query_key) continue;
            const auto same = std::find_if(made.begin(), made.end(), [&](const ModelCurve& one) {
                return one.frequency == spectrum->frequency;
            });
            if (same != made.end()) {
                ++same->models;
                continue;
            }
            const std::string_view name = std::string_view(row.name).substr(row.name.find('/') + 1);
            made.push_back({name, 1, spectrum->frequency, log_wavelengths(*spectrum),
                            static_cast<double>(row.scene.trained.length.value_or(0))});
        }
        return made;
    }();
    return curves;
}

// The width of the longest of these curves.
std::size_t widest(std::span<const ModelCurve> models) {
    std::size_t pairs = 1;
    for (const ModelCurve& model : models) pairs = std::max(pairs, last_turning(model) + 1);
    return pairs;
}

// The model whose line is nearest to the mouse, within a few points.
const ModelCurve* model_at(const plot::Plot& p) {
    if (!p.over()) return nullptr;
    const Point mouse = p.frame.pointer->at;
    const std::span<const ModelCurve> models = model_curves();
    const auto found = plot::nearest(models.size(), 14.0F, [&](std::size_t i) {
        const double at = std::round(p.x.inverse(mouse.x));
        if (at < 0.0 || at >= static_cast<double>(models[i].wavelength.size())) return 1e9F;
        const double log = models[i].wavelength[static_cast<std::size_t>(at)];
        return std::isfinite(log) ? std::abs(p.y(log) - mouse.y) : 1e9F;
    });
    return found ? &models[*found] : nullptr;
}

// Names at the ends of lines, where they touch no other; of one that is lit, that one's alone.
void draw_names(const plot::Plot& p, const ModelCurve* lit) {
    const Frame& f = p.frame;
    const Rect plot = p.area;
    std::array<Rect, 24> placed{};
    std::size_t count = 0;
    const float length = p.y(std::log10(static_cast<double>(f.scene.length)));
    placed[count++] = {plot.x0, length - 20.0F, plot.x0 + 130.0F, length + 2.0F};  // its words stand there
    for (const ModelCurve& model : model_curves()) {
        if (lit != nullptr && lit != &model) continue;
        const std::size_t last = last_turning(model);
        const Point end = p.at(static_cast<double>(last), model.wavelength[last]);
        const float width = small_width(f, model.name);
        const float from = end.x + 6.0F + width > plot.x1 ? end.x - 6.0F - width : end.x + 6.0F;
        const Rect box{from - 3.0F, end.y - 9.0F, from + width + 3.0F, end.y + 7.0F};
        const bool outside = box.x0 < plot.x0 || end.x > plot.x1 + 1.0F || end.y < plot.y0;
        const bool taken = std::any_of(
            placed.begin(), placed.begin() + static_cast<std::ptrdiff_t>(count), [&](const Rect& other) {
                return box.x0 < other.x1 && other.x0 < box.x1 && box.y0 < other.y1 && other.y0 < box.y1;
            });
        if (outside || taken || count == placed.size()) continue;
        placed[count++] = box;
        f.canvas.fill(box, ui::faded(f.theme.tile, 0.8F), 3.0F);
        f.canvas.text({from, end.y + 4.0F}, model.name, small(f));
    }
}

}  // namespace

void draw_models(Frame& f, Rect area, const TrainingCurves& curves) {
    const auto& models = model_curves();
    const std::size_t pairs = std::max(widest(models), curves.wavelength.size());
    double most = curves.most;
    for (const ModelCurve& model : models)
        for (const double log : model.wavelength)
            if (std::isfinite(log)) most = std::max(most, log);
    const plot::Plot p(f, area, plot::pairs(f, pairs),
                       {plot::Kind::log, 0.0, std::ceil(most + 0.1), f.text("spectrum.axis")});
    if (!p.has_room()) return;
    const ModelCurve* lit = model_at(p);
    for (const ModelCurve& model : models)
        p.curve(model.wavelength, {ui::faded(f.theme.ink_faint, lit == nullptr ? 0.75F : 0.35F), 1.0F});
    if (lit != nullptr) p.curve(lit->wavelength, {f.theme.cosine, 2.2F});
    p.curve(curves.wavelength, {f.theme.ink, 2.0F});
    p.level(std::log10(static_cast<double>(f.scene.length)),
            f.format("spectrum.length", fmt::arg("length", ui::integer(f.scratch, f.scene.length))),
            {{f.theme.ink, 1.6F, 5.0F}});
    draw_names(p, lit);
    zoom_and_pan_pairs(f, p.area, p.x, pairs);
    if (lit == nullptr) return;
    const std::size_t pair = pair_at(p.x, f.pointer->at.x, lit->frequency.size());
    f.hovered.frequency = lit->frequency[pair];
    f.tip.formula = f.scratch.format("\\lambda_{{{}}} = \\frac{{2\\pi}}{{{}}}", pair,
                                     ui::significant(f.scratch, lit->frequency[pair], 4));
    f.tip.value = f.format(
        "spectrum.tip_value",
        fmt::arg("wavelength", ui::significant(f.scratch, 2.0 * std::numbers::pi / lit->frequency[pair], 6)));
    f.tip.details[0] = lit->models == 1 ? lit->name
                                        : f.format("spectrum.tip_models", fmt::arg("name", lit->name),
                                                   fmt::arg("others", lit->models - 1));
    if (lit->length > 0.0)
        f.tip.details[1] = f.format("spectrum.trained_length",
                                    fmt::arg("length", ui::integer(f.scratch, std::llround(lit->length))));
}

std::string_view models_headline(Frame& f) {
    const auto& models = model_curves();
    const ModelCurve *fastest = nullptr, *slowest = nullptr;
    const auto end = [](const ModelCurve& model) { return model.wavelength[last_turning(model)]; };
    for (const ModelCurve& model : models) {
        if (fastest == nullptr || end(model) < end(*fastest)) fastest = &model;
        if (slowest == nullptr || end(model) > end(*slowest)) slowest = &model;
    }
    if (fastest == nullptr) return {};
    const auto needs = [&](const ModelCurve& model) {
        return ui::significant(f.scratch, std::pow(10.0, end(model)), 3);
    };
    return f.format("spectrum.headline_models", fmt::arg("least", needs(*fastest)),
                    fmt::arg("fast", fastest->name), fmt::arg("most", needs(*slowest)),
                    fmt::arg("slow", slowest->name));
}

}  // namespace posiscope::figures::spectrum
