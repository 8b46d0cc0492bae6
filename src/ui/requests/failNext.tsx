import { useState } from 'preact/hooks'
import type { Fault, FaultView } from '../../testing/faults/faults.ts'
import type { RecordedCall } from '../../testing/journal/recordedCall.ts'
import { control } from '../client.ts'
import { EffectChoice, effectOf, FIRST } from '../faults/effectChoice.tsx'
import { changed } from '../live.ts'
import { Fields } from '../parts/fields.tsx'
import { tell } from '../parts/toasts.tsx'
import { go } from '../route.ts'

/** Whom a fault is to meet: requests like this one, in what makes it this one and not another. */
function like({ method, account, params: { calendarId, eventId } }: RecordedCall): Omit<Fault, 'do'> {
  return {
    on: method,
    ...(account !== undefined && { account }),
    ...(typeof calendarId === 'string' && { calendarId }),
    ...(typeof eventId === 'string' && { where: { params: { eventId } } }),
  }
}

/** Makes a fault that the next request of this kind meets. */
export function FailNext({ call }: { call: RecordedCall }) {
  const [effect, setEffect] = useState(FIRST)
  const [times, setTimes] = useState(1)
  const whom = like(call)
  const add = async () => {
    const body = { ...whom, ...(times > 1 && { times }), do: effectOf(effect) }
    const { data, made } = await control<FaultView>('POST', '/faults', { body })
    const undo = { title: 'Show the faults', act: () => go({ panel: 'world', item: 'faults' }) }
    tell({ text: `${data.id}: the next ${times > 1 ? `${times} ` : ''}${call.method} will fail`, made, undo })
    changed()
  }
  return (
    <details>
      <summary>Fail the next one like this</summary>
      <p class="hint">
        The next <code>{call.method}</code>
        {whom.account !== undefined && ` by ${whom.account}`}
        {whom.calendarId !== undefined && ` on the calendar ${whom.calendarId}`}
        {whom.where !== undefined && ` of the event ${String(whom.where.params?.eventId)}`} meets
      </p>
      <Fields label="Fail the next one like this" title="Fail it" act={add} primary>
        <EffectChoice value={effect} change={setEffect} />
        <label>
          How often
          <input
            type="number"
            min={1}
            value={times}
            onInput={({ currentTarget }) => setTimes(Math.max(1, Math.floor(currentTarget.valueAsNumber || 1)))}
          />
        </label>
      </Fields>
    </details>
  )
}
