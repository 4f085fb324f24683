// claim_controls.hpp — each claim's controls at several values: what its number and its sentence have to hold for.
#pragma once

#include "core/claims/claims.hpp"

#include <fmt/format.h>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace posiscope::test {

// Some values of a key of the Scene.
inline Json values_of(std::string_view key) {
    if (key == "d_model") return Json::array({2, 6, 12, 64, 1024});
    if (key == "length") return Json::array({1, 7, 44, 1000});
    if (key == "offset") return Json::array({0, -4, 43});
    if (key == "position") return Json::array({0, 5, 300000});
    if (key == "pair") return Json::array({0, 1, 20});
    if (key == "base") return Json::array({1e18, 100, 2.25});
    if (key == "shift") return Json::array({0, 1, 5000});
    if (key == "causal") return Json::array({true, false});
    if (key == "trained.length") return Json::array({16, 512, 4096});
    if (key == "content")
        return *parse_json(
            R"(["equal", {"kind": "seeded", "weights": "identity"}, {"kind": "seeded", "seed": 7},
            {"kind": "tokens"}])");
    if (key == "encoding")
        return *parse_json(
            R"(["sinusoidal", {"kind": "sinusoidal", "variant": "two_pi"}, "rope", "xpos", "alibi", "t5", "none",
            {"kind": "learned", "max_position_embeddings": 64},
            {"kind": "rope", "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                "high_freq_factor": 4.0, "original_max_position_embeddings": 64}}])");
    throw std::logic_error("no values of " + std::string(key));
}

struct ClaimAt {
    const Claim& claim;
    const Scene& scene;
    const Residual& residual;
    std::string where;
};

// The claim's own scene and the one on the other side, and from each one control at a time. What is out of bounds, or refused, is
// left out.
inline void move_controls(const Claim& claim, const std::function<void(const ClaimAt&)>& visit) {
    if (claim.measure == nullptr) return;
    std::vector<Scene> from{*scene_of(claim)};
    if (!claim.other.is_null()) from.push_back(overlay(from.front(), claim.other)->scene);
    for (const Scene& scene : from) visit({claim, scene, *measure(*claim.measure, scene), claim.id});
    for (const std::string& control : claim.controls)
        for (const Json& to : values_of(control))
            for (const Scene& scene : from) {
                const Json partial =
                    control == "trained.length" ? Json{{"trained", {{"length", to}}}} : Json{{control, to}};
                const auto laid = overlay(scene, partial);
                if (!laid) continue;
                const auto made = measure(*claim.measure, laid->scene);
                if (!made) continue;
                visit({claim, laid->scene, *made,
                       fmt::format("{}: {} = {}, {}", claim.id, control, to.dump(), made->said())});
            }
}

}  // namespace posiscope::test
