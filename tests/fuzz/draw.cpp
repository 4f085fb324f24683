// draw.cpp — any bytes as a picture of a scene: the first eight choose the figure, its mode, size, scale and mouse, the
// rest is the Scene. It is drawn on the recorder; what it must not do is in any_drawing.hpp.
#include "tests/figures/any_drawing.hpp"

#include <cstdio>
#include <cstdlib>

using namespace posiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kChosen = 8;
    if (size < kChosen) return 0;
    const auto json = parse_json({reinterpret_cast<const char*>(data) + kChosen, size - kChosen});
    if (!json) return 0;
    auto laid = overlay(Scene(), *json);
    // What costs too much is a question of its own: here it would only hide what is wrong.
    if (!laid || laid->scene.d_model > 256 || laid->scene.num_heads > 16) return 0;
    test::Drawing drawing;
    drawing.scene = std::move(laid->scene);
    drawing.figure = data[0], drawing.mode = data[1], drawing.theme = data[2];
    drawing.language = data[2] < 128 ? Language::english : Language::chinese;
    drawing.area = {0.0F, 0.0F, 6.0F * static_cast<float>(data[3]), 4.0F * static_cast<float>(data[4])};
    drawing.scale = 0.25F * static_cast<float>(1 + data[5] % 16);
    drawing.mouse = {static_cast<float>(data[6]) / 255.0F * drawing.area.x1,
                     static_cast<float>(data[7] & 15) / 15.0F * drawing.area.y1};
    drawing.pressed = (data[7] & 16) != 0;
    drawing.double_clicked = (data[7] & 32) != 0;
    drawing.wheel = (data[7] & 64) != 0 ? 3.0F : 0.0F;
    drawing.difference = (data[7] & 128) != 0;
    const std::string complaint = test::complaint_of(std::move(drawing));
    if (complaint.empty()) return 0;
    std::fprintf(stderr, "%s\n", complaint.c_str());
    std::abort();
}
