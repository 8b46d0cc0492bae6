import { useCallback, useMemo, useState } from 'preact/hooks'
import { useAccount, useTimeFormat } from '../../account.ts'
import { listCalendars, listEvents } from '../../api/calendar.ts'
import type { ServiceEvent } from '../../api/types.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Checkbox } from '../../components/Form.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Table } from '../../components/Table.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { account, navigate, route } from '../../route.ts'
import { useSession } from '../../session.ts'
import { wallTimeIn } from '../../time/wallTime.ts'
import { ViewButtons } from '../calendar/CalendarPanel.tsx'
import { titleOf, toGridEvents } from '../calendar/eventAppearance.ts'
import { toTimeRange } from '../calendar/useEvents.ts'
import { ListView } from '../calendar/views/ListView.tsx'
import { createScrollGroup, type ScrollGroup, TimeGrid } from '../calendar/views/TimeGrid.tsx'
import { findVisibleDates, formatViewTitle, listDates, parseView, stepDate, type ViewName } from '../calendar/views.ts'
import styles from './SideBySidePanel.module.css'

const SEPARATOR = ','
/** The number of accounts that are shown if the address names none. */
const INITIAL_COUNT = 2
const VIEWS: readonly ViewName[] = ['day', 'week', 'list']

/** An event as an account sees it on a calendar of its list. `calendar` is the title of the calendar. */
type CopyOfEvent = { email: string; calendar: string; event: ServiceEvent }

/**
 * Returns the accounts of `emails` that the item in the address lists, separated by commas. If it is empty, returns the page's
 * account and one other.
 */
function findShownAccounts(emails: readonly string[]): string[] {
  if (route.value.item !== '') return route.value.item.split(SEPARATOR).filter((email) => emails.includes(email))
  return [...new Set([account.value, ...emails])].filter((email) => emails.includes(email)).slice(0, INITIAL_COUNT)
}

/**
 * The calendars of several accounts on the same days, in columns that scroll together. A click on an event lists its copies: the
 * same event as each account sees it.
 */
export default function SideBySidePanel() {
  const { overview } = useSession()
  const { weekStart } = useAccount()
  const { zone } = useTimeFormat()
  const [uid, setUid] = useState('')
  const [group] = useState(createScrollGroup)
  const [seen, setSeen] = useState<ReadonlyMap<string, readonly CopyOfEvent[]>>(new Map())
  const emails = (overview.value?.accounts ?? []).map(({ email }) => email)
  const shown = findShownAccounts(emails)
  const now = wallTimeIn(zone, Date.parse(overview.value?.now ?? '1970-01-01T00:00:00Z'))
  const view = VIEWS.includes(parseView(route.value.view)) ? parseView(route.value.view) : 'week'
  const date = route.value.date || now.slice(0, 10)
  /** Shows or hides the column of an account, in the address. */
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
  const copies = shown.flatMap((email) => findCopies(seen.get(email) ?? [], uid))
  return (
    <>
      <fieldset class={styles.accounts}>
        <legend class="hidden">Accounts</legend>
        {emails.map((email) => (
          <Checkbox key={email} label={email} checked={shown.includes(email)} change={(to) => show(email, to)} />
        ))}
      </fieldset>
      <div class={styles.toolbar} role="toolbar" aria-label="Calendar view">
        <button type="button" onClick={() => navigate({ date: now.slice(0, 10) })}>
          Today
        </button>
        <span>
          <button
            type="button"
            class="quiet"
            aria-label="Previous"
            onClick={() => navigate({ date: stepDate(view, date, -1) })}
          >
            <Icon name="left" />
          </button>
          <button
            type="button"
            class="quiet"
            aria-label="Next"
            onClick={() => navigate({ date: stepDate(view, date, 1) })}
          >
            <Icon name="right" />
          </button>
        </span>
        <h2>{formatViewTitle(view, date, weekStart)}</h2>
        <ViewButtons view={view} views={VIEWS} />
      </div>
      {uid !== '' && (
        <section class={`card ${styles.copies}`} aria-label="The same event">
          <button type="button" class="quiet" aria-label="Close" onClick={() => setUid('')}>
            <Icon name="close" />
          </button>
          <CopiesTable copies={copies} />
        </section>
      )}
      {shown.length === 0 && <EmptyState icon="users" title="No account is selected." />}
      <div class={styles.columns}>
        {shown.map((email) => (
          <AccountColumn
            key={email}
            email={email}
            view={view}
            date={date}
            now={now}
            group={group}
            open={({ iCalUID = '' }) => setUid(iCalUID)}
            report={report}
          />
        ))}
      </div>
    </>
  )
}

/** Returns the events of an iCalUID, one per calendar. Of several instances of a series, it is the first in `events`. */
function findCopies(events: readonly CopyOfEvent[], uid: string): CopyOfEvent[] {
  const found = new Map<string, CopyOfEvent>()
  for (const one of events) if (one.event.iCalUID === uid && !found.has(one.calendar)) found.set(one.calendar, one)
  return [...found.values()]
}

/** The copies of an event, one row for each account and calendar. */
const CopiesTable = ({ copies }: { copies: readonly CopyOfEvent[] }) => (
  <Table
    caption="The same event, as each account sees it"
    rows={copies}
    keyOf={({ email, calendar }) => `${email} ${calendar}`}
    empty="None of the accounts sees it in these days."
    columns={[
      { title: 'Account', cell: ({ email }) => email },
      { title: 'Calendar', cell: ({ calendar }) => calendar },
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
  view: ViewName
  /** A date that the view shows. */
  date: string
  /** The world's local time. */
  now: string
  group: ScrollGroup
  open(event: ServiceEvent): void
  /** Called with the account's events after each load. */
  report(email: string, events: readonly CopyOfEvent[]): void
}

/** The selected calendars of an account, read-only. If one of them cannot be read, its error is shown and no events. */
function AccountColumn({ email, view, date, now, group, open, report }: ColumnProps) {
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
      lists.flatMap(({ entry, events }) => events.map((event) => ({ email, calendar: entry.summary, event }))),
    )
    return lists
  })
  const items = useMemo(
    () => (data ?? []).flatMap(({ entry, events }) => toGridEvents(entry, events, { colors, zone })),
    [data, colors, zone],
  )
  return (
    <section class={styles.column} aria-label={`Calendar of ${email}`}>
      <h3>{email}</h3>
      {error && <ErrorNotice error={error} />}
      {view === 'list' ? (
        <ListView
          {...{ from, to, items }}
          open={({ event }) => open(event)}
          nameOf={(id) => data?.find(({ entry }) => entry.id === id)?.entry.summary ?? id}
        />
      ) : (
        <TimeGrid
          days={listDates(from, to)}
          items={items}
          now={now}
          open={({ event }) => open(event)}
          isLoaded={data !== undefined}
          label={`Hours of ${email}`}
          group={group}
        />
      )}
    </section>
  )
}
