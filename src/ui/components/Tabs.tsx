import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import styles from './Tabs.module.css'

type Props<T extends string> = {
  label: string
  tabs: Readonly<Record<T, string>>
  selected: T
  select(tab: T): void
  children: ComponentChildren
}

const STEPS: Record<string, (index: number, count: number) => number> = {
  ArrowLeft: (index, count) => (index + count - 1) % count,
  ArrowRight: (index, count) => (index + 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** The arrow keys, Home and End select too. */
export function Tabs<T extends string>({ label, tabs, selected, select, children }: Props<T>) {
  const id = useId()
  const names = Object.keys(tabs) as T[]
  const onKeyDown = (event: KeyboardEvent) => {
    const index = STEPS[event.key]?.(names.indexOf(selected), names.length)
    const name = index === undefined ? undefined : names[index]
    if (name === undefined) return
    event.preventDefault()
    select(name)
    document.getElementById(`${id}-${name}`)?.focus()
  }
  return (
    <>
      <div class={styles.tabs} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {names.map((name) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === selected}
            aria-controls={`${id}-panel`}
            tabIndex={name === selected ? 0 : -1}
            onClick={() => select(name)}
          >
            {tabs[name]}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the panel may scroll, and the keyboard has to reach it */}
      <div id={`${id}-panel`} class={styles.panel} role="tabpanel" aria-labelledby={`${id}-${selected}`} tabIndex={0}>
        {children}
      </div>
    </>
  )
}
