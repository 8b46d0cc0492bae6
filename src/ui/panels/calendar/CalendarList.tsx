import { useEffect, useState } from 'preact/hooks'
import { calendarName, useAccount } from '../../account.ts'
import { callService } from '../../api/client.ts'
import { isUnreachable, type RequestError, toRequestError } from '../../api/errors.ts'
import type { CalendarEntry } from '../../api/types.ts'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { useSession } from '../../session.ts'
import { showToast } from '../../toast.ts'
import styles from './CalendarList.module.css'

/** The words for access roles. An owner's calendar has none. */
const ROLES: Partial<Record<CalendarEntry['accessRole'], string>> = {
  freeBusyReader: 'free/busy',
  reader: 'read only',
  writer: 'can edit',
}

/**
 * The account's calendar list. Each calendar has a checkbox, which shows or hides its events, and below it the error with which
 * its events could not be read. `errors` has the errors by calendar id.
 */
export function CalendarList({ errors }: { errors: ReadonlyMap<string, RequestError> }) {
  const { entries, isLoaded } = useAccount()
  const listed = entries.filter(({ hidden, selected }) => !hidden || selected)
  return (
    <fieldset class={styles.list}>
      <legend>Calendars</legend>
      {listed.map((entry) => (
        <CalendarListRow key={entry.id} entry={entry} error={errors.get(entry.id)} />
      ))}
      {isLoaded && listed.length === 0 && <p class="muted">The list is empty.</p>}
    </fieldset>
  )
}

/**
 * A calendar with the checkbox that shows or hides its events. The choice is stored in the `selected` field of the entry. A
 * toast reports the result.
 */
function CalendarListRow({ entry, error }: { entry: CalendarEntry; error: RequestError | undefined }) {
  const session = useSession()
  const data = useAccount()
  const owner = session.overview.value?.accounts.find(({ email }) => email === entry.id)
  const name = owner?.displayName && !entry.summaryOverride ? owner.displayName : calendarName(data, entry.id)
  // The new state is shown before the response, until the list has been read again.
  const [pending, setPending] = useState<boolean>()
  useEffect(() => setPending(undefined), [entry.selected])
  /** Stores the choice, and shows a toast. A failure restores the former choice. */
  const select = async (selected: boolean) => {
    setPending(selected)
    try {
      const { sent } = await callService({
        ...{ method: 'calendarList.patch', verb: 'PATCH', body: { selected } },
        path: `/users/me/calendarList/${encodeURIComponent(entry.id)}`,
      })
      showToast(session, { text: `${selected ? 'Shown' : 'Hidden'}: ${name}`, sent })
      session.reportChange()
    } catch (thrown) {
      setPending(undefined)
      showToast(session, { text: `Not changed: ${name}`, error: toRequestError(thrown) })
    }
  }
  const role = ROLES[entry.accessRole]
  return (
    <>
      <label class={styles.entry}>
        <input
          type="checkbox"
          checked={pending ?? entry.selected ?? false}
          onChange={({ currentTarget }) => void select(currentTarget.checked)}
        />
        <span class={styles.swatch} style={{ background: entry.backgroundColor }} />
        <span class={styles.name}>{name}</span>
        {role && <span class={styles.role}>{role}</span>}
      </label>
      {error && !isUnreachable(error) && <ErrorNotice error={error} />}
    </>
  )
}
