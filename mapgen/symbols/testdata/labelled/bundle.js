const helper = require('./helper');
function one(a) {}
const two = (b, c) => b;
module.exports = { one, renamed: two, three(d) {}, four: 4, ['five']: 5, ...helper };
