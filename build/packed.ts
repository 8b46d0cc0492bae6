import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'

/** Keeps the files of a bundle as gzip alone: browsers take them so, and the package is a third of a megabyte smaller. */
export const packed = () => ({
  name: 'packed',
  writeBundle({ dir = '' }: { dir?: string | undefined }, bundle: Record<string, unknown>) {
    for (const name of Object.keys(bundle)) {
      const path = join(dir, name)
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: constants.Z_BEST_COMPRESSION }))
      rmSync(path)
    }
  },
})
