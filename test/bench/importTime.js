import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from './median.js'

const RUNS = 21
const resolved = (path) => fileURLToPath(new URL(path, import.meta.url))
const MODULES = { ours: resolved('../../dist/index.js'), msw: resolved('../../node_modules/msw/lib/node/index.mjs') }

/** Returns the milliseconds that a new process of Node needs to import the package and msw. Medians of runs in turn. */
export function importTimes() {
  const durations = { ours: [], msw: [] }
  for (let run = -1; run < RUNS; run++) {
    for (const [name, file] of Object.entries(MODULES)) {
      const program = `const start = performance.now(); await import(${JSON.stringify(file)}); process.stdout.write(String(performance.now() - start))`
      const milliseconds = Number(
        execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }),
      )
      if (run >= 0) durations[name].push(milliseconds)
    }
  }
  return { ours: median(durations.ours), msw: median(durations.msw) }
}
