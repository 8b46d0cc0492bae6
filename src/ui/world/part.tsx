import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { route } from '../route.ts'

/** A part of the panel under its heading. An address that names it leads to it. */
export function Part({
  id,
  title,
  wide,
  children,
}: {
  id: string
  title: string
  wide?: true
  children: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const asked = route.value.item === id
  useEffect(() => {
    if (!asked) return
    heading.current?.scrollIntoView()
    heading.current?.focus({ preventScroll: true })
  }, [asked])
  return (
    <section class={wide ? 'part wide' : 'part'} aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  )
}
