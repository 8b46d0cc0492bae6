import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { quoteForShell } from '../../schema/values/shownText.ts'
import type { Env } from './env.ts'

const CONSENT_AS = 'FAKE_CALENDAR_CONSENT_AS'
const OTHER_BROWSER = 'FAKE_CALENDAR_OTHER_BROWSER'

/**
 * A command that signs in through a browser then gets consent from `account`; undefined for the first. Writes shell scripts,
 * because programs expect a path without arguments. No variables on Windows.
 */
export function createConsentBrowserEnv(folder: string, account: string | undefined): Env {
  if (process.platform === 'win32') return {}
  const script = join(folder, 'browser')
  const program = fileURLToPath(new URL('./consentBrowser.cjs', import.meta.url))
  // Runs in the background, because a program may wait for its browser to end before it answers the redirect.
  writeFileSync(
    script,
    `#!/bin/sh\nNODE_OPTIONS= NODE_USE_ENV_PROXY= ${quoteForShell(process.execPath)} ${quoteForShell(program)} "$@" </dev/null >/dev/null &\n`,
    { mode: 0o755 },
  )
  return {
    BROWSER: script,
    ...createOpenerEnv(folder, script),
    [CONSENT_AS]: account,
    [OTHER_BROWSER]: process.env.BROWSER === script ? undefined : process.env.BROWSER,
  }
}

/**
 * Many programs start the opener of the desktop without reading BROWSER. The stand-in passes pages for signing in to `browser`,
 * and everything else to the opener itself.
 */
function createOpenerEnv(folder: string, browser: string): Env {
  const { PATH } = process.env
  if (PATH === undefined) return {}
  const bin = join(folder, 'bin')
  const name = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const opener = PATH.split(delimiter)
    .map((one) => join(one, name))
    .find((file) => existsSync(file))
  mkdirSync(bin)
  writeFileSync(
    join(bin, name),
    `#!/bin/sh
for last; do :; done
case "$last" in
  https://accounts.google.com/* | "$FAKE_CALENDAR_URL"/o/oauth2/*) exec ${quoteForShell(browser)} "$last" ;;
esac
${opener === undefined ? `echo "${name}: not found" >&2; exit 127` : `exec ${quoteForShell(opener)} "$@"`}
`,
    { mode: 0o755 },
  )
  return { PATH: bin + delimiter + PATH }
}
