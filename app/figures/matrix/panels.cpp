// panels.cpp — makes the tables and their dot products. They cost a bounded number of products, however long the table.
#include "app/figures/matrix/panels.hpp"

#include "app/canvas/heatmap.hpp"
#include "core/cost.hpp"
#include "core/encodings/learned.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posiscope::figures::matrix {
namespace {

constexpr int kMostDots = 192;         // a side of the picture of dot products
constexpr double kMostProducts = 8e6;  // multiplied for one
constexpr double kProduct = 1.3;       // units of one

ActionInput with_encoding(const ActionInput& scene, const Json& encoding) {
    ActionInput made = scene;
    made.encoding = overlay(Scene(), {{"encoding", encoding}})->scene.encoding;
    return made;
}

bool has_rows(const ActionInput& scene) { return encoding_of(scene).rows; }
bool from_file(const ActionInput& scene) { return has_rows(scene) && file_of(scene) != nullptr; }

// Beside a sinusoidal table one that ends at three quarters of the length, so that its end is seen; beside a trained one
// as many numbers of the same size.
ActionInput seeded_input(const ActionInput& scene) {
    if (has_rows(scene) && !from_file(scene)) return scene;
    std::int64_t rows = std::max<std::int64_t>(scene.length - scene.length / 4, 1);
    double deviation = 0.02;
    if (from_file(scene))
        if (const auto numbers = learned_numbers(scene)) {
            rows = std::max<std::int64_t>(numbers->rows, 1);
            deviation = std::clamp(numbers->deviation, 1e-6, 1e3);
        }
    return with_encoding(
        scene, {{"kind", "learned"}, {"max_position_embeddings", rows}, {"initializer_range", deviation}});
}

std::vector<double> row_of(const Panel& panel, std::int64_t width, std::int64_t position) {
    spend(panel.action->cost + static_cast<double>(width));
    std::vector<double> row(static_cast<std::size_t>(width), 0.0);
    if (position < panel.end) panel.action->add(position, row);
    return row;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
    spend(kProduct * static_cast<double>(a.size()));
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void measure(Panel& panel, const Panels& panels) {
    if (!panel.action) return;
    std::vector<std::vector<double>> rows;
    rows.reserve(static_cast<std::size_t>(panels.side));
    for (int at = 0; at < panels.side; ++at) rows.push_back(row_of(panel, panels.width, panels.position(at)));
    for (const auto& a : rows)
        for (const auto& b : rows) panel.dots.push_back(static_cast<float>(product(a, b)));
    panel.dots_key = canvas::samples_key(panel.dots);
    double largest = 0.0;
    for (const float dot : panel.dots) largest = std::max(largest, std::abs(static_cast<double>(dot)));
    if (largest > 0.0) panel.largest = largest;
    // A few dozen neighbours, evenly over the rows of the table.
    const std::int64_t last = std::min(panel.end, panels.rows) - 1, count = std::min<std::int64_t>(last, 48);
    for (std::int64_t n = 0; n < count; ++n) {
        const std::int64_t at = n * last / count;
        const auto a = row_of(panel, panels.width, at), b = row_of(panel, panels.width, at + 1);
        const double lengths = std::sqrt(product(a, a) * product(b, b));
        if (lengths > 0.0) panel.neighbours += product(a, b) / lengths / static_cast<double>(count);
    }
}

void add(Panels& panels, std::string_view name, const ActionInput& input) {
    Panel& panel = panels.list[panels.count++];
    panel.name = name;
    panel.action = action_of(input);
    panel.end = panel.action ? panel.action->positions : 0;
    if (!has_rows(input)) {
        panel.spectrum = spectrum_of(input).value_or(Spectrum{});
        panel.order = encoding_of(input).layout(input);
    } else if (const auto numbers = learned_numbers(input)) {
        const double most = std::max(-numbers->least, numbers->most);
        panel.range = std::max(std::min(most, 3.0 * numbers->deviation), 1e-12);
    }
}

}  // namespace

Panels make_panels(const ActionInput& scene) {
    Panels made;
    const bool learned = has_rows(scene);
    add(made, "sinusoidal", learned ? with_encoding(scene, "sinusoidal") : scene);
    add(made, "seeded", seeded_input(scene));
    if (from_file(scene)) add(made, "file", scene);
    made.width = scene.d_model;
    made.rows = scene.length;
    if (learned)  // a third of its length past the end
        made.rows = std::clamp(made.learned().end + made.learned().end / 3 + 1, made.rows, kLastPosition);
    const double room = std::sqrt(kMostProducts / static_cast<double>(made.width));
    const double most = std::min(static_cast<double>(kMostDots), static_cast<double>(made.rows));
    made.side = static_cast<int>(std::clamp(room, 1.0, most));
    for (std::size_t i = 0; i < made.count; ++i) measure(made.list[i], made);
    return made;
}

}  // namespace posiscope::figures::matrix
