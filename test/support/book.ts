import { readdirSync, readFileSync } from 'node:fs'

/** The folder of the pages that state facts of the service, by numbered headings. Comments and test titles cite them. */
const BOOK = 'docs/behaviour'
export const NOT_BUILT = / \(not built\)$/
export const GRADE = /\[(?:[RDIK?]|[RDIK] [^\]]+)(?:, [^\]]+)*\]/g
export const POINTER = /^- See (chapter )?\d/
export const RULE = /^\s*\|[\s:|-]+\|$/

export type Heading = { where: string; number: string; title: string; lines: string[] }

const pages = readdirSync(BOOK)
  .filter((file) => /^\d/.test(file))
  .map((file) => ({ file, text: readFileSync(`${BOOK}/${file}`, 'utf8') }))

/** Splits a page into lines without blocks of code. An indented line is joined to the line above, except a row of a table. */
const splitLines = (text: string): string[] =>
  text
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/\n {2,}(?=[^\s|])/g, ' ')
    .split('\n')

/** Returns the numbered headings of a page, each with its lines. */
function headingsOf({ file, text }: { file: string; text: string }): Heading[] {
  const result: Heading[] = []
  for (const line of splitLines(text)) {
    const [, number, title] = /^#+ (\d+(?:\.\d+)*)\.? (.+)$/.exec(line) ?? []
    if (number && title) result.push({ where: `${file} ${number}`, number, title, lines: [] })
    else result.at(-1)?.lines.push(line)
  }
  return result
}

export const headings = pages.flatMap(headingsOf)
export const numbers = new Set(headings.map(({ number }) => number))
/** Returns the list items and table rows of a heading, without references to other headings. */
export const factsOf = ({ lines }: Heading) => lines.filter((line) => /^(- |\s*\|)/.test(line) && !POINTER.test(line))

/** Returns the numbers of `behaviour 4.3, 7.2` in a text, also if the comment is wrapped. */
const citedHeadings = (text: string): string[] =>
  [
    ...text
      .replace(/\n\s*(\*|\/\/|#)?\s*/g, ' ')
      .matchAll(/\bbehaviour (\d+(?:\.\d+)*(?:(?:, | and )\d+(?:\.\d+)+)*)/g),
  ].flatMap(([, list = '']) => list.split(/, | and /))

/** Lists the files below a folder. Names with a dot are left out, because tests create such temporary folders. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      return entry.isDirectory() ? filesIn(path) : [path]
    })

/** Returns the heading numbers at the start of test titles, such as `'7.1, 14.3 a guest …'`, and in calls of `testFields`. */
const headingsInTitles = (text: string): string[] =>
  [
    ...text.matchAll(/['"`](\d+(?:\.\d+)+(?:, \d+(?:\.\d+)+)*) (?=[^\d\s])/g),
    ...text.matchAll(/\btest(?:Service)?Fields\('([\d., ]+)'/g),
  ].flatMap(([, list = '']) => list.split(', '))

type Citation = { file: string; number: string }

/** Returns the citations that `find` returns for the text of each file of a folder whose name matches. */
const citationsBy = (folder: string, files: RegExp, find: (text: string) => string[]): Citation[] =>
  filesIn(folder)
    .filter((file) => files.test(file) && !/\/book(\.test)?\.ts$/.test(file))
    .flatMap((file) =>
      find(readFileSync(file, 'utf8')).map((number) => ({ file: file.slice(folder.length + 1), number })),
    )

/** Lists the citations, such as `behaviour 4.3`, in the comments and pages of a folder. */
export const citations = (folder: string): Citation[] => citationsBy(folder, /\.(ts|js|py|md)$/, citedHeadings)

/** Lists the citations in the titles of all tests. */
export const testedHeadings = (): Citation[] => citationsBy('test', /\.ts$/, headingsInTitles)
