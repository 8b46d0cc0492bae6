import { CommandError } from '../cli/commandError.ts'
import { named, type Option, parsed, rowsOf } from '../cli/options.ts'
import { openProgress } from '../cli/progress.ts'
import { canonical } from '../cli/seeds/canonical.ts'
import { writeWhole } from '../cli/wholeFile.ts'
import { patientFetch } from '../conform/patient.ts'
import { momentOf } from '../time/clock.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import { capture } from './capture.ts'
import { CaptureError } from './captureError.ts'
import { openService, wholeReplies } from './service.ts'

const SERVICE = 'https://www.googleapis.com/calendar/v3'

const OPTIONS = {
  token: {
    type: 'string',
    multiple: true,
    value: 'TOKEN',
    about: 'An access token of the account, which may read its calendars; repeatable, for several accounts',
  },
  calendar: { type: 'string', multiple: true, value: 'ID', about: 'Only this calendar; repeatable (all on the lists)' },
  from: { type: 'string', value: 'DATE', about: 'Only events that end after it: a date, or an instant (no limit)' },
  to: { type: 'string', value: 'DATE', about: 'Only events that start before it (no limit)' },
  anonymize: { type: 'boolean', about: 'Replace names, addresses, titles, texts and links by stand-ins' },
  out: { type: 'string', short: 'o', value: 'FILE', about: 'Where the seed is written, whole or not at all (stdout)' },
  'base-url': { type: 'string', value: 'URL', about: `Where the service is (${SERVICE})` },
  help: { type: 'boolean', short: 'h', about: 'Print this' },
} as const satisfies Record<string, Option>

const HELP = `Usage: fake-calendar capture --token TOKEN [options] > world.json

Writes a seed of what an account sees of a calendar service: its lists, settings, calendars, rules and events.
It only reads. The seed holds no token.

${rowsOf(OPTIONS)}`

/** `fake-calendar capture`. Whatever goes wrong with it is a CommandError. */
export async function captureCommand(args: readonly string[]): Promise<void> {
  const { help, ...values } = parsed(args, OPTIONS)
  if (help) {
    process.stdout.write(HELP)
    return
  }
  const tokens = (values.token ?? []).map((token) => named('--token', token, 'an access token'))
  if (tokens.length === 0) throw new CommandError('capture: --token says as whom (capture --help lists the options)')
  const [from, to] = [momentIn('--from', values.from), momentIn('--to', values.to)]
  if (from && to && from >= to) throw new CommandError('--to: it is not after --from')
  const baseUrl = rootIn(values['base-url'] ?? SERVICE)
  const progress = openProgress()
  // Nothing is written before all is there, so that nothing has to be taken back.
  const stop = (signal: NodeJS.Signals) => {
    progress.end()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const patient = patientFetch(wholeReplies(fetch), {
      onWait: ({ ms, because }) => progress.say(`waiting ${Math.round(ms / 1000)} s: ${because}`),
    })
    const services = tokens.map((token) => openService(patient, baseUrl, token))
    const { seed, left } = await capture({
      services,
      calendars: values.calendar ?? [],
      from,
      to,
      say: progress.say,
    })
    progress.end()
    const text = await written(seed, values.anonymize ?? false)
    for (const { where, problem } of left) {
      process.stderr.write(`fake-calendar: left out: ${where}${values.anonymize ? '' : `: ${problem}`}\n`)
    }
    if (values.out === undefined) process.stdout.write(text)
    else writeWhole(values.out, text)
  } catch (error) {
    progress.end()
    throw error instanceof CaptureError ? new CommandError(error.message) : error
  } finally {
    process.removeListener('SIGINT', stop)
    process.removeListener('SIGTERM', stop)
  }
}

async function written(seed: Seed, anonymize: boolean): Promise<string> {
  if (!anonymize) return canonical(seed)
  const { anonymized } = await import('./anonymous.ts')
  return canonical(anonymized(seed))
}

function momentIn(option: string, said: string | undefined): string | undefined {
  if (said === undefined) return undefined
  const text = /^\d{4}-\d\d-\d\d$/.test(said) ? `${said}T00:00:00Z` : said
  try {
    return new Date(momentOf(text)).toISOString()
  } catch (error) {
    throw error instanceof RangeError ? new CommandError(`${option}: neither a date nor an instant: ${said}`) : error
  }
}

/** Where the service begins: what a discovery document calls its base URL, or what lies before that. */
function rootIn(said: string): string {
  const url = URL.canParse(said) ? new URL(said) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new CommandError(`--base-url: not a URL: ${said}`)
  const root = said.replace(/\/+$/, '')
  return root.endsWith('/v3') ? root : `${root}/calendar/v3`
}
