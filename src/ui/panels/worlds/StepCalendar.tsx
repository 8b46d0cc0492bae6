import { useMemo, useRef, useState } from 'preact/hooks'
import { useAccount, useTimeFormat } from '../../account.ts'
import { getEvent, listCalendarsWithEvents } from '../../api/calendar.ts'
import type { HistoricChange, RecordedCall, ServiceEvent } from '../../api/types.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { JsonText } from '../../components/JsonText.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { dateOf, eventWallTime, wallTimeIn } from '../../time/wallTime.ts'
import { EventGrid } from '../calendar/EventGrid.tsx'
import { type GridEvent, mergeCopies, toGridEvents } from '../calendar/eventAppearance.ts'
import { toTimeRange } from '../calendar/useEvents.ts'
import { findVisibleDates } from '../calendar/views.ts'

/** A request with the writes that it made. A tool call has those of its requests. */
export type Step = {
  call: RecordedCall
  changes: readonly HistoricChange[]
  /** The revision before the first write of a later request. Undefined if there is none. */
  until: number | undefined
}

/** Below it, one day is shown. */
const NARROW_PX = 600

/** The calendars of the caller as they were after the last of the steps, on the days of the latest changed event. */
export function StepCalendar({ world, steps }: { world: string; steps: readonly Step[] }) {
  const { weekStart, colors } = useAccount()
  const { zone } = useTimeFormat()
  const [opened, setOpened] = useState<GridEvent>()
  const step = steps.at(-1)
  const { account = '', at = '' } = step?.call ?? {}
  const until = step?.until
  const view = innerWidth < NARROW_PX ? 'day' : 'week'
  const query = useLoader(`step ${world} ${account} ${step?.call.n} ${until} ${zone}`, async (signal) => {
    const options = { account, world, until, signal }
    const shown = steps.flatMap(({ changes }) => changes).findLast(({ kind }) => kind === 'event')
    const event = shown && (await getEvent(shown.calendarId ?? account, shown.id, options).catch(() => undefined))
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
    return mergeCopies(all, calendars.find(({ entry }) => entry.primary)?.entry.id).map((item) =>
      isChanged(item.event) ? { ...item, traits: [...item.traits, 'changed' as const] } : item,
    )
  }, [query.data, colors, zone])
  if (account === '') return null
  return (
    <section aria-label="Calendar after the request">
      <h3>Calendar of {account} after the request</h3>
      <QueryView query={query.error ? query : { data: latest.current }}>
        {({ date, now }) => (
          <div class="columns">
            <EventGrid
              {...{ view, date, now, items, isLoaded: true, open: setOpened }}
              label={`Events of ${account} after the request`}
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
