#include "app/workbench/notes.hpp"

#include "core/encodings/encodings.hpp"
#include "core/models/models.hpp"

namespace posiscope::workbench {

void Notes::set_origin(std::vector<Problem> notes, const Choice& encoding) {
    origin_ = std::move(notes);
    origin_encoding_ = encoding;
    forget();
}

std::span<const std::string> Notes::of(const Scene& scene, const Strings& strings) {
    const Language language = strings.language();
    const auto key = std::tie(scene.encoding, scene.base, scene.d_model, scene.num_heads, scene.length,
                              scene.head_dim, scene.trained.length, language);
    return said_.get(key, [&] {
        std::vector<std::string> said;
        for (const Problem& remark : remarks_on(scene)) said.push_back(strings.sentence(remark));
        if (scene.encoding == origin_encoding_)
            for (const Problem& note : origin_) said.push_back(strings.sentence(note));
        return said;
    });
}

const panels::Method& Notes::method(const Scene& scene) {
    const auto key = std::tie(scene.encoding, scene.base, scene.d_model, scene.num_heads, scene.head_dim);
    return method_.get(key, [&] { return panels::method_of(scene); });
}

}  // namespace posiscope::workbench
