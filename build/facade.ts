import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Chunk = { isEntry?: boolean; fileName?: string; exports?: string[] }

/**
 * Writes what `import` finds: a module that hands on what the CommonJS entry exports. There is one implementation, so that
 * a process that both imports and requires the package has one of everything, classes that errors are told by among them.
 */
export function facade({ entry }: { entry: string }) {
  return {
    name: 'facade',
    writeBundle({ dir = 'dist' }: { dir?: string }, bundle: Record<string, Chunk>) {
      const { exports = [] } = Object.values(bundle).find(({ fileName }) => fileName === `${entry}.cjs`) ?? {}
      if (exports.length === 0) return
      writeFileSync(join(dir, `${entry}.js`), `export { ${exports.join(', ')} } from './${entry}.cjs'\n`)
      writeFileSync(join(dir, `${entry}.d.ts`), `export * from './${entry}.cjs'\n`)
    },
  }
}
