import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'

// Each function that begins with `Returns a Rolldown plugin` is used in tsdown.config.ts or vite.ui.config.ts.

/** The folder of a bundle. */
type Output = { dir?: string | undefined }

/**
 * Returns a Rolldown plugin that leaves a module and its declarations out of a bundle, because it is an entry of the package
 * itself. `of` is the path of the module in the project, and `entry` the file that is imported instead.
 */
export const beside = ({ of, entry }: { of: string; entry: string }) => ({
  name: 'beside',
  resolveId: {
    order: 'pre' as const,
    handler: (source: string, importer: string | undefined) =>
      importer && relative(process.cwd(), join(importer, '..', source)) === of ? { id: entry, external: true } : null,
  },
})

/**
 * Returns a Rolldown plugin that writes ES modules, which re-export the CommonJS entries, so that a process that imports and
 * requires the package has one implementation and one class of each error. `awaited` names an export (a promise) by entry: the
 * importing program waits for it.
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

/**
 * Returns a Rolldown plugin that replaces the matching files of 1 kB or more by compressed ones.
 */
export const gzipped = (pattern: RegExp) => ({
  name: 'gzipped',
  writeBundle({ dir = '' }: Output, bundle: Record<string, unknown>) {
    for (const name of Object.keys(bundle).filter((one) => pattern.test(one))) {
      const file = join(dir, name)
      const bytes = readFileSync(file)
      if (bytes.length < 1000) continue
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
      rmSync(file)
    }
  },
})

const SUBSTITUTE = '\0substitute:'

/** Returns a Rolldown plugin that replaces imported modules by code, given by the name in the import. */
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

/** The part of `rrule` that writes and reads rules as English sentences. Only the inspector uses it. */
export const WITHOUT_RULE_SENTENCES = {
  './nlp/index': 'export const [fromText, parseText, toText, isFullyConvertible] = []',
}

/** The code of a module that loads an entry on first use. Its users are synchronous and cannot await it. */
export const onFirstUse = (entry: string): string =>
  `let loaded\nexport default new Proxy({}, { get: (_, name) => (loaded ??= require('./${entry}.cjs'))[name] })`

const DEFERRED = '\0deferred:'

/**
 * Returns a Rolldown plugin that loads modules on the first call of a function. Each is an entry of the bundle of the same name,
 * and exports functions alone. Under jest they are loaded at once, because after `jest.resetModules()` a module would load other
 * copies of the classes.
 */
export const deferred = (paths: readonly string[]) => ({
  name: 'deferred',
  resolveId: {
    order: 'pre' as const,
    handler(source: string, importer: string | undefined) {
      if (importer?.startsWith(DEFERRED)) return { id: source, external: true }
      const path = importer && relative(process.cwd(), join(importer, '..', source))
      return path && paths.includes(path) ? DEFERRED + path : null
    },
  },
  load(id: string) {
    if (!id.startsWith(DEFERRED)) return null
    const path = id.slice(DEFERRED.length)
    const names = [...readFileSync(path, 'utf8').matchAll(/^export (?:(?:async )?function\*?|const) (\w+)/gm)].map(
      ([, name]) => name,
    )
    return [
      `let loaded\nconst load = () => loaded ??= require('./${basename(path, '.ts')}.cjs')`,
      'if (process.env.JEST_WORKER_ID) load()',
      ...names.map((name) => `export const ${name} = (...given) => load().${name}(...given)`),
    ].join('\n')
  },
})

/** Returns a Rolldown plugin that replaces the declarations of a module, given by the end of their path. */
export const declares = (path: string, declarations: string) => ({
  name: 'declares',
  load: (id: string) => (id.endsWith(`/${path}`) ? declarations : null),
})

/**
 * Returns a Rolldown plugin that edits the code of modules, given by the end of their paths. The build fails if an edit changes
 * nothing.
 */
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
