import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { cx } from '../../components/classNames.ts'
import { route } from '../../route.ts'
import styles from './WorldPanel.module.css'

type Props = { id: string; title: string; isWide?: boolean; children: ComponentChildren }

/** The page scrolls to it if the item in the address is its `id`. */
export function Section({ id, title, isWide = false, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isNamed = route.value.item === id
  useEffect(() => {
    if (!isNamed) return
    heading.current?.scrollIntoView()
    heading.current?.focus({ preventScroll: true })
  }, [isNamed])
  return (
    <section class={cx('card', styles.section, isWide && styles.wide)} aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}
