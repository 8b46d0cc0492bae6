import { render } from 'preact'
import { Icon } from '../../components/Icon.tsx'
import { formatDate } from '../../time/timeFormat.ts'
import { msToDate } from '../../time/wallTime.ts'
import { type GridEvent, TRAITS } from './eventAppearance.ts'

/** FullCalendar has a Preact of its own, so it gets finished elements. `time` is empty if it is shown elsewhere. */
export function renderEvent(item: GridEvent, time: string, hasDot: boolean): HTMLElement {
  const element = document.createElement('div')
  element.className = 'event-content'
  element.style.setProperty('--event', item.background)
  render(<EventContent item={item} time={time} hasDot={hasDot} />, element)
  return element
}

/** The icons are for eyes, the words for screen readers. */
function EventContent({ item, time, hasDot }: { item: GridEvent; time: string; hasDot: boolean }) {
  const { title, stripes, start } = item
  const traits = item.traits.map((trait) => ({ icon: undefined, ...TRAITS[trait] }))
  return (
    <>
      {stripes.length > 1 ? (
        <span class="event-stripes" data-stripes={stripes.length} title={`On ${stripes.length} of the shown calendars`}>
          {stripes.map((color, index) => (
            <span key={`${index} ${color}`} style={{ background: color }} />
          ))}
        </span>
      ) : (
        hasDot && <span class="fc-daygrid-event-dot" />
      )}
      <span class="event-text">
        <strong data-event-title>{title}</strong>
        {traits.map(({ icon }) => icon && <Icon key={icon} name={icon} size={12} />)}
        <span class="event-time">{time}</span>
        <span class="hidden">, {formatDate(msToDate(start))}</span>
        {traits.length > 0 && (
          <span class="hidden" data-traits>
            , {traits.map(({ text }) => text).join(', ')}
          </span>
        )}
      </span>
    </>
  )
}
