import { cx } from './classNames.ts'
import styles from './StatusPill.module.css'

const CLASSES = ['', '', styles.ok, styles.redirect, styles.client, styles.server]

/** The status of a response, colored by its class. */
export const StatusPill = ({ status }: { status: number | undefined }) => (
  <span class={cx(styles.pill, status === undefined ? styles.server : CLASSES[Math.floor(status / 100)])}>
    {status ?? 'No response'}
  </span>
)

/** A state in a word: good, bad, or neither. */
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
