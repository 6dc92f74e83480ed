/// The word that was probably meant by `word`; nil where none is near.
///
/// A third of the letters may be wrong, missing, too many or swapped with their neighbour, and the beginning of a word
/// is enough where it is the beginning of one only.
package func closest(to word: String, among candidates: [String]) -> String? {
    let beginnings = candidates.filter { $0.hasPrefix(word) }
    if beginnings.count == 1, word.count > 1 { return beginnings[0] }
    let limit = max(1, word.drop { $0 == "-" }.count / 3)
    return candidates.map { (word: $0, distance: editDistance(word, $0)) }
        .filter { $0.distance <= limit }
        .min { $0.distance < $1.distance }?.word
}

/// How many letters must be changed, put in, taken out or swapped with their neighbour to make one word of the other
/// (the optimal string alignment distance).
package func editDistance(_ first: String, _ second: String) -> Int {
    let a = Array(first)
    let b = Array(second)
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var rows = [Array(0...b.count)]
    for i in 1...a.count {
        var row = [i]
        for j in 1...b.count {
            var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { best = min(best, rows[i - 2][j - 2] + 1) }
            row.append(best)
        }
        rows.append(row)
    }
    return rows[a.count][b.count]
}
