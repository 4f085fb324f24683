// small_scenes.hpp — small scenes of every kind, scaling, layout, grid and typed encoding; the same ones in every run.
#pragma once

#include "core/encodings/encodings.hpp"

#include <random>

namespace posiscope::test {

class SmallScenes {
public:
    explicit SmallScenes(std::uint64_t seed) : engine_(seed) {}

    // Small enough for every pair of tokens to be tried.
    Scene next() {
        for (;;) {
            const std::int64_t width = 4 * (1 + below(6)), heads = one_in(3) ? 2 : 1;
            Json partial{{"d_model", width * heads},
                         {"num_heads", heads},
                         {"length", 1 + below(20)},
                         {"base", of({10000.0, 100.0, 500000.0, 2.0})},
                         {"layout", one_in(2) ? "interleaved" : "half"},
                         {"causal", one_in(2)},
                         {"content", one_in(2) ? "seeded" : "equal"},
                         {"encoding", encoding(width)}};
            if (one_in(2)) partial["trained"] = {{"length", 1 + below(12)}};
            const auto laid = overlay(Scene(), partial);
            if (!laid) continue;
            Scene scene = laid->scene;
            scene.position = below(scene.length);
            scene.offset = below(scene.length) - scene.position;
            scene.pair = below(std::max<std::int64_t>(encoding_of(scene).pairs(scene), 1));
            return scene;
        }
    }
    std::int64_t below(std::int64_t end) {
        return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(end));
    }

private:
    bool one_in(std::int64_t n) { return below(n) == 0; }
    template <class T>
    T of(std::initializer_list<T> list) {
        return *(list.begin() + below(std::ssize(list)));
    }

    Json rope(std::int64_t width) {
        Json made{{"kind", "rope"}};
        if (one_in(3))
            made["rope_scaling"] =
                of<Json>({{{"rope_type", "linear"}, {"factor", 4.0}},
                          {{"rope_type", "dynamic"}, {"factor", 2.0}},
                          {{"rope_type", "ntk"}, {"alpha", 8.0}},
                          {{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 8}},
                          {{"rope_type", "llama3"},
                           {"factor", 8.0},
                           {"low_freq_factor", 1.0},
                           {"high_freq_factor", 4.0},
                           {"original_max_position_embeddings", 16}}});
        if (one_in(4)) made["rotary_dim"] = width / 2 + width / 2 % 2;
        switch (below(7)) {
            case 0: made["grid"] = {1 + below(3), 1 + below(3), 1 + below(4)}; [[fallthrough]];
            case 1: made["mrope_section"] = {width / 4, width / 8, width / 2 - width / 4 - width / 8}; break;
            case 2: made["dual_chunk_attention_config"] = {{"chunk_size", 6}, {"local_size", 2}}; break;
            case 3: made["sliding_window"] = 1 + below(8); break;
            case 4: made["no_rope_layer_interval"] = 2, made["layer"] = below(2); break;
            default: break;
        }
        return made;
    }
    Json own() {
        Json made{{"kind", "own"}};
        if (!one_in(8)) made["frequency"] = of<std::string>({"b^(-2i/d)", "1/(1+i)", "0.3*i", "pi/4"});
        if (one_in(4))
            made["position"] = of<std::string>({"sqrt(p)", "log(1+p)", "p/3", "p + 0.25", "floor(p/2)"});
        if (one_in(4))
            made["distance"] =
                of<std::string>({"min(abs(D),4)*sign(D)", "log(1+abs(D))*sign(D)", "q - k/2", "D"});
        if (one_in(4)) made["amplitude"] = of<std::string>({"exp(-0.05*abs(D))", "1/(1+i)", "1+0*D"});
        if (one_in(5)) made["bias"] = of<std::string>({"-0.1*abs(D)", "h - D/9"});
        if (one_in(6)) made["scale"] = "1 + 0.01*q";
        if (one_in(6)) made["add"] = "sin(p/(1+j))";
        if (one_in(6)) made["axis"] = "mod(i,3)", made["grid"] = {2, 3, 1 + below(4)};
        return made;
    }
    Json encoding(std::int64_t width) {
        switch (below(7)) {
            case 0:
                return {{"kind", "sinusoidal"},
                        {"variant",
                         of<std::string>({"paper", "halves", "tensor2tensor", "two_pi", "double_exponent"})}};
            case 1: return {{"kind", "xpos"}, {"scale_base", of({8.0, 512.0})}};
            case 2: {
                Json made{{"kind", "rope_2d"}, {"axis_order", one_in(2) ? "xy" : "yx"}};
                if (!one_in(3)) made["grid_width"] = 1 + below(6);
                return made;
            }
            case 3: return std::string(one_of_all());
            case 4:
            case 5: return own();
            default: return rope(width);
        }
    }
    std::string_view one_of_all() {
        const auto kinds = encoding_kinds();
        return kinds[static_cast<std::size_t>(below(std::ssize(kinds)))];
    }

    std::mt19937_64 engine_;
};

}  // namespace posiscope::test
