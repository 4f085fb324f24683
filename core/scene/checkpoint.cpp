// checkpoint.cpp — queries and keys by the weights of a checkpoint, for each head and before rotation:
//   q = norm(x W_qᵀ + b_q),  k = norm(x W_kᵀ + b_k)
// W      [heads · head_dim, d_model], the rows of a head together, as torch.nn.Linear stores it
// b      [heads · head_dim], beside W in the checkpoint if the model has it
// norm   where the checkpoint has its weights w, [head_dim] or [heads, head_dim]:
//        rms           y / √(mean y² + ε) · w
//        rms_plus_one  y / √(mean y² + ε) · (1 + w)
//        layer         (y − mean y) / √(mean (y − mean y)² + ε) · w, and its bias if there is one
// x      [positions, d_model] or [1, positions, d_model]; or seeded, of variance 1
// Names  those of Hugging Face's and Meta's checkpoints. Projections stored in one array, those of latent attention and norms
//        over all heads are refused by name. Everything is in float64 from the stored numbers.
#include "core/cost.hpp"
#include "core/formats/table.hpp"
#include "core/formats/tensor.hpp"
#include "core/json_members.hpp"
#include "core/scene/stored_side.hpp"
#include "core/scene/tensors.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace posiscope {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t kMostBlock = 64;  // rows that are computed together
constexpr std::size_t kMostListed = 4;   // names in a sentence

// The names under which a checkpoint keeps W_q and W_k of the layer #.
struct Names {
    std::string_view folder, query, key;
};
constexpr Names kNames[] = {
    {"model.layers.#.self_attn.", "q_proj", "k_proj"},
    {"model.language_model.layers.#.self_attn.", "q_proj", "k_proj"},
    {"language_model.model.layers.#.self_attn.", "q_proj", "k_proj"},
    {"thinker.model.layers.#.self_attn.", "q_proj", "k_proj"},
    {"layers.#.self_attn.", "q_proj", "k_proj"},
    {"layers.#.attention.", "wq", "wk"},
    {"transformer.h.#.attn.", "q_proj", "k_proj"},
    {"transformer.h.#.attn.attention.", "q_proj", "k_proj"},
    {"model.decoder.layers.#.self_attn.", "q_proj", "k_proj"},
    {"encoder.layer.#.attention.self.", "query", "key"},
    {"bert.encoder.layer.#.attention.self.", "query", "key"},
    {"roberta.encoder.layer.#.attention.self.", "query", "key"},
    {"encoder.block.#.layer.0.SelfAttention.", "q", "k"},
};
constexpr std::string_view kQueryNorms[] = {"q_norm", "q_layernorm", "query_layernorm"},
                           kKeyNorms[] = {"k_norm", "k_layernorm", "key_layernorm"};
constexpr std::string_view kFused[] = {"qkv", "query_key_value", "c_attn", "W_pack", "in_proj", "att_proj"},
                           kLatent[] = {"q_a_proj", "q_b_proj", "kv_a_proj", "kv_b_proj"};

using TensorNames = std::vector<std::string>;

