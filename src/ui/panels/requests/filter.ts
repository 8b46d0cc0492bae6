import { addressOf, matchesMethod } from '../../api/shared.ts'
import type { RecordedCall } from '../../api/types.ts'

/** An empty value does not filter. */
export type Filter = {
  /** `events.insert` or `events.*`, separated by commas. */
  method: string
  account: string
  status: string
  text: string
  /** The number of a batch. */
  batch: string
  isOwnShown: boolean
}

export const NO_FILTER: Filter = { method: '', account: '', status: '', text: '', batch: '', isOwnShown: false }

const toStatusClass = (status = 0): number => Math.floor(status / 100)

export const STATUS_FILTERS: readonly { id: string; title: string; matches(call: RecordedCall): boolean }[] = [
  { id: '', title: 'All', matches: () => true },
  { id: '2', title: '2xx', matches: ({ status }) => toStatusClass(status) === 2 },
  { id: '3', title: '3xx', matches: ({ status }) => toStatusClass(status) === 3 },
  { id: '4', title: '4xx', matches: ({ status }) => toStatusClass(status) === 4 },
  { id: '5', title: '5xx', matches: ({ status }) => toStatusClass(status) === 5 },
  { id: 'none', title: 'No response', matches: ({ status }) => status === undefined },
  { id: 'hint', title: 'Hints', matches: ({ hints }) => hints.length > 0 },
  { id: 'fault', title: 'Faults', matches: ({ fault }) => fault !== undefined },
]

/** Search texts take long to create. */
const texts = new WeakMap<RecordedCall, string>()

function toSearchText(call: RecordedCall): string {
  const known = texts.get(call)
  if (known !== undefined) return known
  const { path, params, body, response, reason, fault, hints, client } = call
  const text = JSON.stringify([path, params, body, response, reason, fault, hints, client]).toLowerCase()
  texts.set(call, text)
  return text
}

/** Texts match in any case. */
export function filterCalls(calls: readonly RecordedCall[], filter: Filter): RecordedCall[] {
  const { account, batch, isOwnShown } = filter
  const methods = filter.method.split(',').flatMap((name) => name.trim() || [])
  const text = filter.text.trim().toLowerCase()
  const { matches } = STATUS_FILTERS.find(({ id }) => id === filter.status) ?? { matches: () => true }
  return calls.filter(
    (call) =>
      (isOwnShown || call.inspector !== true) &&
      (methods.length === 0 || matchesMethod(methods, call.method)) &&
      (account === '' || addressOf(call.account ?? '') === addressOf(account)) &&
      matches(call) &&
      (batch === '' || String(call.batch) === batch) &&
      (text === '' || toSearchText(call).includes(text)),
  )
}
