// A queue that forgets.
import { once } from 'node:events';
import config from './config.json' with { type: 'json' };

export const LIMIT = 10;
let hidden = 2;
export class Queue extends Array {
  #items = [];
  static of(...xs) { return new Queue(xs) }
  push(x) { this.#items.push(x) }
  get head() { return this.#items[0] }
  _peek() {}
}
function drain(q, { max = 3, ...opts } = {}) {}
const close = async (q) => {};
export { drain, close as shut, hidden as default };
