import { useEffect, useRef } from 'preact/hooks'
import { HINTS } from '../../control/hints/table.ts'
import type { CallHint } from '../../testing/journal/recordedCall.ts'
import { go } from '../route.ts'

/** What would have helped whoever wrote a request. */
export function Hints({ n, hints }: { n: number; hints: readonly CallHint[] }) {
  return (
    <ul class="hints" aria-label="Hints">
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
          <button type="button" onClick={() => go({ item: `${n}/${code}` })}>
            {code} in the docs
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Every hint that there is, as docs/hints.md has them, and among them the one that was asked for. */
export function HintPage({ code, back }: { code: string; back: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <article class="hintPage" aria-label="Hints">
      <button type="button" onClick={() => go({ item: back })}>
        Back to the request
      </button>
      <h2 tabIndex={-1} ref={heading}>
        Hints
      </h2>
      <p>
        Where a request used what the service ignores or the fake simplifies, or failed in words that do not explain,
        the reply has a header <code>X-Fake-Calendar-Hint</code> beside what the service says.
      </p>
      <dl>
        {Object.entries(HINTS).map(([name, { title, why }]) => (
          <div
            key={name}
            class={name === code ? 'asked' : undefined}
            ref={name === code ? (element) => element?.scrollIntoView({ block: 'center' }) : undefined}
          >
            <dt aria-current={name === code ? 'true' : undefined}>
              {name} {title}
            </dt>
            <dd>{plain(why)}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}

/** Text of the docs, in which names of code stand between ticks. */
const plain = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))
