import { API_ERRORS, errorOfFault, formatEffect } from '../../api/shared.ts'
import type { AnyEffect, ClockState, Fault, FaultView } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { formatCount } from '../../formatCount.ts'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { useTicking } from '../../hooks/useTicking.ts'
import { Card, Cards, TableCard } from '../TableCard.tsx'
import { FaultForm } from './FaultForm.tsx'

export default function FaultsPanel() {
  const control = useControlAction()
  const query = useQuery<{ faults: FaultView[] }>('/faults', { everyCall: true })
  return (
    <Cards>
      <Card title="Presets">
        <div class="actions">
          {FAULT_PRESETS.map(({ title, fault }) => (
            <Button key={title} icon="zap" run={() => control('POST', '/faults', `Added: ${title}`, fault)}>
              {title}
            </Button>
          ))}
        </div>
      </Card>
      <Card title="Add a fault">
        <FaultForm />
      </Card>
      <QueryView query={query}>{({ faults }) => <FaultTable faults={faults} />}</QueryView>
    </Cards>
  )
}

/** Active faults first. */
function FaultTable({ faults }: { faults: readonly FaultView[] }) {
  const control = useControlAction()
  const removeAll = () =>
    control<{ cleared: number }>('DELETE', '/faults', ({ cleared }) => `Removed ${formatCount(cleared, 'fault')}`)
  return (
    <TableCard
      title="Faults"
      rows={[...faults].sort((a, b) => Number(a.spent) - Number(b.spent))}
      keyOf={({ id }) => id}
      empty="No faults. Requests succeed."
      columns={[
        { title: 'Fault', cell: ({ id }) => id },
        { title: 'State', cell: ({ spent }) => (spent ? 'spent' : 'active') },
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
      ]}
      actions={({ id }) => [
        {
          ...{ title: 'Remove', icon: 'trash', rank: 'quiet' },
          run: () => control('DELETE', `/faults/${encodeURIComponent(id)}`, `Removed ${id}`),
        },
      ]}
    >
      <div class="actions">
        <Button disabled={faults.length === 0} confirm="Remove all faults? Their counts are lost." run={removeAll}>
          Remove all
        </Button>
      </div>
    </TableCard>
  )
}

/** Each effect fires once if there is no `times`. */
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

/** The time left by the world's clock. */
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

export const FAULT_PRESETS: readonly { title: string; fault: Fault }[] = [
  {
    title: 'Lose the next insert response',
    fault: { on: 'events.insert', do: { answerLost: true } },
  },
  {
    title: 'Next sync is 410',
    fault: { on: '*', where: { params: { syncToken: { matches: '.' } } }, do: { fail: 'fullSyncRequired' } },
  },
  {
    title: '429 for a minute',
    fault: {
      ...{ on: '*', times: 'always', for: '1m', optional: true },
      do: { fail: 'rateLimitExceeded', status: 429, retryAfter: 60 },
    },
  },
  {
    title: '503 twice',
    fault: { on: '*', times: 2, do: { fail: 'backendError503' } },
  },
]
