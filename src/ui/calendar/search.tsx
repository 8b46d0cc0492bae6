import { signal } from '@preact/signals'
import { Notice } from '../parts/notice.tsx'
import { Progress } from '../parts/progress.tsx'
import { type Refused, refusalOf } from '../refused.ts'
import { openEvent } from './acts.ts'
import { keyOf, titleOf } from './looks.ts'
import { found, type Shown } from './service.ts'
import { nameOf, ticked, zone } from './state.ts'
import { said } from './times.ts'

type Found = { calendarId: string; event: Shown }

const results = signal<readonly Found[] | undefined>(undefined)
const busy = signal(false)
const refused = signal<Refused | undefined>(undefined)

/** Asks the service itself, in the calendars that are ticked. */
async function search(words: string): Promise<void> {
  refused.value = undefined
  results.value = undefined
  if (words.trim() === '') return
  busy.value = true
  try {
    const each = ticked
      .peek()
      .map(async ({ id }) => (await found(id, words)).map((event) => ({ calendarId: id, event })))
    results.value = (await Promise.all(each)).flat()
  } catch (error) {
    refused.value = refusalOf(error)
  } finally {
    busy.value = false
  }
}

export function Search() {
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void search(String(new FormData(event.currentTarget).get('words') ?? ''))
        }}
      >
        <input type="search" name="words" id="search" aria-label="Search events" placeholder="Search ( / )" />
      </form>
      {busy.value && <Progress>Searching</Progress>}
      {refused.value && <Notice refused={refused.value} />}
      {results.value && (
        <section aria-label="Found">
          <p role="status">
            {results.value.length} found
            <button type="button" class="close" aria-label="Close the search" onClick={() => void search('')}>
              ×
            </button>
          </p>
          <ul>
            {results.value.map(({ calendarId, event }) => (
              <li key={keyOf(calendarId, event.id)}>
                <button type="button" onClick={() => openEvent({ calendarId, event })}>
                  {titleOf(event)}
                </button>{' '}
                <span>
                  {said(event.start, event.end, zone.value)}, {nameOf(calendarId)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </search>
  )
}
