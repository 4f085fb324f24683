#include "app/figures/attention/attention.hpp"

namespace posiscope::figures::attention {

using ui::Face;

std::string_view headline(Frame& f) {
    if (f.mode == "heads" || f.mode == "all_heads") return heads_headline(f);
    if (f.mode == "joined") return joined_headline(f);
    if (f.other != nullptr && f.other->difference) return difference_headline(f);
    const Sentence& s = *sentence(f, f.scene, f.derived);
    if (s.words.empty()) return f.text("attention.headline_empty");
    if (s.problem) return {};
    if (s.alone) return stored_headline(f, s);
    if (s.size() == 1) return f.text("attention.headline_one");
    if (!s.reordered()) return f.text("attention.headline_typed");
    const auto residual = ui::residual(f.scratch, s.plain_residual, s.largest_output);
    const std::string& word = s.words[s.most_changed];
    if (s.plain()) return f.format("attention.headline_plain", fmt::arg("residual", residual));
    if (!s.changed(s.most_changed))
        return f.format(
            s.reversed() && s.size() > 2 ? "attention.headline_reversal" : "attention.headline_same",
            fmt::arg("encoding", f.text(f.scratch.format("option.encoding.{}.name", s.scene.encoding.kind))),
            fmt::arg("residual", ui::residual(f.scratch, s.changes[s.most_changed], s.largest_output)));
    const std::string_view encoding =
        f.text(f.scratch.format("option.encoding.{}.name", s.scene.encoding.kind));
    return f.format(encodes_nothing(s.scene) ? "attention.headline_mask"
                    : s.scene.causal         ? "attention.headline_both"
                                             : "attention.headline_encoding",
                    fmt::arg("encoding", encoding),
                    fmt::arg("word", cells::shortened(f, word, Face::text, 14.5F, 120.0F)),
                    fmt::arg("change", ui::significant(f.scratch, s.changes[s.most_changed], 2)));
}

}  // namespace posiscope::figures::attention
