#!/usr/bin/env node
// CommonJS, by the package.json beside it: what loads ES modules is itself a part of a start. And nothing newer may stand
// here than an old Node can read, which has to get as far as the message.
const [major, minor] = process.versions.node.split('.').map(Number)

// The lines of `engines` in package.json: those with long-term support, from where they can do what is needed.
if (major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) {
  // Where Node can keep compiled code between runs, the next start is the quicker for it.
  const { enableCompileCache } = require('node:module')
  if (enableCompileCache) enableCompileCache()
  require('../dist/cli.cjs').main(process.argv.slice(2))
} else {
  process.stderr.write(`fake-calendar: needs Node.js 20.19, 22.12, or 24 and later; this is ${process.versions.node}\n`)
  process.exitCode = 1
}
