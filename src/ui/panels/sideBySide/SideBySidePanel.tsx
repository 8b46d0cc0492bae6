import { useCallback, useMemo, useState } from 'preact/hooks'
import { useAccount, useTimeFormat } from '../../account.ts'
import { listCalendars, listEvents } from '../../api/calendar.ts'
import { isUnreachable } from '../../api/errors.ts'
import type { CalendarEntry, ServiceEvent } from '../../api/types.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Checkbox, Select } from '../../components/Form.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Table } from '../../components/Table.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { account, navigate, route } from '../../route.ts'
import { useSession } from '../../session.ts'
import { wallTimeIn } from '../../time/wallTime.ts'
import { EventGrid } from '../calendar/EventGrid.tsx'
import { mergeCopies, titleOf, toGridEvents } from '../calendar/eventAppearance.ts'
import { createScrollGroup, type ScrollGroup } from '../calendar/scrollGroup.ts'
import { toTimeRange } from '../calendar/useEvents.ts'
import { ViewToolbar } from '../calendar/ViewToolbar.tsx'
import { findVisibleDates, parseView, type ViewName } from '../calendar/views.ts'

const SEPARATOR = ','
/** If the address names none. */
const INITIAL_COUNT = 2
const VIEWS: readonly ViewName[] = ['day', 'week', 'list']

/** All selected calendars of an account. Other values: its primary one, or the id of a calendar. */
const ALL = 'all'
const OWN = 'own'

type CopyOfEvent = { email: string; calendar: CalendarEntry; event: ServiceEvent }

/** The item in the address lists them, separated by commas. If it is empty: the page's account and one other. */
function findShownAccounts(emails: readonly string[]): string[] {
  if (route.value.item !== '') return route.value.item.split(SEPARATOR).filter((email) => emails.includes(email))
  return [...new Set([account.value, ...emails])].filter((email) => emails.includes(email)).slice(0, INITIAL_COUNT)
}

export default function SideBySidePanel() {
  const { overview } = useSession()
  const { zone } = useTimeFormat()
  const [uid, setUid] = useState('')
  const [filter, setFilter] = useState(ALL)
  const [group] = useState(createScrollGroup)
  const [seen, setSeen] = useState<ReadonlyMap<string, readonly CopyOfEvent[]>>(new Map())
  const accounts = overview.value?.accounts ?? []
  const emails = accounts.map(({ email }) => email)
  const shown = findShownAccounts(emails)
  const now = wallTimeIn(zone, Date.parse(overview.value?.now ?? '1970-01-01T00:00:00Z'))
  const today = now.slice(0, 10)
  const view = VIEWS.includes(parseView(route.value.view)) ? parseView(route.value.view) : 'week'
  const date = route.value.date || today
  const show = (email: string, isShown: boolean) => {
    const next = new Set(shown)
    if (isShown) next.add(email)
    else next.delete(email)
    navigate({ item: emails.filter((one) => next.has(one)).join(SEPARATOR) })
  }
  const report = useCallback(
    (email: string, events: readonly CopyOfEvent[]) => setSeen((known) => new Map(known).set(email, events)),
    [],
  )
  const events = shown.flatMap((email) => seen.get(email) ?? [])
  const calendars = new Map(events.map(({ calendar: { id, summary } }) => [id, summary]))
  return (
    <>
      <div class="toolbar">
        <fieldset class="accounts">
          <legend class="hidden">Accounts</legend>
          {accounts.map(({ email, displayName }) => (
            <Checkbox
              key={email}
              label={displayName ?? email}
              title={email}
              checked={shown.includes(email)}
              change={(to) => show(email, to)}
            />
          ))}
        </fieldset>
        <Select
          label="Calendars"
          value={filter}
          change={setFilter}
          options={[[ALL, 'All selected calendars'], [OWN, 'Own calendars'], ...calendars]}
        />
      </div>
      <ViewToolbar view={view} views={VIEWS} date={date} today={today} />
      {uid !== '' && (
        <section class="card copies" aria-label="The same event">
          <button type="button" class="quiet" aria-label="Close" onClick={() => setUid('')}>
            <Icon name="close" />
          </button>
          <CopiesTable copies={findCopies(events, uid)} />
        </section>
      )}
      {shown.length === 0 && <EmptyState icon="users" title="No account is selected." />}
      <div class="columns">
        {shown.map((email) => (
          <AccountColumn
            key={email}
            name={accounts.find((one) => one.email === email)?.displayName ?? email}
            {...{ email, view, date, now, group, filter, report }}
            open={({ iCalUID = '' }) => setUid(iCalUID)}
          />
        ))}
      </div>
    </>
  )
}

