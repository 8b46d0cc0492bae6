import { useEffect, useState } from 'preact/hooks'
import { calendarName, useAccount, useTimeFormat } from '../../account.ts'
import { searchEvents } from '../../api/calendar.ts'
import { type RequestError, toRequestError } from '../../api/errors.ts'
import type { ServiceEvent } from '../../api/types.ts'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { useSession } from '../../session.ts'
import { useCalendarActions } from './calendarContext.ts'
import { titleOf } from './eventAppearance.ts'
import styles from './SearchBox.module.css'

/** An event that was found, and its calendar. */
type Match = { calendarId: string; event: ServiceEvent }
type State = { matches?: readonly Match[]; error?: RequestError }

const SEARCH_DELAY_MS = 150

/**
 * A search field over the calendars that are shown. It sends `events.list` with `q` for each calendar 150 ms after the last
 * key, and lists the events below; a click opens the details of one. If one request fails, its error is shown instead.
 */
export function SearchBox() {
  const { dataVersion } = useSession()
  const account = useAccount()
  const format = useTimeFormat()
  const { openEvent } = useCalendarActions()
  const [text, setText] = useState('')
  const [state, setState] = useState<State>({})
  const shown = account.entries.filter(({ selected }) => selected)
  const ids = shown.map(({ id }) => id).join(' ')
  const version = dataVersion.value
  useEffect(() => {
    if (text.trim() === '') {
      setState({})
      return undefined
    }
    const controller = new AbortController()
    const { signal } = controller
    /** Reads the events that match the text on all shown calendars. */
    const search = async () => {
      const lists = shown.map(async ({ id }) =>
        (await searchEvents(id, text, { signal, account: account.email })).map((event) => ({ calendarId: id, event })),
      )
      return (await Promise.all(lists)).flat()
    }
    const timer = setTimeout(() => {
      search().then(
        (matches) => signal.aborted || setState({ matches }),
        (error: unknown) => signal.aborted || setState({ error: toRequestError(error) }),
      )
    }, SEARCH_DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text, ids, account.email, version])
  return (
    <search class={styles.search}>
      <input
        type="search"
        id="search"
        aria-label="Search titles, descriptions, places and guests"
        aria-describedby="search-scope"
        placeholder="Search events"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {text.trim() !== '' && (
        <section class={styles.results} aria-label="Search results">
          <p role="status" id="search-scope">
            {state.matches ? `${state.matches.length} found` : 'Searching'} in titles, descriptions, places and guests
            of {shown.length === 1 ? 'one calendar' : `${shown.length} calendars`}
          </p>
          {state.error && <ErrorNotice error={state.error} />}
          <ul>
            {state.matches?.map(({ calendarId, event }) => (
              <li key={`${calendarId}/${event.id}`}>
                <button type="button" onClick={() => openEvent(calendarId, event.id)}>
                  <strong>{titleOf(event)}</strong>
                  <span class="muted">
                    {format.range(event.start, event.end)}, {calendarName(account, calendarId)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </search>
  )
}
