import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { GROUPS } from '../../../src/cli/conform/scenarios/index.ts'
import { summarizeHeadings } from '../../../src/cli/conform/verdicts.ts'
import { factsOf, GRADE, type Heading, headings, NOT_BUILT, numbers, testedHeadings } from '../../support/book.ts'
import { runAgainst } from './against.ts'

type Ran = Awaited<ReturnType<typeof runAgainst>>
let ran: Ran
beforeAll(async () => {
  ran = await runAgainst()
}, 150_000)

test('fake-calendar agrees with every scenario, and its calendars are unchanged afterwards', () => {
  const { outcomes, left, before, after } = ran

  expect(outcomes.filter(({ verdict }) => verdict !== 'agrees')).toEqual([])
  expect(outcomes.length).toBeGreaterThan(150)
  expect({ left, after }).toEqual({ left: [], after: before })
})

const SCENARIOS = GROUPS.flatMap(({ scenarios }) => scenarios)

test('the headings of scenarios exist in the book and are built', () => {
  const tags = SCENARIOS.flatMap(({ name, headings: tagged }) => tagged.map((number) => ({ name, number })))
  const notBuilt = new Set(headings.filter(({ title }) => NOT_BUILT.test(title)).map(({ number }) => number))

  expect(tags.filter(({ number }) => !numbers.has(number) || notBuilt.has(number))).toEqual([])
})

/** Headings that a client cannot test with one or two accounts, with the reason. */
const NOT_OBSERVABLE: Readonly<Record<string, string>> = {
  'it needs a receiver that the server can reach': '6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.4',
  'it needs its own client, key or service account': '1.5 1.5.1 3.2.17 7.21 7.22 11.19 11.20 11.25 11.26 15.20 15.21',
  'it takes weeks': '5.14 5.14.1',
  'it needs a spent quota, or a broken or lagging server': '2.6.1 2.6.2 2.6.3 2.6.4 9.7 12.14',
  'it needs access to mail': '7.5 7.23 7.24',
  'it is about clients': '11.22 11.23 11.24',
  'the platform’s fetch sets the headers itself': '11.10',
  'it needs an administrator, a group, a room or an account with contacts': '7.15 7.17 10.7 15.2 15.14 15.17',
  'it needs settings that no method writes': '7.1.1 9.14',
  'it needs a third account': '15.9.1 15.13',
  'only the pages of the service create it': '4.12.1 7.13.1',
  'it is about another server':
    '17.1 17.2 17.3 17.4 17.5 17.6 17.7.1 17.7.2 17.7.3 17.7.4 17.7.5 17.8 17.9 17.10 17.11',
  'its form is unknown or outdated': '2.6.5',
  'its limit costs thousands of writes': '12.9',
}
const notObservable = new Set(Object.values(NOT_OBSERVABLE).flatMap((all) => all.split(' ')))

test('every observed, documented or reported heading has a scenario or a reason', () => {
  const tagged = new Set(SCENARIOS.flatMap((one) => one.headings))
  const graded = headings.filter((one) => !NOT_BUILT.test(one.title) && /[RDI]/.test(gradesOf(one)))
  const missing = graded.filter(({ number }) => !tagged.has(number) && !notObservable.has(number))

  expect(missing.map(({ number, title }) => `${number} ${title}`)).toEqual([])
  expect([...notObservable].filter((number) => tagged.has(number) || !numbers.has(number))).toEqual([])
})

/** The last run in docs/reference/conform.json: its date, server and verdicts. */
type LastRun = { date: string; server: string; version: string; scenarios: number; verdicts: Record<string, string> }

const KEPT: LastRun = JSON.parse(readFileSync('docs/reference/conform.json', 'utf8'))

/** A run keeps its date until its verdicts change. */
function lastRun({ outcomes, date = '' }: Ran): LastRun {
  const verdicts = Object.fromEntries(summarizeHeadings(outcomes).map(({ heading, verdict }) => [heading, verdict]))
  const { version } = manifest
  const now = { server: 'fake-calendar itself', version, scenarios: outcomes.length, verdicts }
  const { date: then, ...report } = KEPT
  return { date: JSON.stringify(report) === JSON.stringify(now) ? then : date, ...now }
}

// Snapshots written by `npx vitest run test/cli/conform/agree.test.ts -u`.
test('docs/reference/conform.json is up to date', async () => {
  await expect(`${JSON.stringify(lastRun(ran), null, 2)}\n`).toMatchFileSnapshot('../../../docs/reference/conform.json')
})

test('docs/reference/fidelity.md is up to date', async () => {
  await expect(page(lastRun(ran))).toMatchFileSnapshot('../../../docs/reference/fidelity.md')
})

const page = (last: LastRun): string => `# Fidelity

This page lists, for each heading of [the book of facts](../behaviour/README.md), its [grades](../behaviour/README.md#grades), its tests, its scenarios and the verdict of the last
run. R was seen in recorded traffic, D is
documented, I was reported or is built into clients, K is common knowledge, ? was decided here. Tests are files below \`test/\`,
without \`.test.ts\`. \`fake-calendar conform\` runs the scenarios against a server ([guide](../guides/conform.md)).

The last run was of ${last.date}, against ${last.server} (version ${last.version}), with ${last.scenarios} scenarios. **No run against the
real service has been made yet**: the result shows that fake-calendar follows its own statements, and not that they are true. Everybody with an account can make that run.
${[...new Set(headings.map(chapterOf))].map((chapter) => section(chapter, last)).join('')}
This page is written by \`npx vitest run test/cli/conform/agree.test.ts -u\`.
`

const chapterOf = ({ where }: Heading): string => where.replace(/ .*$/, '')

function section(chapter: string, { verdicts }: LastRun): string {
  const [top, ...those] = headings.filter((heading) => chapterOf(heading) === chapter)
  const rows = those.filter((heading) => factsOf(heading).length > 0)
  return `
## ${top?.number}. [${top?.title}](../behaviour/${chapter})

| heading | grades | tests | scenarios | last run |
| --- | --- | --- | --- | --- |
${rows.map((heading) => rowOf(heading, verdicts[heading.number])).join('')}`
}

const TITLED = testedHeadings()

function rowOf(heading: Heading, verdict: string | undefined): string {
  const { number, title } = heading
  const tests = new Set(TITLED.filter((one) => one.number === number).map(({ file }) => named(file)))
  const scenarios = SCENARIOS.filter(({ headings: tagged }) => tagged.includes(number)).map(({ name }) => name)
  const cells = [
    `${number} ${title}`,
    gradesOf(heading),
    [...tests].sort().join(', '),
    scenarios.join('; '),
    verdict ?? 'not asked',
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|') || '-').join(' | ')} |\n`
}

const named = (file: string): string =>
  file.replace(basename(file), basename(file).replace(/(\.test)?\.(ts|js|py|md)$/, ''))

/** Returns the grades of a heading's facts, the most reliable first. */
function gradesOf({ lines }: Heading): string {
  const kinds =
    lines
      .join('\n')
      .match(GRADE)
      ?.flatMap((grade) => grade.match(/(?<=[[ ])[RDIK?](?=[\], ])/g) ?? []) ?? []
  return ['R', 'D', 'I', 'K', '?'].filter((kind) => kinds.includes(kind)).join(', ')
}
