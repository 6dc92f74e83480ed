/// A date as HTTP writes it: "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110 §5.6.7), in whole seconds since 1970.
struct HTTPDate: Hashable, Comparable {
    var seconds: Int64

    static func < (first: HTTPDate, second: HTTPDate) -> Bool { first.seconds < second.seconds }

    /// The date as text.
    var text: String {
        let day = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
        let time = seconds - day * 86400
        let (year, month, dayOfMonth) = civil(day)
        let weekday = weekdays[Int(((day % 7) + 11) % 7)]
        let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(weekday), \(padded(dayOfMonth, 2)) \(months[Int(month) - 1]) \(padded(year, 4)) \(clock) GMT"
    }
}

extension HTTPDate {
    /// Reads the one form that is written today; nil for every other.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = decimal(words[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])), let year = decimal(words[3]), year < 10000
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { decimal($0) }
        guard clock.count == 3, clock[0] < 24, clock[1] < 60, clock[2] <= 60 else { return nil }
        seconds = days(year, Int64(month) + 1, day) * 86400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }
}

private let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
private let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

private func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
}

/// Year, month and day of a day counted from 1970, in the Gregorian calendar (years of 400 from March).
private func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719468
    let era = (shifted >= 0 ? shifted : shifted - 146096) / 146097
    let dayOfEra = shifted - era * 146097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
}

/// The day counted from 1970 of a date.
private func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146097 + dayOfEra - 719468
}
