// t5.cpp — T5's bias: one learned number per head and bucket of distances, exact near, logarithmic far.
// r = key − query. Both directions: N = num_buckets/2, base = N where r > 0, x = |r|. One: N = num_buckets, base = 0,
// x = max(−r, 0). m = floor(N/2). bucket = base + (x if x < m, else min(m + trunc(ln(x/m)/ln(D/m) · (N − m)), N − 1)).
// logit = q·k + table[bucket][head]: T5 does not divide by √head_dim. One table, in layer 0, serves all layers.
// Values   the table is seeded with mean 0 and standard deviation initializer_range.
// Source   arXiv 1910.10683; Hugging Face's T5Attention._relative_position_bucket. Its float32 logarithm gives the
//          same bucket as float64 for every |r| ≤ 3000.
#include "core/code/program.hpp"
#include "core/encodings/definition.hpp"
#include "core/encodings/encodings.hpp"
#include "core/encodings/relative.hpp"
#include "core/experiment/learnable.hpp"
#include "core/scene/content.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace posiscope {
namespace t5 {
namespace {

T5Buckets buckets_of(const SpectrumInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    return {parameters.at("num_buckets").get<std::int64_t>(),
            parameters.at("max_distance").get<std::int64_t>(), parameters.at("bidirectional").get<bool>()};
}

std::int64_t exact_buckets(const T5Buckets& buckets) {
    return buckets.num_buckets / (buckets.bidirectional ? 4 : 2);
}

Result<Action> action(const ActionInput& scene) {
    const Json& parameters = scene.encoding.parameters;
    Action result = plain_action(head_dim(scene));
    result.scale = 1.0;
    result.bias = [buckets = buckets_of(scene), seed = parameters.at("seed").get<std::uint64_t>(),
                   size = parameters.at("initializer_range").get<double>()](
                      std::int64_t head, std::int64_t query, std::int64_t key) {
        return size * seeded_value(seed, Tensor::bucket_bias, t5_bucket(buckets, key - query), head);
    };
    return result;
}

std::optional<Problem> check(const SpectrumInput& scene) {
    const T5Buckets buckets = buckets_of(scene);
    if (exact_buckets(buckets) < 1)
        return Problem{"t5.buckets",
                       {{"path", "encoding.num_buckets"},
                        {"value", std::to_string(buckets.num_buckets)},
                        {"minimum", "4"}}};
    if (buckets.max_distance > exact_buckets(buckets)) return std::nullopt;
    return Problem{"t5.max_distance",
                   {{"path", "encoding.max_distance"},
                    {"value", std::to_string(buckets.max_distance)},
                    {"minimum", std::to_string(exact_buckets(buckets) + 1)}}};
}

void define(DefinitionPen& pen, int) {
    pen.add("\\text{bias} = T_{").head("h").add("}[\\text{bucket}(");
    pen.put(DefinitionHandle::offset, "−k", Digits::integer(-pen.at.offset)).add(")]");
    if (pen.at.letters) return;
    pen.add(" = T_{").add(Digits::integer(pen.at.head)).add("}[");
    pen.add(Digits::integer(t5_bucket(buckets_of(pen.at.scene), -pen.at.offset))).add("]").equals_bias();
}

std::int64_t learned(const ActionInput& scene) { return buckets_of(scene).num_buckets * scene.num_heads; }

constexpr std::int64_t kMostListed = 32768;  // numbers of a list

Result<Program> program(const Scene& scene) {
    const T5Buckets buckets = buckets_of(scene);
    if (buckets.num_buckets * scene.num_heads > kMostListed)
        return failure("own.not_table", {{"kind", scene.encoding.kind}});
    const Json& parameters = scene.encoding.parameters;
    const auto seed = parameters.at("seed").get<std::uint64_t>();
    std::vector<double> table;
    for (std::int64_t h = 0; h < scene.num_heads; ++h)
        for (std::int64_t bucket = 0; bucket < buckets.num_buckets; ++bucket)
            table.push_back(parameters.at("initializer_range").get<double>() *
                            seeded_value(seed, Tensor::bucket_bias, bucket, h));
    const std::int64_t m = exact_buckets(buckets),
                       each = buckets.num_buckets / (buckets.bidirectional ? 2 : 1);
    const std::string x = buckets.bidirectional ? "|D|" : "max(D, 0)";
    const std::string far = fmt::format("min({0} + floor(log({1}/{0})/log({2}/{0})*{3}), {4})", m, x,
                                        buckets.max_distance, each - m, each - 1);
    Program made = plain_program(
        scene, "t5",
        {{"bias",
          {{"", fmt::format("c[{}*h + {}({} < {} ? {} : {})]", buckets.num_buckets,
                            buckets.bidirectional ? fmt::format("(D < 0 ? {} : 0) + ", each) : "", x, m, x,
                            far)}}},
         {"scale", {{"", fmt::format("sqrt({})", head_dim(scene))}}}});
    made.lists.push_back({"c", std::move(table)});
    return made;
}

}  // namespace
}  // namespace t5

std::int64_t t5_bucket(const T5Buckets& buckets, std::int64_t key_minus_query) {
    const std::int64_t count = buckets.bidirectional ? buckets.num_buckets / 2 : buckets.num_buckets;
    const std::int64_t base = buckets.bidirectional && key_minus_query > 0 ? count : 0;
    const std::int64_t x =
        buckets.bidirectional ? std::abs(key_minus_query) : std::max<std::int64_t>(-key_minus_query, 0);
    const std::int64_t exact = count / 2;
    if (x < exact) return base + x;
    const auto m = static_cast<double>(exact);
    const double share =
        std::log(static_cast<double>(x) / m) / std::log(static_cast<double>(buckets.max_distance) / m);
    // Compares as doubles first: the truncated value of a distance of 2^31 may not fit.
    const double further = std::min(share * static_cast<double>(count - exact), static_cast<double>(count));
    return base + std::min(exact + static_cast<std::int64_t>(further), count - 1);
}

const Encoding& t5_encoding() {
    using namespace t5;
    using Kind = Parameter::Kind;
    static const std::vector<Parameter> parameters = {
        {"num_buckets", Kind::integer, 32, 2, 65536},
        {"max_distance", Kind::integer, 128, 2, static_cast<double>(kLastPosition)},
        {"bidirectional", Kind::boolean, true},
        {"initializer_range", Kind::number, 1.0, 0.0, 1e3},
        {"seed", Kind::integer, 0, 0, 4294967295.0},
    };
    static const Encoding encoding{
        .kind = "t5",
        .family = Family::classic,
        .acts = Acts::logits,
        .per_head = true,
        .parameters = parameters,
        .check = check,
        .action = action,
        .logits = {.bias = true, .stepped = true},
        .learns = {.count = learned, .by = &experiment::kT5},
        .shown = {.colour = "cosine", .definition = define, .rank = 4},
        .slots = {.program = program},
    };
    return encoding;
}

}  // namespace posiscope