function findCopies(events: readonly CopyOfEvent[], uid: string): CopyOfEvent[] {
  const found = new Map<string, CopyOfEvent>()
  for (const one of events) {
    const key = `${one.email} ${one.calendar.id}`
    if (one.event.iCalUID === uid && !found.has(key)) found.set(key, one)
  }
  return [...found.values()]
}

const CopiesTable = ({ copies }: { copies: readonly CopyOfEvent[] }) => (
  <Table
    caption="The same event, as each account sees it"
    rows={copies}
    keyOf={({ email, calendar }) => `${email} ${calendar.id}`}
    empty="None of the accounts sees it in these days."
    columns={[
      { title: 'Account', cell: ({ email }) => email },
      { title: 'Calendar', cell: ({ calendar }) => calendar.summary },
      { title: 'Title', cell: ({ event }) => titleOf(event) },
      { title: 'Response', cell: ({ event }) => event.attendees?.find(({ self }) => self)?.responseStatus ?? '' },
      {
        title: 'Guests',
        cell: ({ event }) =>
          (event.attendees ?? []).map(({ email, responseStatus }) => `${email}: ${responseStatus}`).join(', '),
      },
      { title: 'Visibility', cell: ({ event }) => event.visibility ?? 'default' },
    ]}
  />
)

type ColumnProps = {
  email: string
  name: string
  view: ViewName
  date: string
  now: string
  group: ScrollGroup
  filter: string
  open(event: ServiceEvent): void
  /** Called after each load. */
  report(email: string, events: readonly CopyOfEvent[]): void
}

function AccountColumn({ email, name, view, date, now, group, filter, open, report }: ColumnProps) {
  const { weekStart, colors } = useAccount()
  const { zone } = useTimeFormat()
  const { from, to } = findVisibleDates(view, date, weekStart)
  const { data, error } = useLoader(`side ${email} ${from} ${to}`, async (signal) => {
    const entries = (await listCalendars({ account: email, signal })).filter(({ selected }) => selected)
    const lists = await Promise.all(
      entries.map(async (entry) => ({
        entry,
        events: await listEvents(entry.id, toTimeRange(from, to), { account: email, signal }),
      })),
    )
    report(
      email,
      lists.flatMap(({ entry, events }) => events.map((event) => ({ email, calendar: entry, event }))),
    )
    return lists
  })
  const items = useMemo(() => {
    const lists = (data ?? []).filter(
      ({ entry }) => filter === ALL || entry.id === filter || (filter === OWN && entry.primary),
    )
    return mergeCopies(
      lists.flatMap(({ entry, events }) => toGridEvents(entry, events, { colors, zone })),
      lists.find(({ entry }) => entry.primary)?.entry.id,
    )
  }, [data, colors, zone, filter])
  return (
    <section class="column" aria-label={`Calendar of ${email}`} aria-busy={data === undefined && !error}>
      <h3 title={email}>{name}</h3>
      {error && !isUnreachable(error) && <ErrorNotice error={error} />}
      <EventGrid
        {...{ view, date, items, now, group }}
        label={`Events of ${email}`}
        isLoaded={data !== undefined}
        open={({ event }) => open(event)}
        openDay={(day) => navigate({ view: 'day', date: day })}
      />
    </section>
  )
}
