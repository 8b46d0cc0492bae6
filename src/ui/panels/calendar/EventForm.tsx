import { useState } from 'preact/hooks'
import { calendarName, isWritable, useAccount, useTimeFormat } from '../../account.ts'
import { getEvent } from '../../api/calendar.ts'
import { type RequestError, toRequestError } from '../../api/errors.ts'
import { Dialog } from '../../components/Dialog.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Field, Select } from '../../components/Form.tsx'
import { navigate } from '../../route.ts'
import { useSession, type WorldSession } from '../../session.ts'
import { useCalendarActions } from './calendarContext.ts'
import { EventFields, WhenFields } from './EventFields.tsx'
import styles from './EventForm.module.css'
import { titleOf } from './eventAppearance.ts'
import { insertWrite, moveWrite, PRECONDITION_FAILED, runPlan } from './eventWrites.ts'
import {
  type Conflict,
  type Draft,
  type FieldErrors,
  type FormFields,
  findFieldOfError,
  LABELS,
  mergeVersions,
  toFields,
  toInsertBody,
  toPatchBody,
  validate,
} from './formFields.ts'
import { planChange, type Scope } from './seriesChange.ts'

/** The API requires clients to choose the id of a conference request. */
const createRequestId = (): string => {
  const words = crypto.getRandomValues(new Uint32Array(4))
  return [...words].map((word) => word.toString(36)).join('-')
}

type State = {
  draft: Draft
  /** Before the user's edits. */
  before: FormFields
  fields: FormFields
  errors: FieldErrors
  error?: RequestError | undefined
}
type ConcurrentChanges = { conflicts: readonly Conflict[]; others: readonly string[] }

/** After 412 (another client has changed the event) the form merges the new version, and the user can save again. */
export function EventForm({ draft, close }: { draft: Draft; close(): void }) {
  const session = useSession()
  const account = useAccount()
  const { askScope } = useCalendarActions()
  const { zone } = useTimeFormat()
  const [state, setState] = useState<State>(() => {
    const before = toFields(draft, zone)
    return { draft, before, fields: before, errors: {} }
  })
  const [changes, setChanges] = useState<ConcurrentChanges>()
  const [isBusy, setBusy] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const { fields, errors, error } = state
  const { event } = state.draft
  const set = (changed: Partial<FormFields>) =>
    setState((known) => {
      const next = { ...known.fields, ...changed }
      // A corrected error disappears at once. A new one is shown only on Save.
      const remaining = validate(next)
      const uncorrected = Object.keys(known.errors).filter((name) => name in remaining)
      return {
        ...known,
        fields: next,
        errors: Object.fromEntries(uncorrected.map((name) => [name, remaining[name as never]])),
      }
    })
  const submit = async (submitted: Event) => {
    submitted.preventDefault()
    const problems = validate(fields)
    setState((known) => ({ ...known, errors: problems, error: undefined }))
    if (Object.keys(problems).length > 0 || isBusy) return
    setBusy(true)
    setChanges(undefined)
    try {
      const scope = await chooseScope(state, askScope)
      if (scope !== undefined) {
        await saveEvent(session, state, scope)
        close()
      }
    } catch (thrown) {
      await showFailure(toRequestError(thrown))
    } finally {
      setBusy(false)
    }
  }
  const showFailure = async (failure: RequestError) => {
    const field = findFieldOfError(failure.location, failure.message)
    const atField = failure.status === 400 && field ? { [field]: failure.message } : {}
    setState((known) => ({ ...known, error: failure, errors: { ...known.errors, ...atField } }))
    if (failure.status !== PRECONDITION_FAILED || !event) return
    const current = await getEvent(state.draft.calendarId, event.id)
    const { start = state.draft.start, end = state.draft.end } = current
    const newDraft = { ...state.draft, event: current, start: start ?? state.draft.start, end: end ?? state.draft.end }
    const newBefore = toFields(newDraft, zone)
    const merged = mergeVersions(state.before, fields, newBefore)
    setState((known) => ({ ...known, draft: newDraft, before: newBefore, fields: merged.fields }))
    setChanges({ conflicts: merged.conflicts, others: findUnlistedChanges(event, current) })
  }
  const leave = () => {
    if (JSON.stringify(state.fields) === JSON.stringify(state.before)) close()
    else setLeaving(true)
  }
  const writable = account.entries.filter(isWritable)
  const part = { fields, errors, set }
  return (
    <Dialog title={event ? `Edit “${titleOf(event)}”` : 'New event'} close={leave} class={styles.dialog}>
      <form noValidate class={styles.form} onSubmit={(submitted) => void submit(submitted)}>
        <div class={styles.fields}>
          <Field
            label={LABELS.summary}
            name="summary"
            value={fields.summary}
            change={(summary) => set({ summary })}
            error={errors.summary}
            autofocus
          />
          <WhenFields {...part} isInstance={event?.recurringEventId !== undefined} />
          <Select
            label={LABELS.calendarId}
            value={fields.calendarId}
            change={(calendarId) => set({ calendarId })}
            options={writable.map(({ id }) => [id, calendarName(account, id)] as const)}
          />
          <EventFields {...part} colors={account.colors} />
        </div>
        <div class={styles.foot}>
          {changes && <ChangesNotice changes={changes} />}
          {error && !changes && <ErrorNotice error={error} />}
          {Object.keys(errors).length > 0 && !error && (
            <p class="bad" role="alert">
              Check:{' '}
              {Object.keys(errors)
                .map((name) => LABELS[name as keyof FormFields])
                .join(', ')}
              .
            </p>
          )}
          <div class="actions end">
            <button type="button" onClick={leave}>
              Cancel
            </button>
            <button type="submit" class="primary" disabled={isBusy} aria-busy={isBusy}>
              Save
            </button>
          </div>
        </div>
      </form>
      {isLeaving && (
        <Dialog title="Discard your changes?" close={() => setLeaving(false)}>
          <div class="actions end">
            <button type="button" onClick={() => setLeaving(false)}>
              Keep editing
            </button>
            <button type="button" class="danger" onClick={close}>
              Discard
            </button>
          </div>
        </Dialog>
      )}
    </Dialog>
  )
}

