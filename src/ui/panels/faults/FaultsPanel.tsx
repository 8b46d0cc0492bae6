import { useState } from 'preact/hooks'
import { API_ERRORS, errorOfFault, formatEffect } from '../../api/shared.ts'
import type { AnyEffect, ClockState, Fault, FaultView } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { Field, parseNumber, Select } from '../../components/Form.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { addPreset, FAULT_PRESETS } from '../../faultPresets.ts'
import { formatCount } from '../../formatCount.ts'
import { type ControlAction, useControlAction } from '../../hooks/useControlAction.ts'
import { useLoader, useQuery } from '../../hooks/useQuery.ts'
import { useTicking } from '../../hooks/useTicking.ts'
import { useSession } from '../../session.ts'
import { EffectCards, EffectForm, readFaultChoices } from './EffectForm.tsx'
import type { EffectKind } from './effects.ts'
import styles from './FaultsPanel.module.css'

export default function FaultsPanel() {
  const control = useControlAction()
  const query = useQuery<{ faults: FaultView[] }>('/faults', { everyCall: true })
  const isEmpty = (query.data?.faults.length ?? 0) === 0
  return (
    <div class={styles.panel}>
      <section class="card" aria-label="Presets">
        <h2>Presets</h2>
        <div class={styles.presets}>
          {FAULT_PRESETS.map((preset) => (
            <Button key={preset.title} icon="zap" title={preset.description} run={() => addPreset(control, preset)}>
              {preset.title}
            </Button>
          ))}
        </div>
      </section>
      <FaultWizard />
      <section class="card" aria-label="Active faults">
        <QueryView query={query}>{({ faults }) => <FaultTables faults={faults} />}</QueryView>
        <div class={`actions ${styles.actions}`}>
          <Button
            disabled={isEmpty}
            run={() =>
              control<{ faults: number }>('GET', '/faults/verify', ({ faults }) =>
                faults === 1
                  ? 'The fault fired as often as expected'
                  : `All ${faults} faults fired as often as expected`,
              )
            }
          >
            Verify
          </Button>
          <Button
            disabled={isEmpty}
            confirm="Remove all faults? Their counts are lost."
            run={() =>
              control<{ cleared: number }>(
                'DELETE',
                '/faults',
                ({ cleared }) => `Removed ${formatCount(cleared, 'fault')}`,
              )
            }
          >
            Remove all
          </Button>
        </div>
      </section>
    </div>
  )
}

const EMPTY_VALUES = { on: '', account: '', calendarId: '', times: '', skip: '', every: '', probability: '' }

