import { render } from 'preact'
import { Icon } from '../../components/Icon.tsx'
import { formatDate, formatLongDate, type TimeFormat } from '../../time/timeFormat.ts'
import { HOUR_MS, msToDate, msToWall } from '../../time/wallTime.ts'
import { type GridEvent, TRAITS, type Trait } from './eventAppearance.ts'

export type EventShape = 'block' | 'line' | 'bar' | 'dot' | 'row'

const PX_PER_HOUR = 48
const LINE_PX = 16

/** FullCalendar has a Preact of its own, so it gets finished elements. */
export function renderEvent(item: GridEvent, shape: EventShape, format: TimeFormat): HTMLElement {
  const element = document.createElement('div')
  element.className = `event-content ${shape}`
  const lines = Math.floor((((item.end - item.start) / HOUR_MS) * PX_PER_HOUR - 4) / LINE_PX)
  element.style.setProperty('--lines', String(Math.max(1, lines)))
  element.style.setProperty('--event', item.background)
  element.style.setProperty('--stripes', String(item.stripes.length > 1 ? item.stripes.length : 0))
  render(<EventContent item={item} shape={shape} format={format} />, element)
  return element
}

type Props = { item: GridEvent; shape: EventShape; format: TimeFormat }

function EventContent({ item, shape, format }: Props) {
  const { title, traits, stripes, allDay } = item
  const [from, to] = [format.time(msToWall(item.start)), format.time(msToWall(item.end))]
  return (
    <>
      {stripes.length > 1 && <Stripes colors={stripes} />}
      {shape === 'dot' && (
        <>
          <span class="event-dot" />
          {!allDay && <span class="event-time">{from} </span>}
        </>
      )}
      <span class="event-name">
        <span data-event-title>{title}</span>
        {shape !== 'line' && <TraitIcons traits={traits} />}
      </span>
      {shape === 'line' && (
        <>
          <span class="event-time">, {from}</span>
          <TraitIcons traits={traits} />
        </>
      )}
      {shape === 'block' && (
        <span class="event-time">
          <span>{from}</span>
          <span>–{to}</span>
        </span>
      )}
      {shape !== 'row' && <span class="hidden">, {formatLongDate(msToWall(item.start))}</span>}
    </>
  )
}

const Stripes = ({ colors }: { colors: readonly string[] }) => (
  <span class="event-stripes" data-stripes={colors.length} title={`On ${colors.length} of the shown calendars`}>
    {colors.map((color, index) => (
      <span key={`${index} ${color}`} style={{ background: color }} />
    ))}
    <span class="hidden">on {colors.length} calendars, </span>
  </span>
)

/** The icons are for eyes, the words for screen readers. */
function TraitIcons({ traits }: { traits: readonly Trait[] }) {
  if (traits.length === 0) return null
  return (
    <>
      {traits.map((trait) => {
        const { icon } = { icon: undefined, ...TRAITS[trait] }
        return icon && <Icon key={trait} name={icon} size={12} />
      })}
      <span class="hidden" data-traits>
        , {traits.map((trait) => TRAITS[trait].text).join(', ')}
      </span>
    </>
  )
}

export function renderDayHead(date: Date, isToday: boolean): HTMLElement {
  const [weekday, day] = formatDate(msToDate(date.getTime())).split(' ')
  const element = document.createElement('span')
  element.className = 'day-head'
  element.dataset.dayHead = String(isToday)
  render(
    <>
      <span>{weekday}</span> <strong>{day}</strong>
    </>,
    element,
  )
  return element
}
