#pragma once
#include <X11/Xlib.h>
#include <X11/Xutil.h>

static inline unsigned long cx11_pixel(XImage *image, int x, int y) { return XGetPixel(image, x, y); }
static inline int cx11_free(XImage *image) { return XDestroyImage(image); }
