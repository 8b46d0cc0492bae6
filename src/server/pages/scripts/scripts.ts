import { makeClient } from './client.ts'
import { startIdentity } from './identity.ts'
import { startLoader } from './loader.ts'
import type { ScriptPath } from './paths.ts'

const NOTE = '// A stand-in for a script of the calendar service, by fake-calendar. No data here is real.\n'

/** What pages load of the service's hosts, each a function that is handed over as it is written. */
const API = `${NOTE}(${startLoader})(${makeClient})\n`
const SCRIPTS: Record<ScriptPath, string> = {
  '/js/api.js': API,
  '/js/client.js': API,
  '/gsi/client': `${NOTE}(${startIdentity})()\n`,
}

export const answerScript = (path: ScriptPath): Response =>
  new Response(SCRIPTS[path], {
    headers: {
      'Content-Type': 'text/javascript; charset=UTF-8',
      'Cache-Control': 'private, max-age=0, must-revalidate, no-transform',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Content-Type-Options': 'nosniff',
    },
  })
