import Casting
import Sender

/// Says how following was over.
struct Closing {
    let output: Output
    let receiver: String
    /// Where playback was, in seconds of item time.
    let position: Double?

    private var place: String { position.map { "It was at \(PlaybackTime.text($0))." } ?? "" }

    /// Prints it, and answers what the run came to.
    func close(_ ending: Following.Ending) -> ExitCode {
        switch ending {
        case .play(.ended): return say("ended", "It has ended.")
        case .play(.stopped): return say("stopped", "It was stopped.")
        case .play(.replaced): return say("replaced", "Something else was put on in its place.")
        case .play(.failed(let error)):
            let code = error.code == .unknown ? .mediaFailed : ExitCode(error)
            output.failure(error, exitCode: code)
            return code
        case .play(.lost(let loss)): return close(loss)
        case .stoppedByUser: return say("stopped", "Stopped. \(place)")
        case .left:
            return say("left", "It goes on without castsend: “castsend watch” shows it, “castsend stop” ends it.")
        case .broken(let error): return close(error)
        }
    }

    private func close(_ loss: RouteLoss) -> ExitCode {
        let place = (loss.position ?? position).map { " It was at \(PlaybackTime.text($0))." } ?? ""
        switch loss.reason {
        case .endedAtReceiver: return say("endedAtReceiver", "It was ended at “\(receiver)”.\(place)")
        case .disconnected: return say("disconnected", "The session was ended.\(place)")
        case .takenOver:
            let error = CastError(
                .receiverBusy, "\(loss.by ?? "Another sender") took “\(receiver)” over.\(place)",
                hint: "Take it back with “--takeover always”, and “--at” to go on there.")
            output.failure(error, exitCode: ExitCode(loss))
        case .receiverStopping:
            let error = CastError(
                .receiverUnreachable, "“\(receiver)” was switched off.\(place)",
                hint: "Start again when it is back, with “--at” to go on there.")
            output.failure(error, exitCode: ExitCode(loss))
        }
        return ExitCode(loss)
    }

    private func close(_ error: CastError) -> ExitCode {
        var shown = error
        switch error.code {
        case .receiverUnreachable:
            shown.message = "“\(receiver)” does not answer any more."
            shown.hint = [place, "Check that castreceiver still runs there, and the network."]
                .filter { !$0.isEmpty }.joined(separator: " ")
        case .notFound, .notAuthorized:
            shown = CastError(
                .receiverUnreachable, "“\(receiver)” does not know this session any more: it was restarted.",
                hint: [place, "Start again with “castsend play”."].filter { !$0.isEmpty }.joined(separator: " "))
        default: break
        }
        let code = ExitCode(shown)
        output.failure(shown, exitCode: code)
        return code
    }

    private func say(_ result: String, _ sentence: String) -> ExitCode {
        output.document(["result": result])
        output.say(sentence)
        return .done
    }
}
