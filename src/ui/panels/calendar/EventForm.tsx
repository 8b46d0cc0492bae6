import { useState } from 'preact/hooks'
import { calendarName, isWritable, useAccount, useTimeFormat } from '../../account.ts'
import { getEvent } from '../../api/calendar.ts'
import type { ServiceEvent } from '../../api/types.ts'
import { ask } from '../../components/ask.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Field, Select } from '../../components/Form.tsx'
import { useRun } from '../../hooks/useRun.ts'
import { navigate } from '../../route.ts'
import { useSession, type WorldSession } from '../../session.ts'
import { DetailFields, WhenFields } from './EventFields.tsx'
import styles from './EventForm.module.css'
import { titleOf } from './eventAppearance.ts'
import { insertWrite, isConflict, moveWrite, runPlan } from './eventWrites.ts'
import { type Draft, type FormFields, toEventBody, toFields } from './formFields.ts'
import { GuestFields } from './Guests.tsx'
import { RepeatFields } from './RepeatFields.tsx'
import { askScope, planChange, type Scope } from './seriesChange.ts'

/** Returns undefined for an event without times. */
export async function loadDraft(calendarId: string, event: ServiceEvent): Promise<Draft | undefined> {
  const series = event.recurringEventId && (await getEvent(calendarId, event.recurringEventId))
  const { recurrence } = series || event
  const { start, end } = event
  return start && end && { calendarId, event, start, end, recurrence }
}

/** `edit` shows the form of another draft. */
type Props = { draft: Draft; edit(draft: Draft): void; close(): void }

export function EventForm({ draft, edit, close }: Props) {
  const session = useSession()
  const account = useAccount()
  const { zone } = useTimeFormat()
  const [before] = useState(() => toFields(draft, zone))
  const [fields, setFields] = useState(before)
  const { isBusy, error, run } = useRun()
  const { event } = draft
  const set = (changed: Partial<FormFields>) => setFields((known) => ({ ...known, ...changed }))
  const save = async (base = draft): Promise<void> => {
    try {
      if (!(await saveForm(session, base, before, fields))) return
      navigate({ item: '' })
      close()
    } catch (error) {
      if (!base.event || !isConflict(error)) throw error
      await resolveConflict(base.calendarId, base.event)
    }
  }
  const resolveConflict = async (calendarId: string, { id }: ServiceEvent) => {
    const current = await loadDraft(calendarId, await getEvent(calendarId, id))
    if (!current || current.event?.status === 'cancelled') throw new Error('The event was deleted since you opened it.')
    const answer = await ask('The event has changed since you opened it', CONFLICT_CHOICES, {
      text: 'Nothing is saved yet. Reload shows the event as it is now, without your changes. Save anyway writes the fields that you changed.',
      cancel: 'Keep editing',
    })
    if (answer === 'reload') edit(current)
    if (answer === 'save') await save(current)
  }
  const leave = async () => {
    const choice = { value: true, title: 'Discard', rank: 'danger' } as const
    const isChanged = JSON.stringify(fields) !== JSON.stringify(before)
    if (!isChanged || (await ask('Discard your changes?', [choice], { cancel: 'Keep editing' }))) close()
  }
  const part = { fields, set }
  return (
    <Dialog title={event ? `Edit “${titleOf(event)}”` : 'New event'} close={() => void leave()}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault()
          void run(() => save())
        }}
      >
        <div class={styles.fields}>
          <Field label="Title" value={fields.summary} change={(summary) => set({ summary })} autofocus />
          <WhenFields {...part} />
          <RepeatFields {...part} />
          <GuestFields {...part} draft={draft} />
          <Select
            label="Calendar"
            value={fields.calendarId}
            change={(calendarId) => set({ calendarId })}
            options={account.entries.filter(isWritable).map(({ id }) => [id, calendarName(account, id)] as const)}
          />
          <DetailFields {...part} />
        </div>
        <div class={styles.foot}>
          {error && <ErrorNotice error={error} />}
          <div class="actions end">
            <button type="button" onClick={() => void leave()}>
              Cancel
            </button>
            <button type="submit" class="primary" disabled={isBusy} aria-busy={isBusy}>
              Save
            </button>
          </div>
        </div>
      </form>
    </Dialog>
  )
}

const CONFLICT_CHOICES = [
  { value: 'reload', title: 'Reload' },
  { value: 'save', title: 'Save anyway', rank: 'primary' },
] as const

/** Writes the fields that the user has changed. Rejects with a conflict if the event was changed since `draft` was loaded. */
async function saveForm(session: WorldSession, draft: Draft, before: FormFields, fields: FormFields): Promise<boolean> {
  const { calendarId, event } = draft
  const query = { sendUpdates: fields.sendUpdates, ...(fields.meet && { conferenceDataVersion: '1' }) }
  const title = fields.summary || '(No title)'
  const body = toEventBody(before, fields, draft)
  if (!event) {
    await runPlan(session, `Created “${title}”`, [insertWrite(fields.calendarId, body, query)])
    return true
  }
  const isMoved = fields.calendarId !== calendarId
  const isChanged = Object.keys(body).length > 0
  if (!isChanged && !isMoved) return true
  // A move to another calendar applies to all, and one instance has no recurrence.
  const allowed: Scope[] = isMoved
    ? ['all']
    : 'recurrence' in body
      ? ['following', 'all']
      : ['this', 'following', 'all']
  const scope = isChanged ? await askScope(event, `Change “${titleOf(event)}”`, allowed) : 'all'
  if (scope === undefined) return false
  const changes = isChanged ? await planChange(calendarId, event, body, scope, query) : []
  const moves = isMoved ? [moveWrite(calendarId, event.recurringEventId ?? event.id, fields.calendarId)] : []
  await runPlan(session, `Changed “${title}”`, [...changes, ...moves], event)
  return true
}
