import { useTimeFormat } from '../../../account.ts'
import { cx } from '../../../components/classNames.ts'
import { Icon } from '../../../components/Icon.tsx'
import { msToWall } from '../../../time/wallTime.ts'
import { type GridEvent, TRAITS, type Trait } from '../eventAppearance.ts'
import styles from './Event.module.css'

/** The icons of traits, and all traits in words for screen readers. */
export function TraitIcons({ traits }: { traits: readonly Trait[] }) {
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

/** Returns the CSS variables with the colors of an event, for the prop `style`. */
export const toEventStyle = ({ background, ink }: GridEvent) => ({ '--event': background, '--event-ink': ink })

/** Returns the CSS classes of an event that is declined, tentative, unanswered, or of a special type. */
export const toEventClass = ({ traits }: GridEvent): string =>
  cx(
    traits.includes('declined') && styles.declined,
    (traits.includes('tentative') || traits.includes('unanswered')) && styles.tentative,
    traits.some((trait) => /workingLocation|outOfOffice|focusTime|birthday/.test(trait)) && styles.special,
  )

type Props = { item: GridEvent; isBar: boolean; class?: string | undefined; open(item: GridEvent): void }

/** An event on one line, as a button: a bar, or a dot with its time and title. A click calls `open`. */
export function EventChip({ item, isBar, open, class: className }: Props) {
  const format = useTimeFormat()
  return (
    <button
      type="button"
      data-event={item.key}
      class={cx(styles.event, styles.chip, isBar ? styles.bar : styles.dotted, toEventClass(item), className)}
      style={toEventStyle(item)}
      onClick={() => open(item)}
    >
      {!isBar && <span class={styles.dot} />}
      {!item.allDay && <span class={styles.time}>{format.time(msToWall(item.start))} </span>}
      <span class={styles.title} data-event-title>
        {item.title}
      </span>
      <TraitIcons traits={item.traits} />
    </button>
  )
}
