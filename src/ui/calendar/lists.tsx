import { useEffect, useRef } from 'preact/hooks'
import { Notice } from '../parts/notice.tsx'
import type { Entry } from './service.ts'
import { entries, nameOf, refusedBy, tick } from './state.ts'

/** The account's list of calendars, with its colours and ticks. */
export function Lists() {
  const shown = entries.value.filter(({ hidden, selected }) => !hidden || selected)
  return (
    <fieldset class="lists">
      <legend>Calendars</legend>
      {shown.map((entry) => (
        <Line key={entry.id} entry={entry} />
      ))}
      {shown.length === 0 && <p class="none">This list is empty.</p>}
    </fieldset>
  )
}

function Line({ entry }: { entry: Entry }) {
  const swatch = useRef<HTMLSpanElement>(null)
  const { backgroundColor = '' } = entry
  // A style is set by the script, since the page's policy lets in none that stands in the page.
  useEffect(() => swatch.current?.style.setProperty('background-color', backgroundColor), [backgroundColor])
  const refused = refusedBy.value.get(entry.id)
  return (
    <div class="entry">
      <label>
        <input
          type="checkbox"
          checked={entry.selected ?? false}
          onChange={({ currentTarget }) => void tick(entry, currentTarget.checked)}
        />
        <span class="swatch" ref={swatch} aria-hidden="true" />
        <span class="name">{nameOf(entry.id)}</span>
        {entry.accessRole !== 'owner' && <span class="role">{entry.accessRole}</span>}
      </label>
      {refused && <Notice refused={refused} />}
    </div>
  )
}