/** Of other fields, the notice only prints the names. */
const FORM_FIELDS = new Set([
  ...['etag', 'updated', 'sequence', 'start', 'end', 'summary', 'location', 'description', 'visibility'],
  ...['transparency', 'colorId', 'recurrence', 'attendees', 'reminders'],
])

function findUnlistedChanges(before: ServiceEventLike, current: ServiceEventLike): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(current)])
  const [was, is] = [before as Record<string, unknown>, current as Record<string, unknown>]
  return [...names].filter((name) => !FORM_FIELDS.has(name) && JSON.stringify(was[name]) !== JSON.stringify(is[name]))
}
type ServiceEventLike = NonNullable<Draft['event']>

const ChangesNotice = ({ changes: { conflicts, others } }: { changes: ConcurrentChanges }) => (
  <div class={styles.changes} role="alert">
    <p>
      <strong>The event was changed meanwhile.</strong> Your edits are kept. Save again to write them.
    </p>
    <ul>
      {conflicts.map(({ field, from, to, isEdited }) => (
        <li key={field}>
          {LABELS[field]}: “{from}” → “{to}”{isEdited && ' (you have edited it too: your value is kept)'}
        </li>
      ))}
      {others.map((name) => (
        <li key={name}>
          <code>{name}</code> was changed
        </li>
      ))}
      {conflicts.length + others.length === 0 && <li>Nothing that the form shows.</li>}
    </ul>
  </div>
)

/** Asks only if an instance has changed. A move to another calendar applies to all. */
async function chooseScope(
  { draft: { event, calendarId }, before, fields }: State,
  askScope: ReturnType<typeof useCalendarActions>['askScope'],
): Promise<Scope | undefined> {
  if (!event || Object.keys(toPatchBody(before, fields, event, '')).length === 0) return 'this'
  if (fields.calendarId !== calendarId && event.recurringEventId !== undefined) return 'all'
  return askScope(event, `Change “${titleOf(event)}”`)
}

/** If a write fails, the earlier ones are undone. */
async function saveEvent(session: WorldSession, { draft, before, fields }: State, scope: Scope): Promise<void> {
  const { calendarId, event } = draft
  const query = { sendUpdates: fields.sendUpdates, ...(fields.meet && { conferenceDataVersion: '1' }) }
  const title = fields.summary || '(No title)'
  if (!event) {
    const body = toInsertBody(fields, createRequestId())
    await runPlan(session, `Created “${title}”`, [insertWrite(fields.calendarId, body, query)])
    return
  }
  const body = toPatchBody(before, fields, event, createRequestId())
  const isMoved = fields.calendarId !== calendarId
  if (Object.keys(body).length === 0 && !isMoved) return
  const changes = Object.keys(body).length > 0 ? await planChange(calendarId, event, body, scope, { query }) : []
  const moves = isMoved ? [moveWrite(calendarId, event.recurringEventId ?? event.id, fields.calendarId)] : []
  const results = await runPlan(session, `Changed “${title}”`, [...changes, ...moves])
  const split = results.find(({ sent }) => sent.method === 'events.insert')
  // The new series is shown, because the instance no longer exists.
  if (split) navigate({ item: `${calendarId}/${split.data.id}` }, { replace: true })
  else if (isMoved) navigate({ item: `${fields.calendarId}/${event.id}` }, { replace: true })
}
