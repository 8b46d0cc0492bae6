import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Notice } from '../parts/notice.tsx'
import { type Refused, refusalOf } from '../refused.ts'
import { go } from '../route.ts'
import { type Draft, draft, scopeOf } from './acts.ts'
import { changedBody, type Fields, fieldsOf, newBody, type Part } from './fields.ts'
import { titleOf } from './looks.ts'
import { More } from './more.tsx'
import { PRESETS } from './recurrence.ts'
import { changeOf } from './series.ts'
import { nameOf, writable, zone } from './state.ts'
import { inserted, moved, perform } from './writes.ts'

const close = () => {
  draft.value = undefined
}

/** A client names its requests for a conference itself, each another. */
const nextRequest = (): string => {
  const words = crypto.getRandomValues(new Uint32Array(4))
  return [...words].map((word) => word.toString(36)).join('-')
}

async function save(now: Draft, before: Fields, fields: Fields): Promise<void> {
  const { calendarId, event } = now
  const query = { sendUpdates: fields.sendUpdates, ...(fields.meet && { conferenceDataVersion: '1' }) }
  const title = fields.summary || '(No title)'
  if (!event) {
    await perform(`Made “${title}”`, [inserted(fields.calendarId, newBody(fields, nextRequest()), query)])
    return
  }
  const body = changedBody(before, fields, event, nextRequest())
  const isMoved = fields.calendarId !== calendarId
  if (Object.keys(body).length === 0 && !isMoved) return
  const scope = await scopeOf(event, `Change “${titleOf(event)}”`)
  if (scope === undefined) throw new Unanswered()
  const steps = Object.keys(body).length > 0 ? await changeOf(calendarId, event, body, scope, query) : []
  const whole = event.recurringEventId ?? event.id
  await perform(`Changed “${title}”`, [...steps, ...(isMoved ? [moved(calendarId, whole, fields.calendarId)] : [])])
  if (isMoved) go({ item: `${fields.calendarId}/${event.id}` }, { replace: true })
}

/** Nobody said how much of the series was meant: the form stays open. */
class Unanswered extends Error {}

/** A new event, or all that may be changed of one. */
export function Form({ draft: now }: { draft: Draft }) {
  const [before] = useState(() => fieldsOf(now, zone.peek()))
  const [fields, setFields] = useState(before)
  const [refused, setRefused] = useState<Refused>()
  const [busy, setBusy] = useState(false)
  const set = (changed: Partial<Fields>) => setFields((known) => ({ ...known, ...changed }))
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setRefused(undefined)
    try {
      await save(now, before, fields)
      close()
    } catch (error) {
      if (!(error instanceof Unanswered)) setRefused(refusalOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={now.event ? `Change “${titleOf(now.event)}”` : 'New event'} close={close} class="form">
      <form onSubmit={(event) => void submit(event)}>
        <label>
          Title
          <input
            name="summary"
            value={fields.summary}
            autofocus
            onInput={(at) => set({ summary: at.currentTarget.value })}
          />
        </label>
        <When fields={fields} set={set} isInstance={now.event?.recurringEventId !== undefined} />
        <label>
          Calendar
          <select value={fields.calendarId} onChange={(at) => set({ calendarId: at.currentTarget.value })}>
            {writable.value.map(({ id }) => (
              <option key={id} value={id}>
                {nameOf(id)}
              </option>
            ))}
          </select>
        </label>
        <More fields={fields} set={set} />
        {refused && <Notice refused={refused} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={busy} aria-busy={busy}>
            Save
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** When it is. The end goes along with a start that passes it. */
function When({ fields, set, isInstance }: Part & { isInstance: boolean }) {
  const { allDay, startDay, startTime, endDay, endTime } = fields
  const begin = (day: string) => set({ startDay: day, ...(endDay < day && { endDay: day }) })
  return (
    <>
      <label class="check">
        <input type="checkbox" checked={allDay} onChange={(at) => set({ allDay: at.currentTarget.checked })} /> All day
      </label>
      <div class="row">
        <label>
          Starts on
          <input type="date" required value={startDay} onInput={(at) => begin(at.currentTarget.value)} />
        </label>
        {!allDay && (
          <label>
            Starts at
            <input
              type="time"
              required
              value={startTime}
              onInput={(at) => set({ startTime: at.currentTarget.value })}
            />
          </label>
        )}
        <label>
          Ends on
          <input type="date" required value={endDay} onInput={(at) => set({ endDay: at.currentTarget.value })} />
        </label>
        {!allDay && (
          <label>
            Ends at
            <input type="time" required value={endTime} onInput={(at) => set({ endTime: at.currentTarget.value })} />
          </label>
        )}
        {!allDay && (
          <label>
            Time zone
            <input required value={fields.timeZone} onInput={(at) => set({ timeZone: at.currentTarget.value })} />
          </label>
        )}
      </div>
      {!isInstance && <Repeating fields={fields} set={set} />}
    </>
  )
}

function Repeating({ fields: { repeats, rules }, set }: Part) {
  return (
    <>
      <label>
        Repeats
        <select value={repeats} onChange={(at) => set({ repeats: at.currentTarget.value as Fields['repeats'] })}>
          {PRESETS.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
          <option value="custom">By rules of its own</option>
        </select>
      </label>
      {repeats === 'custom' && (
        <label>
          Rules, as lines of RFC 5545
          <textarea rows={2} required value={rules} onInput={(at) => set({ rules: at.currentTarget.value })} />
        </label>
      )}
    </>
  )
}
