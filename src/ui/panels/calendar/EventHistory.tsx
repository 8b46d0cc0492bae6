import { calendarName, useAccount, useTimeFormat } from '../../account.ts'
import { callControl } from '../../api/client.ts'
import type { HistoricChange, ServiceEvent } from '../../api/types.ts'
import { QueryView } from '../../components/QueryView.tsx'
import { Table } from '../../components/Table.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { account, navigate } from '../../route.ts'
import { useSession } from '../../session.ts'

const formatValue = (value: unknown): string => (value === null ? 'none' : JSON.stringify(value))

/** Authors that are not accounts. */
const AUTHORS: Record<string, string> = { clock: 'The clock', control: 'Test controls' }

/** Changes of the event, and those of its series. */
export function EventHistory({ calendarId, event }: { calendarId: string; event: ServiceEvent }) {
  const format = useTimeFormat()
  const data = useAccount()
  const { overview } = useSession()
  const ids = [event.id, ...(event.recurringEventId === undefined ? [] : [event.recurringEventId])]
  const query = useLoader(`history ${account.value} ${calendarId} ${ids.join(' ')}`, async (signal) => {
    const lists = ids.map(async (id) => {
      const options = { query: { kind: 'event', calendarId, id }, signal }
      const { changes } = (await callControl<{ changes: HistoricChange[] }>('GET', '/changes', options)).data
      return changes.map((change) => ({ ...change, isSeries: id !== event.id }))
    })
    return (await Promise.all(lists)).flat().sort((a, b) => b.revision - a.revision)
  })
  const nameOf = (id: string) =>
    AUTHORS[id] ?? overview.value?.accounts.find(({ email }) => email === id)?.displayName ?? calendarName(data, id)
  return (
    <QueryView query={query}>
      {(changes) => (
        <Table
          caption="Changes, the newest first"
          rows={changes}
          keyOf={({ revision }, index) => `${revision} ${index}`}
          empty="The event has not changed since the world was created."
          columns={[
            { title: 'When', cell: ({ at }) => format.instant(at) },
            { title: 'By', cell: ({ by }) => <span title={by}>{by === undefined ? 'Nobody' : nameOf(by)}</span> },
            {
              title: 'Change',
              cell: ({ change, fields, isSeries }) => (
                <>
                  {isSeries ? `series ${change}` : change}
                  <ul>
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
                call !== undefined && (
                  <button
                    type="button"
                    class="link"
                    onClick={() => navigate({ panel: 'requests', item: String(call) })}
                  >
                    Request {call}
                  </button>
                ),
            },
          ]}
        />
      )}
    </QueryView>
  )
}
