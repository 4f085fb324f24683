// link.hpp — a Scene in the address of a page: "#scene=" and the keys that differ from the default Scene as JSON, escaped
// for an address. It names its version, so that an old link shows what it showed. "&figure=matrix" may follow: that figure
// alone. Files in the working directory are named without it.
// Compressing would save half but make a link that nobody can read or mend; most have less than 2 kB.
#pragma once

#include "core/scene/scene.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace posiscope {

// "#scene=%7B%22position%22:12,%22version%22:1%7D": nothing but characters that mails and chats keep in an address.
std::string link_of(const Scene& scene, std::string_view figure = {});

// The address before the "#scene=" of a link, and what follows it; nothing where a text is no link.
struct Link {
    std::string_view page;         // "https://example.org/posiscope/"; may be empty
    std::string_view scene;        // escaped
    std::string_view figure = {};  // alone; empty: the bench
};
std::optional<Link> link_in(std::string_view text);

// The JSON of a link's scene, to be laid over the default Scene; overlay refuses what is newer.
// Refused: link.long, link.damaged; as parse_json.
Result<Json> scene_of(const Link& link);

}  // namespace posiscope
