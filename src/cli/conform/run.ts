import { Difference, Inconclusive } from './expect.ts'
import { type GetCalendar, Kit, makeCalendar, removeCalendar, withoutStop } from './kit.ts'
import type { Group, Permission, Scenario } from './scenario.ts'
import { sendRequest, type Target } from './target.ts'

export type Verdict = 'agrees' | 'differs' | 'could not tell'

/** What came of one scenario; `how` it differs, or why it could not be told. */
export type Outcome = {
  group: string
  scenario: string
  headings: readonly string[]
  verdict: Verdict
  how?: string
}

export type Run = {
  server: string
  /** The day of the run, by the server's own clock, where it says one. */
  date: string | undefined
  outcomes: Outcome[]
  /** Calendars of the run's own that could not be removed. */
  left: string[]
  interrupted: boolean
}

export type RunOptions = {
  groups: readonly Group[]
  target: Target
  /** Whether a scenario is wanted; all are unless said. */
  filter?: (scenario: Scenario) => boolean
  /** What may be touched beside the calendars that the run makes. */
  permissions?: ReadonlySet<Permission>
  /** Told before each scenario: its name, its number among those that run, and how many these are. */
  onProgress?: (name: string, at: number, of: number) => void
}

const MISSING_PERMISSION: Record<Permission, string> = {
  primary: 'would write to the primary calendar: --yes permits it',
  guest: 'would write to calendars of the second account: --yes permits it',
}

/** Runs scenarios one after the other, and removes what they made, also where the run is ended midway. */
export async function run({ groups, target, filter = () => true, permissions, onProgress }: RunOptions): Promise<Run> {
  const outcomes: Outcome[] = []
  const made = new Set<string>()
  const all = groups.flatMap(({ scenarios }) => scenarios)
  const wanted = all.filter(filter)
  let at = 0
  const runOne = async (scenario: Scenario, shared: GetCalendar): Promise<Pick<Outcome, 'verdict' | 'how'>> => {
    const { needs } = scenario
    if (needs && !permissions?.has(needs)) return { verdict: 'could not tell', how: MISSING_PERMISSION[needs] }
    const kit = new Kit({ target, place: all.indexOf(scenario), shared, made })
    try {
      await scenario.run(kit)
      return { verdict: 'agrees' }
    } catch (error) {
      if (error instanceof Difference) return { verdict: 'differs', how: error.message }
      if (error instanceof Inconclusive) return { verdict: 'could not tell', how: error.message }
      if (target.stop?.aborted || !(error instanceof Error)) throw error
      // A scenario reads on in a body that may lack what it needs, or be nested too deep to be compared.
      return { verdict: 'differs', how: `a body lacks what it should have: ${error.message}` }
    } finally {
      await kit.cleanUp()
    }
  }
  let date: string | undefined
  try {
    date = dateOf(await sendRequest(target, 'GET', '/colors'))
    for (const { name: group, scenarios } of groups) {
      const calendars = new Map<string, Promise<string>>()
      const shared: GetCalendar = (which) => {
        const calendar = calendars.get(which) ?? makeCalendar(target, {}, made)
        calendars.set(which, calendar)
        return calendar
      }
      for (const scenario of scenarios.filter((one) => wanted.includes(one))) {
        onProgress?.(scenario.name, ++at, wanted.length)
        outcomes.push({
          group,
          scenario: scenario.name,
          headings: scenario.headings,
          ...(await runOne(scenario, shared)),
        })
      }
      await removeCalendars(target, made)
    }
  } catch (error) {
    if (!target.stop?.aborted) throw error
  } finally {
    onProgress?.('removing the calendars', wanted.length, wanted.length)
    await removeCalendars(target, made)
  }
  return { server: target.baseUrl, date, outcomes, left: [...made], interrupted: target.stop?.aborted ?? false }
}

/** Removes what was made; what cannot be removed stays noted. */
async function removeCalendars(target: Target, made: Set<string>): Promise<void> {
  for (const id of [...made]) await removeCalendar(withoutStop(target), id, made).catch(() => {})
}

function dateOf({ headers }: { headers: Headers }): string | undefined {
  const ms = Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10)
}
