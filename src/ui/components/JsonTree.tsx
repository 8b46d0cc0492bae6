import { useState } from 'preact/hooks'
import styles from './JsonTree.module.css'

type Props = { value: unknown; label: string }

/** JSON data with colors. Objects and arrays can be folded. `label` is the accessible name. HTML in texts is not rendered. */
export const JsonTree = ({ value, label }: Props) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard has to reach it
  <section class={styles.tree} aria-label={label} tabIndex={0}>
    <pre>
      <JsonValue value={value} depth={0} end="" />
    </pre>
  </section>
)

/** Objects and arrays at this depth and below start folded. */
const OPEN_DEPTH = 3
/** Objects and arrays with more items start folded. */
const MAX_OPEN_ITEMS = 100

/** `name` is the property name, without one in arrays; `depth` counts the containers around it; `end` is a comma or empty. */
type ValueProps = { name?: string; value: unknown; depth: number; end: string }

/** A JSON value with its property name. */
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

/** An object or array with a button that folds it. A folded one shows its number of items. */
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
