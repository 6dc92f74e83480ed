/// The shaders, in the language of ES 2, which ES 3 understands too.
enum GLShaders {
    static let vertex = """
        attribute vec2 corner;
        attribute vec2 part;
        varying vec2 place;
        void main() {
            place = part;
            gl_Position = vec4(corner, 0.0, 1.0);
        }
        """

    /// What lies over the picture: premultiplied pixels in the order blue, green, red, alpha.
    static let overlay = """
        precision mediump float;
        varying vec2 place;
        uniform sampler2D plane0;
        void main() { gl_FragColor = texture2D(plane0, place).bgra; }
        """

    /// The picture, by its planes. `LAYOUT`: 0 pixels, 1 grey, 2 pairs, 3 planar. `WIDE`: two bytes a sample.
    /// `TONE`: 0 none, 1 SDR of wide gamut, 2 PQ, 3 HLG; the formulas are `ToneCurve`'s.
    static let picture = """
        precision highp float;
        varying vec2 place;
        uniform sampler2D plane0;
        uniform sampler2D plane1;
        uniform sampler2D plane2;
        // Scale, shift and limit from places in the picture to places in a plane, whose rows have bytes to spare.
        uniform vec4 map0;
        uniform vec4 map1;
        uniform float depth;
        uniform vec3 offset;
        uniform mat3 decoding;

        vec2 at(vec4 map) { return vec2(min(place.x * map.x + map.z, map.w), place.y * map.y); }

        #if WIDE
        // Texels of a plane in width and height.
        uniform vec3 size0;
        uniform vec3 size1;

        // Two samples of two bytes; where there is one, both are it.
        vec2 texel(sampler2D plane, vec2 at) {
            vec4 bytes = texture2D(plane, at);
        #if LAYOUT == 2
            return vec2(bytes.r + bytes.g * 256.0, bytes.b + bytes.a * 256.0) * depth;
        #else
            return vec2(bytes.r + bytes.a * 256.0) * depth;
        #endif
        }

        // Chips may round each byte between two texels: what lies between is worked out here.
        vec2 between(sampler2D plane, vec2 at, vec2 size) {
            vec2 spot = at * size - 0.5;
            vec2 share = fract(spot);
            vec2 first = (floor(spot) + 0.5) / size;
            vec2 second = first + 1.0 / size;
            vec2 above = mix(texel(plane, first), texel(plane, vec2(second.x, first.y)), share.x);
            vec2 below = mix(texel(plane, vec2(first.x, second.y)), texel(plane, second), share.x);
            return mix(above, below, share.y);
        }
        #endif

        float luma() {
        #if WIDE && LAYOUT == 2
            // Luma's two bytes are red and alpha, as everywhere but in pairs.
            vec2 spot = at(map0) * size0.xy - 0.5;
            vec2 share = fract(spot);
            vec2 first = (floor(spot) + 0.5) / size0.xy;
            vec2 second = first + 1.0 / size0.xy;
            vec4 upper = vec4(texture2D(plane0, first).ra, texture2D(plane0, vec2(second.x, first.y)).ra);
            vec4 lower = vec4(texture2D(plane0, vec2(first.x, second.y)).ra, texture2D(plane0, second).ra);
            vec2 above = mix(upper.xy, upper.zw, share.x);
            vec2 below = mix(lower.xy, lower.zw, share.x);
            vec2 bytes = mix(above, below, share.y);
            return (bytes.x + bytes.y * 256.0) * depth;
        #elif WIDE
            return between(plane0, at(map0), size0.xy).x;
        #else
            return texture2D(plane0, at(map0)).r;
        #endif
        }

        vec3 numbers() {
        #if LAYOUT == 0
            vec4 texel = texture2D(plane0, at(map0));
            return texel.bgr * texel.a;
        #elif LAYOUT == 1
            return decoding * (vec3(luma(), offset.yz) - offset);
        #elif LAYOUT == 2
        #if WIDE
            vec2 chroma = between(plane1, at(map1), size1.xy);
        #else
            vec2 chroma = texture2D(plane1, at(map1)).ra;
        #endif
            return decoding * (vec3(luma(), chroma) - offset);
        #else
            vec2 place1 = at(map1);
        #if WIDE
            vec2 chroma = vec2(between(plane1, place1, size1.xy).x, between(plane2, place1, size1.xy).x);
        #else
            vec2 chroma = vec2(texture2D(plane1, place1).r, texture2D(plane2, place1).r);
        #endif
            return decoding * (vec3(luma(), chroma) - offset);
        #endif
        }

        #if TONE
        uniform float peak;
        uniform vec3 luminance;
        uniform mat3 gamut;
        const float m1 = 0.1593017578125;
        const float m2 = 78.84375;
        const float c1 = 0.8359375;
        const float c2 = 18.8515625;
        const float c3 = 18.6875;
        const float white = 203.0;

        vec3 light(vec3 number) {
        #if TONE == 1
            return pow(number, vec3(2.4));
        #elif TONE == 2
            vec3 root = pow(number, vec3(1.0 / m2));
            return pow(max(root - c1, 0.0) / (c2 - c3 * root), vec3(1.0 / m1)) * 10000.0 / white;
        #else
            vec3 high = (exp((number - 0.55991073) / 0.17883277) + 0.28466892) / 12.0;
            return mix(number * number / 3.0, high, step(0.5, number));
        #endif
        }

        float pq(float light) {
            float power = pow(light * white / 10000.0, m1);
            return pow((c1 + c2 * power) / (1.0 + c3 * power), m2);
        }

        float gain(float light) {
            float top = peak / white;
            if (light >= top) return 1.0 / light;
            float brightest = pq(top);
            float number = pq(light) / brightest;
            float limit = pq(1.0) / brightest;
            float knee = 1.5 * limit - 0.5;
            if (number <= knee) return 1.0;
            float t = (number - knee) / (1.0 - knee);
            float bent = (2.0 * t * t * t - 3.0 * t * t + 1.0) * knee + (t * t * t - 2.0 * t * t + t) * (1.0 - knee)
                + (3.0 * t * t - 2.0 * t * t * t) * limit;
            float root = pow(bent * brightest, 1.0 / m2);
            return pow(max(root - c1, 0.0) / (c2 - c3 * root), 1.0 / m1) * 10000.0 / white / light;
        }

        vec3 mapped(vec3 number) {
            vec3 mixed = light(clamp(number, 0.0, 1.0));
        #if TONE == 3
            mixed *= pow(max(dot(mixed, luminance), 0.000001), 0.2) * peak / white;
        #endif
        #if TONE > 1
            float brightest = max(mixed.r, max(mixed.g, mixed.b));
            if (brightest > 0.0) mixed *= gain(brightest);
        #endif
            return pow(clamp(gamut * mixed, 0.0, 1.0), vec3(1.0 / 2.4));
        }
        #endif

        void main() {
        #if TONE
            gl_FragColor = vec4(mapped(numbers()), 1.0);
        #else
            gl_FragColor = vec4(numbers(), 1.0);
        #endif
        }
        """
}
