#pragma once
#include <SDL2/SDL.h>
#include <dlfcn.h>

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

static inline void castway_alsa_no_message(
    const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file; (void)line; (void)function; (void)error; (void)format;
}

/// Keeps ALSA, where SDL can load it, from writing many lines to stderr for a device that is not there.
static inline void castway_alsa_be_quiet(void) {
    typedef void (*Handler)(const char *, int, const char *, int, const char *, ...);
    void *alsa = dlopen("libasound.so.2", RTLD_LAZY | RTLD_LOCAL);
    if (!alsa) return;
    int (*set)(Handler) = (int (*)(Handler))dlsym(alsa, "snd_lib_error_set_handler");
    if (set) set(castway_alsa_no_message);
}
