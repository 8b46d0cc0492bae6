#!/usr/bin/env node
// Nothing newer than ES modules may stand here: an old Node has to get as far as reading the message.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major > 20 || (major === 20 && minor >= 19)) {
  // Where Node can keep compiled code between runs, the next start is the quicker for it.
  const { enableCompileCache } = process.getBuiltinModule('node:module')
  if (enableCompileCache) enableCompileCache()
  import('../dist/cli.cjs').then(({ default: command }) => command.main(process.argv.slice(2)))
} else {
  process.stderr.write(`fake-calendar: needs Node.js 20.19 or later; this is ${process.versions.node}\n`)
  process.exitCode = 1
}
