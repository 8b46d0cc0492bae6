import type { ComponentChildren } from 'preact'

export type Column<T> = {
  title: string
  cell(row: T): ComponentChildren
  /** Numbers stand to the right. */
  number?: boolean
}

type Props<T> = {
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf(row: T, at: number): string | number
  /** What is said where there are none. */
  none?: ComponentChildren
}

/** Rows of the same kind. It scrolls within itself where the page is narrow. */
export function Table<T>({ caption, columns, rows, keyOf, none = 'None' }: Props<T>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be reached by the keyboard
    <section class="table" aria-label={caption} tabIndex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, number }) => (
              <th key={title} scope="col" class={number ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf(row, at)}>
              {columns.map(({ title, cell, number }) => (
                <td key={title} class={number ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p class="none">{none}</p>}
    </section>
  )
}
