import { cx } from './classNames.ts'
import styles from './StatusPill.module.css'

/** By the first digit of the status. */
const CLASSES = ['', '', styles.ok, styles.redirect, styles.client, styles.server]

export const StatusPill = ({ status }: { status: number | undefined }) => (
  <span class={cx(styles.pill, status === undefined ? styles.server : CLASSES[Math.floor(status / 100)])}>
    {status ?? 'No response'}
  </span>
)

export const StatePill = ({ kind, children }: { kind?: 'ok' | 'warn' | 'bad'; children: string }) => (
  <span
    class={cx(
      styles.pill,
      kind === 'ok' ? styles.ok : kind === 'warn' ? styles.client : kind === 'bad' && styles.server,
    )}
  >
    {children}
  </span>
)
