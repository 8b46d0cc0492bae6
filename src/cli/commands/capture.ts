import { parseInstant } from '../../model/clock.ts'
import type { Seed } from '../../seeds/schema/seed.ts'
import { boundedFetch } from '../capture/boundedFetch.ts'
import { capture as captureAccounts, describeRecord, type SkippedRecord } from '../capture/capture.ts'
import { CaptureError } from '../capture/captureError.ts'
import { retryingFetch } from '../capture/retryingFetch.ts'
import { openService } from '../capture/service.ts'
import { CommandError } from '../commandError.ts'
import { defineCommand, type OptionValues } from '../defineCommand.ts'
import { flag, inGroup, text, texts } from '../optionTable.ts'
import { parseHttpUrl, readAccessTokens, requireText, TOKEN_OPTIONS } from '../optionValues.ts'
import { printError } from '../output.ts'
import { openProgress } from '../progress.ts'
import { formatSeedJson } from '../seeds/canonical.ts'
import { writeOutputFile } from '../writeOutputFile.ts'

const SERVICE = 'https://www.googleapis.com/calendar/v3'
const MCP_SERVICE = 'https://calendarmcp.googleapis.com'

const SCOPE = 'https://www.googleapis.com/auth/calendar.readonly'
const PLAYGROUND = 'https://developers.google.com/oauthplayground'

const OPTIONS = {
  ...inGroup('Server', { ...TOKEN_OPTIONS, 'base-url': text('URL', `Address of the service (default ${SERVICE})`) }),
  ...inGroup('Selection', {
    mcp: flag('The tools of the MCP server, for --mcp-tools, in place of a seed (it needs no token)'),
    calendar: texts('ID', 'Only this calendar (default: all of the calendar lists)'),
    from: text('DATE', 'Only events that end after a date or an instant (default: no limit)'),
    to: text('DATE', 'Only events that start before a date or an instant (default: no limit)'),
  }),
  ...inGroup('Output', {
    anonymize: flag('Replace names, addresses, titles, texts and links'),
    out: { ...text('FILE', 'File to write the seed to (default: stdout)'), short: 'o' },
  }),
} as const

export const capture = defineCommand({
  name: 'capture',
  usage: ['capture --token-file FILE [options] > world.json', 'capture --mcp [options] > tools.json'],
  notes: `Reads the calendar lists, settings, calendars, access rules and events that an account sees. It writes nothing to
the service, and the seed contains no token.`,
  options: OPTIONS,
  examples: [
    ['FAKE_CALENDAR_TOKEN=ya29… fake-calendar capture -o world.json', 'an account, with its token in a variable'],
    ['fake-calendar capture --token-file token.txt --from 2026-01-01 --to 2026-04-01', 'a quarter of its events'],
    ['fake-calendar capture --token-file tokens.txt --anonymize', 'several accounts, without personal data'],
    ['fake-calendar capture --mcp -o tools.json', 'the texts and schemas of the tools of the MCP server'],
  ],
  exitCodes: [
    ['0', 'the seed was written; stderr lists skipped records'],
    ['1', 'nothing was written: stderr gives the reason in one line'],
    ['130, 143', 'ended by SIGINT or SIGTERM; nothing was written'],
  ],
  run: runCapture,
})

async function runCapture(values: OptionValues<typeof OPTIONS>): Promise<void> {
  const tokens = readAccessTokens(values, process.env)
  if (tokens.length === 0 && !values.mcp)
    throw new CommandError(
      `capture: requires --token or --token-file: an access token with the scope ${SCOPE}, from ${PLAYGROUND}, or of a service account, from gcloud auth application-default print-access-token --scopes=${SCOPE}`,
    )
  const [from, to] = [parseTimeBound('--from', values.from), parseTimeBound('--to', values.to)]
  if (from && to && from >= to) throw new CommandError('--to: must be after --from')
  const baseUrl = parseServiceUrl(values['base-url'] ?? SERVICE)
  const calendarIds = (values.calendar ?? []).map((id) => requireText('--calendar', id, 'an id'))
  const { out } = values
  if (out !== undefined) requireText('--out', out, 'a file')
  const progress = openProgress()
  // The seed is written last and atomically, so that an interruption leaves no partial file.
  const stop = (signal: NodeJS.Signals) => {
    progress.clear()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const fetchWithRetries = retryingFetch(boundedFetch(fetch), {
      onWait: ({ ms, because }) => progress.show(`waiting ${Math.round(ms / 1000)} s: ${because}`),
    })
    if (values.mcp) {
      const { captureTools } = await import('../capture/tools.ts')
      const text = await captureTools(fetchWithRetries, toMcpUrl(values['base-url'] ?? MCP_SERVICE), tokens[0])
      progress.clear()
      return printOrWrite(text, out)
    }
    const services = tokens.map((token) => openService(fetchWithRetries, baseUrl, token))
    const { seed, skipped } = await captureAccounts({
      services,
      calendarIds,
      from,
      to,
      onProgress: progress.show,
    })
    progress.clear()
    const { text, describe } = await formatCapturedSeed(seed, values.anonymize ?? false)
    for (const record of skipped) printError(`left out: ${describe(record)}`)
    printOrWrite(text, out)
  } catch (error) {
    progress.clear()
    throw error instanceof CaptureError ? new CommandError(error.message) : error
  } finally {
    process.removeListener('SIGINT', stop)
    process.removeListener('SIGTERM', stop)
  }
}

function printOrWrite(text: string, out: string | undefined): void {
  if (out === undefined) process.stdout.write(text)
  else writeOutputFile(out, text)
}

const toMcpUrl = (text: string): string => (text.endsWith('/mcp/v1') ? text : `${text.replace(/\/+$/, '')}/mcp/v1`)

/** `describe` uses stand-ins in an anonymized seed, and leaves out the reason. */
async function formatCapturedSeed(
  seed: Seed,
  isAnonymized: boolean,
): Promise<{ text: string; describe: (record: SkippedRecord) => string }> {
  if (!isAnonymized)
    return {
      text: formatSeedJson(seed),
      describe: (record) => `${describeRecord(record, (_, name) => name)}: ${record.problem}`,
    }
  const { Anonymizer } = await import('../capture/anonymize.ts')
  const anonymizer = new Anonymizer(seed)
  const text = formatSeedJson(anonymizer.replaceTexts(seed) as Seed)
  const toStandIn = (kind: 'event' | 'calendar', name: string) =>
    anonymizer.replaceText(name, kind === 'event' ? 'calendars.events.summary' : 'calendars.summary')
  return { text, describe: (record) => describeRecord(record, toStandIn) }
}

/** A date is its first instant in UTC. */
function parseTimeBound(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const text = /^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00:00Z` : value
  try {
    return new Date(parseInstant(text)).toISOString()
  } catch (error) {
    throw error instanceof RangeError
      ? new CommandError(`${option}: not a date or an instant: ${value} (expected a form such as 2026-03-02)`)
      : error
  }
}

/** `/calendar/v3` at the end is optional. An address that ends in `/v3` is kept. */
function parseServiceUrl(text: string): string {
  parseHttpUrl('--base-url', text, SERVICE)
  const root = text.replace(/\/+$/, '')
  return root.endsWith('/v3') ? root : `${root}/calendar/v3`
}
