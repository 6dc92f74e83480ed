#pragma once
#include <microhttpd.h>

/// MHD_start_daemon with the options the server uses; MHD owns the listening socket from then on.
static inline struct MHD_Daemon *castway_mhd_start(
    void *context, MHD_socket listening, unsigned int connections, unsigned int connectionsPerAddress,
    size_t memoryPerConnection, void *(*began)(void *, const char *, struct MHD_Connection *),
    MHD_AccessHandlerCallback access, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connectionChanged, size_t (*unescape)(void *, struct MHD_Connection *, char *)) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_SUSPEND_RESUME, 0, NULL, NULL, access, context,
        MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, connectionsPerAddress, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        memoryPerConnection, MHD_OPTION_URI_LOG_CALLBACK, began, context, MHD_OPTION_NOTIFY_COMPLETED, completed,
        context, MHD_OPTION_NOTIFY_CONNECTION, connectionChanged, context, MHD_OPTION_UNESCAPE_CALLBACK, unescape,
        context, MHD_OPTION_END);
}

/// MHD_get_connection_info for the socket.
static inline MHD_socket castway_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// MHD_get_connection_info for the other side's address.
static inline const struct sockaddr *castway_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/// MHD_get_connection_info for what connectionChanged put there.
static inline void *castway_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/// MHD_get_connection_info for the size of the request line and headers.
static inline size_t castway_mhd_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}
