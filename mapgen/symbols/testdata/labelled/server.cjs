'use strict';
const http = require('http');
const { join } = require('path'), util = require('./lib/util');
Object.defineProperty(exports, '__esModule', { value: true });

function start(port, cb) { return http.createServer().listen(port, cb) }
class Router {
  constructor(base) { this.base = base }
  route(path, fn) {}
  static from(list) {}
}
const stop = () => {};
function secret() {}
exports.start = start;
exports.VERSION = '1';
module.exports.Router = Router;
exports.make = function (x, y) { return x };
exports['quoted'] = 1;
Object.defineProperty(exports, 'lazy', { get() { return require('./lazy') } });
