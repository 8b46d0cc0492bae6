import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reporter } from 'vitest/node'

/** A reason why tests were skipped: a missing program with its Debian packages, or another one. */
export type NotTried = { name: string; packages?: string }

/** The variable with the folder in which the processes of a run leave a file for each reason. */
const FOLDER = 'NOT_TRIED_FOLDER'

/** Adds a reason to the last line of the run. */
export function reportNotTried(reason: NotTried): void {
  const folder = process.env[FOLDER]
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, encodeURIComponent(reason.name)), JSON.stringify(reason))
}

/** Formats the last line of a run. Returns undefined if everything was tried. */
export function formatNotTried(reasons: readonly NotTried[]): string | undefined {
  if (reasons.length === 0) return undefined
  const names = reasons.map(({ name }) => name).sort()
  const packages = [...new Set(reasons.flatMap((reason) => reason.packages?.split(' ') ?? []))].sort()
  const install = packages.length > 0 ? ` (Debian: apt-get install ${packages.join(' ')})` : ''
  return `Not tried, because this machine lacks them: ${names.join(', ')}${install}`
}

/** Ends a run with one line about the programs whose tests were skipped. */
export default class NotTriedReporter implements Reporter {
  readonly #folder = mkdtempSync(join(tmpdir(), 'fake-calendar-not-tried-'))

  onInit(): void {
    process.env[FOLDER] = this.#folder
  }

  onTestRunEnd(): void {
    const reasons = readdirSync(this.#folder).map(
      (name): NotTried => JSON.parse(readFileSync(join(this.#folder, name), 'utf8')),
    )
    const line = formatNotTried(reasons)
    if (line !== undefined) console.log(line)
    rmSync(this.#folder, { recursive: true })
  }
}
