import fs, { readFile as read } from "node:fs";
import * as path from "path";
import type { Clock } from "./clock";
import "./side-effect";
import legacy = require("./legacy");
export { Rate, type Quote as Offer } from "./rates";
export * from "./money";
export * as fmt from "./format";

/** Amounts as text or number. */
export function parseAmount(input: string): number;
export function parseAmount(input: number): number;
export function parseAmount(input: unknown): number {
  return Number(input);
}

export default abstract class LedgerBase<T extends object> extends Base<T> implements Closable, Sized {
  static readonly limit: number = 10;
  #secret = 1;
  private static cache = new Map<string, LedgerBase<any>>();
  protected constructor(readonly id: string) { super(); }
  abstract post(entry: T): void;
  get size(): number { return 0 }
  set size(n: number) {}
  close = async () => {};
  async *pages(n?: number): AsyncGenerator<T> {}
  protected hook(): void {}
  ["computed"]() {}
}

export const enum Side { Debit = 1, Credit }
enum Hidden { A }
abstract class Internal { abstract x(): void }
export abstract class Store { abstract get(k: string): unknown }
export interface Closable extends Sized { close(): Promise<void>; readonly open: boolean; (x: number): string; [k: string]: unknown }
export type Pair<A, B = A> = [A, B];
export const { low, high: top, ...rest } = limits(), [first, , third = 3] = row();
export const twice = <T,>(f: (x: T) => T) => (x: T) => f(f(x));
export let counter = 0, other: string;
export declare function ambient(a: number): void;
export namespace Units { export const KG = 1; const hidden = 2; export function conv(x: number) { return x } }
function local() { const lazy = import("./lazy"); return require("./inner") }
const renamed = 1;
async function work() {}
export { renamed as alias, work };
export async function* stream(): AsyncGenerator<string> {}
export import Short = Units.KG;
