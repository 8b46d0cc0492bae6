import { useEffect, useRef } from 'preact/hooks'
import { HINTS } from '../../api/shared.ts'
import type { Hint } from '../../api/types.ts'
import { Icon } from '../../components/Icon.tsx'
import { navigate } from '../../route.ts'
import styles from './Hints.module.css'

export function Hints({ n, hints }: { n: number; hints: readonly Hint[] }) {
  return (
    <ul class={styles.hints} aria-label="Hints">
      {hints.map(({ code, what, why, instead, allowed }) => (
        <li key={`${code} ${what}`}>
          <p>
            <strong>{what}</strong>
          </p>
          <p>{why}</p>
          <p>{instead}</p>
          {allowed && allowed.length > 0 && (
            <p>
              Allowed: <code>{allowed.join(', ')}</code>
            </p>
          )}
          <button type="button" class="link" onClick={() => navigate({ item: `${n}/${code}` })}>
            {code} in the docs
          </button>
        </li>
      ))}
    </ul>
  )
}

/** As in docs/reference/hints.md, scrolled to `code`. `back` is the number of the request to return to. */
export function HintPage({ code, back }: { code: string; back: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <article class={`card ${styles.page}`} aria-label="Hints">
      <button type="button" class="quiet" onClick={() => navigate({ item: back })}>
        <Icon name="left" /> Back to the request
      </button>
      <h2 tabIndex={-1} ref={heading}>
        Hints
      </h2>
      <p>
        A response has the header <code>X-Fake-Calendar-Hint</code> if the request used something that the service
        ignores or the fake simplifies, or if the service's error message does not explain the error.
      </p>
      <dl>
        {Object.entries(HINTS).map(([name, { title, why }]) => (
          <div
            key={name}
            class={name === code ? styles.current : undefined}
            ref={name === code ? (element) => element?.scrollIntoView({ block: 'center' }) : undefined}
          >
            <dt aria-current={name === code ? 'true' : undefined}>
              {name} {title}
            </dt>
            <dd>{renderInlineCode(why)}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}

/** Code stands between backticks. */
const renderInlineCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))
