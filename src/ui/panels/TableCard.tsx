import type { ComponentChildren } from 'preact'
import type { Rank } from '../components/ask.tsx'
import { Button } from '../components/Button.tsx'
import type { IconName } from '../components/Icon.tsx'
import { type Column, Table } from '../components/Table.tsx'
import styles from './TableCard.module.css'

/** A panel is a column of cards. */
export const Cards = ({ children }: { children: ComponentChildren }) => <div class={styles.cards}>{children}</div>

/** Filters and buttons above a list. */
export const Toolbar = ({ children }: { children: ComponentChildren }) => (
  <div class={`row ${styles.tools}`}>{children}</div>
)

type CardProps = { title: string; children: ComponentChildren }

export const Card = ({ title, children }: CardProps) => (
  <section class={`card ${styles.card}`} aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)

/** A button of each row. Its label is the title and the key of the row. */
type RowAction = {
  title: string
  run(): unknown
  /** The question of a dialog that is shown first. */
  confirm?: string
  rank?: Rank
  icon?: IconName
}

type Props<T> = {
  title: string
  rows: readonly T[]
  keyOf(row: T, index: number): string | number
  /** Stands in place of the table if there are no rows. */
  empty: ComponentChildren
  columns: readonly Column<T>[]
  actions?(row: T): readonly RowAction[]
  /** Forms and buttons below the table. */
  children?: ComponentChildren
}

export function TableCard<T>({ title, rows, keyOf, empty, columns, actions, children }: Props<T>) {
  const buttons: Column<T> = {
    title: 'Actions',
    actions: true,
    cell: (row) => (
      <div class="actions">
        {actions?.(row).map((action) => (
          <Button key={action.title} {...action} label={`${action.title} ${keyOf(row, rows.indexOf(row))}`}>
            {action.icon ? undefined : action.title}
          </Button>
        ))}
      </div>
    ),
  }
  return (
    <Card title={title}>
      <Table
        caption={title}
        rows={rows}
        keyOf={keyOf}
        empty={empty}
        columns={actions ? [...columns, buttons] : columns}
      />
      {children}
    </Card>
  )
}
