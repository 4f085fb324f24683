// Configs of model families: the frequencies, scale, layout, layers and window that their official code gives.
#include "core/encodings/rope_layers.hpp"
#include "core/encodings/rope_settings.hpp"
#include "core/models/config.hpp"
#include "core/models/config_parts.hpp"
#include "core/models/families.hpp"
#include "tests/reference/reference.hpp"

#include <gtest/gtest.h>

namespace posiscope::reference {
namespace {

Scene laid(const Scene& scene, const Json& partial) {
    auto made = overlay(scene, partial);
    if (!made) throw std::runtime_error(to_string(made.error()));
    return std::move(made->scene);
}

// The Scene with that kind of layer, and its layers by number.
Scene of_kind(const Scene& scene, const std::string& name, std::vector<double>& layers) {
    const RopeLayers known = rope_layers(scene);
    for (std::size_t k = 0; k < known.kinds.size(); ++k) {
        const int type = known.kinds[k].type;
        if (type < 0 || known.types[static_cast<std::size_t>(type)] != name) continue;
        for (std::size_t l = 0; l < known.layers.size(); ++l)
            if (known.layers[l].type == type) layers.push_back(static_cast<double>(l));
        return laid(scene, {{"encoding", with_kind(scene, known, k)}});
    }
    throw std::runtime_error("there is no kind " + name);
}

void rope(Case& c, Scene scene) {
    std::vector<double> layers;
    if (c.inputs().contains("kind")) scene = of_kind(scene, c.input("kind").get<std::string>(), layers);
    if (c.inputs().contains("length")) scene = laid(scene, {{"length", c.input("length")}});
    const auto settings = rope_settings(scene);
    ASSERT_TRUE(settings) << to_string(settings.error());
    const auto spectrum = spectrum_of(scene);
    ASSERT_TRUE(spectrum) << to_string(spectrum.error());
    const auto compare = [&](const char* key, std::vector<double> got) {
        if (c.has(key)) c.expect(key, got);
    };
    compare("interleaved", {scene.layout == PairLayout::interleaved ? 1.0 : 0.0});
    compare("rotates", {settings->turns ? 1.0 : 0.0});
    compare("window", {static_cast<double>(settings->window.value_or(settings->chunk.value_or(0)))});
    compare("inv_freq", spectrum->frequency);
    compare("attention_factor", {spectrum->attention_factor});
    compare("softmax_factor", {spectrum->logit_factor});
    compare("rotary_offset", {static_cast<double>(settings->rotary_offset)});
    compare("layers", layers);
    compare("trained_length", {static_cast<double>(scene.trained.length.value_or(0))});
    compare("reach", {static_cast<double>(reach_of(scene))});
    if (settings->chunks) {
        compare("key_factor", {settings->chunks->key_factor(scene.length)});
        std::vector<double> distances;
        for (std::int64_t i = 0; i < std::min<std::int64_t>(scene.length, 20); ++i)
            for (std::int64_t j = 0; j <= i; ++j)
                distances.push_back(static_cast<double>(settings->chunks->distance(i, j)));
        compare("distances", distances);
    }
    std::vector<double> factors;
    for (const std::int64_t position : {0, 16383, 16384, 131072})
        factors.push_back(query_factor(position, settings->query_beta, settings->query_original));
    compare("query_factors", factors);
}

void family(Case& c) {
    const auto model = read_config(c.input("config"));
    ASSERT_TRUE(model) << to_string(model.error());
    const Scene scene = laid(Scene(), model->scene);
    ASSERT_EQ(scene.encoding.kind, c.input("encoding").get<std::string>());
    if (scene.encoding.kind == "rope") return rope(c, scene);
    const auto number = [&](const char* key) { return scene.encoding.parameters.at(key).get<double>(); };
    if (scene.encoding.kind == "rope_2d") c.expect("axes", spectrum_of(scene)->frequency);
    if (scene.encoding.kind == "none") c.expect("heads", std::vector{static_cast<double>(scene.num_heads)});
    if (scene.encoding.kind == "t5") c.expect("buckets", std::vector{number("num_buckets")});
    if (scene.encoding.kind == "learned") {
        c.expect("first_row", std::vector{number("position_offset")});
        c.expect("positions", std::vector{number("max_position_embeddings")});
    }
    if (scene.encoding.kind == "alibi") {
        const auto action = action_of(scene);
        ASSERT_TRUE(action);
        std::vector<double> slopes;
        // BLOOM's bias is m_h j, equal to the others' after softmax.
        for (std::int64_t head = 0; head < scene.num_heads; ++head)
            slopes.push_back(action->bias(head, 1, 1) - action->bias(head, 1, 0));
        c.expect("slopes", slopes);
        c.expect("width", std::vector{static_cast<double>(scene.d_model)});
    }
    if (scene.encoding.kind == "sinusoidal") {
        const auto spectrum = spectrum_of(scene);
        ASSERT_TRUE(spectrum);
        std::vector<double> table;
        for (std::int64_t p = 0; p < 3; ++p)
            for (std::int64_t d = 0; d < scene.d_model; ++d)
                table.push_back(table_value(*spectrum, encoding_of(scene).layout(scene), p, d));
        c.expect("table", table);
    }
}

std::set<std::string> types_in_fixtures() {
    std::set<std::string> types;
    const std::function<void(const Json&)> collect = [&](const Json& json) {
        if (!json.is_object()) return;
        for (const auto& [key, value] : json.items())
            if (key == "model_type" && value.is_string()) types.insert(value.get<std::string>());
            else collect(value);
    };
    for (const Json& one : load("families").cases) {
        collect(one.at("inputs").at("config"));
        std::string ignored;  // a params.json has no model_type of its own
        types.insert(language_part(one.at("inputs").at("config"), ignored).value("model_type", ""));
    }
    return types;
}

// Every row of the table has a config here, or is one that is refused.
TEST(Families, EveryRowHasAFixture) {
    const std::set<std::string> types = types_in_fixtures();
    for (const ModelFamily& row : families()) {
        if (row.encoding == "refused") continue;
        std::string_view names = row.type;
        bool found = false;
        while (!names.empty()) {
            const std::size_t end = std::min(names.find(' '), names.size());
            found = found || types.contains(std::string(names.substr(0, end)));
            names.remove_prefix(std::min(end + 1, names.size()));
        }
        EXPECT_TRUE(found) << row.type;
    }
}

}  // namespace

Handlers family_handlers() { return {{"families", {"families", family}}}; }

}  // namespace posiscope::reference
