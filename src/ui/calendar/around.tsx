import { useEffect, useState } from 'preact/hooks'
import type { HistoricChange } from '../../history/changes.ts'
import type { Notification } from '../../push/messages.ts'
import type { ChannelView } from '../../push/notifications.ts'
import type { Mail } from '../../wire/mail.ts'
import { all, control } from '../client.ts'
import { changes } from '../live.ts'
import { overview } from '../overview.ts'
import { Json } from '../parts/json.tsx'
import { Notice } from '../parts/notice.tsx'
import { Progress } from '../parts/progress.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { type Refused, refusalOf } from '../refused.ts'
import { go } from '../route.ts'
import { openEvent } from './acts.ts'
import { instancesOf } from './series.ts'
import { eventsPath, type Shown } from './service.ts'
import { zone } from './state.ts'
import { said } from './times.ts'

/** What is read once it is looked at, and again whenever the world has changed. */
function useRead<T>(read: () => Promise<T>, of: string): { data?: T; refused?: Refused } {
  const [state, setState] = useState<{ data?: T; refused?: Refused }>({})
  const changed = changes.value
  useEffect(() => {
    read().then(
      (data) => setState({ data }),
      (error: unknown) => setState({ refused: refusalOf(error) }),
    )
  }, [of, changed])
  return state
}

type Listing<T> = {
  caption: string
  of: string
  read(): Promise<T[]>
  columns: readonly Column<T>[]
  keyOf(row: T): string
}

function Read<T>({ caption, of, read, columns, keyOf }: Listing<T>) {
  const { data, refused } = useRead(read, of)
  if (refused) return <Notice refused={refused} />
  if (!data) return <Progress>Reading</Progress>
  return <Table caption={caption} columns={columns} rows={data} keyOf={keyOf} />
}

type About = { calendarId: string; event: Shown }

/** The first of what a series stands for. */
export function Instances({ calendarId, event }: About) {
  const series = event.recurringEventId ?? (event.recurrence ? event.id : undefined)
  if (series === undefined) return <p class="none">It is one event, and no series.</p>
  return (
    <Read<Shown>
      caption="Instances"
      of={series}
      read={() => instancesOf(calendarId, series)}
      keyOf={({ id }) => id}
      columns={[
        { title: 'When', cell: ({ start, end }) => said(start, end, zone.value) },
        { title: 'Status', cell: ({ status }) => status },
        {
          title: 'Id',
          cell: (one) => (
            <button type="button" onClick={() => openEvent({ calendarId, event: one })}>
              {one.id}
            </button>
          ),
        },
      ]}
    />
  )
}

const shownValue = (value: unknown): string => (value === null ? 'none' : JSON.stringify(value))

/** Each write of the event: when, by whom, what it made of which field, and the request that it came from. */
export function History({ calendarId, event }: About) {
  const read = async () => {
    const { data } = await control<{ changes: HistoricChange[] }>('GET', '/changes', {
      query: { kind: 'event', calendarId, id: event.id },
    })
    return data.changes
  }
  return (
    <Read<HistoricChange>
      caption="Revisions, the oldest first"
      of={`${calendarId}/${event.id}`}
      read={read}
      keyOf={({ revision }) => String(revision)}
      columns={[
        { title: 'Revision', cell: ({ revision, at }) => `${revision}, ${at}` },
        { title: 'By', cell: ({ by, change }) => `${by ?? 'nobody'}: ${change}` },
        {
          title: 'Fields',
          cell: ({ fields }) => (
            <ul>
              {Object.entries(fields).map(([name, [was, is]]) => (
                <li key={name}>
                  {name}: {shownValue(was)} → {shownValue(is)}
                </li>
              ))}
            </ul>
          ),
        },
        { title: 'Call', cell: ({ call }) => call !== undefined && <CallLink n={call} /> },
      ]}
    />
  )
}

/** Leads to a request in the journal. */
const CallLink = ({ n }: { n: number }) => (
  <button type="button" onClick={() => go({ panel: 'requests', item: String(n) })}>
    Request {n}
  </button>
)

type Copy = { account: string; event: Shown }

/** Who has the event on their own calendar, and what it says there. */
export function Copies({ event }: { event: Shown }) {
  const uid = event.iCalUID
  const read = async () => {
    const people = overview.peek()?.accounts ?? []
    const held = people.map(async ({ email }): Promise<Copy[]> => {
      const query = { iCalUID: uid, showDeleted: true }
      const copies = await all<Shown>({ method: 'events.list', path: eventsPath('primary'), query, account: email })
      return copies.map((copy) => ({ account: email, event: copy }))
    })
    return (await Promise.all(held)).flat()
  }
  if (uid === undefined) return <p class="none">Its details are kept back.</p>
  return (
    <Read<Copy>
      caption="On whose own calendar it is"
      of={uid}
      read={read}
      keyOf={({ account, event: { id } }) => `${account}/${id}`}
      columns={[
        { title: 'Account', cell: ({ account }) => account },
        { title: 'Status', cell: ({ event: { status } }) => status },
        { title: 'Answer', cell: ({ event: copy }) => copy.attendees?.find(({ self }) => self)?.responseStatus },
        { title: 'When', cell: ({ event: { start, end } }) => said(start, end, zone.value) },
        {
          title: 'As JSON',
          cell: ({ event: copy }) => (
            <details>
              <summary>{copy.id}</summary>
              <Json value={copy} />
            </details>
          ),
        },
      ]}
    />
  )
}

type Sent = { key: string; at: string; to: string; what: string }

/** The mails that it caused. Messages tell of a calendar and never of an event: those of its channels are with them. */
export function Mails({ calendarId, event }: About) {
  const ids = new Set([event.id, event.recurringEventId])
  const read = async (): Promise<Sent[]> => {
    const { data } = await control<{ mail: Mail[] }>('GET', '/mail')
    return data.mail
      .filter(({ eventId }) => eventId !== undefined && ids.has(eventId))
      .map(({ from, to, kind, sentAt, responseStatus }, at) => {
        return {
          key: String(at),
          at: sentAt,
          to,
          what: `${kind}${responseStatus ? `: ${responseStatus}` : ''}, from ${from}`,
        }
      })
  }
  return (
    <>
      <Read<Sent>
        caption="Mails"
        of={event.id}
        read={read}
        keyOf={({ key }) => key}
        columns={[
          { title: 'At', cell: ({ at }) => at },
          { title: 'To', cell: ({ to }) => to },
          { title: 'What', cell: ({ what }) => what },
        ]}
      />
      <Messages calendarId={calendarId} />
    </>
  )
}

function Messages({ calendarId }: { calendarId: string }) {
  const read = async () => {
    const [{ data: heard }, { data: sent }] = await Promise.all([
      control<{ channels: ChannelView[] }>('GET', '/channels'),
      control<{ notifications: Notification[] }>('GET', '/notifications'),
    ])
    const ids = new Set(heard.channels.filter((one) => one.calendarId === calendarId).map(({ id }) => id))
    return sent.notifications.filter(({ channelId }) => ids.has(channelId))
  }
  return (
    <Read<Notification>
      caption="Messages of the channels on its calendar, which do not say what they are about"
      of={calendarId}
      read={read}
      keyOf={({ id }) => String(id)}
      columns={[
        { title: 'At', cell: ({ made }) => made },
        { title: 'Channel', cell: ({ channelId }) => channelId },
        { title: 'What', cell: ({ state, progress }) => `${state}: ${progress}` },
      ]}
    />
  )
}
