#pragma once
#include <curl/curl.h>

/// curl_easy_setopt with a whole number.
static inline CURLcode castway_curl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/// curl_easy_setopt with a text, which curl copies; NULL takes it away.
static inline CURLcode castway_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/// CURLOPT_HTTPHEADER; the list must live as long as it is set.
static inline CURLcode castway_curl_set_headers(CURL *easy, struct curl_slist *list) {
    return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, list);
}

/// CURLOPT_COPYPOSTFIELDS with its size.
static inline CURLcode castway_curl_set_body(CURL *easy, const void *bytes, size_t size) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
    return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, (const char *)bytes);
}

/// The functions that get headers and body, with one context for both.
static inline CURLcode castway_curl_set_receiver(
    CURL *easy, void *context, size_t (*header)(char *, size_t, size_t, void *),
    size_t (*body)(char *, size_t, size_t, void *)) {
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    return curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

/// CURLINFO_LOCAL_IP: the address of this machine that the last transfer used; NULL where it is not known.
static inline const char *castway_curl_local_address(CURL *easy) {
    char *address = NULL;
    return curl_easy_getinfo(easy, CURLINFO_LOCAL_IP, &address) ? NULL : address;
}

/// CURLINFO_PRIMARY_IP: the address of the server that the last transfer used; NULL where it is not known.
static inline const char *castway_curl_server_address(CURL *easy) {
    char *address = NULL;
    return curl_easy_getinfo(easy, CURLINFO_PRIMARY_IP, &address) ? NULL : address;
}

/// curl_multi_setopt with a whole number.
static inline CURLMcode castway_curl_multi_set_number(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// The next transfer that has ended, and how; NULL where there is none.
static inline CURL *castway_curl_multi_next_ended(CURLM *multi, CURLcode *result) {
    int left;
    struct CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}
