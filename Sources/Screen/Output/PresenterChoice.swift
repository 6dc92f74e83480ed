internal import Casting

/// Chooses what brings pictures to the screen, by what is really there.
@MainActor
enum PresenterChoice {
    /// The presenter that suits the machine, or the one asked for.
    ///
    /// - Throws: `outputUnavailable` where the one asked for is not to be had, or none is.
    static func presenter(
        _ wanted: ScreenSettings.Presenter, for window: ScreenWindow
    ) throws(CastError) -> any Presenter {
        switch wanted {
        case .surface: return try SurfacePresenter(window: window.pointer)
        case .gles: return try chip(window, acceptsSoftware: true)
        case .automatic:
            guard GraphicsChip.mayBePresent, !ScreenWindow.isInMemory(window.videoDriver) else {
                return try SurfacePresenter(window: window.pointer)
            }
            do throws(CastError) {
                return try chip(window, acceptsSoftware: false)
            } catch {
                return try fallback(for: window)
            }
        }
    }

    /// The window's own memory, after OpenGL has failed.
    static func fallback(for window: ScreenWindow) throws(CastError) -> any Presenter {
        if window.usesGL, !window.reopen(usesGL: false) { throw GLContext.failure("The display gives no window.") }
        return try SurfacePresenter(window: window.pointer)
    }

    private static func chip(_ window: ScreenWindow, acceptsSoftware: Bool) throws(CastError) -> any Presenter {
        guard window.usesGL || window.reopen(usesGL: true) else { throw GLContext.failure("OpenGL gives no window.") }
        return try GLESPresenter(window: window.pointer, acceptsSoftware: acceptsSoftware)
    }
}
