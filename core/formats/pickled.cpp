#include "core/formats/pickled.hpp"

#include <array>
#include <map>
#include <optional>

namespace posiscope {
namespace {

constexpr std::size_t kMostNodes = std::size_t{1} << 20, kMostLevels = 16, kMostTensors = 65536,
                      kLongestWordOfPickle = 512;
constexpr std::ptrdiff_t kTensorParts = 4;  // storage, offset, shape and strides

// A value on the pickle's stack, by its place among all of them: nothing owns another, so loops are only numbers.
struct Node {
    enum class Kind { none, whole, text, sequence, dictionary, global, storage, tensor, other };
    Kind kind = Kind::none;
    std::int64_t whole = 0;
    std::string text;                // also of a global: its name; of a storage: its type
    std::vector<std::size_t> parts;  // of a dictionary: key, value, key, value …
};

class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    Result<std::vector<PickledTensor>> read() {
        while (!done_) {
            if (auto step = next(); !step) return tl::unexpected(step.error());
        }
        if (stack_.empty()) return broken();
        std::vector<PickledTensor> made;
        if (!collect(stack_.back(), "", 0, made)) return broken();
        return made;
    }

private:
    using Kind = Node::Kind;

    static tl::unexpected<Problem> broken() { return failure("pickle.broken"); }

    std::optional<std::string_view> take(std::size_t count) {
        if (count > rest_.size()) return std::nullopt;
        const std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return taken;
    }
    std::optional<std::uint64_t> number(std::size_t width) {
        const auto bytes = take(width);
        if (!bytes) return std::nullopt;
        std::uint64_t made = 0;
        for (std::size_t i = 0; i < width; ++i)
            made |= std::uint64_t{static_cast<unsigned char>((*bytes)[i])} << (8 * i);
        return made;
    }
    std::optional<std::string_view> line() {
        const std::size_t end = rest_.find('\n');
        if (end == std::string_view::npos) return std::nullopt;
        const auto made = take(end);
        rest_.remove_prefix(1);
        return made;
    }

    bool push(Node node) {
        if (nodes_.size() >= kMostNodes) return false;
        stack_.push_back(nodes_.size());
        nodes_.push_back(std::move(node));
        return true;
    }
    bool push_whole(std::int64_t value) { return push({Kind::whole, value, {}, {}}); }
    // A long text is no name of anything.
    bool push_text(std::optional<std::string_view> text) {
        if (!text) return false;
        if (text->size() > kLongestWordOfPickle) return push({Kind::other, 0, {}, {}});
        return push({Kind::text, 0, std::string(*text), {}});
    }
    std::optional<std::size_t> pop() {
        if (stack_.empty() || (!marks_.empty() && stack_.size() <= marks_.back())) return std::nullopt;
        const std::size_t top = stack_.back();
        stack_.pop_back();
        return top;
    }
    // The values pushed since the last mark.
    std::optional<std::vector<std::size_t>> since_mark() {
        if (marks_.empty() || marks_.back() > stack_.size()) return std::nullopt;
        const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<std::size_t> made(from, stack_.end());
        stack_.erase(from, stack_.end());
        marks_.pop_back();
        return made;
    }
    bool push_sequence(std::optional<std::vector<std::size_t>> parts) {
        return parts && push({Kind::sequence, 0, {}, std::move(*parts)});
    }
    bool push_last(std::size_t count) {
        std::vector<std::size_t> parts(count);
        for (std::size_t n = count; n-- > 0;) {
            const auto one = pop();
            if (!one) return false;
            parts[n] = *one;
        }
        return push_sequence(std::move(parts));
    }
    bool append(std::vector<std::size_t> parts) {
        if (stack_.empty()) return false;
        Node& into = nodes_[stack_.back()];
        if (into.kind != Kind::sequence && into.kind != Kind::dictionary) return false;
        if (into.kind == Kind::dictionary && parts.size() % 2 != 0) return false;
        if ((appended_ += parts.size()) > kMostNodes) return false;  // a memo may be appended to itself
        into.parts.insert(into.parts.end(), parts.begin(), parts.end());
        return true;
    }
    bool remember(std::optional<std::uint64_t> place) {
        if (!place || stack_.empty() || memo_.size() >= kMostNodes) return false;
        memo_[*place] = stack_.back();
        return true;
    }
    bool recall(std::optional<std::uint64_t> place) {
        const auto found = place ? memo_.find(*place) : memo_.end();
        if (found == memo_.end() || stack_.size() >= kMostNodes) return false;
        stack_.push_back(found->second);
        return true;
    }

