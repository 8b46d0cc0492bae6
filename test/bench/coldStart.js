import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsdown'
import { median } from './median.js'

const COMMAND = fileURLToPath(new URL('../../bin/fake-calendar.js', import.meta.url))
const HELLO = fileURLToPath(new URL('hello.js', import.meta.url))
const RUNS = 21
const LINES = [20, 22, 24]

/**
 * On each line of Node, from spawning the command to the end of its first answer, in turn with a greeting on Hono and its
 * server for Node, which is bundled as we are. A first start of each, which fills caches, does not count.
 */
export async function coldStarts() {
  const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-hello-'))
  try {
    const hello = await bundled(folder)
    const rows = []
    for (const line of LINES) rows.push({ line, ...(await onNode(line, hello)) })
    return rows
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function bundled(folder) {
  await build({
    config: false,
    entry: [HELLO],
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

async function onNode(line, hello) {
  const found = nodeOf(line)
  if (found.missing) return found
  const durations = { ours: [], hello: [] }
  for (let run = -1; run < RUNS; run++) {
    const first = await firstAnswer(found.node, [hello])
    const second = await firstAnswer(found.node, [COMMAND, '--port', '0', '--json'])
    if (run < 0) continue
    durations.hello.push(first)
    durations.ours.push(second)
  }
  return {
    runs: RUNS,
    ours: median(durations.ours),
    hello: median(durations.hello),
    ratio: median(durations.ours.map((one, run) => one / durations.hello[run])),
  }
}

/** The program of a line of Node: our own, or what npx finds. */
function nodeOf(line) {
  if (process.versions.node.startsWith(`${line}.`)) return { node: process.execPath }
  const npxArgs = ['--yes', '--package', `node@${line}`, 'node', '-p', 'process.execPath']
  try {
    return { node: execFileSync('npx', npxArgs, { encoding: 'utf8', stdio: 'pipe' }).trim() }
  } catch {
    return { missing: `npx gets no Node ${line}` }
  }
}

async function firstAnswer(node, args) {
  const start = performance.now()
  const server = spawn(node, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(server.stdout, 'data')
  const { url, baseUrl } = JSON.parse(line)
  const target = baseUrl === undefined ? url : `${baseUrl}/users/me/calendarList`
  const [response] = await once(get(target, { headers: { Authorization: 'Bearer alice@example.com' } }), 'response')
  await once(response.resume(), 'end')
  const duration = performance.now() - start
  server.kill()
  await once(server, 'exit')
  if (response.statusCode !== 200) throw new Error(`${target}: ${response.statusCode}`)
  return duration
}
