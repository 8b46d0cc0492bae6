import { useState } from 'preact/hooks'
import { type AnyEffect, effectLabel } from '../../testing/faults/effects.ts'
import type { FaultView } from '../../testing/faults/faults.ts'
import { EffectChoice, effectOf, FIRST, known } from '../faults/effectChoice.tsx'
import { overview } from '../overview.ts'
import { Button } from '../parts/button.tsx'
import { Field, Fields, numberIn } from '../parts/fields.tsx'
import { Shown } from '../parts/shown.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { steer } from '../steer.ts'
import { Part } from './part.tsx'
import { useWatched } from './watching.ts'

/** What fails on cue, and how often it was met. */
export function FaultsPart() {
  const read = useWatched<{ faults: FaultView[] }>('/faults')
  const none = read.data?.faults.length === 0
  const verify = () =>
    steer<{ faults: number }>('GET', '/faults/verify', ({ faults }) =>
      faults === 1 ? 'The fault fired as often as it was to' : `All ${faults} faults fired as often as they were to`,
    )
  const clear = () =>
    steer<{ cleared: number }>(
      'DELETE',
      '/faults',
      ({ cleared }) => `Took ${cleared} ${cleared === 1 ? 'fault' : 'faults'} away`,
    )
  return (
    <Part id="faults" title="Faults" wide>
      <Shown read={read}>
        {({ faults }) => (
          <Table
            caption="What fails on cue"
            rows={faults}
            keyOf={({ id }) => id}
            none="Nothing is to fail."
            columns={COLUMNS}
          />
        )}
      </Shown>
      <div class="actions">
        <Button disabled={none} act={verify}>
          Verify
        </Button>
        <Button
          disabled={none}
          act={clear}
          confirm="Clear the faults? All are taken away, with what they have counted."
        >
          Clear
        </Button>
      </div>
      <AddFault />
    </Part>
  )
}

const effectsOf = ({ do: effects }: FaultView): string =>
  ([effects].flat() as AnyEffect[]).map(effectLabel).join(', then ')

/** Whose requests it meets, beside their method. */
function whose({ account, calendarId, where }: FaultView): string {
  const parts = [account, calendarId, where && JSON.stringify(where)]
  return parts.filter((part) => part !== undefined).join(', ') || 'anybody'
}

/** How often it fires, in words. */
function often({ times, do: effects, skip, every, probability, optional }: FaultView): string {
  const count = times ?? [effects].flat().length
  const parts = [
    count === 'always' ? 'always' : count === 1 ? 'once' : `${count} times`,
    skip !== undefined && `after ${skip}`,
    every !== undefined && `each ${every}.`,
    probability !== undefined && `by a chance of ${probability}`,
    optional && 'if at all',
  ]
  return parts.filter(Boolean).join(', ')
}

const COLUMNS: readonly Column<FaultView>[] = [
  { title: 'Fault', cell: ({ id }) => <span class="id">{id}</span> },
  { title: 'On', cell: ({ on }) => [on].flat().join(', ') },
  { title: 'Whose', cell: whose },
  { title: 'What happens', cell: effectsOf },
  { title: 'How often', cell: often },
  { title: 'Matched', number: true, cell: ({ matched }) => matched },
  { title: 'Fired', number: true, cell: ({ fired }) => fired },
  {
    title: 'Away',
    cell: ({ id }) => (
      <Button
        label={`Remove ${id}`}
        act={() => steer('DELETE', `/faults/${encodeURIComponent(id)}`, `Took ${id} away`)}
      >
        Remove
      </Button>
    ),
  },
]

const NEW = { on: '', account: '', calendarId: '', times: '', skip: '', every: '', probability: '' }

/** A fault of one's own. */
function AddFault() {
  const [said, setSaid] = useState(NEW)
  const [effect, setEffect] = useState(FIRST)
  const text = (name: keyof typeof NEW) => ({
    value: said[name],
    change: (value: string) => setSaid({ ...said, [name]: value }),
  })
  const add = async () => {
    const on = said.on.split(',').map((name) => name.trim())
    await steer<FaultView>('POST', '/faults', ({ id }) => `Added ${id}`, {
      on: on.length === 1 ? on[0] : on,
      account: said.account || undefined,
      calendarId: said.calendarId.trim() || undefined,
      times: numberIn(said.times),
      skip: numberIn(said.skip),
      every: numberIn(said.every),
      probability: numberIn(said.probability),
      do: effectOf(effect),
    })
    setSaid(NEW)
  }
  return (
    <details>
      <summary>Add a fault</summary>
      <Fields label="Add a fault" title="Add" act={add} primary>
        <Field label="On" {...text('on')} list="targets" placeholder="events.insert" required />
        <datalist id="targets">
          {known.value?.targets.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <EffectChoice value={effect} change={setEffect} />
        <label>
          Account
          <select value={said.account} onChange={({ currentTarget }) => text('account').change(currentTarget.value)}>
            <option value="">Anybody</option>
            {overview.value?.accounts.map(({ email }) => (
              <option key={email} value={email}>
                {email}
              </option>
            ))}
          </select>
        </label>
        <Field label="Calendar" {...text('calendarId')} placeholder="any" />
        <Field label="How often" {...text('times')} placeholder="once, or always" size={12} />
        <Field label="Skip first" {...text('skip')} type="number" min={0} />
        <Field label="Only each" {...text('every')} type="number" min={1} />
        <Field label="Chance" {...text('probability')} type="number" min={0} step="any" placeholder="0 to 1" />
      </Fields>
    </details>
  )
}
