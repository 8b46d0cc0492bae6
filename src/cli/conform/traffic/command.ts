import { readFileSync } from 'node:fs'
import { checkedSeed, isDeep } from '../../../life/checkedSeed.ts'
import { SeedError } from '../../../life/seed.ts'
import type { Seed } from '../../../wire/seeds/seed.ts'
import { CommandError } from '../../commandError.ts'
import type { Progress } from '../../progress.ts'
import type { ReportFormat } from '../report.ts'
import type { OpenFake } from './fake.ts'
import { parseJson, parseRecording, UnknownFormat } from './formats.ts'
import { InitialState } from './initialState.ts'
import type { Exchange } from './recording.ts'
import { replay } from './replay.ts'
import { formatRecordings, type RecordingResult } from './report.ts'
import { selectRequests } from './requests.ts'

/** Plays recordings, each to a fake of its own, and reports of them together. */
export async function playRecordings(
  files: readonly string[],
  form: ReportFormat,
  openFake: OpenFake,
  progress: Progress,
): Promise<{ report: string; differs: boolean }> {
  const played: RecordingResult[] = []
  for (const file of files) {
    try {
      played.push(await playRecording(file, openFake, progress))
    } catch (error) {
      if (!(error instanceof CommandError) || files.length === 1) throw error
      played.push({ file, refused: error.message, outcomes: [], leftOut: [], notSeeded: [] })
    }
  }
  const differs = played.some(
    ({ outcomes, refused }) => refused !== undefined || outcomes.some(({ verdict }) => verdict === 'differs'),
  )
  return { report: formatRecordings(played, form), differs }
}

async function playRecording(file: string, openFake: OpenFake, progress: Progress): Promise<RecordingResult> {
  const exchanges = await readRecording(file)
  const { asked, leftOut } = selectRequests(exchanges)
  if (asked.length === 0) throw new CommandError(`${file}: it has no request of the API that can be played`)
  const shown = new InitialState(asked)
  const { fake, notSeeded } = openSeeded(shown.seed(), startOf(asked.map(({ exchange }) => exchange)), openFake)
  try {
    const outcomes = await replay(asked, shown, fake.fetch, (at) => progress.say(`${file}: ${at}/${asked.length}`))
    return {
      file,
      outcomes,
      notSeeded,
      leftOut: leftOut.map(({ exchange, because }) => `${exchange.verb} ${exchange.url.href}: ${because}`),
    }
  } finally {
    await fake.close()
  }
}

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
    const deep = exchanges.find(({ answer, body }) => isDeep(answer) || isDeep(parseJson(body ?? '')))
    if (deep) throw new UnknownFormat(`${deep.verb} ${deep.url.pathname}: it is nested too deep`)
    return exchanges
  } catch (error) {
    throw error instanceof UnknownFormat ? new CommandError(`${file}: ${error.message}`) : error
  }
}

/** The moment of the first answer, by the service's own clock. */
function startOf(exchanges: readonly Exchange[]): string | undefined {
  const dates = exchanges.map(({ said }) => Date.parse(said.get('date') ?? '')).filter((ms) => !Number.isNaN(ms))
  return dates[0] === undefined ? undefined : new Date(dates[0]).toISOString()
}

/** Opens a fake with what a recording shows. Records that the seed refuses are left out one by one, and reported. */
function openSeeded(given: Seed, now: string | undefined, openFake: OpenFake) {
  const notSeeded: string[] = []
  const seed = structuredClone(given)
  for (;;) {
    try {
      return { fake: openFake(checkedSeed(seed), now), notSeeded }
    } catch (error) {
      if (!(error instanceof SeedError)) throw error
      const dropped = dropRecord(seed, error.message)
      if (dropped === undefined) throw new CommandError(`what the recording shows cannot be planted: ${error.message}`)
      notSeeded.push(`${dropped}: ${error.message}`)
    }
  }
}

/** Takes the record out that a message is about, and names it; undefined if the message names none. */
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
