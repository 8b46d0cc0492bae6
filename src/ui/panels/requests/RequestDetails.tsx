import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import { baseUrl } from '../../api/baseUrl.ts'
import { callService, type SentRequest, toQueryString } from '../../api/client.ts'
import { type RequestError, toRequestError } from '../../api/errors.ts'
import type { RecordedCall } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Icon } from '../../components/Icon.tsx'
import { JsonTree } from '../../components/JsonTree.tsx'
import { StatusPill } from '../../components/StatusPill.tsx'
import { navigate } from '../../route.ts'
import { useSession } from '../../session.ts'
import { showToast } from '../../toast.ts'
import { CopyRequest } from './CopyRequest.tsx'
import { type Filter, NO_FILTER } from './filter.ts'
import { Hints } from './Hints.tsx'
import styles from './RequestDetails.module.css'
import { focusRow, NARROW_PX } from './RequestList.tsx'

type Props = { n: number; call: RecordedCall | undefined; isLoading: boolean; setFilter(filter: Filter): void }

/** A request and its response. */
export function RequestDetails({ n, call, isLoading, setFilter }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (innerWidth <= NARROW_PX) heading.current?.focus()
  }, [])
  const close = () => {
    navigate({ item: '' })
    requestAnimationFrame(() => focusRow(n))
  }
  return (
    <section class={`card ${styles.details}`} aria-label={`Request ${n}`}>
      <header>
        <h2 tabIndex={-1} ref={heading}>
          {call ? `${n}: ${call.method}` : `Request ${n}`}
        </h2>
        <button type="button" class="quiet" onClick={close}>
          <Icon name="left" /> Back to the list
        </button>
      </header>
      {call && <Loaded key={n} call={call} setFilter={setFilter} />}
      {!call && !isLoading && <p class="muted">It is not in the journal, or no longer.</p>}
    </section>
  )
}

const HIDDEN = '[redacted]'
const PATH_PARAMS = new Set(['calendarId', 'eventId', 'ruleId', 'setting'])

/** Returns a recorded request as it can be sent again. Parameters of the path are already in the path. */
export function toSentRequest({ method, verb, path, params, body, account, world }: RecordedCall): SentRequest {
  const query = Object.fromEntries(Object.entries(params).filter(([name]) => !PATH_PARAMS.has(name)))
  return {
    ...{ method, verb, body, url: `${baseUrl(world)}${path}${toQueryString(query)}` },
    headers: account === undefined ? {} : { Authorization: `Bearer ${account}` },
  }
}

function Loaded({ call, setFilter }: { call: RecordedCall; setFilter(filter: Filter): void }) {
  const session = useSession()
  const format = useTimeFormat()
  const { n, at, ms, account, client, verb, path, status, reason, params, body, response, hints, fault, batch, cut } =
    call
  const sent = toSentRequest(call)
  const isReplayable = path.startsWith('/calendar/v3/') && !JSON.stringify([params, body]).includes(HIDDEN) && !cut
  const replay = async () => {
    const query = Object.fromEntries(Object.entries(params).filter(([name]) => !PATH_PARAMS.has(name)))
    const request = { method: call.method, verb, path: path.slice('/calendar/v3'.length), query, body, marked: false }
    let error: RequestError | undefined
    await callService({ ...request, ...(account !== undefined && { account }) }).catch((thrown) => {
      error = toRequestError(thrown)
    })
    showToast(session, { text: `Replayed request ${n}`, sent, error })
  }
  const facts: [string, ComponentChildren][] = [
    ['Account', account ?? 'none'],
    ...(client === undefined ? [] : [['Client', client] as [string, string]]),
    ['Time', `${format.clock(at)}, ${ms.toFixed(1)} ms`],
  ]
  return (
    <>
      <p class={styles.line}>
        <StatusPill status={status} /> <strong>{verb}</strong> <code>{path}</code>
      </p>
      {(reason !== undefined || (status ?? 0) >= 400) && <Failure call={call} />}
      {fault !== undefined && (
        <p class={styles.fault}>
          <Icon name="zap" /> Caused by <strong>{fault}</strong>.{' '}
          <button type="button" class="link" onClick={() => navigate({ panel: 'faults', item: '' })}>
            Show the faults
          </button>
        </p>
      )}
      {hints.length > 0 && <Hints n={n} hints={hints} />}
      <dl class={styles.facts}>
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
        {batch !== undefined && (
          <>
            <dt>Batch</dt>
            <dd>
              {call.method === 'batch' ? 'All of' : 'Part of'} batch {batch}.{' '}
              <button type="button" class="link" onClick={() => setFilter({ ...NO_FILTER, batch: String(batch) })}>
                Show batch {batch}
              </button>
            </dd>
          </>
        )}
      </dl>
      <div class={`actions ${styles.actions}`}>
        <Button icon="replay" disabled={!isReplayable} run={replay}>
          Replay
        </Button>
        {!isReplayable && (
          <span class="muted">It cannot be replayed: parts of it are hidden, cut, or not of the API.</span>
        )}
      </div>
      {cut && <p class="muted">It was too long to be kept whole. Its beginning is shown as text.</p>}
      <div class={styles.sides}>
        <div>
          <h3>Request</h3>
          <Part title="Headers" value={nonEmpty(sent.headers)} />
          <Part title="Parameters" value={nonEmpty(params)} />
          <Part title="Body" value={body} />
        </div>
        <div>
          <h3>Response</h3>
          <Part title="Response body" value={response} />
        </div>
      </div>
      <CopyRequest call={call} sent={sent} />
    </>
  )
}

const nonEmpty = (value: object): object | undefined => (Object.keys(value).length > 0 ? value : undefined)

/** The reason of the failure, in the words of the service. */
function Failure({ call: { status, reason, response } }: { call: RecordedCall }) {
  const { error } = (typeof response === 'object' && response !== null ? response : {}) as {
    error?: string | { message?: string }
  }
  const message = typeof error === 'object' ? error.message : error
  return (
    <p class={styles.failure}>
      <Icon name="warning" />{' '}
      <span>
        <strong>Failed{status === undefined ? '' : ` with ${status}`}:</strong> {message ?? 'no response'}{' '}
        {reason && <code>{reason}</code>}
      </span>
    </p>
  )
}

function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <>
      <h4>{title}</h4>
      {value === undefined ? <p class="muted">None</p> : <JsonTree value={value} label={title} />}
    </>
  )
}
