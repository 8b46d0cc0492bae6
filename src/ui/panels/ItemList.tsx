import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { cx } from '../components/classNames.ts'
import { Icon } from '../components/Icon.tsx'
import { type Column, Table } from '../components/Table.tsx'
import { navigate, route } from '../route.ts'
import styles from './ItemList.module.css'

const PAGE_SIZE = 200
/** The width below which an open item takes the place of the list. */
const NARROW_PX = 1100

type Props<T> = {
  caption: string
  rows: readonly T[]
  idOf(row: T): number | string
  /** The title of the first column, and the text of its links, which open the row. */
  title: string
  linkOf(row: T): string
  /** Printed in bold. */
  isNew?(row: T): boolean
  /** Columns after the first: all of them, and those beside an open item. */
  columns: readonly Column<T>[]
  openColumns: readonly Column<T>[]
  /** The open item, if there is one. */
  children?: ComponentChildren
  /** Stands in place of the table if there are no rows. */
  empty?: string
}

/** The item in the address is the id of the open row. */
export function ItemList<T>({
  caption,
  rows,
  idOf,
  title,
  linkOf,
  isNew,
  columns,
  openColumns,
  empty,
  children,
}: Props<T>) {
  const [limit, setLimit] = useState(PAGE_SIZE)
  const { item } = route.value
  const isOpen = Boolean(children)
  const link: Column<T> = {
    title,
    cell: (row) => (
      <button
        type="button"
        id={`item-${idOf(row)}`}
        class="link"
        aria-current={item === String(idOf(row)) ? 'true' : undefined}
        onClick={() => navigate({ item: String(idOf(row)) }, { replace: isOpen })}
      >
        {isNew?.(row) ? <strong>{linkOf(row)}</strong> : linkOf(row)}
      </button>
    ),
  }
  return (
    <div class={cx(styles.panel, isOpen && styles.open)}>
      <div class={`card ${styles.list}`}>
        <Table
          caption={caption}
          rows={rows.slice(0, limit)}
          keyOf={idOf}
          empty={empty}
          columns={[link, ...(isOpen ? openColumns : columns)]}
        />
        {rows.length > limit && (
          <button type="button" onClick={() => setLimit(limit + PAGE_SIZE)}>
            Show {Math.min(PAGE_SIZE, rows.length - limit)} more of {rows.length}
          </button>
        )}
      </div>
      {children}
    </div>
  )
}

/** Gets the focus when it opens on a narrow page. Closing returns the focus to its row. */
export function OpenItem({ label, title, children }: { label: string; title: string; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (innerWidth <= NARROW_PX) heading.current?.focus()
  }, [])
  const close = () => {
    const { item } = route.peek()
    navigate({ item: '' })
    requestAnimationFrame(() => document.getElementById(`item-${item}`)?.focus())
  }
  return (
    <article class={`card ${styles.item}`} aria-label={label}>
      <header>
        <h2 tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <button type="button" class="quiet" onClick={close}>
          <Icon name="left" /> Back to the list
        </button>
      </header>
      {children}
    </article>
  )
}
