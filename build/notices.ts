import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What the bundler tells of a bundle: which modules each of its chunks holds. */
type Bundle = Record<string, { moduleIds?: string[] }>
type Package = { name: string; version: string; license: string; text: string }

const TITLE = `# Third-party notices

fake-calendar is shipped as a bundle, which holds code of the packages below. Their licences follow.
`

/**
 * Writes the licences of the packages that really are in the bundle, found by the modules in it; those of one `more` bundle
 * beside what is written there.
 */
export function notices({ file, more = false }: { file: string; more?: boolean }) {
  return {
    name: 'notices',
    writeBundle(_: unknown, bundle: Bundle) {
      const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds)
      // The declarations are a bundle of their own; whatever they hold is in the code as well.
      if (modules.every((id) => /\.d\.[cm]?ts(\?|$)/.test(id))) return
      const folders = new Set(modules.flatMap((id) => folderOf(id) ?? []))
      const sections = new Set([...(more ? sectionsIn(file) : []), ...[...folders].map(read).map(section)])
      const sorted = [...sections].sort((a, b) => a.localeCompare(b, 'en'))
      writeFileSync(file, [TITLE, ...sorted].join('\n'))
    },
  }
}

/** The folder of the package that a module belongs to; none for our own. */
function folderOf(id: string): string | undefined {
  // The few lines that the bundler itself adds to join modules.
  if (id.startsWith('\0rolldown/')) return join('node_modules', 'rolldown')
  const [, folder] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? []
  return folder
}

function read(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder).filter((entry) => /^(licen[cs]e|copying|notice)(\b|$)/i.test(entry))
  if (texts.length === 0) throw new Error(`${name} in ${dirname(folder)} is bundled, but comes without a licence text`)
  return { name, version, license, text: texts.map((entry) => readFileSync(join(folder, entry), 'utf8')).join('\n') }
}

const sectionsIn = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split(/^(?=## )/m)
    .slice(1)
    .map((text) => `${text.trimEnd()}\n`)

const section = ({ name, version, license, text }: Package): string =>
  `## ${name} ${version} (${license})\n\n${text
    .trim()
    .replace(/^/gm, '    ')
    .replace(/[ \t]+$/gm, '')}\n`
