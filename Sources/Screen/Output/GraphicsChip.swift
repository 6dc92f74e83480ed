#if canImport(Glibc)
    import Glibc
#endif

/// Whether this machine may have a graphics chip.
enum GraphicsChip {
    /// Whether one of the kernel's nodes for graphics chips is there. Where none is, OpenGL can only work on the processor,
    /// and need not be loaded to find that out.
    static var mayBePresent: Bool {
        let nodes: [String] = (128..<136).map { "/dev/dri/renderD\($0)" } + (0..<4).map { "/dev/dri/card\($0)" }
        return (nodes + ["/dev/nvidiactl", "/dev/mali0", "/dev/kgsl-3d0", "/dev/dxg"]).contains {
            access($0, F_OK) == 0
        }
    }
}
