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

export function Tabs<T extends string>({ label, tabs, selected, select, children }: Props<T>) {
  const id = useId()
  const names = Object.keys(tabs) as T[]
  return (
    <>
      <div class={styles.tabs} role="tablist" aria-label={label}>
        {names.map((name) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={name === selected}
            aria-controls={`${id}-panel`}
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
