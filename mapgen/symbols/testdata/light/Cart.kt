/* A cart.
class Commented */
package com.shop.cart

import com.shop.money.Money
import kotlin.math.*

// fun alsoCommented() {}
data class Line(val sku: String, val count: Int)

sealed interface Result
object Empty : Result

@Deprecated("use total2")
fun total(lines: List<Line>): Money = lines.fold(Money.ZERO) { a, l -> a + l.price() }

inline fun <reified T> pick(of: List<Any>): T? = null
fun Line.price(): Money = Money.ZERO
private fun secret() = 1
internal fun inside() = 2
const val LIMIT = 10
var current: Cart? = null
typealias Lines = List<Line>
enum class Color { RED }
@JvmInline value class Sku(val s: String)

class Cart {
    fun add(l: Line) {}
    val url = "http://x" // class NotThis
}
