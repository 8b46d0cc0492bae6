import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'

type Output = { dir?: string | undefined }

/** Leaves a module and its declarations out of a bundle, because it is another entry of the package. */
export const beside = ({ of, entry }: { of: string; entry: string }) => ({
  name: 'beside',
  resolveId: {
    order: 'pre' as const,
    handler: (source: string, importer: string | undefined) =>
      importer && relative(process.cwd(), join(importer, '..', source)) === of ? { id: entry, external: true } : null,
  },
})

/**
 * Writes ES modules that re-export the CommonJS entries, so that a process that imports and requires the package has one
 * implementation and one class of each error. An `awaited` export of an entry delays the importing program.
 */
export const facade = ({ entries, awaited }: { entries: string[]; awaited: Readonly<Record<string, string>> }) => ({
  name: 'facade',
  writeBundle({ dir = '' }: Output, bundle: Record<string, { exports?: string[] }>) {
    for (const entry of entries) {
      const { exports = [] } = bundle[`${entry}.cjs`] ?? {}
      if (exports.length === 0) continue
      const name = awaited[entry]
      const waiting = name ? `import { ${name} } from './${entry}.cjs'\nawait ${name}\n` : ''
      writeFileSync(join(dir, `${entry}.js`), `export { ${exports.join(', ')} } from './${entry}.cjs'\n${waiting}`)
      writeFileSync(join(dir, `${entry}.d.ts`), `export * from './${entry}.cjs'\n`)
    }
  },
})

/** A CommonJS module that loads the compressed module beside it. */
export const UNZIP = `module._compile(require('node:zlib').gunzipSync(require('node:fs').readFileSync(\`\${__filename}.gz\`)).toString(), __filename)\n`

/** Stores the matching files of 1 kB or more with gzip, which makes them a third as large. `loader` takes their place. */
export const gzipped = (pattern: RegExp, loader?: string) => ({
  name: 'gzipped',
  writeBundle({ dir = '' }: Output, bundle: Record<string, unknown>) {
    for (const name of Object.keys(bundle).filter((one) => pattern.test(one))) {
      const file = join(dir, name)
      const bytes = readFileSync(file)
      if (bytes.length < 1000) continue
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
      if (loader) writeFileSync(file, loader)
      else rmSync(file)
    }
  },
})

const SUBSTITUTE = '\0substitute:'

/** Replaces imported modules by code, because the package does not need them at its start. */
export const substitutes = (modules: Readonly<Record<string, string>>) => ({
  name: 'substitutes',
  resolveId: {
    order: 'pre' as const,
    handler(source: string, importer: string | undefined) {
      if (importer?.startsWith(SUBSTITUTE)) return { id: source, external: true }
      return importer !== undefined && source in modules ? SUBSTITUTE + source : null
    },
  },
  load: (id: string) => (id.startsWith(SUBSTITUTE) ? modules[id.slice(SUBSTITUTE.length)] : null),
})

/** The code of a module that loads an entry on first use. Its users are synchronous and cannot await it. */
export const onFirstUse = (entry: string): string =>
  `let loaded\nexport default new Proxy({}, { get: (_, name) => (loaded ??= require('./${entry}.cjs'))[name] })`

/** Edits modules, given by the end of their paths. Throws an error if an edit does not change anything. */
export function edits(all: Readonly<Record<string, (code: string) => string>>) {
  const missing = new Set(Object.keys(all))
  return {
    name: 'edits',
    buildEnd() {
      if (missing.size > 0) throw new Error(`nothing to edit in ${[...missing].join(', ')}`)
    },
    transform(code: string, id: string) {
      const path = Object.keys(all).find((one) => id.endsWith(`/${one}`)) ?? ''
      const edited = all[path]?.(code) ?? code
      if (edited === code) return null
      missing.delete(path)
      return edited
    },
  }
}
