import type { RecordedCall } from '../../api/types.ts'
import { Checkbox, Field, Select } from '../../components/Form.tsx'
import { recordReads } from '../../preferences.ts'
import { useSession } from '../../session.ts'
import { type Filter, STATUS_FILTERS } from './filter.ts'
import styles from './RequestsPanel.module.css'

/** `change` gets the fields of the filter to replace. */
type Props = { calls: readonly RecordedCall[]; filter: Filter; change(part: Partial<Filter>): void }

export function FilterBar({ calls, filter, change }: Props) {
  const { overview } = useSession()
  const methods = [...new Set(calls.map((call) => call.method))].sort()
  const resources = new Set(methods.filter((name) => name.includes('.')).map((name) => name.replace(/\.\w+$/, '.*')))
  const emails = new Set([
    ...(overview.value?.accounts ?? []).map(({ email }) => email),
    ...calls.flatMap((call) => call.account ?? []),
    ...(filter.account === '' ? [] : [filter.account]),
  ])
  const own = calls.filter(({ inspector }) => inspector).length
  return (
    <search class={styles.filters} aria-label="Filter requests">
      <Select
        label="Status"
        value={filter.status}
        change={(status) => change({ status })}
        options={STATUS_FILTERS.map(({ id, title }) => [id, title])}
      />
      <Field
        label="Method"
        list="methods"
        placeholder="events.*"
        value={filter.method}
        change={(method) => change({ method })}
      />
      <datalist id="methods">
        {[...resources, ...methods].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Select
        label="Account"
        value={filter.account}
        change={(account) => change({ account })}
        options={[['', 'All accounts'], ...[...emails].map((email) => [email, email] as const)]}
      />
      <Field label="Text" type="search" placeholder="standup" value={filter.text} change={(text) => change({ text })} />
      <div class={styles.own}>
        {filter.batch !== '' && (
          <button type="button" onClick={() => change({ batch: '' })}>
            Batch {filter.batch} ×<span class="hidden"> Show all batches</span>
          </button>
        )}
        <Checkbox
          label={`Inspector's requests (${own})`}
          checked={filter.isOwnShown}
          change={(isOwnShown) => change({ isOwnShown })}
        />
        <Checkbox label="Record its reads" checked={recordReads.value} change={(to) => (recordReads.value = to)} />
      </div>
    </search>
  )
}
