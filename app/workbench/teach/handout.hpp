// handout.hpp — a lesson on paper, and its steps as pictures.
// Each step has its picture, its text, and boxes for the answers of its question; the answers are on the last page. A step
// that only invites to try ("paper": false) is left out.
#pragma once

#include "app/workbench/share/picture.hpp"
#include "core/lessons/lesson.hpp"

namespace posiscope::workbench {

struct Paper {
    double width = 210.0 * 96.0 / 25.4, height = 297.0 * 96.0 / 25.4;  // points; A4
    double dpi = kVectorDpi;                                           // of heatmaps
};
inline constexpr double kNarrowestPaper = 400.0, kLowestPaper = 560.0;  // points

// The bytes of a PDF.
std::string handout(const lessons::Lesson& lesson, const Preferences& preferences, const Paper& paper);

struct StepPicture {
    Image image;
    Scene scene;
};
// One step as it is presented, with its question if it has one, and its Scene. `options` has the size in pixels as points at
// scale 1. A GL context must be current.
Result<StepPicture> step_picture(const lessons::Lesson& lesson, std::size_t step,
                                 const Preferences& preferences, const PictureOptions& options);

}  // namespace posiscope::workbench
