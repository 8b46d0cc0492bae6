import { HINTS } from '../../hints/table.ts'
import type { CallHint } from '../../rig/recorded.ts'
import { go } from '../route.ts'

/** What would have helped whoever wrote a request. */
export function Hints({ hints }: { hints: readonly CallHint[] }) {
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
          <button type="button" onClick={() => go({ item: code })}>
            {code} in the docs
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Every hint that there is, as docs/hints.md has them, and among them the one that was asked for. */
export function HintPage({ code }: { code: string }) {
  return (
    <article class="hintPage" aria-label="Hints">
      <button type="button" onClick={() => history.back()}>
        Back to the requests
      </button>
      <h2>Hints</h2>
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
            <dd>{why}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}
