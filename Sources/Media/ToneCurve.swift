#if canImport(Glibc)
    import Glibc
#endif

/// What the light of a frame becomes on an SDR screen, as a pure function of its colour description.
///
/// Light is counted in units of the screen's white, which BT.2408 puts at 203 cd/m². Up to about half of that it stays as
/// it is; above, it is bent (BT.2390 §5.4) so that the brightest light of the film becomes the screen's white. The bend goes
/// by the brightest of red, green and blue, so that hues stay.
package struct ToneCurve: Hashable, Sendable {
    /// cd/m² of the screen's white.
    package static let white = 203.0
    /// cd/m² of the brightest light where the media says nothing: what most films are mastered for.
    static let usualPeak = 1000.0

    package let transfer: ColourDescription.Transfer
    let primaries: ColourDescription.Primaries
    /// The brightest light, in cd/m².
    package let peak: Double

    /// The curve for pictures of a kind; nil where their pixels can be shown as they are.
    package init?(_ colour: ColourDescription) {
        let isWide = colour.primaries == .bt2020 || colour.primaries == .p3
        guard colour.transfer != .sdr || isWide else { return nil }
        transfer = colour.transfer
        primaries = colour.primaries
        switch colour.transfer {
        case .sdr: peak = Self.white
        // HLG says how light relates to the screen's brightest: a screen of 1,000 cd/m² is the reference.
        case .hlg: peak = Self.usualPeak
        case .pq: peak = min(max(colour.peakLuminance ?? Self.usualPeak, Self.white), 10_000)
        }
    }

    /// Light of a colour component from its number, 0 to 1. For HLG it is the scene's light, 0 to 1.
    func light(_ number: Double) -> Double {
        switch transfer {
        case .sdr: pow(number, 2.4)
        case .pq: Self.light(pq: number)
        case .hlg: number <= 0.5 ? number * number / 3 : (exp((number - 0.55991073) / 0.17883277) + 0.28466892) / 12
        }
    }

    /// What the scene's light is multiplied with to become the screen's, by its luminance (BT.2100, for 1,000 cd/m²).
    func systemGain(_ luminance: Double) -> Double {
        transfer == .hlg ? pow(max(luminance, 1e-6), 0.2) * peak / Self.white : 1
    }

    /// What light is to be multiplied with, by its brightest component.
    func gain(_ light: Double) -> Double {
        let top = peak / Self.white
        guard transfer != .sdr, top > 1, light > 0 else { return 1 }
        guard light < top else { return 1 / light }
        let brightest = Self.number(pq: top)
        let number = Self.number(pq: light) / brightest
        let limit = Self.number(pq: 1) / brightest
        let knee = 1.5 * limit - 0.5
        guard number > knee else { return 1 }
        let t = (number - knee) / (1 - knee)
        let bent =
            (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
            + (3 * t * t - 2 * t * t * t) * limit
        return Self.light(pq: bent * brightest) / light
    }

    /// The screen's number, 0 to 1, for light, 0 to 1 (BT.1886 with a black of 0).
    static func number(_ light: Double) -> Double { pow(light, 1 / 2.4) }

    /// Red, green and blue of BT.709 for each of the picture's: columns of a matrix.
    package var columns: (red: [Double], green: [Double], blue: [Double]) {
        switch primaries {
        case .bt2020:
            ([1.660491, -0.124550, -0.018151], [-0.587641, 1.132900, -0.100579], [-0.072850, -0.008349, 1.118730])
        case .p3: ([1.224940, -0.042057, -0.019638], [-0.224940, 1.042057, -0.078636], [0, 0, 1.098274])
        case .bt709, .bt601: ([1, 0, 0], [0, 1, 0], [0, 0, 1])
        }
    }

    /// How much red, green and blue add to luminance.
    package var luminance: [Double] { primaries == .bt2020 ? [0.2627, 0.6780, 0.0593] : [0.2126, 0.7152, 0.0722] }

    // ST 2084, in units of the screen's white.
    private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 32)
    private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)

    static func light(pq number: Double) -> Double {
        let root = pow(max(number, 0), 1 / m2)
        return pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1) * 10_000 / white
    }

    package static func number(pq light: Double) -> Double {
        let power = pow(max(light, 0) * white / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }
}
