import { textAt } from './recording.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns a copy of the events by id, masters (series) and single events before exceptions (changed instances). Instances without a
 * master get one whose RDATE lines are their starts, so that they keep their ids. Instances that equal their master are removed.
 */
export function completeSeries(events: ReadonlyMap<string, Fields>): Map<string, Fields> {
  const all = [...events]
  const masters = new Map(all.filter(([, event]) => event.recurringEventId === undefined))
  for (const [, event] of all) {
    const series = textAt(event, 'recurringEventId')
    if (series === undefined || masters.has(series)) continue
    const instances = all.map(([, one]) => one).filter((one) => one.recurringEventId === series)
    const { recurringEventId: _, originalStartTime: __, ...first } = instances[0] ?? {}
    const dates = instances.flatMap((one) => rdateLine(one.originalStartTime) ?? [])
    masters.set(series, { ...first, id: series, status: 'confirmed', recurrence: dates })
  }
  const exceptions = all.filter(([, event]) => {
    const master = masters.get(textAt(event, 'recurringEventId') ?? '')
    return master !== undefined && event.recurringEventId !== undefined && isException(event, master)
  })
  return new Map([...masters, ...exceptions])
}

/** The fields whose values differ among the instances of a series, or between them and the master. */
const PER_INSTANCE = new Set([
  'id',
  'start',
  'end',
  'htmlLink',
  'updated',
  'recurringEventId',
  'originalStartTime',
  'recurrence',
  'sequence',
])

/** Returns true if an instance differs from what its master implies: in its start, its length or another field. */
function isException(event: Fields, master: Fields): boolean {
  const rest = (fields: Fields) =>
    JSON.stringify(
      Object.entries(fields)
        .filter(([name]) => !PER_INSTANCE.has(name))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  const moved = instantOf(event.start) !== instantOf(event.originalStartTime)
  const length = ({ start, end }: Fields) => instantOf(end) - instantOf(start)
  return moved || length(event) !== length(master) || rest(event) !== rest(master)
}

/** Returns a start or end in milliseconds since 1970; NaN if it has none. A date counts as midnight in UTC. */
const instantOf = (time: unknown): number => Date.parse(textAt(time, 'dateTime') ?? textAt(time, 'date') ?? '')

/** Returns an RDATE line for a start; undefined if it has none. */
function rdateLine(time: unknown): string | undefined {
  const date = textAt(time, 'date')
  if (date !== undefined) return `RDATE;VALUE=DATE:${date.replaceAll('-', '')}`
  const ms = Date.parse(textAt(time, 'dateTime') ?? '')
  return Number.isNaN(ms) ? undefined : `RDATE:${new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')}`
}
