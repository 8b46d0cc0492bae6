import { Calendar } from '@fullcalendar/core'
import dayGridPlugin from '@fullcalendar/daygrid'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useAccount } from '../../account.ts'
import { navigate } from '../../route.ts'
import { msToDate } from '../../time/wallTime.ts'

type Props = { date: string; today: string; shown: { from: string; to: string } }

/** Marks the shown days. A click on a day shows its dates in the view of the calendar. */
export function MiniMonth({ date, today, shown: { from, to } }: Props) {
  const { weekStart } = useAccount()
  const element = useRef<HTMLDivElement>(null)
  const [month, setMonth] = useState<Calendar>()
  useLayoutEffect(() => {
    if (!element.current) return undefined
    const created = new Calendar(element.current, {
      ...{ plugins: [dayGridPlugin], locale: 'en-GB', timeZone: 'UTC', initialDate: date, now: today },
      ...{ firstDay: weekStart, contentHeight: 'auto', dayHeaderFormat: { weekday: 'narrow' }, navLinks: true },
      headerToolbar: { start: 'title', end: 'prev,next' },
      buttonHints: { prev: 'Earlier month', next: 'Later month' },
      navLinkDayClick: (day) => navigate({ date: msToDate(day.getTime()) }),
      dayCellDidMount: ({ el }) => el.removeAttribute('aria-labelledby'),
    })
    created.render()
    // The buttons have titles.
    for (const icon of element.current.querySelectorAll('.fc-icon')) icon.setAttribute('aria-hidden', 'true')
    setMonth(created)
    return () => created.destroy()
  }, [weekStart, today])
  useEffect(() => month?.gotoDate(date), [month, date])
  useEffect(() => month?.setOption('events', [{ start: from, end: to, display: 'background' }]), [month, from, to])
  return <div ref={element} class="event-grid mini-month" />
}
