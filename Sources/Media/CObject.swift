/// A pointer into one of FFmpeg's libraries together with the call that frees what it points to.
///
/// The one place of this room where the compiler is told to trust a pointer: a box is shared between threads only for
/// objects that are not changed once they are boxed (packets, frames, codec parameters); everything else keeps its box
/// to itself.
final class CObject<Pointer>: @unchecked Sendable {
    let pointer: Pointer
    private let free: @Sendable (Pointer) -> Void

    /// Takes over `pointer`; nil where it is nil, which is how these libraries say that memory is short.
    init?(_ pointer: Pointer?, free: @escaping @Sendable (Pointer) -> Void) {
        guard let pointer else { return nil }
        self.pointer = pointer
        self.free = free
    }

    deinit {
        free(pointer)
    }
}
