import { useEffect, useState } from 'preact/hooks'
import { changes } from '../live.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Json } from '../parts/json.tsx'
import { Notice } from '../parts/notice.tsx'
import { Progress } from '../parts/progress.tsx'
import { type Refused, refusalOf } from '../refused.ts'
import { go } from '../route.ts'
import { draft, scopeOf } from './acts.ts'
import { Copies, History, Instances, Mails } from './around.tsx'
import { Answers, Facts } from './facts.tsx'
import { titleOf } from './looks.ts'
import { endBefore } from './series.ts'
import { eventOf, type Shown } from './service.ts'
import { entries, isWritable } from './state.ts'
import { deleted, perform } from './writes.ts'

const TABS = {
  event: 'Event',
  json: 'JSON',
  instances: 'Instances',
  history: 'History',
  copies: 'Copies',
  mails: 'Mails and messages',
} as const
type Tab = keyof typeof TABS

const close = () => go({ item: '' })

/** All that there is to know of an event. */
export function Details({ calendarId, eventId }: { calendarId: string; eventId: string }) {
  const [event, setEvent] = useState<Shown>()
  const [refused, setRefused] = useState<Refused>()
  const [tab, setTab] = useState<Tab>('event')
  const changed = changes.value
  useEffect(() => {
    eventOf(calendarId, eventId).then(
      (read) => {
        setEvent(read)
        setRefused(undefined)
      },
      (error: unknown) => setRefused(refusalOf(error)),
    )
  }, [calendarId, eventId, changed])
  return (
    <Dialog title={event ? titleOf(event) : 'Event'} close={close} class="details">
      {refused && <Notice refused={refused} />}
      {!event && !refused && <Progress>Reading the event</Progress>}
      {event && (
        <>
          <div class="tabs" role="tablist" aria-label="About the event">
            {(Object.keys(TABS) as Tab[]).map((name) => (
              <button key={name} type="button" role="tab" aria-selected={name === tab} onClick={() => setTab(name)}>
                {TABS[name]}
              </button>
            ))}
          </div>
          <div role="tabpanel" aria-label={TABS[tab]}>
            {tab === 'event' && <Body calendarId={calendarId} event={event} />}
            {tab === 'json' && <Json value={event} label="The event as JSON" />}
            {tab === 'instances' && <Instances calendarId={calendarId} event={event} />}
            {tab === 'history' && <History calendarId={calendarId} event={event} />}
            {tab === 'copies' && <Copies event={event} />}
            {tab === 'mails' && <Mails calendarId={calendarId} event={event} />}
          </div>
        </>
      )}
    </Dialog>
  )
}

function Body({ calendarId, event }: { calendarId: string; event: Shown }) {
  const entry = entries.value.find(({ id }) => id === calendarId)
  const mayWrite = entry !== undefined && isWritable(entry) && event.status !== 'cancelled'
  return (
    <>
      <Facts calendarId={calendarId} event={event} />
      {mayWrite && <Answers calendarId={calendarId} event={event} />}
      {mayWrite && (
        <div class="actions">
          <button type="button" class="primary" onClick={() => edit(calendarId, event)}>
            Edit
          </button>
          <Button class="danger" act={() => remove(calendarId, event)}>
            Delete
          </Button>
        </div>
      )}
    </>
  )
}

function edit(calendarId: string, event: Shown): void {
  const { start, end } = event
  if (start && end) draft.value = { calendarId, event, start, end }
}

/** An instance alone, with all that follow, or the series as a whole: the first two leave what was before. */
async function remove(calendarId: string, event: Shown): Promise<void> {
  const what = `Delete “${titleOf(event)}”`
  const scope = await scopeOf(event, what)
  if (scope === undefined) return
  const ending = scope === 'following' ? await endBefore(calendarId, event) : undefined
  const isWhole = scope === 'all' || (scope === 'following' && !ending)
  const gone = isWhole ? await eventOf(calendarId, event.recurringEventId ?? event.id) : event
  await perform(`Deleted “${titleOf(event)}”`, [ending ?? deleted(calendarId, gone)])
  close()
}
