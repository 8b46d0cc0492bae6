import { execFile } from 'node:child_process'
import { register } from 'node:module'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * Runs the conformance suite against servers with one fault each, and prints the test of the broken fact that finds it:
 * `node test/conformance/planted/run.js`, or with names of faults. The whole suite must pass on the correct server. Ends with 1
 * if a fault is not found.
 */
register(new URL('../../bench/typescriptLoader.js', import.meta.url))
const { FAULTS } = await import('./faults.ts')
const { CORRECT } = await import('./server.ts')

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const names = process.argv.length > 2 ? process.argv.slice(2) : [CORRECT, ...Object.keys(FAULTS)]

/** Returns the titles of the tests that fail on a server, and the number of all tests. */
const run = (name, files) =>
  new Promise((resolve, reject) => {
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--reporter', 'json', ...files]
    const env = { ...process.env, PLANTED: name }
    execFile(process.execPath, args, { cwd: ROOT, env, maxBuffer: 2 ** 28 }, (_, stdout) => {
      try {
        const tests = JSON.parse(stdout.slice(stdout.indexOf('{'))).testResults.flatMap((file) => file.assertionResults)
        resolve({
          count: tests.length,
          failed: tests.filter(({ status }) => status === 'failed').map(({ title }) => title),
        })
      } catch (error) {
        reject(new Error(`${name}: ${error}: ${stdout.slice(0, 500)}`))
      }
    })
  })

/** Returns true if the headings with which a title begins contain the heading or one below it. */
const isOf = (title, heading) =>
  /^[\d., ]+/
    .exec(title)?.[0]
    .split(/[, ]+/)
    .some((one) => one === heading || one.startsWith(`${heading}.`))

let missed = 0
async function check(name) {
  if (name === CORRECT) {
    const { count, failed } = await run(name, ['test/conformance'])
    missed += failed.length
    return console.log(`${failed.length === 0 ? 'passes' : 'FAILS '}  ${name}: ${count} tests ${failed.join('; ')}`)
  }
  const { heading, files } = FAULTS[name]
  const { failed } = await run(
    name,
    files.split(' ').map((file) => `test/conformance/${file}.test.ts`),
  )
  const finder = failed.find((title) => isOf(title, heading))
  if (finder === undefined) missed += 1
  console.log(
    `${finder === undefined ? 'MISSED' : 'found '}  ${heading} ${name}: ${finder ?? (failed.join('; ') || 'no test fails')}`,
  )
}

const waiting = [...names]
const work = async () => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await check(name)
}
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work))
console.log(`${names.length - missed} of ${names.length}`)
process.exit(missed === 0 ? 0 : 1)
