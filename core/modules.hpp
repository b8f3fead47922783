// Parts of the Python module in separate files.
#pragma once

#include <nanobind/nanobind.h>

void define_scores(nanobind::module_& m);
void define_shifted_pairs(nanobind::module_& m);
void define_score_slots(nanobind::module_& m);
void define_grouped_scores(nanobind::module_& m);
void define_resampling(nanobind::module_& m);
void define_auc_split(nanobind::module_& m);
void define_event_windows(nanobind::module_& m);
void define_compressed_window(nanobind::module_& m);
void define_learning(nanobind::module_& m);
