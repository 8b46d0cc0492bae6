import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes ES modules that re-export the CommonJS entries, so that a process that imports and requires the package has one
 * implementation and one class of each error. An `awaited` export of an entry delays the importing program.
 */
export const facade = ({ entries, awaited }: { entries: string[]; awaited: Readonly<Record<string, string>> }) => ({
  name: 'facade',
  writeBundle({ dir = 'dist' }: { dir?: string }, bundle: Record<string, { exports?: string[] }>) {
    for (const entry of entries) {
      const { exports = [] } = bundle[`${entry}.cjs`] ?? {}
      if (exports.length === 0) continue
      const waiting = awaited[entry]
        ? `import { ${awaited[entry]} } from './${entry}.cjs'\nawait ${awaited[entry]}\n`
        : ''
      writeFileSync(join(dir, `${entry}.js`), `export { ${exports.join(', ')} } from './${entry}.cjs'\n${waiting}`)
      writeFileSync(join(dir, `${entry}.d.ts`), `export * from './${entry}.cjs'\n`)
    }
  },
})
