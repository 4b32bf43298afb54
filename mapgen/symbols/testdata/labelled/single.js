const Base = require('events');
class Bus extends Base { emitAll(...args) {} }
module.exports = Bus;
