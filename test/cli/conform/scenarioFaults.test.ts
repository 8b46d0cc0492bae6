import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { GROUPS } from '../../../src/cli/conform/scenarios/index.ts'
import { type Fault, faultsFor, isMet, playBack, type Recording, record } from './scenarioFaults.ts'

const SCENARIOS = GROUPS.flatMap(({ scenarios }) => scenarios)
const recordings: Recording[] = []
/** The recordings that contain a request, by its signature. */
const bySignature = new Map<string, Set<Recording>>()
beforeAll(async () => {
  for (const scenario of SCENARIOS) {
    const recording = await record(scenario)
    recordings.push(recording)
    for (const { signature } of recording.exchanges)
      bySignature.set(signature, (bySignature.get(signature) ?? new Set()).add(recording))
  }
}, 300_000)

/** Returns the names of the scenarios that differ under a fault. */
async function findDiffering(fault: Fault): Promise<Recording[]> {
  const candidates = [...(bySignature.get(fault.requests[0] ?? '') ?? [])]
  const met = candidates.filter(({ exchanges }) => exchanges.some((_, at) => isMet(fault, exchanges, at)))
  const outcomes = await Promise.all(met.map(async (one) => ({ one, outcome: await playBack(one, fault) })))
  return outcomes.flatMap(({ one, outcome }) => (outcome?.verdict === 'differs' ? [one] : []))
}

const statesTheSame = (one: Recording, other: Recording): boolean =>
  one.scenario.headings.some((heading) => other.scenario.headings.includes(heading))

const FILE = 'scenarioFaults.txt'

/** The faults that the last search found, as lines of the file. They are tried first, because a search takes long. */
const FOUND = new Map(
  [...readFileSync(`${import.meta.dirname}/${FILE}`, 'utf8').matchAll(/^(\S.*)\n( {2}.*)$/gm)].map(
    ([, name = '', line = '']) => [name, line] as const,
  ),
)

const lineOf = ({ requests: [request], name }: Fault): string => `  ${request?.split(/[ ?]/, 2).join(' ')}: ${name}`

/** Yields the faults like the one that was found last, then all others. */
function* candidatesFor(recording: Recording): Generator<Fault> {
  const found = FOUND.get(recording.scenario.name)
  for (const fault of faultsFor(recording)) if (lineOf(fault) === found) yield fault
  for (const fault of faultsFor(recording)) if (lineOf(fault) !== found) yield fault
}

/** Finds a fault under which a scenario differs, and no scenario that states something else. */
async function faultOf(recording: Recording): Promise<{ fault: Fault; others: string[] } | undefined> {
  for (const fault of candidatesFor(recording)) {
    if ((await playBack(recording, fault))?.verdict !== 'differs') continue
    const found = await findDiffering(fault)
    if (found.every((one) => statesTheSame(one, recording)))
      return { fault, others: found.filter((one) => one !== recording).map(({ scenario }) => scenario.name) }
  }
  return undefined
}

test('each scenario differs under its fault, and only scenarios of the same fact do', {
  timeout: 300_000,
}, async () => {
  const lines: string[] = []
  const without: string[] = []
  for (const recording of recordings) {
    const found = await faultOf(recording)
    const { name } = recording.scenario
    if (!found) without.push(name)
    else lines.push([name, lineOf(found.fault), ...found.others.map((one) => `  also: ${one}`)].join('\n'))
  }

  expect(without).toEqual([])
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(FILE)
})
