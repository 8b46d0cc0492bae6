import { readdirSync, readFileSync } from 'node:fs'

/** The book of facts, docs/behaviour, and everything that cites it. */
const BOOK = 'docs/behaviour'
export const NOT_BUILT = / \(not built\)$/
export const GRADE = /\[(?:[RDIK?]|[RDIK] [^\]]+)(?:, [^\]]+)*\]/g
export const POINTER = /^- See (chapter )?\d/
export const RULE = /^\s*\|[\s:|-]+\|$/

export type Heading = { where: string; number: string; title: string; lines: string[] }

const pages = readdirSync(BOOK)
  .filter((file) => /^\d/.test(file))
  .map((file) => ({ file, text: readFileSync(`${BOOK}/${file}`, 'utf8') }))

/** Blocks of code say nothing of the book; an indented line goes on with what is above it, a row of a table does not. */
const linesOf = (text: string): string[] =>
  text
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/\n {2,}(?=[^\s|])/g, ' ')
    .split('\n')

/** The headings of a page, each with the lines up to the next. */
function headingsOf({ file, text }: { file: string; text: string }): Heading[] {
  const found: Heading[] = []
  for (const line of linesOf(text)) {
    const [, number, title] = /^#+ (\d+(?:\.\d+)*)\.? (.+)$/.exec(line) ?? []
    if (number && title) found.push({ where: `${file} ${number}`, number, title, lines: [] })
    else found.at(-1)?.lines.push(line)
  }
  return found
}

export const headings = pages.flatMap(headingsOf)
export const numbers = new Set(headings.map(({ number }) => number))
export const factsOf = ({ lines }: Heading) => lines.filter((line) => /^(- |\s*\|)/.test(line) && !POINTER.test(line))

/** Every `behaviour 4.3, 7.2` of a text, also where the comment is wrapped. */
const citedIn = (text: string): string[] =>
  [
    ...text
      .replace(/\n\s*(\*|\/\/|#)?\s*/g, ' ')
      .matchAll(/\bbehaviour (\d+(?:\.\d+)*(?:(?:, | and )\d+(?:\.\d+)+)*)/g),
  ].flatMap(([, list = '']) => list.split(/, | and /))

/** The files of a folder; not those of what tests have put there for as long as they run, whose names begin with a dot. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesIn(path) : [path]
    })

/** The headings that the titles of tests begin with: `'7.1, 14.3 a guest …'`, and those that `testFields` puts before its rows. */
const titledIn = (text: string): string[] =>
  [
    ...text.matchAll(/['"`](\d+(?:\.\d+)+(?:, \d+(?:\.\d+)+)*) (?=[^\d\s])/g),
    ...text.matchAll(/\btest(?:Service)?Fields\('([\d., ]+)'/g),
  ].flatMap(([, list = '']) => list.split(', '))

type Citation = { file: string; number: string }

const citationsBy = (folder: string, files: RegExp, find: (text: string) => string[]): Citation[] =>
  filesIn(folder)
    .filter((file) => files.test(file) && !/\/book(\.test)?\.ts$/.test(file))
    .flatMap((file) =>
      find(readFileSync(file, 'utf8')).map((number) => ({ file: file.slice(folder.length + 1), number })),
    )

/** Every `behaviour 4.3` in the comments and pages of a folder. */
export const citations = (folder: string): Citation[] => citationsBy(folder, /\.(ts|js|py|md)$/, citedIn)

/** The headings in the titles of all tests. */
export const testedHeadings = (): Citation[] => citationsBy('test', /\.ts$/, titledIn)
