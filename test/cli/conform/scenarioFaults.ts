import type { Fetch } from '../../../src/cli/conform/retryingFetch.ts'
import { runScenarios, type ScenarioOutcome } from '../../../src/cli/conform/run.ts'
import type { Scenario } from '../../../src/cli/conform/scenario.ts'
import { GROUPS } from '../../../src/cli/conform/scenarios/index.ts'
import type { Target } from '../../../src/cli/conform/target.ts'
import { ALICE, BOB } from '../../support/calendar.ts'
import { EVERYTHING, openTarget } from './against.ts'

/** A request of a scenario with placeholders for ids and days, and the correct response. */
type Recorded = { signature: string; status: number; headers: [string, string][]; text: string }

export type Recording = { scenario: Scenario; exchanges: Recorded[] }

/** A fault of a server: another response to one kind of request, or to one sequence of requests. */
export type Fault = {
  /** The last requests up to the changed one, the latest first. */
  requests: readonly string[]
  name: string
  change: (answer: Recorded) => Recorded
}

/** Returns true if the last requests of a recording match a fault. */
export const isMet = ({ requests }: Fault, exchanges: readonly Recorded[], at: number): boolean =>
  requests.every((signature, back) => exchanges[at - back]?.signature === signature)

/** Records a scenario against a new fake. */
export async function record(scenario: Scenario): Promise<Recording> {
  const exchanges: Recorded[] = []
  const recording =
    (fetch: Fetch): Fetch =>
    async (input, init) => {
      const answer = await fetch(input, init)
      const text = await answer.clone().text()
      const { pathname, search } = new URL(input)
      const headers = [...new Headers(init?.headers)].map(([name, value]) => `${name}: ${value}`)
      const signature = signatureOf(`${init?.method} ${pathname}${search} ${init?.body ?? ''} ${headers}`)
      exchanges.push({ signature, status: answer.status, headers: [...answer.headers], text })
      return answer
    }
  const { fake, target } = openTarget(recording)
  const outcomes = await runScenario(scenario, target)
  await fake.close()
  if (outcomes[0]?.verdict !== 'agrees') throw new Error(`${scenario.name}: ${outcomes[0]?.how}`)
  return { scenario, exchanges }
}

const signatureOf = (request: string): string =>
  decodeURIComponent(request.replaceAll('+', ' ').replace(/%(?![\da-f]{2})/gi, '%25'))
    .replace(/c_[\da-f]{64}@group\.calendar\.google\.com/g, '{calendar}')
    .replace(/[\da-f]{20}\d{4}([\da-z]{0,3})/g, '{id}$1')
    .replace(/\b_?[\da-v]{26,}/g, '{id}')
    .replace(/(2\d{3})-?(\d\d)-?(\d\d)/g, (_, ...day) => `{day ${new Date(day.slice(0, 3).join('-')).getUTCDay()}}`)
    .replace(/"etag":"[^"]*"|(?:sync|page)Token=[^&\s]{12,}/g, '{token}')
    .replace(/(if-(?:none-)?match: )"[^"]*"/g, '$1{etag}')

/** Runs a scenario against its recording with a fault in it. */
export async function playBack({ scenario, exchanges }: Recording, fault: Fault): Promise<ScenarioOutcome | undefined> {
  let next = 0
  const fetch: Fetch = async () => {
    const at = next++
    const right = exchanges[at]
    if (!right) return Response.json({ error: { code: 404, message: 'Not Found' } }, { status: 404 })
    const { status, headers, text } = isMet(fault, exchanges, at) ? fault.change(right) : right
    // The parts of a response that a run reads. A whole one takes longer than the scenario.
    const body = status === 204 || status === 304 ? '' : text
    return { status, headers: new Headers(headers), text: async () => body } as Response
  }
  const target = { fetch, baseUrl: 'http://fake-calendar.localhost/calendar/v3', tokens: { owner: ALICE, guest: BOB } }
  return (await runScenario(scenario, target))[0]
}

async function runScenario(scenario: Scenario, target: Target): Promise<ScenarioOutcome[]> {
  const filter = (one: Scenario) => one === scenario
  return (await runScenarios({ groups: GROUPS, permissions: EVERYTHING, target, filter })).outcomes
}

/** Lengths of the sequences that are tried, in this order. */
const SEQUENCE_LENGTHS = [1, 3, 8, 1000]

