#pragma once
#include <SDL2/SDL.h>

// Macros that Swift does not import.
static const Uint32 CASTWAY_SDL_AUDIO_F32 = AUDIO_F32SYS;
static const int CASTWAY_SDL_WINDOWPOS_CENTERED = SDL_WINDOWPOS_CENTERED;
static const Uint32 CASTWAY_SDL_PIXELFORMAT_BGRX = SDL_PIXELFORMAT_RGB888;

/// The text of a GL string through SDL's loader, without linking GL; NULL where there is none.
static inline const char *castway_gl_string(unsigned int name) {
    typedef const unsigned char *(*GetString)(unsigned int);
    GetString get = (GetString)SDL_GL_GetProcAddress("glGetString");
    return get ? (const char *)get(name) : 0;
}
