import { expect, test } from 'vitest'
import {
  citations,
  factsOf,
  GRADE,
  type Heading,
  headings,
  NOT_BUILT,
  numbers,
  POINTER,
  RULE,
  testedHeadings,
} from './support/book.ts'

const titled = testedHeadings()
const tested = new Set(titled.map(({ number }) => number))

test('every heading has a unique number, in its chapter', () => {
  expect(headings).toHaveLength(numbers.size)
  expect(headings.filter(({ where, number }) => Number.parseInt(where, 10) !== Number.parseInt(number, 10))).toEqual([])
})

test.each(['src', 'test', 'docs'])('the book has the headings that %s cites', (folder) => {
  expect(citations(folder).filter(({ number }) => !numbers.has(number))).toEqual([])
})

test('pages name existing headings and chapters', () => {
  const named = headings.flatMap(({ where, lines }) =>
    lines
      .map((line) => line.replace(/`[^`]*`/g, '').replace(GRADE, ''))
      .flatMap((line) => [
        ...line.matchAll(/(?:\bSee |\(|\bto |\band |, |\bof |\bby |\bagainst |\bin )(\d+\.\d+(?:\.\d+)?)\b/g),
      ])
      .map(([, number = '']) => ({ where, number })),
  )
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(({ number }) => !numbers.has(number))).toEqual([])
})

test('every bullet ends with its one grade', () => {
  const bad = headings.flatMap(({ where, lines }) =>
    lines
      .filter((line) => line.startsWith('- ') && !POINTER.test(line))
      .map((line) => line.replace(/`[^`]*`/g, ''))
      .filter((line) => line.match(GRADE)?.length !== 1 || !line.endsWith(']'))
      .map((line) => ({ where, line })),
  )
  expect(bad).toEqual([])
})

test('the last cell of a table row has its grade, or the bullet about the table has it', () => {
  const bad = headings
    .filter(
      ({ lines }) => !lines.some((line) => /^- (The table|The backgrounds|GAM passes|.*: \[[^\]]*\]$)/.test(line)),
    )
    .flatMap(({ where, lines }) =>
      lines
        .filter((line, at) => /^\s*\|/.test(line) && !RULE.test(line) && !RULE.test(lines[at + 1] ?? ''))
        .map((line) => ({
          where,
          cells: line
            .replace(/`[^`]*`/g, '')
            .split('|')
            .slice(1, -1),
        }))
        .filter(({ cells }) => !cells.at(-1)?.match(GRADE) || cells.slice(0, -1).some((cell) => cell.match(GRADE))),
    )
  expect(bad).toEqual([])
})

test('the book has the headings in the titles of tests', () => {
  expect(titled.filter(({ number }) => !numbers.has(number))).toEqual([])
})

test('every heading with facts is in the title of a test, unless it is not built', () => {
  const uncited = headings.filter(
    (heading) => factsOf(heading).length > 0 && !NOT_BUILT.test(heading.title) && !tested.has(heading.number),
  )
  expect(uncited.map(({ where, title }) => `${where} ${title}`)).toEqual([])
})

test('a heading that is not built is in no title', () => {
  const cited = headings.filter(({ number, title }) => NOT_BUILT.test(title) && tested.has(number))
  expect(cited.map(({ where, title }) => `${where} ${title}`)).toEqual([])
})

test('cited headings have facts, or have headings with facts below them', () => {
  const empty = headings
    .filter((heading) => factsOf(heading).length === 0)
    .filter(({ number }) => !headings.some((other) => other.number.startsWith(`${number}.`)))
    .map(({ number }) => number)
  expect([...citations('src'), ...citations('test'), ...titled].filter(({ number }) => empty.includes(number))).toEqual(
    [],
  )
})

/** Returns the grades of a heading's facts, the most reliable first. */
function gradesOf({ lines }: Heading): string {
  const grades = lines.join('\n').match(GRADE)?.join() ?? ''
  const kinds = grades.match(/(?<=[[ ])[RDIK?](?=[\], ])/g) ?? []
  return ['R', 'D', 'I', 'K', '?'].filter((kind) => kinds.some((one) => one === kind)).join(', ')
}

const escapeCell = (text: string): string => text.replaceAll('|', '\\|') || '-'

function formatChapter(chapter: string): string {
  const [top, ...others] = headings.filter(({ where }) => where.startsWith(`${chapter} `))
  const rows = others
    .filter((heading) => factsOf(heading).length > 0)
    .map((heading) => {
      const { number, title } = heading
      const files = titled.filter((one) => one.number === number).map(({ file }) => file.replace(/(\.test)?\.ts$/, ''))
      const cells = [`${number} ${title}`, gradesOf(heading), [...new Set(files)].sort().join(', ')]
      return `| ${cells.map(escapeCell).join(' | ')} |\n`
    })
  return `
## ${top?.number}. [${top?.title}](../behaviour/${chapter})

| heading | grades | tests |
| --- | --- | --- |
${rows.join('')}`
}

test('docs/reference/fidelity.md lists the grades and the tests of each heading', async () => {
  const chapters = [...new Set(headings.map(({ where }) => where.replace(/ .*$/, '')))]
  const page = `# Fidelity

This page lists, for each heading of [the book of facts](../behaviour/README.md), its [grades](../behaviour/README.md#grades) and its tests. R was seen in recorded traffic, D is
documented, I was reported or is built into clients, K is common knowledge, ? was decided here. Tests are files below \`test/\`,
without \`.test.ts\`. The tests in \`conformance/\` run against any server: [Accuracy](../explanation/accuracy.md#run-the-conformance-suite-against-another-server).

**No run against the real service has been made yet**: the tests show that fake-calendar follows its own statements, and not that they are true.
${chapters.map(formatChapter).join('')}
This page is written by \`npx vitest run test/book.test.ts -u\`.
`
  await expect(page).toMatchFileSnapshot('../docs/reference/fidelity.md')
})
