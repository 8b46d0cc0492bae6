import { calendarName, isWritable, useAccount, useTimeFormat } from '../../account.ts'
import { getEvent } from '../../api/calendar.ts'
import { callControl } from '../../api/client.ts'
import type { HistoricChange, ServiceEvent } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { JsonText } from '../../components/JsonText.tsx'
import { Link } from '../../components/Link.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { Table } from '../../components/Table.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { account, navigate } from '../../route.ts'
import { useSession } from '../../session.ts'
import { EventFacts, ResponseButtons } from './EventFacts.tsx'
import { loadDraft } from './EventForm.tsx'
import { formatFieldChanges, titleOf } from './eventAppearance.ts'
import { runPlan } from './eventWrites.ts'
import type { Draft } from './formFields.ts'
import { askMail, askScope, planDelete } from './seriesChange.ts'

/** The address no longer names an event. */
const close = () => navigate({ item: '' })

type Props = { calendarId: string; eventId: string; edit(draft: Draft): void }

export function EventDialog({ calendarId, eventId, edit }: Props) {
  const query = useLoader(`event ${account.value} ${calendarId} ${eventId}`, (signal) =>
    getEvent(calendarId, eventId, { signal, account: account.peek() }),
  )
  return (
    <Dialog title={query.data ? titleOf(query.data) : 'Event'} close={close}>
      <QueryView query={query}>
        {(event) => (
          <>
            <EventOverview calendarId={calendarId} event={event} edit={edit} />
            <details>
              <summary>History</summary>
              <EventHistory calendarId={calendarId} event={event} />
            </details>
            <details>
              <summary>JSON</summary>
              <JsonText value={event} label="The event as JSON" />
            </details>
          </>
        )}
      </QueryView>
    </Dialog>
  )
}

type OverviewProps = Pick<Props, 'calendarId' | 'edit'> & { event: ServiceEvent }

function EventOverview({ calendarId, event, edit }: OverviewProps) {
  const session = useSession()
  const { entries } = useAccount()
  const entry = entries.find(({ id }) => id === calendarId)
  const canWrite = entry !== undefined && isWritable(entry) && event.status !== 'cancelled'
  const remove = async () => {
    const scope = await askScope(event, `Delete “${titleOf(event)}”`)
    if (scope === undefined) return
    const sendUpdates = await askMail(event, `Delete “${titleOf(event)}”`)
    if (sendUpdates === undefined) return
    const plan = await planDelete(calendarId, event, scope, sendUpdates)
    await runPlan(session, `Deleted “${titleOf(event)}”`, plan, event)
    close()
  }
  const openForm = async () => {
    const draft = await loadDraft(calendarId, event)
    if (draft) edit(draft)
  }
  return (
    <>
      <EventFacts calendarId={calendarId} event={event} />
      {canWrite && (
        <div class="actions">
          <ResponseButtons calendarId={calendarId} event={event} />
          <Button disabled={!event.start || !event.end} run={openForm}>
            Edit
          </Button>
          <Button rank="danger" icon="trash" run={remove}>
            Delete
          </Button>
        </div>
      )}
    </>
  )
}

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
                    {formatFieldChanges(fields, ': ').map((text) => (
                      <li key={text}>{text}</li>
                    ))}
                  </ul>
                </>
              ),
            },
            {
              title: 'Request',
              cell: ({ call }) =>
                call !== undefined && <Link to={{ panel: 'requests', item: String(call) }}>Request {call}</Link>,
            },
          ]}
        />
      )}
    </QueryView>
  )
}
