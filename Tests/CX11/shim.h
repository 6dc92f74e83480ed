#pragma once
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/shm.h>

static inline unsigned long cx11_pixel(XImage *image, int x, int y) { return XGetPixel(image, x, y); }
static inline int cx11_free(XImage *image) { return XDestroyImage(image); }

/* A row of the screen in memory that the X server writes itself. */
typedef struct {
    Display *display;
    XImage *image;
    XShmSegmentInfo segment;
} cx11_row;

static inline void cx11_row_close(cx11_row *row) {
    if (row->image) {
        XShmDetach(row->display, &row->segment);
        XSync(row->display, False);
        XDestroyImage(row->image);
        shmdt(row->segment.shmaddr);
    }
    free(row);
}

static inline cx11_row *cx11_row_open(Display *display, unsigned width) {
    cx11_row *row = (cx11_row *)calloc(1, sizeof *row);
    int screen = DefaultScreen(display);
    row->display = display;
    if (!XShmQueryExtension(display)) return cx11_row_close(row), (cx11_row *)0;
    XImage *image = XShmCreateImage(
        display, DefaultVisual(display, screen), DefaultDepth(display, screen), ZPixmap, 0, &row->segment, width, 1);
    if (!image) return cx11_row_close(row), (cx11_row *)0;
    row->segment.shmid = shmget(IPC_PRIVATE, image->bytes_per_line, IPC_CREAT | 0600);
    row->segment.shmaddr = image->data = (char *)shmat(row->segment.shmid, 0, 0);
    XShmAttach(display, &row->segment);
    XSync(display, False);
    /* Gone when both sides have let go of it. */
    shmctl(row->segment.shmid, IPC_RMID, 0);
    row->image = image;
    return row;
}

static inline int cx11_row_read(cx11_row *row, int x, int y) {
    return XShmGetImage(row->display, DefaultRootWindow(row->display), row->image, x, y, AllPlanes);
}
