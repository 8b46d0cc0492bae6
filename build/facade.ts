import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Chunk = { isEntry?: boolean; fileName?: string; exports?: string[] }

/**
 * Writes what `import` finds: a module that hands on what the CommonJS entry exports. There is one implementation, so that
 * a process that both imports and requires the package has one of everything, classes that errors are told by among them.
 * What an entry has to wait for before the program goes on is an export that is named with it.
 */
export function facade({ entries }: { entries: Readonly<Record<string, { awaits?: string }>> }) {
  return {
    name: 'facade',
    writeBundle({ dir = 'dist' }: { dir?: string }, bundle: Record<string, Chunk>) {
      for (const [entry, { awaits }] of Object.entries(entries)) {
        const { exports = [] } = Object.values(bundle).find(({ fileName }) => fileName === `${entry}.cjs`) ?? {}
        if (exports.length === 0) continue
        const waiting = awaits === undefined ? '' : `import { ${awaits} } from './${entry}.cjs'\nawait ${awaits}\n`
        writeFileSync(join(dir, `${entry}.js`), `export { ${exports.join(', ')} } from './${entry}.cjs'\n${waiting}`)
        writeFileSync(join(dir, `${entry}.d.ts`), `export * from './${entry}.cjs'\n`)
      }
    },
  }
}
