import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { duplicateTypes, type Finding, scanPage, scanSource, sourcesBelow } from './scan.ts'

/** The folders and pages that keep the rules. */
export const COVERED: string[] = ['src', 'test', 'build', 'bin', 'clients', 'docs', 'README.md']

const SOURCES = /^(src|test|build|bin)\b/

/** Lists every finding in folders of sources and folders of pages. */
export function findProblems(folders: string[] = COVERED): Finding[] {
  const sources = folders.filter((folder) => SOURCES.test(folder))
  const files = sources.flatMap(sourcesBelow).map((file) => ({ file, ...scanSource(file) }))
  // Tests and samples are modules of their own, so their types may share names.
  const duplicates = [...duplicateTypes(files.filter(({ file }) => file.startsWith('src')))].map(
    ([name, places]): Finding => ({
      file: places[0] ?? '',
      line: 1,
      rule: 'duplicate',
      text: `${name}: ${places.join(', ')}`,
    }),
  )
  const pages = folders.filter((folder) => !SOURCES.test(folder)).flatMap(pagesBelow)
  return [...files.flatMap(({ findings }) => findings), ...duplicates, ...pages.flatMap(scanPage)]
}

/** Formats a finding as an editor links it. */
export function formatFinding({ file, line, rule, text }: Finding): string {
  return `${file}:${line} ${rule}: ${text.slice(0, 100)}`
}

function pagesBelow(path: string): string[] {
  if (path.endsWith('.md')) return [path]
  return readdirSync(path, { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.md') && !name.startsWith('.vitepress'))
    .map((name) => join(path, name))
    .sort()
}
