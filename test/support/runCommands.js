/**
 * `node runCommands.js`: runs command lines of `fake-calendar` one after the other in this process, because most of a short
 * command is the start of its process. Reads `{ args, env, cwd }` from each line of stdin, and writes how it ended in one line.
 * A server counts as ended when it listens. It goes on until this process ends.
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import cli from '../../dist/cli.cjs'

// Each server listens to signals.
process.setMaxListeners(0)
const { setInterval } = globalThis
const originals = { stdout: process.stdout.write, stderr: process.stderr.write }

for await (const line of createInterface({ input: process.stdin })) {
  const { args, env, cwd } = JSON.parse(line)
  process.chdir(cwd)
  const before = Object.fromEntries(Object.keys(env).map((name) => [name, process.env[name]]))
  Object.assign(process.env, env)
  const end = { code: 0, stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'])
    process[name].write = (text, ...rest) => {
      end[name] += text
      for (const done of rest) if (typeof done === 'function') done()
      return true
    }
  process.exitCode = undefined
  // A server does not save its state every minute, because its folder may be gone while other commands run.
  if (args.includes('--state')) globalThis.setInterval = () => ({ unref() {} })
  await cli.main(args)
  globalThis.setInterval = setInterval
  end.code = process.exitCode ?? 0
  for (const name of ['stdout', 'stderr']) process[name].write = originals[name]
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  writeSync(1, `${JSON.stringify(end)}\n`)
}
process.exit(0)
