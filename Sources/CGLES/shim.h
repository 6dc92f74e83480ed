#pragma once
// The functions of ES 2, which every ES 3 has.
#include <GLES2/gl2.h>