    Result<void> global(std::string_view module, std::string_view name) {
        static constexpr std::array<std::string_view, 4> kKnown = {
            "torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_parameter", "collections.OrderedDict",
            "torch.serialization._get_layout"};
        const std::string full = std::string(module.substr(0, kLongestWordOfPickle)) + "." +
                                 std::string(name.substr(0, kLongestWordOfPickle));
        bool known = module == "torch" && name.size() <= kLongestWordOfPickle && name.ends_with("Storage");
        for (const std::string_view one : kKnown) known = known || full == one;
        if (!known) return failure("pickle.needs", {{"name", full.substr(0, 80)}});
        if (!push({Kind::global, 0, module == "torch" ? std::string(name) : full, {}})) return broken();
        return {};
    }

    const Node* part(const Node& of, std::size_t n, Kind kind) const {
        if (n >= of.parts.size()) return nullptr;
        const Node& one = nodes_[of.parts[n]];
        return one.kind == kind ? &one : nullptr;
    }

    // ("storage", FloatStorage, key, device, count)
    bool storage() {
        const auto id = pop();
        if (!id) return false;
        const Node& tuple = nodes_[*id];
        const Node* const type = part(tuple, 1, Kind::global);
        const Node* const key = part(tuple, 2, Kind::text);
        if (tuple.kind != Kind::sequence || type == nullptr || key == nullptr) return false;
        Node made{Kind::storage, 0, type->text, {tuple.parts[2]}};
        return push(std::move(made));
    }

    Result<void> reduce() {
        const auto arguments = pop(), callable = pop();
        if (!arguments || !callable || nodes_[*callable].kind != Kind::global) return broken();
        const std::string name = nodes_[*callable].text;
        if (nodes_[*arguments].kind != Kind::sequence) return broken();
        if (name == "collections.OrderedDict") {
            if (!push({Kind::dictionary, 0, {}, {}})) return broken();
        } else if (name == "torch._utils._rebuild_parameter") {
            if (nodes_[*arguments].parts.empty()) return broken();
            stack_.push_back(nodes_[*arguments].parts[0]);
        } else if (name == "torch._utils._rebuild_tensor_v2") {
            const auto& parts = nodes_[*arguments].parts;
            if (std::ssize(parts) < kTensorParts) return broken();
            if (!push({Kind::tensor, 0, {}, {parts.begin(), parts.begin() + kTensorParts}})) return broken();
        } else {
            return failure("pickle.needs", {{"name", name}});
        }
        return {};
    }

    Result<void> next() {
        const auto code = take(1);
        if (!code) return broken();
        const auto good = [](bool one) -> Result<void> {
            if (one) return {};
            return broken();
        };
        switch (static_cast<unsigned char>(code->front())) {
            case 0x80: return good(take(1).has_value());  // PROTO
            case 0x95: return good(take(8).has_value());  // FRAME
            case '.': done_ = true; return {};
            case '}': return good(push({Kind::dictionary, 0, {}, {}}));
            case ']':
            case ')': return good(push({Kind::sequence, 0, {}, {}}));
            case '(': marks_.push_back(stack_.size()); return good(marks_.size() < kMostNodes);
            case 't': return good(push_sequence(since_mark()));
            case 0x85: return good(push_last(1));
            case 0x86: return good(push_last(2));
            case 0x87: return good(push_last(3));
            case 'N': return good(push({}));
            case 0x88: return good(push_whole(1));
            case 0x89: return good(push_whole(0));
            case 'K':
            case 'M': {
                const auto value = number(code->front() == 'K' ? 1 : 2);
                return good(value && push_whole(static_cast<std::int64_t>(*value)));
            }
            case 'J': {
                const auto value = number(4);
                return good(value && push_whole(static_cast<std::int32_t>(*value)));
            }
            case 0x8a: {
                const auto length = number(1);
                if (!length || *length > 8) return broken();
                const auto value = number(static_cast<std::size_t>(*length));
                return good(value && *value < (std::uint64_t{1} << 62) &&
                            push_whole(static_cast<std::int64_t>(*value)));
            }
            case 'G': return good(take(8) && push({Kind::other, 0, {}, {}}));
            case 'X': {
                const auto length = number(4);
                return good(length && push_text(take(static_cast<std::size_t>(*length))));
            }
            case 0x8c: {
                const auto length = number(1);
                return good(length && push_text(take(static_cast<std::size_t>(*length))));
            }
            case 'q': return good(remember(number(1)));
            case 'r': return good(remember(number(4)));
            case 0x94: return good(remember(memo_.size()));
            case 'h': return good(recall(number(1)));
            case 'j': return good(recall(number(4)));
            case 'a': {
                const auto one = pop();
                return good(one && append({*one}));
            }
            case 'e':
            case 'u': {
                auto parts = since_mark();
                return good(parts && append(std::move(*parts)));
            }
            case 's': {
                const auto value = pop(), key = pop();
                return good(value && key && append({*key, *value}));
            }
            case 'b': return good(pop().has_value());  // a dictionary's attributes
            case 'c': {
                const auto module = line(), name = line();
                return module && name ? global(*module, *name) : broken();
            }
            case 0x93: {
                const auto name = pop(), module = pop();
                if (!name || !module) return broken();
                const std::string of = nodes_[*module].text, one = nodes_[*name].text;
                return global(of, one);
            }
            case 'Q': return good(storage());
            case 'R': return reduce();
            default: break;
        }
        const int opcode = static_cast<unsigned char>(code->front());
        return failure("pickle.needs", {{"name", "opcode " + std::to_string(opcode)}});
    }

