import { DifferenceError, InconclusiveError } from './expect.ts'
import { type GetCalendar, Kit, makeCalendar, removeCalendar, withoutStop } from './kit.ts'
import type { Permission, Scenario, ScenarioGroup } from './scenario.ts'
import { sendRequest, type Target } from './target.ts'

export type Verdict = 'agrees' | 'differs' | 'inconclusive'

/** The result of one scenario. `how` describes the difference, or the reason for no result. */
export type ScenarioOutcome = {
  group: string
  scenario: string
  headings: readonly string[]
  verdict: Verdict
  how?: string
}

export type Run = {
  server: string
  /** The day of the run by the server's clock, if it sends one. */
  date: string | undefined
  outcomes: ScenarioOutcome[]
  /** Calendars of the run that could not be removed. */
  left: string[]
  interrupted: boolean
}

export type RunOptions = {
  groups: readonly ScenarioGroup[]
  target: Target
  /** Selects scenarios; by default all. */
  filter?: (scenario: Scenario) => boolean
  /** The resources that may be changed besides the run's own calendars. */
  permissions?: ReadonlySet<Permission>
  /** Called before each scenario with its name, its number, and the number of all selected scenarios. */
  onProgress?: (name: string, at: number, of: number) => void
}

const MISSING_PERMISSION: Record<Permission, string> = {
  primary: 'would write to the primary calendar: --yes permits it',
  guest: 'would write to calendars of the second account: --yes permits it',
  loopback: 'would exceed limits, or change settings for good: only for a server on this machine',
}

/** Runs scenarios one after the other, and removes what they created, even after an interruption. */
export async function run({ groups, target, filter = () => true, permissions, onProgress }: RunOptions): Promise<Run> {
  const outcomes: ScenarioOutcome[] = []
  const made = new Set<string>()
  const all = groups.flatMap(({ scenarios }) => scenarios)
  const selected = all.filter(filter)
  let at = 0
  const runOne = async (scenario: Scenario, shared: GetCalendar): Promise<Pick<ScenarioOutcome, 'verdict' | 'how'>> => {
    const { needs } = scenario
    if (needs && !permissions?.has(needs)) return { verdict: 'inconclusive', how: MISSING_PERMISSION[needs] }
    const kit = new Kit({ target, place: all.indexOf(scenario), shared, made })
    try {
      await scenario.run(kit)
      return { verdict: 'agrees' }
    } catch (error) {
      if (error instanceof DifferenceError) return { verdict: 'differs', how: error.message }
      if (error instanceof InconclusiveError) return { verdict: 'inconclusive', how: error.message }
      if (target.stop?.aborted || !(error instanceof Error)) throw error
      // A body may lack fields that a scenario uses, or be nested too deeply to be compared.
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
      for (const scenario of scenarios.filter((one) => selected.includes(one))) {
        onProgress?.(scenario.name, ++at, selected.length)
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
    onProgress?.('removing the calendars', selected.length, selected.length)
    await removeCalendars(target, made)
  }
  return { server: target.baseUrl, date, outcomes, left: [...made], interrupted: target.stop?.aborted ?? false }
}

/** Removes the created calendars. The remaining ones stay recorded. */
async function removeCalendars(target: Target, made: Set<string>): Promise<void> {
  for (const id of [...made]) await removeCalendar(withoutStop(target), id, made).catch(() => {})
}

function dateOf({ headers }: { headers: Headers }): string | undefined {
  const ms = Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10)
}
