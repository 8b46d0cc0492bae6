import { useMemo, useState } from 'preact/hooks'
import { useAccount, useTimeFormat } from '../../account.ts'
import { type CalendarEvents, listCalendarsWithEvents } from '../../api/calendar.ts'
import { isUnreachable } from '../../api/errors.ts'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Checkbox, Select } from '../../components/Form.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Table } from '../../components/Table.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { account, navigate, route } from '../../route.ts'
import { useSession } from '../../session.ts'
import { useNow } from '../../useNow.ts'
import { EventGrid } from '../calendar/EventGrid.tsx'
import { mergeCopies, titleOf, toGridEvents } from '../calendar/eventAppearance.ts'
import { GuestList } from '../calendar/Guests.tsx'
import { toTimeRange } from '../calendar/useEvents.ts'
import { ViewToolbar } from '../calendar/ViewToolbar.tsx'
import { findVisibleDates, parseView, type ViewName } from '../calendar/views.ts'
import { Card, Toolbar } from '../TableCard.tsx'

const SEPARATOR = ','
/** If the address names none. */
const INITIAL_COUNT = 2
const VIEWS: readonly ViewName[] = ['day', 'week', 'list']

/** All selected calendars of an account. Other values: its primary one, or the id of a calendar. */
const ALL = 'all'
const OWN = 'own'

type LoadedCalendar = CalendarEvents & { email: string }

/** The item in the address lists them, separated by commas. If it is empty: the page's account and one other. */
function findShownAccounts(emails: readonly string[]): string[] {
  if (route.value.item !== '') return route.value.item.split(SEPARATOR).filter((email) => emails.includes(email))
  return [...new Set([account.value, ...emails])].filter((email) => emails.includes(email)).slice(0, INITIAL_COUNT)
}

export default function SideBySidePanel() {
  const { overview } = useSession()
  const { weekStart, colors } = useAccount()
  const { zone } = useTimeFormat()
  const [uid, setUid] = useState('')
  const [filter, setFilter] = useState(ALL)
  const accounts = overview.value?.accounts ?? []
  const emails = accounts.map(({ email }) => email)
  const shown = findShownAccounts(emails)
  const now = useNow()
  const today = now.slice(0, 10)
  const view = VIEWS.includes(parseView(route.value.view)) ? parseView(route.value.view) : 'week'
  const date = route.value.date || today
  const { from, to } = findVisibleDates(view, date, weekStart)
  const { data, error } = useLoader(
    `side ${shown.join(SEPARATOR)} ${from} ${to}`,
    async (signal): Promise<LoadedCalendar[]> => {
      const lists = shown.map(async (email) => {
        const calendars = await listCalendarsWithEvents(toTimeRange(from, to), { account: email, signal })
        return calendars.map((calendar) => ({ ...calendar, email }))
      })
      return (await Promise.all(lists)).flat()
    },
  )
  const calendars = data ?? []
  const columns = useMemo(() => {
    const isFiltered = ({ entry }: LoadedCalendar) =>
      filter === ALL || entry.id === filter || (filter === OWN && entry.primary === true)
    return shown.map((email) => {
      const lists = calendars.filter((one) => one.email === email && isFiltered(one))
      const items = lists.flatMap(({ entry, events }) => toGridEvents(entry, events, { colors, zone }))
      return { email, items: mergeCopies(items, lists.find(({ entry }) => entry.primary)?.entry.id) }
    })
  }, [data, filter, colors, zone, shown.join(SEPARATOR)])
  const show = (email: string, isShown: boolean) =>
    navigate({
      item: emails.filter((one) => (one === email ? isShown : shown.includes(one))).join(SEPARATOR),
    })
  return (
    <>
      <Toolbar>
        <fieldset class="actions">
          <legend class="hidden">Accounts</legend>
          {accounts.map(({ email, displayName }) => (
            <Checkbox
              key={email}
              label={displayName ?? email}
              title={email}
              checked={shown.includes(email)}
              change={(isShown) => show(email, isShown)}
            />
          ))}
        </fieldset>
        <Select
          label="Calendars"
          value={filter}
          change={setFilter}
          options={[
            [ALL, 'All selected calendars'],
            [OWN, 'Own calendars'],
            ...new Map(calendars.map(({ entry: { id, summary } }) => [id, summary])),
          ]}
        />
      </Toolbar>
      <ViewToolbar view={view} views={VIEWS} date={date} today={today} />
      {shown.length === 0 && <EmptyState icon="users" title="No account is selected." />}
      {error && !isUnreachable(error) && <ErrorNotice error={error} />}
      {uid !== '' && <CopiesTable calendars={calendars} uid={uid} close={() => setUid('')} />}
      <div class="columns" aria-busy={data === undefined && !error} onScrollCapture={scrollTogether}>
        {columns.map(({ email, items }) => (
          <section key={email} aria-label={`Calendar of ${email}`}>
            <h3 title={email}>{accounts.find((one) => one.email === email)?.displayName ?? email}</h3>
            <EventGrid
              {...{ view, date, now, items }}
              label={`Events of ${email}`}
              open={({ event }) => setUid(event.iCalUID ?? '')}
              openDay={(day) => navigate({ view: 'day', date: day })}
            />
          </section>
        ))}
      </div>
    </>
  )
}

/** All columns show the same hours. */
function scrollTogether({ currentTarget, target }: { currentTarget: Element; target: EventTarget | null }): void {
  const { scrollTop, classList } = target as Element
  if (!classList.contains('fc-scroller')) return
  for (const scroller of currentTarget.querySelectorAll('.fc-scroller:has(.fc-timegrid-body)'))
    scroller.scrollTop = scrollTop
}

function CopiesTable({ calendars, uid, close }: { calendars: readonly LoadedCalendar[]; uid: string; close(): void }) {
  const copies = calendars.flatMap(({ email, entry, events }) => {
    const event = events.find(({ iCalUID }) => iCalUID === uid)
    return event ? [{ email, entry, event }] : []
  })
  return (
    <Card title="The same event, as each account sees it">
      <Table
        caption="The same event, as each account sees it"
        rows={copies}
        keyOf={({ email, entry }) => `${email} ${entry.id}`}
        empty="None of the accounts sees it in these days."
        columns={[
          { title: 'Account', cell: ({ email }) => email },
          { title: 'Calendar', cell: ({ entry }) => entry.summary },
          { title: 'Title', cell: ({ event }) => titleOf(event) },
          { title: 'Response', cell: ({ event }) => event.attendees?.find(({ self }) => self)?.responseStatus ?? '' },
          { title: 'Guests', cell: ({ event }) => <GuestList guests={event.attendees ?? []} /> },
          { title: 'Visibility', cell: ({ event }) => event.visibility ?? 'default' },
        ]}
      />
      <button type="button" class="quiet" onClick={close}>
        <Icon name="close" /> Close
      </button>
    </Card>
  )
}
