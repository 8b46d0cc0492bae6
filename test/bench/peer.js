import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const WANTED = 'emulate@0.11.2'

/** Where the other emulator's module is, installed into a folder beside everything; or why it is not there. */
export function peerFound() {
  const folder = join(tmpdir(), `fake-calendar-bench-${WANTED}`)
  const module = join(folder, 'node_modules', 'emulate', 'dist', 'api.js')
  if (!existsSync(module)) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    const npm = ['install', WANTED, '--no-audit', '--no-fund', '--ignore-scripts']
    try {
      execFileSync('npm', npm, { cwd: folder, stdio: 'pipe', timeout: 60_000 })
    } catch (error) {
      return {
        missing: `${WANTED} could not be installed: ${String(error.stderr || error.message)
          .trim()
          .split('\n')
          .at(-1)}`,
      }
    }
  }
  return { peer: pathToFileURL(module).href }
}
