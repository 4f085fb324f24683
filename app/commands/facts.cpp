#include "app/commands/facts.hpp"

namespace posiscope::commands {

Json facts(const Problem& problem, const Strings& strings) {
    Json made{{"name", problem.key.substr(problem.key.find('.') + 1)},
              {"sentence", strings.sentence(problem)}};
    for (const auto& [name, value] : problem.values) made["values"][name] = value;
    return made;
}

Json facts(std::span<const Problem> problems, const Strings& strings) {
    Json made = Json::array();
    for (const Problem& one : problems) made.push_back(facts(one, strings));
    return made;
}

std::string line_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace posiscope::commands
