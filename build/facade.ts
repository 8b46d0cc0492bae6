import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Chunk = { fileName?: string; exports?: string[] }

/**
 * Writes the ES modules that hand on the exports of the CommonJS entries. A process that both imports and requires the package
 * so has one implementation, and one class of each error. An `awaited` export of an entry delays the importing program.
 */
export function facade({ entries, awaited }: { entries: string[]; awaited: Readonly<Record<string, string>> }) {
  return {
    name: 'facade',
    writeBundle({ dir = 'dist' }: { dir?: string }, bundle: Record<string, Chunk>) {
      for (const entry of entries) {
        const { exports = [] } = Object.values(bundle).find(({ fileName }) => fileName === `${entry}.cjs`) ?? {}
        if (exports.length === 0) continue
        const name = awaited[entry]
        const waiting = name === undefined ? '' : `import { ${name} } from './${entry}.cjs'\nawait ${name}\n`
        writeFileSync(join(dir, `${entry}.js`), `export { ${exports.join(', ')} } from './${entry}.cjs'\n${waiting}`)
        writeFileSync(join(dir, `${entry}.d.ts`), `export * from './${entry}.cjs'\n`)
      }
    },
  }
}
