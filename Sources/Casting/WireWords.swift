/// Words for what is wrong with a text of JSON, for those who wrote it.
package enum WireWords {
    /// What a value of that type is called in JSON.
    package static func kind(of type: any Any.Type) -> String {
        switch type {
        case is String.Type, is String?.Type: "a text"
        case is Bool.Type, is Bool?.Type: "true or false"
        case is Int.Type, is Int?.Type: "a whole number"
        case is any BinaryFloatingPoint.Type, is Double?.Type, is HostTime.Type: "a number"
        case is any RawRepresentable<String>.Type: "a text"
        case is any UnkeyedList.Type: "a list"
        default: "an object"
        }
    }
}

/// Types that are lists in JSON.
private protocol UnkeyedList {}
extension Array: UnkeyedList {}
extension Set: UnkeyedList {}
