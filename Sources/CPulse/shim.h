#pragma once
#include <pulse/pulseaudio.h>

// A macro that Swift does not import.
static const pa_sample_format_t CASTWAY_PA_FLOAT32 = PA_SAMPLE_FLOAT32NE;
