import a from './a.js'
export default async (req, res) => { await import('./late.js') }
