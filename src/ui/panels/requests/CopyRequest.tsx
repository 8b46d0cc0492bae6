import { useState } from 'preact/hooks'
import { baseUrl } from '../../api/baseUrl.ts'
import { callControl, controlHeaders, type SentRequest } from '../../api/client.ts'
import { codeSnippets, type Snippet, toCurl, toJsLiteral, toJsString } from '../../api/codeSnippets.ts'
import type { Fault, RecordedCall } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { CopyableText } from '../../components/CopyButton.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { EffectForm } from '../faults/EffectForm.tsx'
import styles from './RequestDetails.module.css'

/** The journal records it in place of a secret. */
export const REDACTED = '[redacted]'

const TABS = { request: 'Code', fault: 'Fault', verify: 'Verification' } as const

/** `sent` is the same request as it can be sent again. */
export function CopyRequest({ call, sent }: { call: RecordedCall; sent: SentRequest }) {
  const [tab, setTab] = useState<keyof typeof TABS>('request')
  return (
    <section class={styles.copy} aria-label="Copy as">
      <Tabs label="Copy as" tabs={TABS} selected={tab} select={(name) => setTab(name)}>
        {tab === 'request' && codeSnippets(sent).map((snippet) => <CopyableText key={snippet.name} {...snippet} />)}
        {tab === 'fault' && <FaultTab call={call} />}
        {tab === 'verify' && <VerifyTab call={call} />}
      </Tabs>
    </section>
  )
}

function FaultTab({ call }: { call: RecordedCall }) {
  const target = toFaultTarget(call)
  const { on, account, calendarId, where } = target
  const fault = { ...target, do: { fail: 'backendError503' } }
  return (
    <>
      <p>
        The next <code>{on}</code>
        {account !== undefined && ` of ${account}`}
        {calendarId !== undefined && ` on the calendar ${calendarId}`}
        {where !== undefined && ` for the event ${String(where.params?.eventId)}`}:
      </p>
      <EffectForm target={target} label="Fail the next request like this" submit="Add fault" />
      <CopyableText name="In process" text={`fake.faults.add(${toJsLiteral(fault)})`} />
    </>
  )
}

function VerifyTab({ call }: { call: RecordedCall }) {
  const [result, setResult] = useState('')
  const expected = toExpectation(call)
  const check = async () => {
    setResult('')
    const { data } = await callControl<{ calls: { n: number }[] }>('POST', '/calls/verify', { body: expected })
    setResult(`Passes: requests ${data.calls.map(({ n }) => n).join(', ')}`)
  }
  return (
    <>
      {verificationSnippets(call, expected).map((snippet) => (
        <CopyableText key={snippet.name} {...snippet} />
      ))}
      <div class="actions">
        <Button run={check}>Check now</Button>
        <span role="status">{result}</span>
      </div>
    </>
  )
}

function verificationSnippets({ world }: RecordedCall, expected: ReturnType<typeof toExpectation>): Snippet[] {
  const { method, where, account } = expected
  const options = account === undefined ? '' : `, { account: ${toJsString(account)} }`
  const url = `${baseUrl(world)}/_control/calls/verify`
  const sent = { method: 'POST /_control/calls/verify', verb: 'POST', url, headers: controlHeaders(), body: expected }
  return [
    { name: 'In process', text: `fake.calls.verify(${toJsString(method)}, ${toJsLiteral(where)}${options})` },
    { name: 'curl', text: toCurl(sent) },
  ]
}

function toFaultTarget({ method, account, params }: RecordedCall): Omit<Fault, 'do'> {
  const { calendarId, eventId } = params
  return {
    on: method,
    ...(account !== undefined && { account }),
    ...(typeof calendarId === 'string' && { calendarId }),
    ...(typeof eventId === 'string' && { where: { params: { eventId } } }),
  }
}

type Expectation = { method: string; where: Record<string, unknown>; account?: string | undefined }

/** Redacted values are left out, and so is a truncated body. */
function toExpectation({ method, params, body, status, account, cut }: RecordedCall): Expectation {
  const parts = Object.entries({ params: omitRedacted(params), body: cut ? undefined : omitRedacted(body), status })
  const where = Object.fromEntries(parts.filter(([, value]) => value !== undefined && !isEmptyObject(value)))
  return { method, where, account }
}

/** False for an empty array. */
const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0

/** Leaves out, at any depth, texts that contain a redacted secret. */
function omitRedacted(value: unknown): unknown {
  if (typeof value === 'string') return value.includes(REDACTED) ? undefined : value
  if (Array.isArray(value)) return value.map(omitRedacted).filter((one) => one !== undefined)
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.entries(value).map(([name, part]) => [name, omitRedacted(part)] as const)
  return Object.fromEntries(parts.filter(([, part]) => part !== undefined))
}
