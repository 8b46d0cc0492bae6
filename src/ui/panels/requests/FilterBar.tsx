import { addressOf, matchesMethod } from '../../api/shared.ts'
import type { RecordedCall } from '../../api/types.ts'
import { Checkbox, Field, Select } from '../../components/Form.tsx'
import { useSession } from '../../session.ts'
import styles from './RequestsPanel.module.css'

/** An empty value does not filter. Methods are `events.insert` or `events.*`, separated by commas. */
export type Filter = { method: string; account: string; status: string; text: string; isOwnShown: boolean }

export const NO_FILTER: Filter = { method: '', account: '', status: '', text: '', isOwnShown: false }

/** The digits with which a status begins, or another property of a request. */
const STATUS_FILTERS = [
  ['', 'All'],
  ['2', '2xx'],
  ['3', '3xx'],
  ['4', '4xx'],
  ['5', '5xx'],
  ['none', 'No response'],
  ['hint', 'Hints'],
  ['fault', 'Faults'],
] as const

function matchesStatus({ hints, fault, status }: RecordedCall, filter: string): boolean {
  if (filter === 'hint') return hints.length > 0
  if (filter === 'fault') return fault !== undefined
  return String(status ?? 'none').startsWith(filter)
}

/** Texts match in any case, in all that the journal has of a request. */
export function filterCalls(calls: readonly RecordedCall[], filter: Filter): RecordedCall[] {
  const { account, status, isOwnShown } = filter
  const methods = filter.method.split(',').flatMap((name) => name.trim() || [])
  const text = filter.text.trim().toLowerCase()
  return calls.filter(
    (call) =>
      (isOwnShown || !call.inspector) &&
      (methods.length === 0 || matchesMethod(methods, call.method)) &&
      (account === '' || addressOf(call.account ?? '') === addressOf(account)) &&
      matchesStatus(call, status) &&
      (text === '' || JSON.stringify(call).toLowerCase().includes(text)),
  )
}

type Props = { calls: readonly RecordedCall[]; filter: Filter; change(filter: Filter): void }

export function FilterBar({ calls, filter, change }: Props) {
  const { overview } = useSession()
  const set = (name: keyof Filter) => (value: string | boolean) => change({ ...filter, [name]: value })
  const methods = [...new Set(calls.map((call) => call.method))].sort()
  const resources = new Set(methods.filter((name) => name.includes('.')).map((name) => name.replace(/\.\w+$/, '.*')))
  const emails = new Set([
    ...(overview.value?.accounts ?? []).map(({ email }) => email),
    ...calls.flatMap((call) => call.account ?? []),
  ])
  return (
    <search class={styles.filters} aria-label="Filter requests">
      <Select label="Status" value={filter.status} change={set('status')} options={STATUS_FILTERS} />
      <Field label="Method" list="methods" placeholder="events.*" value={filter.method} change={set('method')} />
      <datalist id="methods">
        {[...resources, ...methods].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Select
        label="Account"
        value={filter.account}
        change={set('account')}
        options={[['', 'All accounts'], ...[...emails].map((email) => [email, email] as const)]}
      />
      <Field label="Text" type="search" placeholder="standup" value={filter.text} change={set('text')} />
      <Checkbox
        label={`Inspector's requests (${calls.filter(({ inspector }) => inspector).length})`}
        checked={filter.isOwnShown}
        change={set('isOwnShown')}
      />
    </search>
  )
}
