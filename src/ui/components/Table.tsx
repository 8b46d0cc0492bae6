import type { ComponentChildren } from 'preact'
import { cx } from './classNames.ts'
import styles from './Table.module.css'

export type Column<T> = {
  title: string
  cell(row: T): ComponentChildren
  number?: boolean
  actions?: boolean
  /** Long values, such as tokens, may break anywhere. */
  breakable?: boolean
}

type Props<T> = {
  /** The text for screen readers. */
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf(row: T, index: number): string | number
  empty?: ComponentChildren
}

/** Each row becomes a card on a narrow page. */
export function Table<T>({ caption, columns, rows, keyOf, empty = 'None' }: Props<T>) {
  return (
    <div class={styles.table}>
      <table>
        <caption class="hidden">{caption}</caption>
        {rows.length > 0 && (
          <thead>
            <tr>
              {columns.map(({ title, number }) => (
                <th key={title} scope="col" class={cx(number && styles.number)}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.length === 0 && (
            <tr>
              <td class={styles.empty} colSpan={columns.length}>
                {empty}
              </td>
            </tr>
          )}
          {rows.map((row, index) => (
            <tr key={keyOf(row, index)}>
              {columns.map(({ title, cell, number, actions, breakable }) => (
                <td
                  key={title}
                  data-title={title}
                  class={cx(number && styles.number, actions && styles.actions, breakable && styles.breakable)}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
