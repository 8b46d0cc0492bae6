import { readFileSync } from 'node:fs'
import { isTooDeep, parseSeed } from '../../../seeds/parseSeed.ts'
import type { Seed } from '../../../seeds/schema/seed.ts'
import { SeedError } from '../../../seeds/seedError.ts'
import { CommandError } from '../../commandError.ts'
import type { StatusLine } from '../../progress.ts'
import type { ReportFormat } from '../report.ts'
import { parseJson, parseRecording, UnknownFormat } from './formats.ts'
import { InitialState } from './initialState.ts'
import type { OpenFake } from './openFake.ts'
import type { Exchange } from './recording.ts'
import { replay } from './replay.ts'
import { formatRecordings, type RecordingResult } from './report.ts'
import { ISSUED_EARLIER, selectRequests } from './requests.ts'

/**
 * Replays recordings, each to a fake of its own, and returns the report on all of them. `differs` is true if a response
 * differs or a file cannot be replayed. Rejects with a CommandError if the only file cannot be replayed.
 */
export async function playRecordings(
  files: readonly string[],
  format: ReportFormat,
  openFake: OpenFake,
  progress: StatusLine,
): Promise<{ report: string; differs: boolean }> {
  const results: RecordingResult[] = []
  for (const file of files) {
    try {
      results.push(await playRecording(file, openFake, progress))
    } catch (error) {
      if (!(error instanceof CommandError) || files.length === 1) throw error
      results.push({ file, refused: error.message, outcomes: [], leftOut: [], notSeeded: [] })
    }
  }
  const differs = results.some(
    ({ outcomes, refused }) => refused !== undefined || outcomes.some(({ verdict }) => verdict === 'differs'),
  )
  return { report: formatRecordings(results, format), differs }
}

/**
 * Replays a recording to a fake of its own, and closes the fake. Rejects with a CommandError if the recording cannot be read,
 * contains no request to the API, or no world can be created from it.
 */
async function playRecording(file: string, openFake: OpenFake, progress: StatusLine): Promise<RecordingResult> {
  const exchanges = await readRecording(file)
  const { requests, leftOut } = selectRequests(exchanges)
  if (requests.length === 0 && leftOut.every(({ reason }) => reason !== ISSUED_EARLIER))
    throw new CommandError(`${file}: contains no replayable request to the API`)
  const initialState = new InitialState(requests)
  const { fake, notSeeded } = openSeeded(
    initialState.seed(),
    startOf(requests.map(({ exchange }) => exchange)),
    openFake,
  )
  try {
    const outcomes = await replay(requests, initialState, fake.fetch, (requestNumber) =>
      progress.show(`${file}: ${requestNumber}/${requests.length}`),
    )
    return {
      file,
      outcomes,
      notSeeded,
      leftOut: leftOut.map(({ exchange, reason }) => `${exchange.verb} ${exchange.url.href}: ${reason}`),
    }
  } finally {
    await fake.close()
  }
}

/**
 * Returns the exchanges of a file. Rejects with a CommandError if it cannot be read, or is nested too deep to be
 * compared.
 */
async function readRecording(file: string): Promise<Exchange[]> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new CommandError(`${file}: cannot read the recording: ${code === 'ENOENT' ? 'there is no such file' : code}`)
  }
  try {
    const exchanges = await parseRecording(text)
    const deep = exchanges.find(
      ({ responseJson, requestBody }) => isTooDeep(responseJson) || isTooDeep(parseJson(requestBody ?? '')),
    )
    if (deep) throw new UnknownFormat(`${deep.verb} ${deep.url.pathname}: it is nested too deep`)
    return exchanges
  } catch (error) {
    throw error instanceof UnknownFormat ? new CommandError(`${file}: ${error.message}`) : error
  }
}

/**
 * Returns the instant of the first response in ISO form, by the service's clock; undefined if no response has a date.
 */
function startOf(exchanges: readonly Exchange[]): string | undefined {
  const dates = exchanges
    .map(({ responseHeaders }) => Date.parse(responseHeaders.get('date') ?? ''))
    .filter((ms) => !Number.isNaN(ms))
  return dates[0] === undefined ? undefined : new Date(dates[0]).toISOString()
}

/**
 * Opens a fake with the initial state of a recording, at `now`. Removes records that the seed loader rejects, one by
 * one, from a copy, and returns a line for each. Throws a CommandError if an error names no record.
 */
function openSeeded(given: Seed, now: string | undefined, openFake: OpenFake) {
  const notSeeded: string[] = []
  const seed = structuredClone(given)
  for (;;) {
    try {
      return { fake: openFake(parseSeed(seed), now), notSeeded }
    } catch (error) {
      if (!(error instanceof SeedError)) throw error
      const dropped = dropRecord(seed, error.message)
      if (dropped === undefined) throw new CommandError(`cannot create a world from the recording: ${error.message}`)
      notSeeded.push(`${dropped}: ${error.message}`)
    }
  }
}

/**
 * Removes from `seed` the record that an error message of the seed loader names, such as `calendars[0].events[2].start:
 * …`. Returns its name for the report; undefined if the message names none.
 */
function dropRecord(seed: Seed, message: string): string | undefined {
  const [, list, at, name, rest] = /^(calendars|accounts)[.[](\d+)\]?\.(\w+)[.[]([^\]:.]+)/.exec(message) ?? []
  const outer = (list === 'calendars' ? seed.calendars : seed.accounts)?.[Number(at)]
  const records: unknown = outer && Reflect.get(outer, name ?? '')
  if (Array.isArray(records)) {
    const [dropped] = records.splice(Number(rest), 1)
    if (dropped === undefined) return undefined
    return `the ${name === 'events' ? 'event' : name === 'acl' ? 'rule' : 'list entry'} ${dropped.id ?? ''}`.trimEnd()
  }
  if (name !== 'settings' || !(records instanceof Object) || !Reflect.has(records, rest ?? '')) return undefined
  Reflect.deleteProperty(records, rest ?? '')
  return `the setting ${rest}`
}
