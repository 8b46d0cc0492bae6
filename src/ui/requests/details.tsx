import { useEffect, useRef } from 'preact/hooks'
import type { RecordedCall } from '../../testing/journal/recordedCall.ts'
import { Json } from '../parts/json.tsx'
import { go } from '../route.ts'
import { ExpectThis } from './expectThis.tsx'
import { FailNext } from './failNext.tsx'
import { filter, NO_FILTER } from './filter.ts'
import { Hints } from './hints.tsx'
import { calls, reading } from './journal.ts'
import { focusRow, NARROW, Status } from './list.tsx'

/** One request, and what was answered. */
export function Details({ n }: { n: number }) {
  const call = calls.value.find((one) => one.n === n)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (innerWidth <= NARROW) heading.current?.focus()
  }, [])
  const close = () => {
    go({ item: '' })
    requestAnimationFrame(() => focusRow(n))
  }
  return (
    <section class="details" aria-label={`Request ${n}`}>
      <header>
        <h2 tabIndex={-1} ref={heading}>
          {call ? `${n}: ${call.method}` : `Request ${n}`}
        </h2>
        <button type="button" onClick={close}>
          Back to the list
        </button>
      </header>
      {call && <Whole key={n} call={call} />}
      {!call && !reading.value && <p class="none">It is not in the journal, or not any more.</p>}
    </section>
  )
}

function Whole({ call }: { call: RecordedCall }) {
  const { n, at, ms, account, client, verb, path, status, reason, params, body, response, hints, fault, batch, cut } =
    call
  const facts: [string, preact.ComponentChildren][] = [
    [
      'Status',
      <>
        <Status status={status} /> {reason && <code>{reason}</code>}
      </>,
    ],
    ['Account', account ?? 'nobody'],
    ...(client === undefined ? [] : [['Client', client] as [string, string]]),
    ['Answered', `${at}, after ${ms.toFixed(1)} ms`],
  ]
  return (
    <>
      <p class="line">
        <strong>{verb}</strong> <code>{path}</code>
      </p>
      <dl class="facts">
        {facts.map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
        {batch !== undefined && (
          <div>
            <dt>Batch</dt>
            <dd>
              {call.method === 'batch' ? 'the whole of' : 'part of'} batch {batch}{' '}
              <button type="button" onClick={() => (filter.value = { ...NO_FILTER, batch: String(batch) })}>
                Show batch {batch}
              </button>
            </dd>
          </div>
        )}
        {fault !== undefined && (
          <div>
            <dt>Fault</dt>
            <dd>
              It met <strong>{fault}</strong>{' '}
              <button type="button" onClick={() => go({ panel: 'world', item: 'faults' })}>
                Show the faults
              </button>
            </dd>
          </div>
        )}
      </dl>
      {hints.length > 0 && <Hints n={n} hints={hints} />}
      {cut && <p class="hint">It was too long to be kept whole: the beginning is here, as text.</p>}
      <Part title="Parameters" value={Object.keys(params).length > 0 ? params : undefined} />
      <Part title="Body" value={body} />
      <Part title="Answer" value={response} />
      <div class="steps">
        <FailNext key={n} call={call} />
        <ExpectThis call={call} />
      </div>
    </>
  )
}

/** Data that was said, or that there was none. */
function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <>
      <h3>{title}</h3>
      {value === undefined ? <p class="none">None</p> : <Json value={value} label={title} />}
    </>
  )
}
