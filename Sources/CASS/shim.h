#pragma once
#include <ass/ass.h>
#include <stdarg.h>

static inline void castway_ass_no_message(int level, const char *format, va_list arguments, void *data) {
    (void)level; (void)format; (void)arguments; (void)data;
}

/// Keeps libass from writing to stderr (a variadic callback cannot be written in Swift).
static inline void castway_ass_be_quiet(ASS_Library *library) {
    ass_set_message_cb(library, castway_ass_no_message, 0);
}
