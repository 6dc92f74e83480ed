#pragma once
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/error.h>
#include <libavutil/hwcontext.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <libavutil/aes.h>
#include <libavutil/avstring.h>
#include <libavutil/log.h>

// Macros that Swift does not import.
static const int64_t CFF_NO_TIME = AV_NOPTS_VALUE;
static const int CFF_ERROR_EOF = AVERROR_EOF;
static const int CFF_ERROR_EXIT = AVERROR_EXIT;
static const int CFF_ERROR_INVALID_DATA = AVERROR_INVALIDDATA;
static const int CFF_ERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int CFF_ERROR_DEMUXER_NOT_FOUND = AVERROR_DEMUXER_NOT_FOUND;
static const int CFF_ERROR_PROTOCOL_NOT_FOUND = AVERROR_PROTOCOL_NOT_FOUND;
static const int CFF_ERROR_PATCH_WELCOME = AVERROR_PATCHWELCOME;
static const int CFF_ERROR_STREAM_NOT_FOUND = AVERROR_STREAM_NOT_FOUND;
static const int CFF_ERROR_AGAIN = AVERROR(EAGAIN);
static const int CFF_ERROR_IO = AVERROR(EIO);
static const int CFF_ERROR_NO_MEMORY = AVERROR(ENOMEM);
static const int CFF_ERROR_NOT_IMPLEMENTED = AVERROR(ENOSYS);
static const int CFF_ERROR_INVALID_ARGUMENT = AVERROR(EINVAL);

/// av_log's message as text; `print_prefix` is kept by the caller between calls.
static inline void cff_format_log(void *object, int level, const char *format, va_list list, char *line, int size,
                                  int *print_prefix) {
    av_log_format_line2(object, level, format, list, line, size, print_prefix);
}
