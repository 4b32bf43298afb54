package shop.ledger

import scala.collection.mutable
import shop.money.{Money, Rate}
import shop.util._

case class Entry(id: Int, sum: Money)
sealed trait Side
object Ledger {
  def open(): Ledger = new Ledger
}
abstract class Ledger extends Side
enum Color { case Red }
def total(entries: Seq[Entry]): Money = ???
val Limit = 10
implicit val order: Ordering[Entry] = ???
type Entries = Seq[Entry]
private class Hidden
// class Commented
