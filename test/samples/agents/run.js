import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runnerImport } from 'vite'
import { TASKS } from './tasks.js'

/**
 * Runs the agent over forks of the company and prints a table: `node test/samples/agents/run.js 200`. Build the package first. Exits
 * with 1 if an attempt fails.
 */
const file = (path) => fileURLToPath(new URL(path, import.meta.url))
const [, , worlds = '200'] = process.argv
const { installEnvironment } = (await runnerImport(file('../../support/environment.ts'))).module
const SERVER_PROJECT = join((await installEnvironment('test/samples/agents')) ?? '', 'package.json')
const exec = ['exec', '--intercept', '--seed', 'company', '--now', '2030-03-04T08:00:00Z']
const command = [file('../../../bin/fake-calendar.js'), ...exec, '--', process.execPath, file('agent.js'), worlds]
const { stdout } = await promisify(execFile)(process.execPath, command, {
  env: { ...process.env, SERVER_PROJECT },
  maxBuffer: 1e8,
})
const { forkMs, memory, results } = JSON.parse(stdout)

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const megabytes = (bytes) => `${(bytes / 1_048_576).toFixed(1)} MB`
const rows = TASKS.map(({ title }) => {
  const own = results.filter(({ task }) => task === title)
  const passed = own.filter(({ problems }) => problems.length === 0).length
  const ms = median(own.map((one) => one.ms)).toFixed(0)
  return `| ${title} | ${passed} of ${own.length} | ${median(own.map(({ requests }) => requests))} | ${ms} ms |`
})
const lines = ['| task | passed | requests | median time |', '| --- | --- | --- | --- |', ...rows, '']
lines.push(`${results.length} worlds, forked in ${forkMs.toFixed(0)} ms.`)
if (memory) {
  const perWorld = (memory.after - memory.before) / results.length / 1024
  lines.push(
    `Memory of the fake: ${megabytes(memory.before)} before, ${megabytes(memory.afterForks)} with all forks, at most`,
  )
  lines.push(
    `${megabytes(memory.peak)}, ${megabytes(memory.after)} at the end: ${perWorld.toFixed(0)} kB for each world.`,
  )
}
const failed = results.filter(({ problems }) => problems.length > 0)
for (const { world, task, problems } of failed) lines.push('', `${world}, ${task}:`, ...problems)
process.stdout.write(`${lines.join('\n')}\n`)
process.exitCode = failed.length > 0 ? 1 : 0
