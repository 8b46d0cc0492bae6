import { useTimeFormat } from '../../../account.ts'
import { cx } from '../../../components/classNames.ts'
import { Icon } from '../../../components/Icon.tsx'
import { msToWall } from '../../../time/wallTime.ts'
import { type GridEvent, TRAITS, type Trait } from '../eventAppearance.ts'
import styles from './Event.module.css'

/** The icons of an event, and all its traits in words for screen readers. */
export function Traits({ traits }: { traits: readonly Trait[] }) {
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

/** The style of an event. A script sets it, because the page's policy forbids styles in markup. */
export const colorsOf = ({ background, ink }: GridEvent) => ({ '--event': background, '--event-ink': ink })

export const looksOf = ({ traits }: GridEvent): string =>
  cx(
    traits.includes('declined') && styles.declined,
    (traits.includes('tentative') || traits.includes('unanswered')) && styles.tentative,
    traits.some((trait) => /workingLocation|outOfOffice|focusTime|birthday/.test(trait)) && styles.special,
  )

type Props = { item: GridEvent; isBar: boolean; class?: string | undefined; open(item: GridEvent): void }

/** An event on one line: a bar, or a dot with its time and title. */
export function EventChip({ item, isBar, open, class: className }: Props) {
  const format = useTimeFormat()
  return (
    <button
      type="button"
      data-event={item.key}
      class={cx(styles.event, styles.chip, isBar ? styles.bar : styles.dotted, looksOf(item), className)}
      style={colorsOf(item)}
      onClick={() => open(item)}
    >
      {!isBar && <span class={styles.dot} />}
      {!item.allDay && <span class={styles.time}>{format.time(msToWall(item.start))} </span>}
      <span class={styles.title} data-event-title>
        {item.title}
      </span>
      <Traits traits={item.traits} />
    </button>
  )
}
