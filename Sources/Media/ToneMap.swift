import CFFmpeg
import Casting
import Dispatch

/// A tone curve as tables, and the work of drawing pictures by them.
final class ToneMap {
    /// Bits of the numbers it reads.
    static let bits = 12
    private static let count = 1 << bits

    let curve: ToneCurve
    private let isSceneLight: Bool
    /// Light by number.
    private let light: UnsafeMutablePointer<Float>
    /// Gain by the brightest number; for the scene's light, by the step of the brightest light's share of the top.
    private let gain: UnsafeMutablePointer<Float>
    /// Gain of the whole system by the step of luminance, for the scene's light only.
    private let system: UnsafeMutablePointer<Float>
    /// The screen's number by the step of light.
    private let number: UnsafeMutablePointer<UInt8>
    private let columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)
    private let luminance: SIMD4<Float>
    /// The brightest light, in the screen's white.
    private let top: Float

    init(_ curve: ToneCurve) {
        self.curve = curve
        isSceneLight = curve.transfer == .hlg
        top = Float(curve.peak / ToneCurve.white)
        light = .allocate(capacity: Self.count)
        gain = .allocate(capacity: max(Self.count, Steps.count))
        system = .allocate(capacity: Steps.count)
        number = .allocate(capacity: Steps.count)
        for index in 0..<Self.count {
            let light = curve.light(Double(index) / Double(Self.count - 1))
            self.light[index] = Float(light)
            gain[index] = Float(curve.gain(light))
        }
        for step in 0..<Steps.count {
            let light = Steps.light(step)
            if isSceneLight { gain[step] = Float(curve.gain(light * Double(top))) }
            system[step] = Float(curve.systemGain(light))
            number[step] = step == 0 ? 0 : UInt8((ToneCurve.number(light) * 255).rounded())
        }
        func vector(_ list: [Double]) -> SIMD4<Float> { SIMD4(Float(list[0]), Float(list[1]), Float(list[2]), 0) }
        let columns = curve.columns
        self.columns = (vector(columns.red), vector(columns.green), vector(columns.blue))
        luminance = vector(curve.luminance)
    }

    deinit {
        light.deallocate()
        gain.deallocate()
        system.deallocate()
        number.deallocate()
    }

    /// Draws planes of green, blue and red numbers as pixels, on several threads.
    func draw(
        _ frame: UnsafeMutablePointer<AVFrame>, into pixels: UnsafeMutableRawPointer, stride: Int, threads: Int
    ) {
        let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        let data = frame.pointee.data
        guard let green = data.0, let blue = data.1, let red = data.2 else { return }
        let lines = frame.pointee.linesize
        let job = Job(
            map: self, planes: (UnsafeRawPointer(red), UnsafeRawPointer(green), UnsafeRawPointer(blue)),
            strides: (Int(lines.2), Int(lines.0), Int(lines.1)), pixels: pixels, stride: stride, width: width)
        let bands = max(1, min(threads, height / 16))
        guard bands > 1 else { return job.draw(rows: 0..<height) }
        DispatchQueue.concurrentPerform(iterations: bands) { band in
            job.draw(rows: (height * band / bands)..<(height * (band + 1) / bands))
        }
    }

    /// One picture's work. The threads that share it write rows of their own and only read the rest.
    private struct Job: @unchecked Sendable {
        let map: ToneMap
        let planes: (red: UnsafeRawPointer, green: UnsafeRawPointer, blue: UnsafeRawPointer)
        let strides: (red: Int, green: Int, blue: Int)
        let pixels: UnsafeMutableRawPointer
        let stride: Int
        let width: Int

        func draw(rows: Range<Int>) {
            for y in rows {
                let red = (planes.red + y * strides.red).assumingMemoryBound(to: UInt16.self)
                let green = (planes.green + y * strides.green).assumingMemoryBound(to: UInt16.self)
                let blue = (planes.blue + y * strides.blue).assumingMemoryBound(to: UInt16.self)
                let target = (pixels + y * stride).assumingMemoryBound(to: UInt32.self)
                if map.isSceneLight {
                    map.drawScene(red, green, blue, target, width)
                } else {
                    map.drawScreen(red, green, blue, target, width)
                }
            }
        }
    }

    private typealias Row = UnsafePointer<UInt16>

    private func drawScreen(_ red: Row, _ green: Row, _ blue: Row, _ target: UnsafeMutablePointer<UInt32>, _ width: Int)
    {
        let (light, gain, number) = (UnsafePointer(light), UnsafePointer(gain), UnsafePointer(number))
        let (columns, mask) = (columns, Self.count - 1)
        for x in 0..<width {
            let (r, g, b) = (Int(red[x]) & mask, Int(green[x]) & mask, Int(blue[x]) & mask)
            let mixed = columns.0 * light[r] + columns.1 * light[g] + columns.2 * light[b]
            target[x] = Self.pixel(mixed * gain[max(r, g, b)], number)
        }
    }

    private func drawScene(_ red: Row, _ green: Row, _ blue: Row, _ target: UnsafeMutablePointer<UInt32>, _ width: Int)
    {
        let (light, gain, number) = (UnsafePointer(light), UnsafePointer(gain), UnsafePointer(number))
        let system = UnsafePointer(system)
        let (columns, mask, weights, perTop) = (columns, Self.count - 1, luminance, 1 / top)
        for x in 0..<width {
            let (r, g, b) = (Int(red[x]) & mask, Int(green[x]) & mask, Int(blue[x]) & mask)
            let luminance = light[r] * weights.x + light[g] * weights.y + light[b] * weights.z
            let factor = system[Steps.step(luminance)]
            let bend = gain[Steps.step(light[max(r, g, b)] * factor * perTop)]
            let mixed = columns.0 * light[r] + columns.1 * light[g] + columns.2 * light[b]
            target[x] = Self.pixel(mixed * (factor * bend), number)
        }
    }

    /// A pixel from light of red, green and blue.
    @inline(__always)
    private static func pixel(_ light: SIMD4<Float>, _ number: UnsafePointer<UInt8>) -> UInt32 {
        let steps = Steps.steps(light)
        return UInt32(number[Int(steps.x)]) << 16 | UInt32(number[Int(steps.y)]) << 8 | UInt32(number[Int(steps.z)])
    }
}

/// Light from 2⁻²⁰ to 1 in steps of equal ratio: the highest bits of a floating point number, which cost no arithmetic.
private enum Steps {
    /// How many; the last is 1 itself.
    static let count = 20 << 8 + 1
    private static let least = Float(bitPattern: origin)
    private static let origin: UInt32 = (127 - 20) << 23
    private static let shift: UInt32 = 15

    /// The light in the middle of a step.
    static func light(_ step: Int) -> Double {
        step == count - 1 ? 1 : Double(Float(bitPattern: origin + UInt32(step) << shift + 1 << (shift - 1)))
    }

    @inline(__always)
    static func step(_ light: Float) -> Int {
        Int((max(least, min(light, 1)).bitPattern &- origin) >> shift)
    }

    @inline(__always)
    static func steps(_ light: SIMD4<Float>) -> SIMD4<UInt32> {
        var light = light
        light.replace(with: least, where: light .< least)
        light.replace(with: 1, where: light .> 1)
        return (unsafeBitCast(light, to: SIMD4<UInt32>.self) &- origin) &>> shift
    }
}
