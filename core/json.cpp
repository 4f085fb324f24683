#include "core/json.hpp"

#include "core/cost.hpp"

#include <algorithm>
#include <optional>

namespace posiscope {
namespace {

constexpr std::size_t kDepthLimit = 64;
constexpr std::size_t kMemoryLimit = std::size_t{128} << 20;  // bytes

// Builds the value while reading, so that a file is refused before it costs memory.
class Reader : public nlohmann::json_sax<Json> {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Json result;
    std::optional<Problem> problem;

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t&) override { return put(value); }
    bool string(string_t& value) override { return put(value); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        if (stack_.back()->contains(name)) {
            problem = Problem{"json.repeated", {{"path", path(name)}}};
            return false;
        }
        keys_.back() = name;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override {
        const auto before = text_.substr(0, std::min(position == 0 ? 0 : position - 1, text_.size()));
        const auto line = std::count(before.begin(), before.end(), '\n') + 1;
        const auto last_break = before.rfind('\n');
        const auto column = before.size() - (last_break == std::string_view::npos ? 0 : last_break + 1) + 1;
        const bool too_large = error.id == 406;  // the library's number for a double that overflows
        problem = Problem{too_large ? "json.number" : "json.syntax",
                          {{"line", std::to_string(line)}, {"column", std::to_string(column)}}};
        return false;
    }

private:
    Json* place(Json value) {
        if (stack_.empty()) return &(result = std::move(value));
        Json& parent = *stack_.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        return &(parent[keys_.back()] = std::move(value));
    }

    // The memory of a value: a place in a list that doubles as it grows, or a node of an object with its key; and its text,
    // which takes its own memory even if it is empty.
    bool affordable(const Json& value) {
        constexpr std::size_t kListed = 3 * sizeof(Json), kNode = 128, kContainer = 64, kText = 48;
        const bool member = !stack_.empty() && stack_.back()->is_object();
        memory_ += member ? kNode + keys_.back().size() : kListed;
        if (value.is_structured()) memory_ += kContainer;
        if (value.is_string()) memory_ += kText + value.get_ref<const std::string&>().size();
        if (memory_ > kMemoryLimit)
            problem = Problem{"json.memory", {{"limit", std::to_string(kMemoryLimit >> 20)}}};
        return !problem;
    }

    bool put(Json value) {
        if (!affordable(value)) return false;
        place(std::move(value));
        return true;
    }

    bool open(Json container) {
        if (stack_.size() == kDepthLimit) {
            problem = Problem{"json.depth", {{"limit", std::to_string(kDepthLimit)}}};
            return false;
        }
        if (!affordable(container)) return false;
        stack_.push_back(place(std::move(container)));
        keys_.emplace_back();
        return true;
    }

    bool close() {
        stack_.pop_back();
        keys_.pop_back();
        return true;
    }

    std::string path(const std::string& last) const {
        std::string joined;
        for (std::size_t i = 0; i + 1 < keys_.size(); ++i)
            if (!keys_[i].empty()) joined = join_path(joined, keys_[i]);
        return join_path(joined, last);
    }

    std::string_view text_;
    std::size_t memory_ = 0;
    std::vector<Json*> stack_;  // the open containers; a parent never moves while its child is open
    std::vector<std::string> keys_;
};

}  // namespace

Result<Json> parse_json(std::string_view text) {
    spend(20.0 * static_cast<double>(text.size()));
    Reader reader(text);
    if (Json::sax_parse(text, &reader)) return std::move(reader.result);
    return tl::unexpected(reader.problem.value_or(Problem{"json.syntax", {{"line", "1"}, {"column", "1"}}}));
}

bool is_utf8(std::string_view text) {
    try {  // the library's own rule, so that accepted text can be written again
        return !Json(std::string(text)).dump().empty();
    } catch (const Json::type_error&) {
        return false;
    }
}

Json& object_in(Json& object, std::string_view key) {
    return *object.emplace(std::string(key), Json::object()).first;
}

Json empty_object() { return Json::object(); }

std::string join_path(std::string_view path, std::string_view key) {
    std::string joined(path);
    if (!joined.empty()) joined += '.';
    return joined += key;
}

}  // namespace posiscope
