/** A shop. */
package com.example.shop;

import java.util.*;
import java.util.function.Function;
import static com.example.util.Text.trim;

@Deprecated
public abstract class Shop<T extends Item & Comparable<T>> extends Base<T> implements Closeable, Iterable<T> {
    public static final int MAX = 10, MIN = 1;
    protected String name;
    private int secret;
    int packaged;
    public Shop(String name) {}
    protected Shop() {}
    @Override public void close() throws IOException {}
    public abstract <R> R map(Function<? super T, R> f);
    public void add(T item) {}
    public void add(T item, int n) {}
    private void hidden() {}
    static void packagePrivate() {}
    public static class Builder { public Builder with(int x) { return this; } private int n; }
    public enum Mode { ON, OFF { @Override void x() {} }; public Mode flip() { return ON; } void x() {} }
    interface Quiet { void q(); }
    public interface Visitor<V> { V visit(Object o); default int depth() { return 1; } private void p() {} }
    { init(); }
    static { boot(); }
}
class Helper { public void help() {} }
