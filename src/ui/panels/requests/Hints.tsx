import type { Hint } from '../../api/types.ts'
import styles from './RequestsPanel.module.css'

export const Hints = ({ hints }: { hints: readonly Hint[] }) => (
  <ul class={styles.hints} aria-label="Hints">
    {hints.map(({ code, what, why, instead, allowed = [] }) => (
      <li key={`${code} ${what}`}>
        <strong>
          {code}: {what}
        </strong>
        <p>{why}</p>
        <p>{instead}</p>
        {allowed.length > 0 && (
          <p>
            Allowed: <code>{allowed.join(', ')}</code>
          </p>
        )}
      </li>
    ))}
  </ul>
)
