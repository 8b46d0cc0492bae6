import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ALLOWED, COVERED } from './allowed.ts'
import { duplicateTypes, type Finding, scanPage, scanSource, sourcesBelow } from './scan.ts'

const SOURCES = /^(src|test|build|bin)\b/

/** Lists every finding in folders of sources and folders of pages, without the allowed ones. */
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
  return [...files.flatMap(({ findings }) => findings), ...duplicates, ...pages.flatMap(scanPage)].filter(
    (finding) => !ALLOWED.some((entry) => finding.file.startsWith(entry.in) && finding.text.startsWith(entry.text)),
  )
}

/** Lists the allowed entries that match no finding any more. */
export function unusedAllowances(): string[] {
  const files = COVERED.filter((folder) => SOURCES.test(folder))
    .flatMap(sourcesBelow)
    .filter((file) => ALLOWED.some((entry) => file.startsWith(entry.in)))
  const findings = files.flatMap((file) => scanSource(file).findings)
  return ALLOWED.filter(
    (entry) => !findings.some(({ file, text }) => file.startsWith(entry.in) && text.startsWith(entry.text)),
  ).map((entry) => `${entry.in}: ${entry.text}`)
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