function FaultWizard() {
  const { overview } = useSession()
  const { data } = useLoader('fault choices', readFaultChoices)
  const [kind, setKind] = useState<EffectKind>()
  const [values, setValues] = useState(EMPTY_VALUES)
  const field = (name: keyof typeof EMPTY_VALUES) => ({
    value: values[name],
    change: (value: string) => setValues({ ...values, [name]: value }),
  })
  const select = (selected: EffectKind) => {
    setKind(selected)
    setValues({ ...EMPTY_VALUES, on: selected.target })
  }
  const on = values.on.split(',').map((name) => name.trim())
  const target = {
    on: on.length === 1 ? (on[0] ?? '') : on,
    account: values.account || undefined,
    calendarId: values.calendarId.trim() || undefined,
    times: parseNumber(values.times),
    skip: parseNumber(values.skip),
    every: parseNumber(values.every),
    probability: parseNumber(values.probability),
  } as Omit<Fault, 'do'>
  return (
    <section class="card" aria-label="Add a fault">
      <h2>Add a fault</h2>
      <h3>1. What happens?</h3>
      <EffectCards selected={kind?.id ?? ''} select={select} />
      {kind && (
        <>
          <h3>2. To which requests?</h3>
          <EffectForm key={kind.id} label="Add a fault" submit="Add fault" target={target} kind={kind}>
            <Field label="Method" {...field('on')} list="fault-targets" placeholder="events.insert" required />
            <datalist id="fault-targets">
              {data?.targets.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
            <Select
              label="Account"
              {...field('account')}
              options={[
                ['', 'All accounts'],
                ...(overview.value?.accounts ?? []).map(({ email }) => [email, email] as const),
              ]}
            />
            <Field label="Calendar" {...field('calendarId')} placeholder="primary" />
            <Field label="Repeat" {...field('times')} placeholder="2, or always" size={10} />
            <Field label="Skip first" {...field('skip')} type="number" min={0} placeholder="0" />
            <Field label="Every nth" {...field('every')} type="number" min={1} placeholder="1" />
            <Field
              label="Probability"
              {...field('probability')}
              type="number"
              min={0}
              max={1}
              step="any"
              placeholder="1"
            />
          </EffectForm>
        </>
      )}
    </section>
  )
}

function FaultTables({ faults }: { faults: readonly FaultView[] }) {
  const table = { keyOf: ({ id }: FaultView) => id, columns: createFaultColumns(useControlAction()) }
  const spent = faults.filter(({ spent }) => spent)
  const active = faults.filter(({ spent }) => !spent)
  return (
    <>
      <Table caption="Active faults" rows={active} empty="No faults. Requests succeed." {...table} />
      {spent.length > 0 && <Table caption="Spent faults" rows={spent} {...table} />}
    </>
  )
}

/** Without `times`, each effect fires once. */
const limitOf = ({ times, do: effects }: FaultView): number | 'always' => times ?? [effects].flat().length

const formatEffects = (
  { do: effects }: FaultView,
  format: (effect: AnyEffect) => string | number | undefined,
): string => ([effects].flat() as AnyEffect[]).flatMap((effect) => format(effect) ?? []).join(', then ')

const statusOf = ({ status, fail }: AnyEffect): number | undefined =>
  status ?? (fail && API_ERRORS[errorOfFault(fail)].code)

/** `1h 5m` or `5m 30s` */
const formatDuration = (seconds: number): string =>
  seconds >= 3600
    ? `${Math.floor(seconds / 3600)}h ${Math.floor(seconds / 60) % 60}m`
    : `${Math.floor(seconds / 60)}m ${seconds % 60}s`

/** By the world's clock. */
function TimeLeft({ until }: { until: string }) {
  const { data } = useQuery<ClockState>('/clock')
  const now = useTicking(data ?? { mode: 'frozen', now: until })
  return data && <>{formatDuration(Math.max(0, Math.ceil((Date.parse(until) - Date.parse(now)) / 1000)))}</>
}

function formatCondition({ calendarId, where }: FaultView): string {
  return [calendarId, where && JSON.stringify(where)].filter((part) => part !== undefined).join(', ')
}

/** `2 times, after 1, optional` */
function formatRepeat(fault: FaultView): string {
  const { skip, every, probability, optional } = fault
  const count = limitOf(fault)
  const parts = [
    count === 'always' ? 'always' : count === 1 ? 'once' : `${count} times`,
    skip !== undefined && `after ${skip}`,
    every !== undefined && `every ${every}`,
    probability !== undefined && `probability ${probability}`,
    optional && 'optional',
  ]
  return parts.filter(Boolean).join(', ')
}

const createFaultColumns = (control: ControlAction): readonly Column<FaultView>[] => [
  { title: 'Fault', cell: ({ id }) => <span class={styles.id}>{id}</span> },
  { title: 'Method', cell: ({ on }) => [on].flat().join(', ') },
  { title: 'Account', cell: ({ account }) => account ?? 'All accounts' },
  { title: 'Condition', cell: formatCondition },
  { title: 'Effect', cell: (fault) => formatEffects(fault, formatEffect) },
  { title: 'Status', cell: (fault) => formatEffects(fault, statusOf) },
  { title: 'Retry-After', cell: (fault) => formatEffects(fault, ({ retryAfter }) => retryAfter) },
  { title: 'Repeat', cell: formatRepeat },
  { title: 'Time left', cell: ({ until }) => until && <TimeLeft until={until} /> },
  { title: 'Matched', number: true, cell: ({ matched }) => matched },
  { title: 'Fired', number: true, cell: ({ fired }) => fired },
  {
    title: 'Remove',
    actions: true,
    cell: ({ id }) => (
      <Button
        rank="quiet"
        icon="trash"
        label={`Remove ${id}`}
        run={() => control('DELETE', `/faults/${encodeURIComponent(id)}`, `Removed ${id}`)}
      />
    ),
  },
]
