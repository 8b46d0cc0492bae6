#!/usr/bin/env node
// Nothing newer than ES modules may stand here: an old Node has to get as far as reading the message.
const [major, minor] = process.versions.node.split('.').map(Number)

// The lines of `engines` in package.json: those with long-term support, from where they can do what is needed.
if (major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) {
  // Where Node can keep compiled code between runs, the next start is the quicker for it.
  const { enableCompileCache } = process.getBuiltinModule('node:module')
  if (enableCompileCache) enableCompileCache()
  import('../dist/cli.cjs').then(({ default: command }) => command.main(process.argv.slice(2)))
} else {
  process.stderr.write(`fake-calendar: needs Node.js 20.19, 22.12, or 24 and later; this is ${process.versions.node}\n`)
  process.exitCode = 1
}
