import { isWritable, useAccount } from '../../account.ts'
import { getEvent } from '../../api/calendar.ts'
import type { ServiceEvent } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { JsonText } from '../../components/JsonText.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { account, navigate } from '../../route.ts'
import { useSession } from '../../session.ts'
import { EventFacts, ResponseButtons } from './EventFacts.tsx'
import { loadDraft } from './EventForm.tsx'
import { EventHistory } from './EventHistory.tsx'
import { titleOf } from './eventAppearance.ts'
import { runPlan } from './eventWrites.ts'
import type { Draft } from './formFields.ts'
import { askScope, planDelete } from './seriesChange.ts'

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
    await runPlan(session, `Deleted “${titleOf(event)}”`, await planDelete(calendarId, event, scope), event)
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
          <Button rank="primary" disabled={!event.start || !event.end} run={openForm}>
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
