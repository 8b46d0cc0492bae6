import type { ComponentChildren } from 'preact'
import styles from './Facts.module.css'

/** Facts without a value are left out. */
export const Facts = ({ facts }: { facts: Readonly<Record<string, ComponentChildren>> }) => (
  <dl class={styles.facts}>
    {Object.entries(facts).map(([name, value]) =>
      value ? (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ) : null,
    )}
  </dl>
)
