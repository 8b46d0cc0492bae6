import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const LOADER = `module._compile(require('node:zlib').gunzipSync(require('node:fs').readFileSync(\`\${__filename}.gz\`)).toString(), __filename)\n`

/** Stores CommonJS chunks that few programs load with gzip, beside a module of the same name that decompresses them. */
export const packed = (...chunks: string[]) => ({
  name: 'packed',
  writeBundle({ dir = 'dist' }: { dir?: string }, bundle: Record<string, unknown>) {
    for (const name of chunks.filter((chunk) => Object.hasOwn(bundle, chunk))) {
      const file = join(dir, name)
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
      writeFileSync(file, LOADER)
    }
  },
})
