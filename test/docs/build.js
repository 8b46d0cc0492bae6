/**
 * `npm run docs`: builds the site of the docs in `docs/.vitepress/dist`, or in the folder that it gets. It builds a copy,
 * because the packages of VitePress are not installed above `docs`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runnerImport } from 'vite'

const { installEnvironment } = (await runnerImport('./test/support/environment.ts')).module
const environment = await installEnvironment('docs/.vitepress')
if (!environment) throw new Error('VitePress is not installed, and the npm registry cannot be reached')
const outDir = resolve(process.argv[2] ?? 'docs/.vitepress/dist')
const copy = mkdtempSync(join(environment, 'docs-'))
try {
  cpSync('docs', copy, { recursive: true, filter: (path) => !/\.vitepress\/(cache|dist)/.test(path) })
  const vitepress = join(environment, 'node_modules', 'vitepress', 'bin', 'vitepress.js')
  const args = [vitepress, 'build', copy, '--outDir', outDir]
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(copy, { recursive: true })
}
