import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const TITLE =
  '# Third-party notices\n\nfake-calendar is shipped as a bundle, which holds code of the packages below. Their licences follow.\n'

/** Writes the licences of the packages in the bundle, found by its modules. `more` keeps those that were written there before. */
export const notices = ({ file, more = false }: { file: string; more?: boolean }) => ({
  name: 'notices',
  writeBundle(_: unknown, bundle: Record<string, { moduleIds?: string[] }>) {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds)
    if (modules.every((id) => /\.d\.[cm]?ts(\?|$)/.test(id))) return // declarations contain no code
    const earlier = more
      ? readFileSync(file, 'utf8')
          .split(/^(?=## )/m)
          .slice(1)
      : []
    const folders = new Set(modules.flatMap((id) => folderOf(id) ?? []))
    const sections = new Set([...earlier.map((text) => `${text.trimEnd()}\n`), ...[...folders].map(sectionOf), MIT])
    writeFileSync(file, [TITLE, ...[...sections].sort((a, b) => a.localeCompare(b, 'en'))].join('\n'))
  },
})

/** Returns the folder of the package of a module, or undefined for modules of this project. The bundler adds code of its own. */
const folderOf = (id: string): string | undefined =>
  id.startsWith('\0rolldown/') ? 'node_modules/rolldown' : /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]

/** The permission notice that most packages share. It is written once. */
const PERMISSION = /Permission is hereby granted, free[\s\S]*?OTHER\s+DEALINGS IN THE\s+SOFTWARE\./
const MIT = `## MIT permission notice

    ${PERMISSION.exec(readFileSync('LICENSE', 'utf8'))?.[0].replace(/\n(?=.)/g, '\n    ')}
`

/** Returns true if a text contains another, apart from line breaks. */
const isIn = (part: string, text: string): boolean => text.replace(/\s+/g, ' ').includes(part.replace(/\s+/g, ' '))

function sectionOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((entry) => /^(licen[cs]e|copying|notice)(\b|$)/i.test(entry))
  if (files.length === 0) throw new Error(`${name} is bundled, but comes without a licence text`)
  const text = files.map((entry) => readFileSync(join(folder, entry), 'utf8')).join('\n')
  // Forge offers two licences, of which this one applies.
  const chosen = /New BSD License[\s\S]*?OF SUCH DAMAGE\./.exec(text)?.[0] ?? text
  return `## ${name} ${version} (${license})\n\n${chosen
    .replace(PERMISSION, (notice) => (isIn(notice, MIT) ? 'The MIT permission notice of this file applies.' : notice))
    .trim()
    .replace(/^/gm, '    ')
    .replace(/[ \t]+$/gm, '')}\n`
}
