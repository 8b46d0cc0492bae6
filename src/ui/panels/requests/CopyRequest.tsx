import { useState } from 'preact/hooks'
import { baseUrl } from '../../api/baseUrl.ts'
import { callControl, controlHeaders, type SentRequest } from '../../api/client.ts'
import { codeSnippets, type Snippet, toCurl, toJsLiteral, toJsString } from '../../api/codeSnippets.ts'
import type { RecordedCall } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { CopyableText } from '../../components/CopyButton.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { EffectForm } from '../faults/EffectForm.tsx'
import { expectationOf } from './expectation.ts'
import styles from './RequestDetails.module.css'
import { similarRequests } from './similarRequests.ts'

const TABS = { request: 'Code', fault: 'Fault', verify: 'Verification' } as const

/** The request as code: to send it again, to make the next one fail, and to verify it in a test. */
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

/** Makes the next request like this one fail. */
function FaultTab({ call }: { call: RecordedCall }) {
  const target = similarRequests(call)
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

/** Code that verifies the request in a test, and the result of running it now. */
function VerifyTab({ call }: { call: RecordedCall }) {
  const [result, setResult] = useState('')
  const expected = expectationOf(call)
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

function verificationSnippets({ world }: RecordedCall, expected: ReturnType<typeof expectationOf>): Snippet[] {
  const { method, where, account } = expected
  const options = account === undefined ? '' : `, { account: ${toJsString(account)} }`
  const url = `${baseUrl(world)}/_control/calls/verify`
  const sent = { method: 'POST /_control/calls/verify', verb: 'POST', url, headers: controlHeaders(), body: expected }
  return [
    { name: 'In process', text: `fake.calls.verify(${toJsString(method)}, ${toJsLiteral(where)}${options})` },
    { name: 'curl', text: toCurl(sent) },
  ]
}
