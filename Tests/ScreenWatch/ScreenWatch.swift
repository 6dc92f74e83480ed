import CX11
import TestSupport

/// Looks at an X screen from outside, as a person before it would.
public final class ScreenWatch {
    private let display: OpaquePointer

    /// Connects to the X server of that name, for example `:97`; nil where it does not answer.
    public init?(display name: String) {
        guard let display = XOpenDisplay(name) else { return nil }
        self.display = display
    }

    deinit { XCloseDisplay(display) }

    /// The number in the top row of a full-screen clip's picture (see `FrameCode`); nil where there is none.
    ///
    /// - Parameter scale: how many times its size the clip is shown.
    public func frameNumber(scale: Double = 1) -> Int? {
        let root = XDefaultRootWindow(display)
        let width = UInt32(16 * 32 * scale)
        // One line through the middle of the blocks says it all, and costs the server next to nothing.
        let line = Int32(16 * scale)
        guard let image = XGetImage(display, root, 0, line, width, 1, ~0, ZPixmap) else { return nil }
        defer { _ = cx11_free(image) }
        return FrameCode.read(scale: scale) { x, _ in
            let pixel = cx11_pixel(image, Int32(x), 0)
            return Int((pixel >> 16 & 255) + (pixel >> 8 & 255) + (pixel & 255)) / 3
        }
    }
}
