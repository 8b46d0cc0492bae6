import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { compareCosts, measureInTurn, ms } from './turns.js'

const resolved = (path) => fileURLToPath(new URL(path, import.meta.url))
const COMMAND = resolved('../../bin/fake-calendar.js')
const MODULES = [resolved('../../dist/index.js'), resolved('../../node_modules/msw/lib/node/index.mjs')]
const RUNS = 21
const NODE_VERSIONS = [20, 22, 24]

/** A first start, which fills caches, does not count. */
const startOf = (round) => ({ warmUp: round, round })

/** The milliseconds that a new process of Node needs to import the package and msw. */
export const importing = {
  name: 'import',
  isMain: true,
  async run() {
    const timed = (file) => () => {
      const program = `const start = performance.now(); await import(${JSON.stringify(file)}); process.stdout.write(String(performance.now() - start))`
      return Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }))
    }
    const [ours, msw] = await measureInTurn(
      MODULES.map((file) => startOf(timed(file))),
      RUNS,
    )
    return compareCosts("import of 'fake-calendar'", ours, [{ name: 'msw/node', costs: msw, most: 0.6 }], ms)
  },
}

/**
 * On each version of Node, from spawning the command to the end of its first answer, in turn with a greeting on Hono and its
 * server for Node, which is bundled as we are.
 */
export const start = {
  name: 'start',
  isMain: true,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-hello-'))
    try {
      const hello = await bundleGreeting(folder)
      const rows = []
      for (const version of NODE_VERSIONS) rows.push(await onNode(version, hello))
      return rows
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

async function bundleGreeting(folder) {
  await build({
    config: false,
    entry: [resolved('hello.js')],
    outDir: folder,
    platform: 'node',
    format: 'cjs',
    fixedExtension: true,
    minify: true,
    dts: false,
    deps: { alwaysBundle: [/./], onlyBundle: false },
    logLevel: 'silent',
  })
  return join(folder, 'hello.cjs')
}

async function onNode(version, hello) {
  const what = `start of the server to its first answer, Node ${version}`
  const node = findNode(version)
  if (node === undefined) return { what, ours: `npx gets no Node ${version}` }
  const commands = [[COMMAND, '--port', '0', '--json'], [hello]]
  const sides = commands.map((args) => startOf(() => firstAnswer(node, args)))
  const [ours, greeting] = await measureInTurn(sides, RUNS)
  return compareCosts(what, ours, [{ name: 'a bundled greeting on Hono', costs: greeting, most: 1.2 }], ms)
}

/** The program of a version of Node: our own, or what npx finds. */
function findNode(version) {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath
  const npxArgs = ['--yes', '--package', `node@${version}`, 'node', '-p', 'process.execPath']
  try {
    return execFileSync('npx', npxArgs, { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

async function firstAnswer(node, args) {
  const startedAt = performance.now()
  const server = spawn(node, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(server.stdout, 'data')
  const { url, baseUrl } = JSON.parse(line)
  const target = baseUrl === undefined ? url : `${baseUrl}/users/me/calendarList`
  const [response] = await once(get(target, { headers: { Authorization: 'Bearer alice@example.com' } }), 'response')
  await once(response.resume(), 'end')
  const duration = performance.now() - startedAt
  server.kill()
  await once(server, 'exit')
  if (response.statusCode !== 200) throw new Error(`${target}: ${response.statusCode}`)
  return duration
}
