import { useMemo, useRef, useState } from 'preact/hooks'
import { useAccount, useTimeFormat } from '../../account.ts'
import { getEvent, listCalendarsWithEvents } from '../../api/calendar.ts'
import { callControl } from '../../api/client.ts'
import { ALL_METHODS } from '../../api/eventStream.ts'
import type { HistoricChange, RecordedCall, ServiceEvent } from '../../api/types.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { JsonText } from '../../components/JsonText.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { StatusPill } from '../../components/StatusPill.tsx'
import { type Query, useLoader } from '../../hooks/useQuery.ts'
import { showWorld } from '../../route.ts'
import { dateOf, eventWallTime, wallTimeIn } from '../../time/wallTime.ts'
import { EventGrid } from '../calendar/EventGrid.tsx'
import { formatFieldChanges, type GridEvent, mergeCopies, toGridEvents } from '../calendar/eventAppearance.ts'
import { toTimeRange } from '../calendar/useEvents.ts'
import { findVisibleDates } from '../calendar/views.ts'

/** A request with the writes that it made. A tool call has those of its requests. */
type Step = {
  call: RecordedCall
  changes: readonly HistoricChange[]
  /** The revision before the first write of a later request. Undefined if there is none. */
  until: number | undefined
}

function useSteps(world: string): Query<readonly Step[]> {
  return useLoader(`steps of ${world}`, async (signal) => {
    const options = { world, signal }
    const [{ data: journal }, { data: history }] = await Promise.all([
      callControl<{ calls: RecordedCall[] }>('GET', '/calls', { ...options, query: { method: ALL_METHODS } }),
      callControl<{ changes: HistoricChange[] }>('GET', '/changes', options),
    ])
    const parents = new Map(journal.calls.map(({ n, toolCall = n }) => [n, toolCall]))
    const stepOf = ({ call = 0 }: HistoricChange) => parents.get(call) ?? call
    return journal.calls
      .filter(({ method, toolCall }) => method !== 'mcp' && toolCall === undefined)
      .sort((a, b) => a.n - b.n)
      .map((call) => {
        const later = history.changes.find((one) => stepOf(one) > call.n)
        const changes = history.changes.filter((one) => stepOf(one) === call.n)
        return { call, changes, until: later && later.revision - 1 }
      })
  })
}

/** `event “Lunch” of alice@example.com: location "Room 1" → "Room 2"` */
function describeChange({ change, kind, title, calendarId, fields }: HistoricChange): string {
  const place = calendarId === undefined ? '' : ` of ${calendarId}`
  return `${kind} “${title}”${place}: ${change === 'changed' ? formatFieldChanges(fields, ' ').join('; ') : change}`
}

/** The requests of a world, one by one, with what each of them changed and the calendar after it. */
export function Replay({ world }: { world: string }) {
  const steps = useSteps(world)
  return (
    <section aria-label="Requests, step by step">
      <h3>Requests, step by step</h3>
      <QueryView query={steps}>{(list) => <StepView world={world} steps={list} />}</QueryView>
    </section>
  )
}

function StepView({ world, steps }: { world: string; steps: readonly Step[] }) {
  const [index, setIndex] = useState(0)
  const step = steps[index]
  if (!step) return <p class="muted">No requests.</p>
  const { n, method, verb, path, status, body, params, response } = step.call
  return (
    <>
      <div class="actions">
        <button type="button" disabled={index === 0} onClick={() => setIndex(index - 1)}>
          Previous
        </button>
        <button type="button" disabled={index === steps.length - 1} onClick={() => setIndex(index + 1)}>
          Next
        </button>
        <span role="status">
          {index + 1} of {steps.length}: <strong>{method}</strong> <StatusPill status={status} />
        </span>
        <button type="button" class="link" onClick={() => showWorld(world, { panel: 'requests', item: String(n) })}>
          Show request {n}
        </button>
      </div>
      <ul aria-label="Changes of the request">
        {step.changes.map((one) => (
          <li key={`${one.revision} ${one.kind} ${one.calendarId} ${one.id}`}>{describeChange(one)}</li>
        ))}
        {step.changes.length === 0 && <li>No changes.</li>}
      </ul>
      <StepCalendar world={world} steps={steps.slice(0, index + 1)} moment="before" />
      <StepCalendar world={world} steps={steps.slice(0, index + 1)} moment="after" />
      <JsonText label="Request and response" value={{ [`${verb} ${path}`]: body ?? params, response }} />
    </>
  )
}

/** The width below which one day is shown. */
const NARROW_PX = 600

type CalendarProps = { world: string; steps: readonly Step[]; moment: 'before' | 'after' }

/** The calendars of the caller as they were before or after the last of the steps, on the days of the latest changed event. */
function StepCalendar({ world, steps, moment }: CalendarProps) {
  const { weekStart, colors } = useAccount()
  const { zone } = useTimeFormat()
  const [opened, setOpened] = useState<GridEvent>()
  const step = steps.at(-1)
  const { account = '', at = '' } = step?.call ?? {}
  const before = steps.length > 1 ? steps.at(-2)?.until : 0
  const until = moment === 'before' ? before : step?.until
  const view = innerWidth < NARROW_PX ? 'day' : 'week'
  const query = useLoader(`step ${world} ${account} ${step?.call.n} ${until} ${zone}`, async (signal) => {
    const options = { account, world, until, signal }
    const shown = steps.flatMap(({ changes }) => changes).findLast(({ kind }) => kind === 'event')
    const atEnd = { ...options, until: step?.until }
    const event = shown && (await getEvent(shown.calendarId ?? account, shown.id, atEnd).catch(() => undefined))
    const start = event?.start ?? event?.originalStartTime
    const now = wallTimeIn(zone, Date.parse(at))
    const date = dateOf(start ? eventWallTime(start, zone) : now)
    const { from, to } = findVisibleDates(view, date, weekStart)
    return { now, date, calendars: await listCalendarsWithEvents(toTimeRange(from, to), options) }
  })
  // The former step stays until the next one is loaded.
  const latest = useRef(query.data)
  latest.current = query.data ?? latest.current
  const items = useMemo(() => {
    const ids = step?.changes.filter(({ kind }) => kind === 'event').map(({ id }) => id) ?? []
    const isChanged = ({ id, recurringEventId = id }: ServiceEvent) =>
      ids.includes(id) || ids.includes(recurringEventId)
    const { calendars = [] } = latest.current ?? {}
    const all = calendars.flatMap(({ entry, events }) => toGridEvents(entry, events, { colors, zone }))
    return mergeCopies(all, calendars.find(({ entry }) => entry.primary)?.entry.id).map((item) => ({
      ...{ ...item, isEditable: false },
      traits: isChanged(item.event) ? [...item.traits, 'changed' as const] : item.traits,
    }))
  }, [query.data, colors, zone])
  if (account === '') return null
  return (
    <section aria-label={`Calendar ${moment} the request`}>
      <h3>
        Calendar of {account} {moment} the request
      </h3>
      <QueryView query={query.error ? query : { data: latest.current }}>
        {({ date, now }) => (
          <div class="columns">
            <EventGrid
              {...{ view, date, now, items, open: setOpened }}
              label={`Events of ${account} ${moment} the request`}
            />
          </div>
        )}
      </QueryView>
      {opened && (
        <Dialog title={opened.title} close={() => setOpened(undefined)}>
          <JsonText value={opened.event} label="The event as JSON" />
        </Dialog>
      )}
    </section>
  )
}
