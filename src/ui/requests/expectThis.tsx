import { useState } from 'preact/hooks'
import type { RecordedCall } from '../../testing/journal/recordedCall.ts'
import { control } from '../client.ts'
import { Button } from '../parts/button.tsx'
import { Copied } from '../parts/copyLines.tsx'
import { world } from '../route.ts'
import { rootOf, TOKEN } from '../where.ts'
import { expectationLines, expectationOf } from './expectation.ts'

/** The lines of a test that expects such a request, and whether it would hold now. */
export function ExpectThis({ call }: { call: RecordedCall }) {
  const [held, setHeld] = useState('')
  const expected = expectationOf(call)
  const url = `${rootOf(world.value)}/_control/calls/verify`
  const headers: Record<string, string> = TOKEN === undefined ? {} : { 'X-Fake-Control-Token': TOKEN }
  const check = async () => {
    setHeld('')
    const { data } = await control<{ calls: { n: number }[] }>('POST', '/calls/verify', { body: expected })
    setHeld(`It holds: ${data.calls.map(({ n }) => n).join(', ')}`)
  }
  return (
    <details>
      <summary>Expect this</summary>
      <Copied lines={expectationLines(expected, { url, headers })} label="Lines that expect this request" />
      <div class="actions">
        <Button act={check}>Check it now</Button>
        <span role="status">{held}</span>
      </div>
    </details>
  )
}
