import Foundation
@testable import Shop
import struct Shop.Money

/// A guard.
public final class Guard: Base {
    public func check() -> Bool { true }
}
struct Token: Codable { let text: String }
public enum Kind { case a }
protocol Checks { func run() }
actor Store {}
func issue(user: User) -> Token { Token(text: "") }
private func hidden() {}
fileprivate let also = 1
public let limit = 3
var shared: Store?
public typealias Tokens = [Token]
extension Token { func len() -> Int { 0 } }
/* struct Not {}
struct NotEither {} */
