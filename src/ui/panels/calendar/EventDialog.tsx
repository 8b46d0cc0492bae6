import { useState } from 'preact/hooks'
import { isWritable, useAccount } from '../../account.ts'
import { getEvent } from '../../api/calendar.ts'
import type { ServiceEvent } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { JsonTree } from '../../components/JsonTree.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { account, navigate } from '../../route.ts'
import { useSession } from '../../session.ts'
import { useCalendarActions } from './calendarContext.ts'
import { EventFacts, ResponseButtons } from './EventFacts.tsx'
import { CopiesTab, HistoryTab, InstancesTab, MailTab } from './EventTabs.tsx'
import { titleOf } from './eventAppearance.ts'
import { deleteWrite, runPlan } from './eventWrites.ts'
import { planEndBefore } from './seriesChange.ts'

const TABS = {
  event: 'Event',
  json: 'JSON',
  instances: 'Instances',
  history: 'History',
  copies: 'Copies',
  mail: 'Mail and messages',
} as const

/** The address no longer names an event. */
const close = () => navigate({ item: '' })

export function EventDialog({ calendarId, eventId }: { calendarId: string; eventId: string }) {
  const [tab, setTab] = useState<keyof typeof TABS>('event')
  const query = useLoader(`event ${account.value} ${calendarId} ${eventId}`, (signal) =>
    getEvent(calendarId, eventId, { signal, account: account.peek() }),
  )
  return (
    <Dialog title={query.data ? titleOf(query.data) : 'Event'} close={close}>
      <QueryView query={query}>
        {(event) => (
          <Tabs label="Details of the event" tabs={TABS} selected={tab} select={(name) => setTab(name)}>
            {tab === 'event' && <EventOverview calendarId={calendarId} event={event} />}
            {tab === 'json' && <JsonTree value={event} label="The event as JSON" />}
            {tab === 'instances' && <InstancesTab calendarId={calendarId} event={event} />}
            {tab === 'history' && <HistoryTab calendarId={calendarId} event={event} />}
            {tab === 'copies' && <CopiesTab event={event} />}
            {tab === 'mail' && <MailTab calendarId={calendarId} event={event} />}
          </Tabs>
        )}
      </QueryView>
    </Dialog>
  )
}

function EventOverview({ calendarId, event }: { calendarId: string; event: ServiceEvent }) {
  const session = useSession()
  const { entries } = useAccount()
  const { askScope, edit } = useCalendarActions()
  const entry = entries.find(({ id }) => id === calendarId)
  const canWrite = entry !== undefined && isWritable(entry) && event.status !== 'cancelled'
  const { start, end } = event
  const remove = async () => {
    const scope = await askScope(event, `Delete “${titleOf(event)}”`)
    if (scope === undefined) return
    const ending = scope === 'following' ? await planEndBefore(calendarId, event) : undefined
    const isWhole = scope === 'all' || (scope === 'following' && !ending)
    const target = isWhole ? await getEvent(calendarId, event.recurringEventId ?? event.id) : event
    await runPlan(session, `Deleted “${titleOf(event)}”`, [ending ?? deleteWrite(calendarId, target)])
    close()
  }
  return (
    <>
      <EventFacts calendarId={calendarId} event={event} />
      {canWrite && <ResponseButtons calendarId={calendarId} event={event} />}
      {canWrite && (
        <div class="actions">
          <button
            type="button"
            class="primary"
            disabled={!start || !end}
            onClick={() => start && end && edit({ calendarId, event, start, end })}
          >
            Edit
          </button>
          <Button rank="danger" icon="trash" run={remove}>
            Delete
          </Button>
        </div>
      )}
    </>
  )
}
