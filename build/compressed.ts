import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Stores scripts and styles of 1 kB or more with gzip, because nearly all browsers accept that and they are a third as large. */
export const compressed = () => ({
  name: 'compressed',
  writeBundle({ dir = '' }: { dir?: string | undefined }, bundle: Record<string, unknown>) {
    for (const name of Object.keys(bundle).filter((one) => /\.(js|css)$/.test(one))) {
      const file = join(dir, name)
      const bytes = readFileSync(file)
      if (bytes.length < 1000) continue
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
      rmSync(file)
    }
  },
})
