import { useEffect, useState } from 'preact/hooks'
import { calendarName, useAccount } from '../../account.ts'
import { callControl, callService } from '../../api/client.ts'
import { toRequestError } from '../../api/errors.ts'
import type { CalendarEntry } from '../../api/types.ts'
import { SERVER_URL } from '../../baseUrl.ts'
import { Button } from '../../components/Button.tsx'
import { formatCount } from '../../formatCount.ts'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { account } from '../../route.ts'
import { useSession, type WorldSession } from '../../session.ts'
import { showToast } from '../../toast.ts'
import styles from './CalendarList.module.css'
import { displayColor } from './displayColor.ts'

/** An owner's calendar has none. */
const ROLES: Partial<Record<CalendarEntry['accessRole'], string>> = {
  freeBusyReader: 'free/busy',
  reader: 'read only',
  writer: 'can edit',
}

export function CalendarList() {
  const { entries, isLoaded } = useAccount()
  const listed = entries.filter(({ hidden, selected }) => !hidden || selected)
  return (
    <fieldset class={styles.list}>
      <legend>Calendars</legend>
      {listed.map((entry) => (
        <CalendarListRow key={entry.id} entry={entry} />
      ))}
      {isLoaded && <ImportField />}
      {isLoaded && listed.length === 0 && <p class="muted">The list is empty.</p>}
    </fieldset>
  )
}

async function exportCalendar(session: WorldSession, calendarId: string, name: string): Promise<void> {
  const { data, sent } = await callControl<{ private: string }>('GET', '/ical', { query: { calendarId } })
  const link = document.createElement('a')
  link.href = `${SERVER_URL}${data.private}`
  link.download = `${name}.ics`
  link.click()
  showToast(session, { text: `Exported ${name}`, sent })
}

function ImportField() {
  const session = useSession()
  const control = useControlAction()
  const load = async (file: File) => {
    const body = { text: await file.text(), owner: account.peek(), calendar: 'primary' }
    try {
      await control<{ added: number }>(
        'POST',
        '/importICalendar',
        ({ added }) => `Imported ${formatCount(added, 'event')}`,
        body,
      )
    } catch (thrown) {
      showToast(session, { text: `Not imported: ${file.name}`, error: toRequestError(thrown) })
    }
  }
  return (
    <label class={styles.import}>
      Import an .ics file
      <input
        type="file"
        accept=".ics,text/calendar"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) void load(file)
          currentTarget.value = ''
        }}
      />
    </label>
  )
}

function CalendarListRow({ entry }: { entry: CalendarEntry }) {
  const session = useSession()
  const data = useAccount()
  const name = calendarName(data, entry.id)
  // The new state is shown before the response, until the list has been read again.
  const [pending, setPending] = useState<boolean>()
  useEffect(() => setPending(undefined), [entry.selected])
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
    <div class={styles.row}>
      <label class={styles.entry}>
        <input
          type="checkbox"
          checked={pending ?? entry.selected ?? false}
          onChange={({ currentTarget }) => void select(currentTarget.checked)}
        />
        <span class={styles.swatch} style={{ background: displayColor(entry.backgroundColor) }} />
        <span class={styles.name}>{name}</span>
        {role && <span class={styles.role}>{role}</span>}
      </label>
      <Button
        rank="quiet"
        icon="download"
        label={`Export ${name}`}
        run={() => exportCalendar(session, entry.id, name)}
      />
    </div>
  )
}
