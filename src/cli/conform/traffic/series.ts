import { textAt } from './recording.ts'

type Said = Readonly<Record<string, unknown>>

/**
 * Series stand before their exceptions. One of which only instances were shown is made of these, date by date, so that they have
 * the ids that they were shown with.
 */
export function wholeSeries(events: ReadonlyMap<string, Said>): Map<string, Said> {
  const all = [...events]
  const masters = new Map(all.filter(([, event]) => event.recurringEventId === undefined))
  for (const [, event] of all) {
    const series = textAt(event, 'recurringEventId')
    if (series === undefined || masters.has(series)) continue
    const instances = all.map(([, one]) => one).filter((one) => one.recurringEventId === series)
    const { recurringEventId: _, originalStartTime: __, ...first } = instances[0] ?? {}
    const dates = instances.flatMap((one) => dateLine(one.originalStartTime) ?? [])
    masters.set(series, { ...first, id: series, status: 'confirmed', recurrence: dates })
  }
  const exceptions = all.filter(([, event]) => {
    const master = masters.get(textAt(event, 'recurringEventId') ?? '')
    return master !== undefined && event.recurringEventId !== undefined && isException(event, master)
  })
  return new Map([...masters, ...exceptions])
}

/** What every instance has of its own, changed or not. */
const OWN = new Set([
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

/** Whether an instance says anything that does not follow from its series. */
function isException(event: Said, master: Said): boolean {
  const rest = (said: Said) =>
    JSON.stringify(
      Object.entries(said)
        .filter(([name]) => !OWN.has(name))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  const moved = instantOf(event.start) !== instantOf(event.originalStartTime)
  const length = ({ start, end }: Said) => instantOf(end) - instantOf(start)
  return moved || length(event) !== length(master) || rest(event) !== rest(master)
}

const instantOf = (time: unknown): number => Date.parse(textAt(time, 'dateTime') ?? textAt(time, 'date') ?? '')

function dateLine(time: unknown): string | undefined {
  const date = textAt(time, 'date')
  if (date !== undefined) return `RDATE;VALUE=DATE:${date.replaceAll('-', '')}`
  const ms = Date.parse(textAt(time, 'dateTime') ?? '')
  return Number.isNaN(ms) ? undefined : `RDATE:${new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')}`
}