/** Lists the possible faults in the responses of a scenario, from the last response to the first. */
export function* faultsFor({ exchanges }: Recording): Generator<Fault> {
  for (const length of SEQUENCE_LENGTHS) {
    for (let at = exchanges.length - 1; at >= 0; at--) {
      const exchange = exchanges[at]
      // The removal of calendars at the end of a run is not part of a scenario.
      if (!exchange || (/^DELETE \/calendar\/v3\/calendars\/\{calendar\} /.test(exchange.signature) && length < 8))
        continue
      const requests = exchanges
        .slice(Math.max(at - length + 1, 0), at + 1)
        .map(({ signature }) => signature)
        .toReversed()
      for (const [name, change] of changesOf(exchange)) yield { requests, name, change }
    }
  }
}

type Change = Fault['change']

function* changesOf(exchange: Recorded): Generator<[string, Change]> {
  const { status, text } = exchange
  if (status >= 400) yield ['is accepted', (answer) => ({ ...answer, status: 200, text: '{}' })]
  if (status === 204 || status === 304) yield ['has a body', (answer) => ({ ...answer, status: 200, text: '{}' })]
  if (status >= 300 || !text.startsWith('{')) {
    yield* headerChanges(exchange)
    return
  }
  const body: unknown = JSON.parse(text)
  for (const path of pathsIn(body)) {
    for (const [name, change] of VALUE_CHANGES) {
      if (change(valueAt(body, path)) === SAME) continue
      yield [
        `${path.join('.')} ${name}`,
        (answer) => ({
          ...answer,
          text: `${JSON.stringify(withValue(JSON.parse(answer.text), path, change), null, 1)}\n`,
        }),
      ]
    }
  }
  yield ['is indented otherwise', (answer) => ({ ...answer, text: JSON.stringify(JSON.parse(answer.text), null, 5) })]
  yield* headerChanges(exchange)
  yield ['is refused', (answer) => ({ ...answer, status: 400, text: '{"error":{"code":400,"errors":[]}}' })]
}

function* headerChanges({ headers }: Recorded): Generator<[string, Change]> {
  for (const [name] of headers)
    yield [`has no ${name}`, (answer) => ({ ...answer, headers: answer.headers.filter(([other]) => other !== name) })]
  yield ['has an ETag', (answer) => ({ ...answer, headers: [...answer.headers, ['ETag', '"1"']] })]
}

const SAME = Symbol('same')
const GONE = Symbol('gone')

const VALUE_CHANGES: readonly [string, (value: unknown) => unknown][] = [
  [
    'is another',
    (value) =>
      typeof value === 'string'
        ? `${value}0`
        : typeof value === 'number'
          ? value + 1
          : typeof value === 'boolean'
            ? !value
            : SAME,
  ],
  ['has an item less', (value) => (Array.isArray(value) && value.length > 0 ? value.slice(1) : SAME)],
  ['is in reverse order', (value) => (Array.isArray(value) && value.length > 1 ? value.toReversed() : SAME)],
  [
    'has items twice',
    (value) => (Array.isArray(value) && value.length > 0 ? value.flatMap((one) => [one, one]) : SAME),
  ],
  ['has an item more', (value) => (Array.isArray(value) ? [...value, { kind: 'calendar#event', id: 'more' }] : SAME)],
  ['is missing', () => GONE],
  [
    'has fields more',
    (value) =>
      isRecord(value) ? { more: true, summary: 'x', location: 'x', errors: [], nextSyncToken: 'x', ...value } : SAME,
  ],
]

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MAX_DEPTH = 4
const MAX_ITEMS = 4

/** Returns the paths of all values, the outer ones first. */
function pathsIn(body: unknown): string[][] {
  const paths: string[][] = []
  const visit = (value: unknown, path: string[]): void => {
    paths.push(path)
    if (path.length >= MAX_DEPTH) return
    if (Array.isArray(value))
      for (const [at, item] of value.slice(0, MAX_ITEMS).entries()) visit(item, [...path, `${at}`])
    else if (isRecord(value)) for (const [name, item] of Object.entries(value)) visit(item, [...path, name])
  }
  visit(body, [])
  return paths.sort((one, other) => one.length - other.length)
}

const valueAt = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value instanceof Object ? Reflect.get(value, name) : undefined), body)

function withValue(body: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const name = path.at(-1)
  const value = change(valueAt(body, path))
  if (name === undefined) return value === GONE ? {} : value
  const parent = valueAt(body, path.slice(0, -1))
  if (!(parent instanceof Object) || value === SAME) return body
  if (value !== GONE) Reflect.set(parent, name, value)
  else if (Array.isArray(parent)) parent.splice(Number(name), 1)
  else Reflect.deleteProperty(parent, name)
  return body
}
