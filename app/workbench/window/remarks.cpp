#include "app/workbench/window/remarks.hpp"

#include "core/encodings/encodings.hpp"
#include "core/models/models.hpp"

namespace posiscope::workbench {

void Notes::set_origin(std::vector<Problem> notes, const Choice& encoding) {
    origin_ = std::make_shared<const std::vector<Problem>>(std::move(notes));
    origin_encoding_ = encoding;
}

std::span<const std::string> Notes::of(const Scene& scene, const Strings& strings) {
    const auto& remarks = remarks_.get(scene, [](const ActionInput& input) { return remarks_on(input); });
    const Key wanted{remarks, scene.encoding == origin_encoding_ ? origin_ : nullptr, strings.language(),
                     &strings};
    return *said_.get(wanted, [](const Key& key) {
        std::vector<std::string> said;
        for (const Problem& remark : *key.remarks) said.push_back(key.strings->sentence_in_window(remark));
        if (key.origin != nullptr)
            for (const Problem& note : *key.origin) said.push_back(key.strings->sentence_in_window(note));
        return said;
    });
}

const panels::Method& Notes::method(const Scene& scene) {
    return *method_.get(scene, [](const SpectrumInput& input) { return panels::method_of(input); });
}

}  // namespace posiscope::workbench
