import { overview } from '../overview.ts'
import { type Filter, filter, STATUSES } from './filter.ts'
import { calls } from './journal.ts'

const change = (part: Partial<Filter>): void => {
  filter.value = { ...filter.peek(), ...part }
}

/** Which requests are shown. */
export function Filters() {
  const { method, account, status, text, batch } = filter.value
  const methods = [...new Set(calls.value.map((call) => call.method))].sort()
  const resources = new Set(methods.filter((name) => name.includes('.')).map((name) => name.replace(/\.\w+$/, '.*')))
  const people = new Set([
    ...(overview.value?.accounts ?? []).map(({ email }) => email),
    ...calls.value.flatMap((call) => call.account ?? []),
    ...(account === '' ? [] : [account]),
  ])
  return (
    <search class="filters" aria-label="Which requests">
      <label>
        Method
        <input
          list="methods"
          placeholder="events.*"
          value={method}
          onInput={({ currentTarget }) => change({ method: currentTarget.value })}
        />
        <datalist id="methods">
          {[...resources, ...methods].map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </label>
      <label>
        Account
        <select value={account} onChange={({ currentTarget }) => change({ account: currentTarget.value })}>
          <option value="">Anybody</option>
          {[...people].map((email) => (
            <option key={email} value={email}>
              {email}
            </option>
          ))}
        </select>
      </label>
      <label>
        Status
        <select value={status} onChange={({ currentTarget }) => change({ status: currentTarget.value })}>
          {STATUSES.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        Text
        <input type="search" value={text} onInput={({ currentTarget }) => change({ text: currentTarget.value })} />
      </label>
      {batch !== '' && (
        <button type="button" aria-label={`Show more than batch ${batch}`} onClick={() => change({ batch: '' })}>
          Batch {batch} ×
        </button>
      )}
    </search>
  )
}
