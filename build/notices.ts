import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const TITLE =
  '# Third-party notices\n\nfake-calendar is shipped as a bundle, which holds code of the packages below. Their licences follow.\n'

/**
 * Returns a Rolldown plugin that writes the licences of the packages in a bundle to a file. With `append`, the licences in the
 * file are kept.
 */
export const notices = ({ file, append = false }: { file: string; append?: boolean }) => ({
  name: 'notices',
  writeBundle(_: unknown, bundle: Record<string, { moduleIds?: string[] }>) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds)
    if (modules.every((id) => /\.d\.[cm]?ts(\?|$)/.test(id))) return // declarations contain no code
    const earlier = append
      ? readFileSync(file, 'utf8')
          .split(/^(?=## )/m)
          .slice(1)
      : []
    const folders = new Set(modules.flatMap((id) => findPackageFolder(id) ?? []))
    const sections = new Set([...earlier.map((text) => `${text.trimEnd()}\n`), ...[...folders].map(formatSection), MIT])
    const sorted = [...sections].sort((a, b) => a.localeCompare(b, 'en'))
    writeFileSync(file, [TITLE, ...withoutRepetitions(sorted)].join('\n'))
  },
})

/** Returns sections in which a licence text that an earlier section has is replaced by the name of that section. */
function withoutRepetitions(sections: readonly string[]): string[] {
  const first = new Map<string, string>()
  return sections.map((section) => {
    const [, heading = '', text = ''] = /^## (.*)\n\n([\s\S]*)$/.exec(section) ?? []
    const earlier = first.get(text)
    if (!earlier) first.set(text, heading)
    return earlier ? `## ${heading}\n\n    The licence text of ${earlier} applies.\n` : section
  })
}

/**
 * Returns the folder of the package that contains a module; undefined for modules of this project. Helpers that the bundler
 * adds belong to the package of the bundler.
 */
const findPackageFolder = (id: string): string | undefined =>
  id.startsWith('\0rolldown/') ? 'node_modules/rolldown' : /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]

/** The permission notice that most packages share. It is written once. */
const PERMISSION = /Permission is hereby granted, free[\s\S]*?OTHER\s+DEALINGS IN THE\s+SOFTWARE\./
const MIT = `## MIT permission notice

    ${PERMISSION.exec(readFileSync('LICENSE', 'utf8'))?.[0].replace(/\n(?=.)/g, '\n    ')}
`

/** Returns true if `text` contains `part`; all white space counts as one space. */
const isPartOf = (part: string, text: string): boolean => text.replace(/\s+/g, ' ').includes(part.replace(/\s+/g, ' '))

/** Formats the section of the package in a folder: name, version and licence. Throws an Error if it has no licence file. */
function formatSection(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((entry) => /^(licen[cs]e|copying|notice)(\b|$)/i.test(entry))
  if (files.length === 0) throw new Error(`${name} is bundled, but comes without a licence text`)
  const text = files.map((entry) => readFileSync(join(folder, entry), 'utf8')).join('\n')
  // Forge offers two licences, of which this one applies.
  const chosen = /New BSD License[\s\S]*?OF SUCH DAMAGE\./.exec(text)?.[0] ?? text
  return `## ${name} ${version} (${license})\n\n${chosen
    .replace(PERMISSION, (notice) =>
      isPartOf(notice, MIT) ? 'The MIT permission notice of this file applies.' : notice,
    )
    .trim()
    .replace(/^/gm, '    ')
    .replace(/[ \t]+$/gm, '')}\n`
}
