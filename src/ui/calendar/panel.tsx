import './calendar.css'
import { effect } from '@preact/signals'
import type { Calendar } from 'fullcalendar'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { changes } from '../live.ts'
import { Notice } from '../parts/notice.tsx'
import { Progress } from '../parts/progress.tsx'
import { account, go, route, world } from '../route.ts'
import { asking, draft } from './acts.ts'
import { Details } from './details.tsx'
import { Form } from './form.tsx'
import { Grid } from './grid.tsx'
import { Help } from './help.tsx'
import { onKeys } from './keys.ts'
import { Lists } from './lists.tsx'
import { Ask } from './scope.tsx'
import { Search } from './search.tsx'
import { listRefused, now, readList } from './state.ts'
import { Toolbar } from './toolbar.tsx'

/** A calendar as its owner sees it, and may change it. */
export default function CalendarPanel() {
  const calendar = useRef<Calendar | undefined>(undefined)
  const [helping, setHelping] = useState(false)
  const [title, setTitle] = useState('')
  const hold = useCallback((made: Calendar | undefined) => {
    calendar.current = made
    made?.on('datesSet', ({ view }) => setTitle(view.title))
    setTitle(made?.view.title ?? '')
  }, [])
  useEffect(() => effect(() => void readList(world.value, account.value, changes.value)), [])
  const act = {
    today: () => turn((made) => made.today()),
    back: () => turn((made) => made.prev()),
    forth: () => turn((made) => made.next()),
    help: () => setHelping(true),
  }
  /** The grid turns at once, and the address says where it has come to. */
  function turn(by: (made: Calendar) => void): void {
    const made = calendar.current
    if (!made) return
    by(made)
    go({ date: made.formatIso(made.getDate()).slice(0, 10) })
  }
  useEffect(() => onKeys(act), [])
  const [calendarId = '', eventId = ''] = partsOf(route.value.item)
  return (
    <div class="calendar">
      <Toolbar title={title} {...act} />
      {listRefused.value && <Notice refused={listRefused.value} />}
      <div class="beside">
        <aside>
          <Search />
          <Lists />
        </aside>
        {now.value ? <Grid hold={hold} /> : <Progress>Reading the world</Progress>}
      </div>
      {eventId && account.value && !draft.value && (
        <Details key={route.value.item} calendarId={calendarId} eventId={eventId} />
      )}
      {draft.value && <Form draft={draft.value} />}
      {asking.value && <Ask {...asking.value} />}
      {helping && <Help close={() => setHelping(false)} />}
    </div>
  )
}

/** The address names an event after its calendar, whose id has no slash. */
const partsOf = (item: string): string[] => {
  const at = item.lastIndexOf('/')
  return at < 0 ? [] : [item.slice(0, at), item.slice(at + 1)]
}
