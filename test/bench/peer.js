import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const WANTED = 'emulate@0.11.2'

/**
 * Returns the path of the other emulator's module, which is installed into a separate folder, or the reason why it is
 * missing.
 */
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
