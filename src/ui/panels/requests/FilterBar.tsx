import type { RecordedCall } from '../../api/types.ts'
import { Checkbox, Field, Select } from '../../components/Form.tsx'
import { recordReads } from '../../preferences.ts'
import { useSession } from '../../session.ts'
import { CHIPS, type Filter } from './filter.ts'
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
      <fieldset class={styles.chips} aria-label="Status">
        {CHIPS.map(({ id, title }) => (
          <button key={id} type="button" aria-pressed={filter.chip === id} onClick={() => change({ chip: id })}>
            {title}
          </button>
        ))}
        {filter.batch !== '' && (
          <button type="button" aria-pressed="true" onClick={() => change({ batch: '' })}>
            Batch {filter.batch} ×<span class="hidden"> Show all batches</span>
          </button>
        )}
      </fieldset>
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
