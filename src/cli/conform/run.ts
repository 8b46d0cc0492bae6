import { DifferenceError, InconclusiveError } from './expect.ts'
import { createRunCalendar, type GetCalendar, Kit, removeRunCalendar, removeStopSignal } from './kit.ts'
import type { Permission, Scenario, ScenarioGroup } from './scenario.ts'
import { sendRequest, type Target } from './target.ts'

/** The result of a statement about the service. `inconclusive` means that it could not be tested. */
export type Verdict = 'agrees' | 'differs' | 'inconclusive'

/**
 * The result of one scenario: its group, its name, and its headings of docs/behaviour. `how` describes the difference, or the
 * reason for no result.
 */
export type ScenarioOutcome = {
  group: string
  scenario: string
  headings: readonly string[]
  verdict: Verdict
  how?: string
}

/** The result of a run. */
export type Run = {
  /** The base URL of the server. */
  server: string
  /** The day of the run by the server's clock, such as `2026-03-02`; undefined if it sends no `Date`. */
  date: string | undefined
  outcomes: ScenarioOutcome[]
  /** The ids of calendars of the run that could not be removed. */
  left: string[]
  /** True if the signal of the target was aborted. The outcomes then are those until then. */
  interrupted: boolean
}

/** The scenarios of a run, and the server that it tests. */
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

/** The reasons why a scenario without its permission is inconclusive. */
const MISSING_PERMISSION: Record<Permission, string> = {
  primary: 'would write to the primary calendar: --yes permits it',
  guest: 'would write to calendars of the second account: --yes permits it',
  loopback: 'would exceed limits, or change settings for good: only for a server on this machine',
}

/**
 * Runs scenarios one after the other, and removes the calendars that they created, even after an interruption. Differences
 * are outcomes, not errors. Rejects with an InconclusiveError if the server cannot be reached.
 */
export async function runScenarios({
  groups,
  target,
  filter = () => true,
  permissions,
  onProgress,
}: RunOptions): Promise<Run> {
  const outcomes: ScenarioOutcome[] = []
  const createdIds = new Set<string>()
  const all = groups.flatMap(({ scenarios }) => scenarios)
  const selected = all.filter(filter)
  let at = 0
  /** Runs a scenario and its cleanup. Resolves to its verdict. Rejects with the reason of the signal after an interruption. */
  const runOne = async (
    scenario: Scenario,
    getSharedCalendar: GetCalendar,
  ): Promise<Pick<ScenarioOutcome, 'verdict' | 'how'>> => {
    const { needs } = scenario
    if (needs && !permissions?.has(needs)) return { verdict: 'inconclusive', how: MISSING_PERMISSION[needs] }
    const kit = new Kit({ target, scenarioNumber: all.indexOf(scenario), getSharedCalendar, createdIds })
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
    date = findServerDate(await sendRequest(target, 'GET', '/colors'))
    for (const { name: group, scenarios } of groups) {
      const calendars = new Map<string, Promise<string>>()
      const getSharedCalendar: GetCalendar = (which) => {
        const calendar = calendars.get(which) ?? createRunCalendar(target, {}, createdIds)
        calendars.set(which, calendar)
        return calendar
      }
      for (const scenario of scenarios.filter((one) => selected.includes(one))) {
        onProgress?.(scenario.name, ++at, selected.length)
        outcomes.push({
          group,
          scenario: scenario.name,
          headings: scenario.headings,
          ...(await runOne(scenario, getSharedCalendar)),
        })
      }
      await removeRunCalendars(target, createdIds)
    }
  } catch (error) {
    if (!target.stop?.aborted) throw error
  } finally {
    onProgress?.('removing the calendars', selected.length, selected.length)
    await removeRunCalendars(target, createdIds)
  }
  return { server: target.baseUrl, date, outcomes, left: [...createdIds], interrupted: target.stop?.aborted ?? false }
}

/** Removes the calendars of `createdIds`. Never rejects: the ids of calendars that cannot be removed stay in the set. */
async function removeRunCalendars(target: Target, createdIds: Set<string>): Promise<void> {
  for (const id of [...createdIds]) await removeRunCalendar(removeStopSignal(target), id, createdIds).catch(() => {})
}

/** Returns the header `Date` as a day such as `2026-03-02`; undefined if it is missing or invalid. */
function findServerDate({ headers }: { headers: Headers }): string | undefined {
  const ms = Date.parse(headers.get('Date') ?? '')
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10)
}
