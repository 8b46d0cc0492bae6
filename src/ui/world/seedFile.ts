import { jsonFault } from '../../cli/jsonFault.ts'
import { Refused } from '../refused.ts'

/** A seed as a file holds it. What is none is refused in a line that says where. */
export async function seedIn(file: File): Promise<unknown> {
  const text = (await file.text()).replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text) as unknown
  } catch {
    const { line, column, expected } = jsonFault(text) ?? { line: 1, column: 1, expected: 'a value' }
    const message = `${file.name}: line ${line}, column ${column}: not JSON: expected ${expected}`
    throw new Refused(message, {
      status: 0,
      hint: `A world begins with other files by npx fake-calendar --seed ${file.name}`,
    })
  }
}

/** Hands data to whoever looks, as a file of a name. */
export function saveFile(name: string, data: unknown): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(data, null, 2)}\n`], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
