#!/usr/bin/env node
// CommonJS by the package.json beside it, because loading ES modules slows the start. The syntax must be readable by
// old versions of Node, so that they reach the message.
const [major, minor] = process.versions.node.split('.').map(Number)

// The versions of `engines` in package.json.
if (major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) {
  // Compiled code is cached between runs, if Node supports it, so that the next start is faster.
  const { enableCompileCache } = require('node:module')
  if (enableCompileCache) enableCompileCache()
  require('../dist/cli.cjs').main(process.argv.slice(2))
} else {
  process.stderr.write(`fake-calendar: needs Node.js 20.19, 22.12, or 24 and later; this is ${process.versions.node}\n`)
  process.exitCode = 1
}
