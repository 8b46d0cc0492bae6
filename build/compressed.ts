import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** What is worth it. */
const SMALLEST = 1000

/** Leaves scripts and styles in the package compressed, as nearly every browser takes them: they are a third as large. */
export function compressed() {
  return {
    name: 'compressed',
    writeBundle({ dir = '' }: { dir?: string | undefined }, bundle: Record<string, unknown>) {
      for (const name of Object.keys(bundle).filter((one) => /\.(js|css)$/.test(one))) {
        const file = join(dir, name)
        const bytes = readFileSync(file)
        if (bytes.length < SMALLEST) continue
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
        rmSync(file)
      }
    },
  }
}
