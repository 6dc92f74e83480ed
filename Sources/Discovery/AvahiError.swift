import CAvahi
import Casting

/// A failure of Avahi's, by its number.
struct AvahiError: Error, Hashable {
    var code: Int32

    init(_ code: Int32) { self.code = code }

    /// A daemon is not there (yet).
    static let noDaemon = AvahiError(Int32(AVAHI_ERR_NO_DAEMON))
    /// The name is taken.
    static let collision = AvahiError(Int32(AVAHI_ERR_COLLISION))
    /// Nothing better is known.
    static let failure = AvahiError(Int32(AVAHI_ERR_FAILURE))

    /// Throws where a call answered with an error.
    static func check(_ result: Int32) throws(AvahiError) {
        if result < 0 { throw AvahiError(result) }
    }

    /// The error in words for people, and what to do. The same for all ways of the daemon's being away, so that they
    /// are told once.
    var castError: CastError {
        let text = String(cString: avahi_strerror(code))
        switch Int(code) {
        case AVAHI_ERR_NOT_PERMITTED, AVAHI_ERR_ACCESS_DENIED:
            return CastError(
                .discoveryUnavailable, "The Avahi daemon does not allow programs to announce services.",
                hint: "Set disable-publishing=no and disable-user-service-publishing=no in "
                    + "/etc/avahi/avahi-daemon.conf and restart it.", details: ["avahi": text])
        case AVAHI_ERR_NO_DAEMON, AVAHI_ERR_DISCONNECTED, AVAHI_ERR_DBUS_ERROR:
            return CastError(
                .discoveryUnavailable, "The Avahi daemon, by which receivers are found, is not running.",
                hint: "Install it with “sudo apt install avahi-daemon”, or start it with "
                    + "“sudo systemctl start avahi-daemon”.")
        default:
            return CastError(
                .discoveryUnavailable, "The Avahi daemon reports an error: \(text).",
                hint: "Look at “journalctl -u avahi-daemon”.", details: ["avahi": text])
        }
    }
}
