import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import { baseUrl } from '../../api/baseUrl.ts'
import { callControl, callService, type SentRequest, toQueryString } from '../../api/client.ts'
import { type RequestError, toRequestError } from '../../api/errors.ts'
import type { HistoricChange, RecordedCall } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Icon } from '../../components/Icon.tsx'
import { JsonTree } from '../../components/JsonTree.tsx'
import { StatusPill } from '../../components/StatusPill.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { navigate } from '../../route.ts'
import { useSession } from '../../session.ts'
import { showToast } from '../../toast.ts'
import { CopyRequest, REDACTED } from './CopyRequest.tsx'
import { type Filter, NO_FILTER } from './filter.ts'
import { Hints } from './Hints.tsx'
import styles from './RequestDetails.module.css'
import { focusRow, NARROW_PX } from './RequestList.tsx'

type Props = {
  n: number
  call: RecordedCall | undefined
  isLoading: boolean
  setFilter(filter: Filter): void
}

/** On a narrow page it takes the place of the list, and gets the focus. */
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
      {call && <RequestContent key={n} call={call} setFilter={setFilter} />}
      {!call && !isLoading && <p class="muted">This request is not in the journal.</p>}
    </section>
  )
}

/** The journal records path parameters together with those of the query. */
const PATH_PARAMS = new Set(['calendarId', 'eventId', 'ruleId', 'setting'])

/** The account's address is its token. Of a tool call the journal has the arguments, of which its message is made. */
function toSentRequest({ method, verb, path, params, body, account, world }: RecordedCall): SentRequest {
  const query = Object.fromEntries(Object.entries(params).filter(([name]) => !PATH_PARAMS.has(name)))
  const [, name] = /^mcp\.(.+)/.exec(method) ?? []
  return {
    ...{ method, verb, url: `${baseUrl(world)}${path}${toQueryString(query)}` },
    body: name ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: body } } : body,
    headers: {
      ...(account !== undefined && { Authorization: `Bearer ${account}` }),
      ...(name && { Accept: 'application/json, text/event-stream' }),
    },
  }
}

/** Requests with redacted or truncated parts, and requests outside of the API, cannot be sent again. */
function RequestContent({ call, setFilter }: { call: RecordedCall; setFilter(filter: Filter): void }) {
  const session = useSession()
  const format = useTimeFormat()
  const { n, at, ms, account, client, verb, path, status, reason, params, body, response } = call
  const { hints, fault, batch, toolCall, cut } = call
  const sent = toSentRequest(call)
  const isReplayable = path.startsWith('/calendar/v3/') && !JSON.stringify([params, body]).includes(REDACTED) && !cut
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
      {(reason !== undefined || (status ?? 0) >= 400) && <FailureNotice call={call} />}
      {fault !== undefined && (
        <p class={styles.fault}>
          <Icon name="zap" /> Caused by <strong>{fault}</strong>.{' '}
          <button type="button" class="link" onClick={() => navigate({ panel: 'faults', item: '' })}>
            Show the faults
          </button>
        </p>
      )}
      {status === undefined && <LostWrite n={n} />}
      {hints.length > 0 && <Hints n={n} hints={hints} />}
      <dl class={styles.facts}>
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
        {toolCall !== undefined && (
          <>
            <dt>Tool call</dt>
            <dd>
              <button
                type="button"
                class="link"
                onClick={() => navigate({ item: String(toolCall) }, { replace: true })}
              >
                Show request {toolCall}
              </button>
            </dd>
          </>
        )}
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
          <span class="muted">
            Cannot be replayed: it has redacted or truncated parts, or is not a request to the API.
          </span>
        )}
      </div>
      {cut && <p class="muted">The body was too long to record. Its beginning is shown as text.</p>}
      <div class={styles.sides}>
        <div>
          <h3>Request</h3>
          <JsonPart title="Headers" value={undefinedIfEmpty(sent.headers)} />
          <JsonPart title="Parameters" value={undefinedIfEmpty(params)} />
          <JsonPart title="Body" value={body} />
        </div>
        <div>
          <h3>Response</h3>
          <JsonPart title="Response body" value={response} />
        </div>
      </div>
      <CopyRequest call={call} sent={sent} />
    </>
  )
}

/** Shows if a request without a response was carried out. */
function LostWrite({ n }: { n: number }) {
  const { data } = useLoader(`changes of ${n}`, async (signal) => {
    const { data: page } = await callControl<{ changes: HistoricChange[] }>('GET', '/changes', { signal })
    return page.changes.filter(({ call, kind }) => call === n && kind === 'event')
  })
  if (!data) return null
  if (data.length === 0) return <p>No response arrived, and nothing was written.</p>
  return (
    <p>
      No response arrived, but the request was carried out.{' '}
      {data.map(({ calendarId, id }) => (
        <button
          key={`${calendarId}/${id}`}
          type="button"
          class="link"
          onClick={() => navigate({ panel: 'calendar', account: calendarId ?? '', item: `${calendarId}/${id}` })}
        >
          Open the event on {calendarId}
        </button>
      ))}
    </p>
  )
}

const undefinedIfEmpty = (value: object): object | undefined => (Object.keys(value).length > 0 ? value : undefined)

type ErrorBody = { error?: string | { message?: string }; result?: { content?: { text?: string }[] } }

function FailureNotice({ call: { status, reason, response } }: { call: RecordedCall }) {
  const { error, result } = (typeof response === 'object' && response !== null ? response : {}) as ErrorBody
  const message = (typeof error === 'object' ? error.message : error) ?? result?.content?.[0]?.text
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

function JsonPart({ title, value }: { title: string; value: unknown }) {
  return (
    <>
      <h4>{title}</h4>
      {value === undefined ? <p class="muted">None</p> : <JsonTree value={value} label={title} />}
    </>
  )
}