    std::optional<std::vector<std::int64_t>> sizes(const Node* sequence) const {
        if (sequence == nullptr || sequence->parts.size() > 8) return std::nullopt;
        std::vector<std::int64_t> made;
        for (std::size_t n = 0; n < sequence->parts.size(); ++n) {
            const Node* const one = part(*sequence, n, Kind::whole);
            if (one == nullptr || one->whole < 0) return std::nullopt;
            made.push_back(one->whole);
        }
        return made;
    }

    // (storage, offset, shape, strides, …)
    bool tensor(const Node& node, const std::string& name, std::vector<PickledTensor>& made) const {
        const Node* const storage = part(node, 0, Kind::storage);
        const Node* const offset = part(node, 1, Kind::whole);
        auto shape = sizes(part(node, 2, Kind::sequence)), strides = sizes(part(node, 3, Kind::sequence));
        if (storage == nullptr || offset == nullptr || offset->whole < 0 || !shape || !strides ||
            shape->size() != strides->size() || made.size() >= kMostTensors)
            return false;
        made.push_back({name, storage->text, nodes_[storage->parts[0]].text, offset->whole, std::move(*shape),
                        std::move(*strides)});
        return true;
    }

    bool collect(std::size_t at, const std::string& name, std::size_t level,
                 std::vector<PickledTensor>& made) {
        const Node& node = nodes_[at];
        if (level > kMostLevels || name.size() > kLongestWordOfPickle || ++collected_ > kMostNodes)
            return false;
        const auto below = [&](const std::string& key) { return name.empty() ? key : name + "." + key; };
        if (node.kind == Kind::tensor) return tensor(node, name, made);
        if (node.kind == Kind::sequence) {
            for (std::size_t n = 0; n < node.parts.size(); ++n)
                if (!collect(node.parts[n], below(std::to_string(n)), level + 1, made)) return false;
        } else if (node.kind == Kind::dictionary) {
            for (std::size_t n = 0; n + 1 < node.parts.size(); n += 2) {
                const Node& key = nodes_[node.parts[n]];
                if (key.kind != Kind::text && key.kind != Kind::whole) continue;
                const std::string word = key.kind == Kind::text ? key.text : std::to_string(key.whole);
                if (!collect(node.parts[n + 1], below(word), level + 1, made)) return false;
            }
        }
        return true;
    }

    std::string_view rest_;
    bool done_ = false;
    std::vector<Node> nodes_;
    std::vector<std::size_t> stack_, marks_;
    std::map<std::uint64_t, std::size_t> memo_;
    std::size_t appended_ = 0, collected_ = 0;
};

}  // namespace

Result<std::vector<PickledTensor>> pickled_tensors(std::string_view pickle) { return Reader(pickle).read(); }

}  // namespace posiscope
