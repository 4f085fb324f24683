// remarks.hpp — remarks in the sidebar that stay while they apply: settings without effect, the source of a model's
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
    void forget() { remarks_ = {}; }
    void copy_view_state(const Notes& other) {  // says the same
        origin_ = other.origin_;
        origin_encoding_ = other.origin_encoding_;
    }

    std::span<const std::string> of(const Scene& scene, const Strings& strings);
    const panels::Method& method(const Scene& scene);

private:
    struct Key {
        figures::Kept<std::vector<Problem>> remarks, origin;
        Language language;
        const Strings* strings;  // of that language
        bool operator==(const Key&) const = default;
    };

    figures::Kept<std::vector<Problem>> origin_;
    Choice origin_encoding_;
    figures::Memo<ActionInput, std::vector<Problem>> remarks_;
    figures::Memo<Key, std::vector<std::string>> said_;
    figures::Memo<SpectrumInput, panels::Method> method_;
};

}  // namespace posiscope::workbench
