import type { Chance } from './chance.ts'
import { TEXTS } from './edgeValues.ts'

/** The fields of responses that later requests may use. */
const KEPT = [
  'id', 'etag', 'nextSyncToken', 'nextPageToken', 'iCalUID', 'resourceId', 'access_token', 'refresh_token', 'id_token', 'device_code', 'user_code', 'requestId',
] as const // biome-ignore format: a list
const MAX_VALUES = 12

/** Ids by kind, and other values by their key. */
export class Memory {
  readonly #known = new Map<string, unknown[]>()

  /** Keeps a value in place of the oldest. */
  keep(name: string, value: unknown): void {
    const values = this.#known.get(name) ?? []
    if (values.includes(value)) return
    this.#known.set(name, [...values.slice(1 - MAX_VALUES), value])
  }

  /** Keeps all values of a response. */
  read(data: unknown): void {
    if (Array.isArray(data)) for (const one of data) this.read(one)
    else if (typeof data === 'object' && data !== null) {
      const { kind } = data as { kind?: unknown }
      for (const [key, value] of Object.entries(data)) {
        if (typeof value !== 'string' && typeof value !== 'number') this.read(value)
        else if (key === 'id') this.keep(typeof kind === 'string' ? kind : 'id', value)
        else if (KEPT.some((name) => name === key)) this.keep(key, value)
      }
    }
  }

  recall(chance: Chance, ...names: string[]): unknown {
    return chance.of(names.flatMap((name) => this.#known.get(name) ?? []))
  }
}

/** Changes a text slightly: truncated, swapped, repeated, or with an insertion. */
export function mangleText(chance: Chance, text: string): string {
  const at = chance.below(text.length + 1)
  const ways: [() => string, ...(() => string)[]] = [
    () => text.slice(0, at),
    () => text.slice(0, at) + chance.of(TEXTS) + text.slice(at),
    () => text + text,
    () => text.toUpperCase(),
    () => text.slice(0, at) + String.fromCharCode(33 + chance.below(90)) + text.slice(at + 1),
    () => resealToken(chance, text),
  ]
  return chance.of(ways)()
}

/** Changes a part of JSON in base64. */
function resealToken(chance: Chance, text: string): string {
  try {
    const data: unknown = JSON.parse(Buffer.from(text, 'base64').toString())
    return Buffer.from(JSON.stringify(alterData(chance, data))).toString('base64')
  } catch {
    return text.slice(1)
  }
}

/** Removes or replaces a value in data. */
export function alterData(chance: Chance, data: unknown): unknown {
  const values = [null, '', 0, -1, 1e21, 'x', [], {}, true, '__proto__']
  if (typeof data !== 'object' || data === null || chance.is(0.05)) return chance.of(values)
  const keys = Object.keys(data)
  const key = chance.of(keys)
  if (key === undefined) return chance.of(values)
  const other = alterData(chance, (data as Record<string, unknown>)[key])
  const isRemoved = chance.is(0.15)
  if (Array.isArray(data)) return data.flatMap((one, at) => (String(at) !== key ? [one] : isRemoved ? [] : [other]))
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) =>
      name !== key ? [[name, value]] : isRemoved ? [] : [[name, other]],
    ),
  )
}
