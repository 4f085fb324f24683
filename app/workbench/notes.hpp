// notes.hpp — remarks in the sidebar that stay while they apply: settings without effect, the source of a model's
// settings, and the scaling they amount to.
#pragma once

#include "app/figures/parts/derived.hpp"
#include "app/panels/context.hpp"
#include "app/ui/strings.hpp"

namespace posiscope::workbench {

class Notes {
public:
    // A model's notes about the settings in `encoding`, shown while the Scene keeps those settings.
    void set_origin(std::vector<Problem> notes, const Choice& encoding);
    // A file that the Scene names has changed.
    void forget() { said_ = {}; }

    std::span<const std::string> of(const Scene& scene, const Strings& strings);
    const panels::Method& method(const Scene& scene);

private:
    // Encoding, base, d_model, num_heads, length, head_dim, trained length, language.
    using Key = std::tuple<Choice, double, std::int64_t, std::int64_t, std::int64_t,
                           std::optional<std::int64_t>, std::optional<std::int64_t>, Language>;
    using MethodKey = std::tuple<Choice, double, std::int64_t, std::int64_t, std::optional<std::int64_t>>;

    std::vector<Problem> origin_;
    Choice origin_encoding_;
    figures::Memo<Key, std::vector<std::string>> said_;
    figures::Memo<MethodKey, panels::Method> method_;
};

}  // namespace posiscope::workbench
