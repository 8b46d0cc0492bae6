import { RequestError } from '../../api/errors.ts'
import { findJsonSyntaxError } from '../../api/shared.ts'

/** Reads a seed from a file. Throws a RequestError with the line and column if it is not JSON. */
export async function readSeedFile(file: File): Promise<unknown> {
  const text = (await file.text()).replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text) as unknown
  } catch {
    const { line, column, expected } = findJsonSyntaxError(text) ?? { line: 1, column: 1, expected: 'a value' }
    const message = `${file.name}: line ${line}, column ${column}: not JSON: expected ${expected}`
    const hint = `For other formats, start the server with npx fake-calendar --seed ${file.name}`
    throw new RequestError(message, { status: 0, hint })
  }
}

/** Downloads data as a JSON file. */
export function downloadJson(name: string, data: unknown): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(data, null, 2)}\n`], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
