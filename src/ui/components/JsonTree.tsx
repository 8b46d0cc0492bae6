import { useState } from 'preact/hooks'
import styles from './JsonTree.module.css'

type Props = { value: unknown; label: string }

/** HTML in texts is not rendered. */
export const JsonTree = ({ value, label }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard has to reach it
  <section class={styles.tree} aria-label={label} tabIndex={0}>
    <pre>
      <JsonValue value={value} depth={0} end="" />
    </pre>
  </section>
)

/** Deeper objects and arrays start folded, and longer ones. */
const OPEN_DEPTH = 3
const MAX_OPEN_ITEMS = 100

/** `end` is a comma or empty. */
type ValueProps = { name?: string; value: unknown; depth: number; end: string }

function JsonValue({ name, value, depth, end }: ValueProps) {
  const key = name !== undefined && (
    <>
      <span class={styles.key}>{JSON.stringify(name)}</span>
      {': '}
    </>
  )
  const isContainer = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (isContainer) return <JsonContainer name={key} value={value} depth={depth} end={end} />
  const kind = value === null ? 'null' : typeof value
  return (
    <>
      {key}
      <span class={styles[kind]}>{JSON.stringify(value)}</span>
      {end}
    </>
  )
}

type ContainerProps = { name: preact.ComponentChildren; value: object; depth: number; end: string }

function JsonContainer({ name, value, depth, end }: ContainerProps) {
  const isList = Array.isArray(value)
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && entries.length <= MAX_OPEN_ITEMS)
  const [open, close] = isList ? '[]' : '{}'
  const indent = '  '.repeat(depth + 1)
  return (
    <>
      <button
        type="button"
        class={styles.fold}
        aria-expanded={isOpen}
        aria-label={isOpen ? 'Fold' : 'Unfold'}
        onClick={() => setOpen(!isOpen)}
      />
      {name}
      {open}
      {isOpen ? (
        <>
          {entries.map(([key, one], index) => (
            <span key={key}>
              {`\n${indent}`}
              <JsonValue
                {...(isList ? {} : { name: key })}
                value={one}
                depth={depth + 1}
                end={index < entries.length - 1 ? ',' : ''}
              />
            </span>
          ))}
          {`\n${'  '.repeat(depth)}`}
        </>
      ) : (
        <span class={styles.count}>{` ${entries.length} ${isList ? 'items' : 'fields'} `}</span>
      )}
      {close}
      {end}
    </>
  )
}
