import { readFileSync } from 'node:fs'
import { checkedSeed } from '../../../life/checkedSeed.ts'
import { SeedError } from '../../../life/seed.ts'
import type { Seed } from '../../../wire/seeds/seed.ts'
import { CommandError } from '../../commandError.ts'
import type { Progress } from '../../progress.ts'
import type { ReportFormat } from '../report.ts'
import type { OpenFake } from './fake.ts'
import { parseRecording, UnknownFormat } from './formats.ts'
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
  for (const file of files) played.push(await playRecording(file, openFake, progress))
  const differs = played.some(({ outcomes }) => outcomes.some(({ verdict }) => verdict === 'differs'))
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
    return await parseRecording(text)
  } catch (error) {
    throw error instanceof UnknownFormat ? new CommandError(`${file}: ${error.message}`) : error
  }
}

/** The moment of the first answer, by the service's own clock. */
function startOf(exchanges: readonly Exchange[]): string | undefined {
  const dates = exchanges.map(({ said }) => Date.parse(said.get('date') ?? '')).filter((ms) => !Number.isNaN(ms))
  return dates[0] === undefined ? undefined : new Date(dates[0]).toISOString()
}

/** What cannot be planted of what a recording shows is left out, one by one, and told of. */
function openSeeded(seed: Seed, now: string | undefined, openFake: OpenFake) {
  const notSeeded: string[] = []
  const calendars = (seed.calendars ?? []).map(({ events = [], ...calendar }) => ({ ...calendar, events: [...events] }))
  for (;;) {
    try {
      return { fake: openFake(checkedSeed({ ...seed, calendars }), now), notSeeded }
    } catch (error) {
      if (!(error instanceof SeedError)) throw error
      const [, calendar, event] = /^calendars[.[](\d+)\]?\.events[.[](\d+)/.exec(error.message) ?? []
      const [dropped] = calendars[Number(calendar)]?.events.splice(Number(event), 1) ?? []
      if (calendar === undefined || !dropped)
        throw new CommandError(`what the recording shows cannot be planted: ${error.message}`)
      notSeeded.push(`the event ${dropped.id}: ${error.message}`)
    }
  }
}
