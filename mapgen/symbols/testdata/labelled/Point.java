package com.example.geo;
import java.io.Serializable;
public record Point<N extends Number>(N x, N y) implements Serializable {
    public static final Point<Integer> ZERO = new Point<>(0, 0);
    public Point { check(x); }
    public double norm() { return 0; }
}
public @interface Mark { String value() default ""; int level() default 1; }
public sealed interface Shape permits Circle, Square { double area(); }
public enum Color implements Tinted { RED(1), GREEN(2); Color(int n) {} public int code() { return 1; } }
