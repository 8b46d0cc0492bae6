import { CommandError } from '../commandError.ts'
import { type Option, parsed, rowsOf } from '../options.ts'
import type { ReportFormat } from './report.ts'
import { GROUPS } from './scenarios/index.ts'
import { isUnder } from './verdicts.ts'

const OPTIONS = {
  'base-url': {
    type: 'string',
    value: 'URL',
    about: 'The server, such as https://www.googleapis.com/calendar/v3',
  },
  token: {
    type: 'string',
    multiple: true,
    value: 'TOKEN',
    about: 'An access token of an account there; given twice, the second is of another account, which is invited',
  },
  only: {
    type: 'string',
    multiple: true,
    value: 'HEADING',
    about: 'Only the scenarios of a heading of docs/behaviour, such as 4.3, and of those below it; repeatable',
  },
  yes: { type: 'boolean', short: 'y', about: 'Touch the accounts’ own calendars without asking (see below)' },
  har: {
    type: 'string',
    multiple: true,
    value: 'FILE',
    about: 'Play a recording of the service to a fake instead: HAR, nock, Polly or VCR; repeatable',
  },
  json: { type: 'boolean', about: 'Report as JSON' },
  junit: { type: 'boolean', about: 'Report as JUnit XML' },
  output: { type: 'string', short: 'o', value: 'FILE', about: 'Write the report there, and not to standard output' },
  help: { type: 'boolean', short: 'h', about: 'Print this' },
} as const satisfies Record<string, Option>

export type ConformCommand =
  | { ask: 'help'; text: string }
  | { ask: 'traffic'; files: string[]; form: ReportFormat; output: string | undefined }
  | {
      ask: 'scenarios'
      baseUrl: string
      tokens: { owner: string; guest?: string }
      only: string[]
      yes: boolean
      form: ReportFormat
      output: string | undefined
    }

/** Reads what stands after `conform`. Whatever is wrong with it is a CommandError. */
export function parseConformOptions(args: readonly string[]): ConformCommand {
  const { help, json, junit, output, har, yes = false, only = [], token = [], 'base-url': url } = parsed(args, OPTIONS)
  if (help) return { ask: 'help', text: HELP }
  if (json && junit) throw new CommandError('conform: --json and --junit are two forms of one report; give one of them')
  if (output === '') throw new CommandError('--output: it is empty (expected a file)')
  const form = json ? 'json' : junit ? 'junit' : 'text'
  if (har) {
    if (url !== undefined || token.length > 0 || only.length > 0)
      throw new CommandError('--har: a recording is played to a fake; leave --base-url, --token and --only out')
    return { ask: 'traffic', files: har, form, output }
  }
  if (url === undefined)
    throw new CommandError('conform: --base-url URL says which server, or --har FILE which recording (conform --help)')
  const [owner, guest, ...others] = token
  if (!owner) throw new CommandError('conform: --token TOKEN says by whose account (conform --help)')
  if (others.length > 0) throw new CommandError('--token: two at most: an account, and another that it invites')
  if (guest === owner) throw new CommandError('--token: the second is the first; it is to be of another account')
  const tokens = guest === undefined ? { owner } : { owner, guest }
  return { ask: 'scenarios', baseUrl: parseBaseUrl(url), tokens, only: only.map(parseHeading), yes, form, output }
}

/** Where the service begins: with `/calendar/v3` at its end, whether that was given or not. */
function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new CommandError(`--base-url: ${text} (expected an address such as https://www.googleapis.com/calendar/v3)`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/(\/calendar\/v3)?$/, '/calendar/v3')}`
}

function parseHeading(text: string): string {
  const heading = text.replace(/\.$/, '')
  const known = GROUPS.flatMap(({ scenarios }) => scenarios.flatMap(({ headings }) => headings))
  if (known.some((one) => isUnder(one, heading))) return heading
  throw new CommandError(`--only: no scenario is of ${text || 'nothing'} (expected a heading such as 4.3)`)
}

const HELP = `Usage: fake-calendar conform --base-url URL --token A [--token B] [options]
       fake-calendar conform --har FILE [options]

Puts fake-calendar's statements about the service to a server, and tells of each heading of docs/behaviour whether it agrees.
Exit code 0: nothing differs; 1: something does; 130: ended by a signal.

It works in calendars that it makes, called "fake-calendar conform", and removes them at the end. Some scenarios also write
events to the primary calendar and remove them, and invite the second account without mail: for these it asks first. Where
nobody can be asked they are left out, unless --yes is given or the server is on this machine.

${rowsOf(OPTIONS)}`
