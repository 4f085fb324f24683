#include "core/scene/stored_side.hpp"

#include "core/formats/table.hpp"
#include "core/json_members.hpp"

namespace posiscope {
namespace {

// An array as [row, head, feature].
struct Axes {
    std::int64_t rows = 1, heads = 1, features = 1, first = 0;
    std::int64_t row_stride = 0, head_stride = 0;
};

Result<Axes> axes_of(const Choice& content, const TensorPlace& place) {
    const auto& shape = place.shape;
    const auto refused = [&] {
        std::string text;
        for (const std::int64_t size : shape) text += (text.empty() ? "" : " × ") + std::to_string(size);
        return refuse("content.stored_shape", {{"name", place.name}, {"shape", text}});
    };
    if (shape.size() < 2 || shape.size() > 4) return refused();
    const std::string& axes = text_of(content, "axes");
    const bool heads_first = axes == "head_position" || (axes == "auto" && shape.size() == 4);
    const std::size_t at = shape.size() - 3;  // of the first of three
    Axes made;
    made.features = shape.back();
    if (shape.size() == 2) {
        made.rows = shape[0];
        made.row_stride = made.features;
    } else {
        made.rows = shape[heads_first ? at + 1 : at];
        made.heads = shape[heads_first ? at : at + 1];
        made.row_stride = heads_first ? made.features : made.heads * made.features;
        made.head_stride = heads_first ? made.rows * made.features : made.features;
    }
    const std::int64_t batch = number_of(content, "batch"), batches = shape.size() == 4 ? shape[0] : 1;
    if (batch >= batches)
        return refuse("content.stored_batch",
                      {{"batch", std::to_string(batch)}, {"last", std::to_string(batches - 1)}});
    made.first = batch * made.rows * made.heads * made.features;
    if (made.features < 2 || made.features % 2 != 0 || made.features > kLargestWidth) return refused();
    return made;
}

Result<StoredSide> tensor_side(const Choice& content, Tensor side) {
    const std::string& path = text_of(content, side == Tensor::query ? "query" : "key");
    if (path.empty()) return refuse("content.no_files");
    if (!table_allowed(path)) return failure("file.not_allowed", {{"path", path}});
    auto file = TensorFile::open(path, text_of(content, side == Tensor::query ? "query_name" : "key_name"));
    if (!file) return tl::unexpected(file.error());
    const auto axes = axes_of(content, file->place());
    if (!axes) return tl::unexpected(in_file(axes.error(), path));
    const TensorPlace& place = file->place();
    return StoredSide{
        .rows = axes->rows,
        .heads = axes->heads,
        .head_dim = axes->features,
        .path = path,
        .name = place.name,
        .dtype = place.dtype,
        .read =
            [file = *file, at = *axes](std::int64_t head, std::int64_t row, std::span<double> into) {
                return file.read(at.first + head * at.head_stride + row * at.row_stride, into);
            },
        .stamps = [file = *file] { return std::vector{file.stamp()}; }};
}

}  // namespace

const std::string& text_of(const Choice& content, const char* key) {
    return text_at(content.parameters, key);
}

std::int64_t number_of(const Choice& content, const char* key) {
    return content.parameters.at(key).get<std::int64_t>();
}

Result<StoredSide> stored_side(const Choice& content, Tensor side) {
    return content.kind == "checkpoint" ? checkpoint_side(content, side) : tensor_side(content, side);
}

}  // namespace posiscope
