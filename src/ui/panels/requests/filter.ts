import { addressOf, matchesMethod } from '../../api/shared.ts'
import type { RecordedCall } from '../../api/types.ts'

/** The filter of the request list. An empty value does not filter. */
export type Filter = {
  /** Names such as `events.insert` or `events.*`, separated by commas. */
  method: string
  account: string
  /** The id of a chip. */
  chip: string
  text: string
  /** The number of a batch. */
  batch: string
  /** True if the inspector's own requests are listed. */
  isOwnShown: boolean
}

export const NO_FILTER: Filter = { method: '', account: '', chip: '', text: '', batch: '', isOwnShown: false }

/** Returns the first digit of a status; 0 without a response. */
const toStatusClass = (status: number | undefined): number => Math.floor((status ?? 0) / 100)

/** The buttons that filter by status, hints and faults. One is selected at a time. */
export const CHIPS: readonly { id: string; title: string; matches(call: RecordedCall): boolean }[] = [
  { id: '', title: 'All', matches: () => true },
  { id: '2', title: '2xx', matches: ({ status }) => toStatusClass(status) === 2 },
  { id: '3', title: '3xx', matches: ({ status }) => toStatusClass(status) === 3 },
  { id: '4', title: '4xx', matches: ({ status }) => toStatusClass(status) === 4 },
  { id: '5', title: '5xx', matches: ({ status }) => toStatusClass(status) === 5 },
  { id: 'none', title: 'No response', matches: ({ status }) => status === undefined },
  { id: 'hint', title: 'Hints', matches: ({ hints }) => hints.length > 0 },
  { id: 'fault', title: 'Faults', matches: ({ fault }) => fault !== undefined },
]

/** The search texts of requests, which take long to create. */
const texts = new WeakMap<RecordedCall, string>()

/** Returns the text of a request in which a search looks: path, parameters, bodies, error, fault, hints and client, in lower case. */
function toSearchText(call: RecordedCall): string {
  const known = texts.get(call)
  if (known !== undefined) return known
  const { path, params, body, response, reason, fault, hints, client } = call
  const text = JSON.stringify([path, params, body, response, reason, fault, hints, client]).toLowerCase()
  texts.set(call, text)
  return text
}

/** Returns the requests that match all parts of a filter, in their order. Texts match in any case. */
export function filterCalls(calls: readonly RecordedCall[], filter: Filter): RecordedCall[] {
  const { account, chip, batch, isOwnShown } = filter
  const methods = filter.method.split(',').flatMap((name) => name.trim() || [])
  const text = filter.text.trim().toLowerCase()
  const { matches } = CHIPS.find(({ id }) => id === chip) ?? { matches: () => true }
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
