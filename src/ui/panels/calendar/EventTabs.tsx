import type { ComponentChildren } from 'preact'
import { calendarName, useAccount, useTimeFormat } from '../../account.ts'
import { eventsPath } from '../../api/calendar.ts'
import { callControl, listAll } from '../../api/client.ts'
import type { HistoricChange, NumberedMail, ServiceEvent } from '../../api/types.ts'
import { JsonText } from '../../components/JsonText.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { account, navigate } from '../../route.ts'
import { useSession } from '../../session.ts'
import styles from './EventTabs.module.css'

type Props = { calendarId: string; event: ServiceEvent }

type ListProps<T> = {
  caption: string
  /** Without the account. */
  queryKey: string
  load(signal: AbortSignal): Promise<T[]>
  columns: readonly Column<T>[]
  keyOf(row: T, index: number): string | number
  empty: string
}

function LoadedTable<T>({ queryKey, load, ...table }: ListProps<T>) {
  const query = useLoader(`${account.value} ${queryKey}`, load)
  return <QueryView query={query}>{(rows) => <Table {...table} rows={rows} />}</QueryView>
}

const formatValue = (value: unknown): string => (value === null ? 'none' : JSON.stringify(value))

function useDisplayNames(): (id: string) => ComponentChildren {
  const { overview } = useSession()
  const data = useAccount()
  return (id) => {
    const person = overview.value?.accounts.find(({ email }) => email === id)?.displayName
    const name = person ?? calendarName(data, id)
    return name === id ? id : <span title={id}>{name}</span>
  }
}

/** Authors that are not accounts. */
const AUTHORS: Record<string, string> = { clock: 'The clock', control: 'Test controls' }

export function HistoryTab({ calendarId, event }: Props) {
  const format = useTimeFormat()
  const nameOf = useDisplayNames()
  const ids = [event.id, ...(event.recurringEventId === undefined ? [] : [event.recurringEventId])]
  const load = async (signal: AbortSignal) => {
    const lists = await Promise.all(
      ids.map(async (id) => {
        const query = { kind: 'event', calendarId, id }
        return (
          await callControl<{ changes: HistoricChange[] }>('GET', '/changes', { query, signal })
        ).data.changes.map((change) => ({ ...change, isSeries: id !== event.id }))
      }),
    )
    return lists.flat().sort((a, b) => b.revision - a.revision)
  }
  return (
    <LoadedTable<HistoricChange & { isSeries: boolean }>
      caption="Changes, the newest first"
      queryKey={`history ${calendarId} ${ids.join(' ')}`}
      load={load}
      keyOf={({ revision }, index) => `${revision} ${index}`}
      empty="The event has not changed since the world was created."
      columns={[
        { title: 'When', cell: ({ at }) => format.instant(at) },
        { title: 'By', cell: ({ by }) => (by === undefined ? 'Nobody' : (AUTHORS[by] ?? nameOf(by))) },
        {
          title: 'Change',
          cell: ({ change, fields, isSeries }) => (
            <>
              {isSeries ? `series ${change}` : change}
              <ul class={styles.fields}>
                {Object.entries(fields).map(([name, [was, is]]) => (
                  <li key={name}>
                    {name}: {formatValue(was)} → {formatValue(is)}
                  </li>
                ))}
              </ul>
            </>
          ),
        },
        {
          title: 'Request',
          cell: ({ call }) =>
            call === undefined ? null : (
              <button type="button" class="link" onClick={() => navigate({ panel: 'requests', item: String(call) })}>
                Request {call}
              </button>
            ),
        },
      ]}
    />
  )
}

type Copy = { account: string; event: ServiceEvent }

export function CopiesTab({ event }: Pick<Props, 'event'>) {
  const { overview } = useSession()
  const format = useTimeFormat()
  const nameOf = useDisplayNames()
  const uid = event.iCalUID
  if (uid === undefined) return <p class="muted">The details of this event are hidden.</p>
  const accounts = overview.value?.accounts ?? []
  const load = async (signal: AbortSignal) => {
    const query = { iCalUID: uid, showDeleted: true }
    const lists = accounts.map(async ({ email }): Promise<Copy[]> => {
      const request = { method: 'events.list', path: eventsPath('primary'), query, account: email, signal }
      return (await listAll<ServiceEvent>(request)).map((copy) => ({ account: email, event: copy }))
    })
    return (await Promise.all(lists)).flat()
  }
  return (
    <LoadedTable<Copy>
      caption="Copies of guests"
      queryKey={`copies ${uid} ${accounts.length}`}
      load={load}
      keyOf={({ account: email, event: { id } }) => `${email} ${id}`}
      empty="No account has the event on its own calendar."
      columns={[
        { title: 'Account', cell: ({ account: email }) => nameOf(email) },
        { title: 'Status', cell: ({ event: { status } }) => status },
        { title: 'Response', cell: ({ event: copy }) => copy.attendees?.find(({ self }) => self)?.responseStatus },
        { title: 'When', cell: ({ event: { start, end } }) => format.range(start, end) },
        {
          title: 'Details',
          cell: ({ event: copy }) => (
            <details>
              <summary>JSON</summary>
              <JsonText value={copy} label={`Copy ${copy.id}`} />
            </details>
          ),
        },
      ]}
    />
  )
}

export function MailTab({ event }: Pick<Props, 'event'>) {
  const format = useTimeFormat()
  const nameOf = useDisplayNames()
  const ids = new Set([event.id, event.recurringEventId])
  const load = async (signal: AbortSignal) => {
    const { data } = await callControl<{ mail: NumberedMail[] }>('GET', '/mail', { signal })
    return data.mail.filter(({ eventId }) => eventId !== undefined && ids.has(eventId))
  }
  return (
    <LoadedTable<NumberedMail>
      caption="Mail"
      queryKey={`mail ${event.id}`}
      load={load}
      keyOf={({ id }) => id}
      empty="No mail about this event."
      columns={[
        { title: 'Sent', cell: ({ sentAt }) => format.instant(sentAt) },
        { title: 'To', cell: ({ to }) => nameOf(to) },
        {
          title: 'Kind',
          cell: ({ kind, responseStatus, id }) => (
            <button type="button" class="link" onClick={() => navigate({ panel: 'mail', item: String(id) })}>
              {kind}
              {responseStatus && `: ${responseStatus}`}
            </button>
          ),
        },
        { title: 'From', cell: ({ from }) => nameOf(from) },
      ]}
    />
  )
}
