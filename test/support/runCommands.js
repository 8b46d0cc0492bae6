/**
 * `node runCommands.js`: runs command lines of `fake-calendar` one after the other in this process, because most of a short
 * command is the start of its process. Reads `{ args, env, cwd }` from each line of stdin, and writes how it ended in one line.
 * A server counts as ended when it listens. It goes on until this process ends.
 */
import { writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import cli from '../../dist/cli.cjs'

// Each server listens to signals.
process.setMaxListeners(0)
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
  // A server saves its state later, when this process may be in the folder of another command.
  const isState = (at) => args[at - 1] === '--state' && args[at].endsWith('.json')
  await cli.main(args.map((arg, at) => (isState(at) ? resolve(arg) : arg)))
  end.code = process.exitCode ?? 0
  for (const name of ['stdout', 'stderr']) process[name].write = originals[name]
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  writeSync(1, `${JSON.stringify(end)}\n`)
}
process.exit(0)
