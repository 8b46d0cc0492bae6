import { useTimeFormat } from '../../account.ts'
import { callControl, callService, type Request, type SentRequest, toQueryString } from '../../api/client.ts'
import { toCurl } from '../../api/curl.ts'
import { RequestError } from '../../api/errors.ts'
import type { Hint, HistoricChange, RecordedCall } from '../../api/types.ts'
import { baseUrl } from '../../baseUrl.ts'
import { Button } from '../../components/Button.tsx'
import { CopyableText } from '../../components/CopyableText.tsx'
import { ErrorNotice } from '../../components/ErrorNotice.tsx'
import { Facts } from '../../components/Facts.tsx'
import { JsonText } from '../../components/JsonText.tsx'
import { Link } from '../../components/Link.tsx'
import { StatusPill } from '../../components/StatusPill.tsx'
import { useLoader } from '../../hooks/useQuery.ts'
import { navigate } from '../../route.ts'
import { useSession } from '../../session.ts'
import { showToast } from '../../toast.ts'
import { OpenItem } from '../ItemList.tsx'
import styles from './RequestsPanel.module.css'

export const RequestDetails = ({ n, call }: { n: number; call: RecordedCall | undefined }) => (
  <OpenItem label={`Request ${n}`} title={call ? `${n}: ${call.method}` : `Request ${n}`}>
    {call ? <RequestContent call={call} /> : <p class="muted">This request is not in the journal.</p>}
  </OpenItem>
)

/** The journal records path parameters together with those of the query. */
const PATH_PARAMS = new Set(['calendarId', 'eventId', 'ruleId', 'setting'])
const queryOf = ({ params }: RecordedCall) =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !PATH_PARAMS.has(name)))

/** The account's address is its token. Of a tool call the journal has the arguments, of which its message is made. */
function toRepeatedRequest(call: RecordedCall): SentRequest {
  const { method, verb, path, body, account, world } = call
  const [, name] = /^mcp\.(.+)/.exec(method) ?? []
  return {
    ...{ method, verb, url: `${baseUrl(world)}${path}${toQueryString(queryOf(call))}` },
    body: name ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: body } } : body,
    headers: {
      ...(account !== undefined && { Authorization: `Bearer ${account}` }),
      ...(name && { Accept: 'application/json, text/event-stream' }),
    },
  }
}

function RequestContent({ call }: { call: RecordedCall }) {
  const format = useTimeFormat()
  const { n, at, ms, account, client, verb, path, status, params, body, response } = call
  const { hints, fault, batch, toolCall, cut } = call
  return (
    <>
      <p>
        <StatusPill status={status} /> <strong>{verb}</strong> <code>{path}</code>
      </p>
      <Failure call={call} />
      {fault !== undefined && (
        <p>
          Caused by <strong>{fault}</strong>. <Link to={{ panel: 'faults', item: '' }}>Show the faults</Link>
        </p>
      )}
      {status === undefined && <LostWrite n={n} />}
      {hints.length > 0 && <Hints hints={hints} />}
      <Facts
        facts={{
          Account: account ?? 'none',
          Client: client,
          Time: `${format.clock(at)}, ${ms.toFixed(1)} ms`,
          Batch: batch,
          'Tool call': toolCall !== undefined && (
            <button type="button" class="link" onClick={() => navigate({ item: String(toolCall) }, { replace: true })}>
              Show request {toolCall}
            </button>
          ),
        }}
      />
      {cut && <p class="muted">The body was too long to record. Its beginning is shown as text.</p>}
      <JsonPart title="Parameters" value={Object.keys(params).length > 0 ? params : undefined} />
      <JsonPart title="Body" value={body} />
      <JsonPart title="Response body" value={response} />
      <h3>Send it again</h3>
      {RESENDABLE.test(path) && <SendAgain call={call} />}
      <CopyableText name="curl" text={toCurl(toRepeatedRequest(call))} />
    </>
  )
}

/** Other requests, such as those for tokens, need what the journal does not record. */
const RESENDABLE = /^\/calendar\/v3(?=\/)/

/** Sends it as its account, by the right of the page. */
function SendAgain({ call }: { call: RecordedCall }) {
  const session = useSession()
  const { method, verb, path, body, account, world } = call
  const send = async () => {
    const query = queryOf(call) as Request['query']
    const request = { method, verb, path: path.replace(RESENDABLE, ''), query, body, account, world } as Request
    const { sent } = await callService(request)
    showToast(session, { text: `Sent ${method} again`, sent })
    session.reportChange()
  }
  return (
    <div class="actions">
      <Button run={send}>Send</Button>
    </div>
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
        <Link
          key={`${calendarId}/${id}`}
          to={{ panel: 'calendar', account: calendarId ?? '', item: `${calendarId}/${id}` }}
        >
          Open the event on {calendarId}
        </Link>
      ))}
    </p>
  )
}

type ErrorBody = { error?: string | { message?: string }; result?: { content?: { text?: string }[] } }

function Failure({ call: { status = 0, reason, response } }: { call: RecordedCall }) {
  if (reason === undefined && status < 400) return null
  const { error, result } = (typeof response === 'object' && response !== null ? response : {}) as ErrorBody
  const message = (typeof error === 'object' ? error.message : error) ?? result?.content?.[0]?.text
  return <ErrorNotice error={new RequestError(message ?? 'No response', { status, reason })} />
}

const JsonPart = ({ title, value }: { title: string; value: unknown }) => (
  <>
    <h3>{title}</h3>
    {value === undefined ? <p class="muted">None</p> : <JsonText value={value} label={title} />}
  </>
)

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
