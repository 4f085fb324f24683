// Features turned by rotary encodings.
#include "core/attention/attention.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/encodings/turning.hpp"
#include "core/encodings/xpos.hpp"
#include "tests/reference/reference.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace posiscope::reference {
namespace {

Spectrum plain(double base, std::int64_t rotary_dim) {
    RopeContext context;
    context.base = base;
    context.rotary_dim = context.head_dim = rotary_dim;
    return unscaled_spectrum(context);
}

double furthest(const Json& positions) {
    const auto values = flat(positions);
    return *std::max_element(values.begin(), values.end());
}

// Rows of `width` features; `turn` gets the row's index.
template <class Turn>
std::vector<double> each_row(std::vector<double> x, std::int64_t width, Turn turn) {
    for (std::int64_t i = 0; i * width < static_cast<std::int64_t>(x.size()); ++i)
        turn(i, std::span(x).subspan(static_cast<std::size_t>(i * width), static_cast<std::size_t>(width)));
    return x;
}

void apply(Case& c) {
    const Json& inputs = c.inputs();
    const Json& vectors =
        inputs.contains("same_qk_as") ? c.other(inputs["same_qk_as"].get<std::size_t>()) : inputs;
    const auto name = c.name();
    ASSERT_TRUE(name.starts_with("half") || name.starts_with("interleaved")) << name;
    const PairLayout layout = name.starts_with("half") ? PairLayout::halves : PairLayout::interleaved;
    const auto positions = whole(inputs.at("positions"));
    const Spectrum spectrum =
        plain(inputs.at("base").get<double>(), inputs.at("rotary_dim").get<std::int64_t>());
    for (const char* which : {"q", "k"}) {
        const Json& x = vectors.at(which);
        const auto turned = each_row(
            flat(x), static_cast<std::int64_t>(extent(x, 2)), [&](std::int64_t i, std::span<double> row) {
                const auto at = positions[static_cast<std::size_t>(i) % positions.size()];
                turn_features(row, spectrum, layout, {}, {static_cast<double>(at)});
            });
        c.expect(std::string(which) + "_out", turned, furthest(inputs.at("positions")));
    }
}

void xpos(Case& c) {
    const bool scores = !c.inputs().contains("x");
    const Json& inputs = scores ? c.other(0) : c.inputs();
    const Json& x = inputs.at("x");
    const auto length = static_cast<std::int64_t>(extent(x, 1)),
               width = inputs.at("head_dim").get<std::int64_t>();
    const std::int64_t offset = inputs.value("offset", std::int64_t{0});
    const Spectrum spectrum = xpos_spectrum(10000.0, width, inputs.at("scale_base").get<double>());
    const auto turned = [&](Side side) {
        return each_row(flat(x), width, [&](std::int64_t i, std::span<double> row) {
            const Turning turning{.spectrum = spectrum, .centre = xpos_centre(length + offset)};
            turning.rotate(side, offset + i % length, PairLayout::interleaved, row);
        });
    };
    const auto angle = static_cast<double>(offset + length);
    if (!scores) {
        c.expect("output", turned(inputs.at("downscale").get<bool>() ? Side::key : Side::query), angle);
        return;
    }
    const auto q = turned(Side::query), k = turned(Side::key);
    std::vector<double> products;
    for (std::int64_t b = 0; b < static_cast<std::int64_t>(x.size()); ++b)
        for (std::int64_t i = 0; i < length; ++i)
            for (std::int64_t j = 0; j < length; ++j) {
                double sum = 0.0;
                for (std::int64_t f = 0; f < width; ++f)
                    sum += q[static_cast<std::size_t>((b * length + i) * width + f)] *
                           k[static_cast<std::size_t>((b * length + j) * width + f)];
                products.push_back(sum);
            }
    c.expect("output", products, angle);
}

void mrope(Case& c) {
    const Json& inputs = c.inputs();
    const Json& same =
        inputs.contains("same_q_as") ? c.other(inputs["same_q_as"].get<std::size_t>()) : inputs;
    const Json& positions =
        inputs.contains("positions_thw") ? inputs["positions_thw"] : same.at("positions_thw");
    const Json& q = same.at("q");
    const auto width = static_cast<std::int64_t>(extent(q, 2));
    const auto tokens = extent(positions, 1);
    const Spectrum spectrum = plain(inputs.at("base").get<double>(), width);
    const auto axes = mrope_axes(whole(inputs.at("mrope_section")), width / 2,
                                 c.name().find("interleaved") != std::string::npos);
    const auto at = [&](std::int64_t i) {
        const auto token = static_cast<std::size_t>(i) % tokens;
        return AxisPositions{positions[0][token].get<std::int64_t>(), positions[1][token].get<std::int64_t>(),
                             positions[2][token].get<std::int64_t>(), 0};
    };
    c.expect("output",
             each_row(flat(q), width,
                      [&](std::int64_t i, std::span<double> row) {
                          turn_features(row, spectrum, PairLayout::halves, axes, places_of(at(i)));
                      }),
             furthest(positions));
    if (!c.has("angles")) return;
    std::vector<double> angles;
    for (std::size_t token = 0; token < tokens; ++token)
        for (std::size_t i = 0; i < spectrum.pairs(); ++i)
            angles.push_back(spectrum.frequency[i] * static_cast<double>(at(static_cast<std::int64_t>(
                                                         token))[static_cast<std::size_t>(axes[i])]));
    c.expect("angles", angles, furthest(positions));
}

void axial(Case& c) {
    const Json& inputs = c.inputs();
    const bool vision = inputs.contains("hw_positions");
    const auto width = inputs.at(vision ? "head_dim" : "dim").get<std::int64_t>();
    const Spectrum spectrum = axial_spectrum(inputs.at("theta").get<double>(), width);
    const auto axes = axial_axes(width);
    const Json& q = vision ? c.other(0).at("q") : inputs.at("q");  // [heads, tokens, width]
    const std::size_t heads = q.size(), tokens = extent(q, 1);
    const auto at = [&](std::size_t token) {
        if (vision) {
            const auto hw = whole(inputs.at("hw_positions")[token]);
            return AxisPositions{hw[0], hw[1], 0, 0};
        }
        const auto columns = inputs.at("end_x").get<std::size_t>();
        return AxisPositions{static_cast<std::int64_t>(token % columns),
                             static_cast<std::int64_t>(token / columns), 0, 0};
    };
    std::vector<double> output, angles;
    const auto turn = [&](std::size_t head, std::size_t token) {
        auto row = flat(q[head][token]);
        turn_features(row, spectrum, vision ? PairLayout::halves : PairLayout::interleaved, axes,
                      places_of(at(token)));
        output.insert(output.end(), row.begin(), row.end());
    };
    if (vision) {
        for (std::size_t token = 0; token < tokens; ++token)
            for (std::size_t head = 0; head < heads; ++head) turn(head, token);
    } else {
        for (std::size_t head = 0; head < heads; ++head)
            for (std::size_t token = 0; token < tokens; ++token) turn(head, token);
    }
    for (std::size_t token = 0; token < tokens; ++token)
        for (std::size_t i = 0; i < spectrum.pairs(); ++i)
            angles.push_back(spectrum.frequency[i] *
                             static_cast<double>(at(token)[static_cast<std::size_t>(axes[i])]));
    const double largest = *std::max_element(angles.begin(), angles.end());
    c.expect("output", output, largest);
    c.expect(vision ? "angles_half" : "angles", angles, largest);
}

void nope(Case& c) {
    const Json& inputs = c.inputs();
    if (inputs.contains("num_hidden_layers")) {
        std::vector<double> layers;
        const auto interval = inputs.at("no_rope_layer_interval").get<std::int64_t>();
        for (std::int64_t layer = 0; layer < inputs.at("num_hidden_layers").get<std::int64_t>(); ++layer)
            layers.push_back(layer_uses_rope({}, interval, layer) ? 1.0 : 0.0);
        c.expect("no_rope_layers", layers);
        return;
    }
    std::vector<double> factors;
    for (const std::int64_t position : whole(inputs.at("positions")))
        factors.push_back(nope_query_factor(position, inputs.at("floor_scale").get<double>(),
                                            inputs.at("attn_scale").get<double>()));
    c.expect("query_multiplier", factors);
}

// ggml's modes are bits: 2 half pairs, 8 sections, 24 vision, 40 interleaved sections.
void ggml(Case& c) {
    const Json& in = c.inputs();
    const auto mode = in.at("mode").get<int>();
    ASSERT_TRUE(mode == 0 || mode == 2 || mode == 8 || mode == 24 || mode == 40) << "an unknown mode";
    const auto turned_dims = in.at("n_dims").get<std::int64_t>(), width = in.at("ne0").get<std::int64_t>();
    const auto heads = in.at("n_head").get<std::int64_t>(), tokens = in.at("n_tokens").get<std::int64_t>();
    RopeContext context;
    context.base = in.at("freq_base").get<double>();
    context.head_dim = context.rotary_dim = turned_dims;
    const double scale = in.at("freq_scale").get<double>(), extrapolation = in.at("ext_factor").get<double>();
    const Json settings = extrapolation != 0.0
                              ? Json{{"rope_type", "yarn"},
                                     {"factor", 1.0 / scale},
                                     {"original_max_position_embeddings", in.at("n_ctx_orig")},
                                     {"beta_fast", in.at("beta_fast")},
                                     {"beta_slow", in.at("beta_slow")},
                                     {"extrapolation_factor", extrapolation},
                                     {"attn_factor", in.at("attn_factor")}}
                              : Json{{"rope_type", "linear"}, {"factor", 1.0 / scale}};
    const auto chosen = choose_scaling(settings, "rope_scaling");
    ASSERT_TRUE(chosen) << to_string(chosen.error());
    auto made = scaled_spectrum(context, *chosen);
    ASSERT_TRUE(made) << to_string(made.error());
    if (extrapolation == 0.0) made->attention_factor = in.at("attn_factor").get<double>();
    std::vector<double> frequency = made->frequency;
    const auto divisors = flat(in.at("freq_factors"));
    for (std::size_t i = 0; i < divisors.size(); ++i) frequency[i] /= divisors[i];
    const auto sections = whole(in.at("sections"));
    std::vector<int> axes(frequency.size(), 0);
    if (mode == 8 || mode == 40) axes = mrope_axes(sections, turned_dims / 2, mode == 40, 3);
    if (mode == 24) {  // all of the row turns, each section from its own first frequency on
        axes = mrope_axes(sections, width / 2, false);
        std::vector<double> restarted;
        for (std::int64_t i = 0; i < width / 2; ++i)
            restarted.push_back(frequency[static_cast<std::size_t>(i < sections[0] ? i : i - sections[0])]);
        frequency = restarted;
    }
    const Spectrum spectrum = spectrum_from(frequency, made->attention_factor);
    const auto positions = whole(in.at("positions"));
    const auto at = [&](std::int64_t token) {
        AxisPositions axis{};
        for (std::size_t a = 0; a < 4; ++a)
            axis[a] = positions[(mode & 8) != 0
                                    ? a * static_cast<std::size_t>(tokens) + static_cast<std::size_t>(token)
                                    : static_cast<std::size_t>(token)];
        return axis;
    };
    const PairLayout layout = mode == 0 ? PairLayout::interleaved : PairLayout::halves;
    c.expect("output",
             each_row(flat(in.at("x")), width,
                      [&](std::int64_t i, std::span<double> row) {
                          turn_features(row, spectrum, layout, axes, places_of(at(i / heads)));
                      }),
             furthest(in.at("positions")));
}

}  // namespace

Handlers rotary_handlers() {
    return {
        {"rotary_apply", {"apply_rotary_pos_emb", apply}},
        {"xpos", {"XPOS.forward", xpos}},
        {"mrope", {"apply_multimodal_rotary_pos_emb", mrope}},
        {"rope_2d_axial", {"compute_axial_cis", axial}},
        {"llama4_nope", {"no_rope_layers", nope}},
        {"ggml_rope", {"ggml_rope_ext", ggml}},
    };
}

}  // namespace posiscope::reference
