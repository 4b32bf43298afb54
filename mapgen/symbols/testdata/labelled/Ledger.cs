// Bookings.
global using System.Linq;
using System;
using static System.Math;
using Json = System.Text.Json.JsonSerializer;

namespace Acme.Books
{
    public delegate void Posted(int id, string text);
    public interface ILedger<T> : IDisposable where T : class
    {
        int Count { get; }
        void Post(T entry);
        event Posted OnPosted;
    }
    [Serializable]
    public sealed partial class Ledger<T> : LedgerBase, ILedger<T> where T : class
    {
        public const int Max = 10;
        public readonly string Name, Title;
        private int _count;
        internal int Shared;
        int plain;
        public int Count { get; private set; }
        public string Text => "x";
        public event Posted OnPosted;
        public Ledger(string name) {}
        ~Ledger() {}
        public void Post(T entry) {}
        public void Post(T entry, int n) {}
        protected virtual void Hook() {}
        void Hidden() {}
        public async System.Threading.Tasks.Task<int> SaveAsync<U>(U x, int n = 3) where U : new() { return 1; }
        public int this[int i] => i;
        public static Ledger<T> operator +(Ledger<T> a, Ledger<T> b) => a;
        void IDisposable.Dispose() {}
        public class Nested { public int X; }
        private class Quiet { public int Y; }
    }
    public record Entry(int Id, string Text);
    public record struct Pair(int A, int B) { public int Sum() => A + B; }
    public readonly struct Money { public decimal Value { get; init; } }
    public enum Side : byte { Debit = 1, Credit }
    internal class Internal { public void Seen() {} }
    class Default { }
    public static class Extensions { public static int Twice(this int x) => x * 2; }
}
