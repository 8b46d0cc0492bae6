import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './command.ts'

/**
 * A block of code of a page. Comments right above it can contain: `run: vitest` (or another runner), `file: world.json` (it is saved
 * under that name), `seed: world.json` (the world in which it runs), `from: test/samples/…` (a file of tests that has these lines),
 * `not run: why. Sends: GET /calendar/v3/…` (these requests of its client are sent instead).
 */
export type Block = {
  page: string
  language: string
  text: string
  marks: ReadonlyMap<string, string>
}

const NAMES = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !/^(behaviour|\.vitepress)\//.test(name))
  .sort()

/** The pages for users, without docs/behaviour, which has no code to run. */
export const pages = ['README.md', 'SKILL.md', ...NAMES.map((name) => `docs/${name}`)]

export const blocks: Block[] = pages.flatMap((page) => {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const matches = text.matchAll(/((?:^<!-- [^\n]+ -->\n)*)^```(\w*)\n(.*?)^```$/gms)
  return [...matches].map(([, comments = '', language = '', code = '']) => ({
    page,
    language,
    text: code,
    marks: new Map(
      [...comments.matchAll(/^<!-- ([a-z ]+): (.+) -->$/gm)].map(([, key = '', value = '']) => [key, value]),
    ),
  }))
})

/** Returns the shell commands of a block: all lines of a shell block, and the commands in YAML, Dockerfile and other blocks. */
export function shellLines({ language, text }: Block): string[] {
  const lines = text.trim().split('\n')
  if (language === 'sh') return lines
  if (language === 'yaml') return lines.flatMap((line) => /(?:run|command): (.+)$/.exec(line)?.slice(1) ?? [])
  if (language === 'dockerfile')
    return lines.flatMap((line) => {
      const [, words] = /^(?:HEALTHCHECK )?CMD (\[.+\])$/.exec(line) ?? []
      return words === undefined ? [] : (JSON.parse(words) as string[]).map(quoteWord).join(' ')
    })
  return []
}

/** Returns a word of a shell command, in quotes if it needs them. */
const quoteWord = (word: string): string => (/^[\w.:/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