bool has(const TensorNames& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool mentions(std::string_view name, std::span<const std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

std::string shape_text(const TensorPlace& place) { return fmt::format("{}", fmt::join(place.shape, " × ")); }

// The array of a side; "" in a .npy file, which has one.
Result<std::string> name_in(const Choice& content, Tensor side, const std::string& path,
                            const TensorNames& names) {
    const bool query = side == Tensor::query;
    if (const std::string& given = text_of(content, query ? "query_name" : "key_name"); !given.empty()) {
        if (mentions(given, kFused)) return refuse("content.fused", {{"name", given}});
        return given;
    }
    if (path.ends_with(".npy")) return std::string();
    const std::string layer = std::to_string(number_of(content, "layer"));
    for (const Names& known : kNames) {
        const auto at = known.folder.find('#');
        std::string name = fmt::format("{}{}{}{}.weight", known.folder.substr(0, at), layer,
                                       known.folder.substr(at + 1), query ? known.query : known.key);
        if (has(names, name)) return name;
    }
    for (const std::string& name : names) {
        if (name.find("." + layer + ".") == std::string::npos) continue;
        if (mentions(name, kFused)) return refuse("content.fused", {{"name", name}});
        if (mentions(name, kLatent)) return refuse("content.latent", {{"name", name}});
    }
    const std::size_t listed = std::min(names.size(), kMostListed);
    return refuse("content.no_layer",
                  {{"layer", layer},
                   {"names", fmt::format("{}{}", fmt::join(std::span(names).first(listed), ", "),
                                         names.size() > listed ? ", …" : "")}});
}

enum class Norm { none, rms, rms_plus_one, layer };

Norm norm_of(const Choice& content) {
    const std::string& name = text_of(content, "norm");
    return name == "rms"            ? Norm::rms
           : name == "rms_plus_one" ? Norm::rms_plus_one
           : name == "layer"        ? Norm::layer
                                    : Norm::none;
}

class Projection {
public:
    static Result<StoredSide> open(const Choice& content, Tensor side);

    Result<void> read(std::int64_t head, std::int64_t row, std::span<double> into) {
        if (head != head_) {
            if (auto taken = take(head); !taken) return taken;
        }
        if (row < first_ || row >= first_ + block_.rows()) {
            const std::int64_t next = row == first_ + block_.rows() ? 2 * block_.rows() : 1;
            if (auto made = compute(row, std::clamp<std::int64_t>(next, 1, kMostBlock)); !made) return made;
        }
        const auto from = block_.row(static_cast<Eigen::Index>(row - first_));
        for (std::size_t f = 0; f < into.size(); ++f) into[f] = from(static_cast<Eigen::Index>(f));
        return {};
    }

    std::vector<FileStamp> stamps() const {
        std::vector<FileStamp> all;
        for (const auto* file : {&weight_, &bias_, &norm_weight_, &norm_bias_, &input_})
            if (*file) all.push_back((*file)->stamp());
        return all;
    }

private:
    Result<void> find_weights(const Choice& content, Tensor side);
    Result<void> find_norm(TensorArchive& archive, Tensor side);
    Result<void> find_input(const Choice& content);
    Result<void> take(std::int64_t head);
    Result<void> compute(std::int64_t row, std::int64_t count);
    void normalise(Eigen::Ref<Eigen::RowVectorXd> y) const;

    std::int64_t heads() const { return weight_->place().shape[0] / width_; }
    std::int64_t d_model() const { return weight_->place().shape[1]; }

    std::string path_, name_;
    std::optional<TensorFile> weight_, bias_, norm_weight_, norm_bias_, input_;
    Norm norm_ = Norm::none;
    double epsilon_ = 0.0;
    std::uint64_t seed_ = 0;
    std::int64_t width_ = 0, rows_ = 0;

    // The head and the rows that were computed last.
    std::int64_t head_ = -1, first_ = 0;
    Rows w_, block_;
    Eigen::RowVectorXd b_, scale_, offset_;
};

Result<void> Projection::find_weights(const Choice& content, Tensor side) {
    path_ = text_of(content, "file");
    if (const std::string& own = text_of(content, "key_file"); side == Tensor::key && !own.empty())
        path_ = own;
    if (path_.empty()) return refuse("content.no_checkpoint");
    if (!table_allowed(path_)) return failure("file.not_allowed", {{"path", path_}});
    auto archive = TensorArchive::open(path_);
    if (!archive) return tl::unexpected(archive.error());
    const TensorNames& names = archive->names();
    const auto name = name_in(content, side, path_, names);
    if (!name) return tl::unexpected(in_file(name.error(), path_));
    name_ = *name;
    auto weight = archive->array(name_);
    if (!weight) return tl::unexpected(weight.error());
    weight_ = std::move(*weight);
    const TensorPlace& place = weight_->place();
    if (place.shape.size() != 2 || place.count() == 0 || d_model() > kLargestWidth)
        return refuse("content.checkpoint_shape", {{"name", place.name}, {"shape", shape_text(place)}});
    if (name_.ends_with(".weight")) {
        const std::string bias = name_.substr(0, name_.size() - 6) + "bias";
        if (has(names, bias)) {
            auto file = archive->array(bias);
            if (!file) return tl::unexpected(file.error());
            if (file->place().count() != place.shape[0])
                return refuse("content.checkpoint_shape",
                              {{"name", bias}, {"shape", shape_text(file->place())}});
            bias_ = std::move(*file);
        }
    }
    norm_ = norm_of(content);
    epsilon_ = content.parameters.at("norm_eps").get<double>();
    if (norm_ != Norm::none)
        if (auto found = find_norm(*archive, side); !found) return found;

    if (const auto width = integer_at(content.parameters, "head_dim")) width_ = *width;
    else if (norm_weight_ && !norm_weight_->place().shape.empty())
        width_ = norm_weight_->place().shape.back();
    else
        return refuse("content.no_head_dim",
                      {{"name", place.name}, {"rows", std::to_string(place.shape[0])}});
    if (width_ % 2 != 0 || place.shape[0] % width_ != 0 || width_ > kMostStoredRow / d_model())
        return refuse("content.head_dim", {{"name", place.name},
                                           {"rows", std::to_string(place.shape[0])},
                                           {"head_dim", std::to_string(width_)}});
    for (const auto* file : {&norm_weight_, &norm_bias_}) {
        if (!*file) continue;
        const auto& shape = (*file)->place().shape;
        if (shape != std::vector{width_} && shape != std::vector{heads(), width_})
            return refuse("content.norm_width", {{"name", (*file)->place().name},
                                                 {"shape", shape_text((*file)->place())},
                                                 {"head_dim", std::to_string(width_)}});
    }
    return {};
}

// The weights of a norm stand beside W: …q_proj.weight, …q_norm.weight.
Result<void> Projection::find_norm(TensorArchive& archive, Tensor side) {
    const bool query = side == Tensor::query;
    const auto end = name_.rfind('.');
    const auto dot = end == std::string::npos || end == 0 ? std::string::npos : name_.rfind('.', end - 1);
    const std::string folder = dot == std::string::npos ? std::string() : name_.substr(0, dot + 1);
    for (const std::string_view word : query ? kQueryNorms : kKeyNorms)
        for (const bool is_bias : {false, true}) {
            const std::string name = fmt::format("{}{}.{}", folder, word, is_bias ? "bias" : "weight");
            if (!has(archive.names(), name)) continue;
            if (is_bias && norm_ != Norm::layer) return refuse("content.norm_bias", {{"name", name}});
            auto file = archive.array(name);
            if (!file) return tl::unexpected(file.error());
            (is_bias ? norm_bias_ : norm_weight_) = std::move(*file);
        }
    return {};
}

Result<void> Projection::find_input(const Choice& content) {
    const std::string& path = text_of(content, "input");
    seed_ = content.parameters.at("seed").get<std::uint64_t>();
    rows_ = kLastPosition;
    if (path.empty()) return {};
    if (!table_allowed(path)) return failure("file.not_allowed", {{"path", path}});
    auto file = TensorFile::open(path, text_of(content, "input_name"));
    if (!file) return tl::unexpected(file.error());
    const auto& shape = file->place().shape;
    const bool fits = shape.size() == 2 || (shape.size() == 3 && shape[0] == 1);
    if (!fits || shape.back() != d_model() || file->place().count() == 0)
        return refuse("content.input_shape", {{"name", file->place().name},
                                              {"shape", shape_text(file->place())},
                                              {"d_model", std::to_string(d_model())}});
    rows_ = shape[shape.size() - 2];
    input_ = std::move(*file);
    return {};
}

Result<StoredSide> Projection::open(const Choice& content, Tensor side) {
    const auto made = std::make_shared<Projection>();
    if (auto found = made->find_weights(content, side); !found) return tl::unexpected(found.error());
    if (auto found = made->find_input(content); !found) return tl::unexpected(found.error());
    const auto name_of = [](const std::optional<TensorFile>& file) {
        return file ? file->place().name : std::string();
    };
    return StoredSide{.rows = made->rows_,
                      .heads = made->heads(),
                      .head_dim = made->width_,
                      .path = made->path_,
                      .name = made->weight_->place().name,
                      .dtype = made->weight_->place().dtype,
                      .bias = made->bias_.has_value(),
                      .norm = made->norm_weight_.has_value(),
                      .bias_name = name_of(made->bias_),
                      .norm_name = name_of(made->norm_weight_),
                      .norm_bias_name = name_of(made->norm_bias_),
                      .read = [made](std::int64_t head, std::int64_t row,
                                     std::span<double> into) { return made->read(head, row, into); },
                      .stamps = [made] { return made->stamps(); }};
}

Result<void> Projection::take(std::int64_t head) {
    spend(8.0 * static_cast<double>(width_ * d_model()));
    block_.resize(0, 0);
    w_.resize(static_cast<Eigen::Index>(width_), static_cast<Eigen::Index>(d_model()));
    if (auto read =
            weight_->read(head * width_ * d_model(), {w_.data(), static_cast<std::size_t>(w_.size())});
        !read)
        return read;
    const auto vector = [&](const std::optional<TensorFile>& file, double absent,
                            Eigen::RowVectorXd& into) -> Result<void> {
        into.setConstant(static_cast<Eigen::Index>(width_), absent);
        if (!file) return {};
        const bool own = file->place().count() > width_;
        return file->read(own ? head * width_ : 0, {into.data(), static_cast<std::size_t>(width_)});
    };
    for (const auto& read :
         {vector(bias_, 0.0, b_), vector(norm_weight_, 1.0, scale_), vector(norm_bias_, 0.0, offset_)})
        if (!read) return read;
    if (norm_ == Norm::rms_plus_one) scale_.array() += 1.0;
    head_ = head;
    return {};
}

void Projection::normalise(Eigen::Ref<Eigen::RowVectorXd> y) const {
    if (norm_ == Norm::layer) y.array() -= y.mean();
    const double size = std::sqrt(y.squaredNorm() / static_cast<double>(width_) + epsilon_);
    y = (y / size).cwiseProduct(scale_) + offset_;
}

Result<void> Projection::compute(std::int64_t row, std::int64_t count) {
    count = std::min(count, rows_ - row);
    Rows x(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(d_model()));
    spend(6.0 * static_cast<double>(x.size()) + 0.25 * static_cast<double>(x.size() * width_));
    if (input_) {
        if (auto read = input_->read(row * d_model(), {x.data(), static_cast<std::size_t>(x.size())}); !read)
            return read;
    } else {
        for (Eigen::Index i = 0; i < x.rows(); ++i)
            seeded_values(seed_, Tensor::input, row + i,
                          {x.row(i).data(), static_cast<std::size_t>(d_model())});
    }
    block_.noalias() = x * w_.transpose();
    for (Eigen::Index i = 0; i < block_.rows(); ++i) {
        block_.row(i) += b_;
        if (norm_weight_) normalise(block_.row(i));
    }
    first_ = row;
    return {};
}

}  // namespace

Result<StoredSide> checkpoint_side(const Choice& content, Tensor side) {
    return Projection::open(content, side);
}

}  // namespace posiscope
