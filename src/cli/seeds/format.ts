import { type Document, isMap, isSeq, type Node, parseDocument, visit } from 'yaml'
import { formatJson, inOrder } from './canonical.ts'
import { readJson, readYaml } from './document.ts'

/** The text of a formatted seed, or the problems of an unreadable one, one per line. */
export type FormatResult = { text: string } | { faults: string[] }

/** Formats a seed: keys in the order of the schema. Problems begin with `name` and the position. */
export function formatSeed(name: string, text: string, kind: 'json' | 'yaml'): FormatResult {
  const read = kind === 'yaml' ? readYaml(text) : readJson(text)
  if ('faults' in read) {
    return { faults: read.faults.map(({ line, column, problem }) => `${name}:${line}:${column}: ${problem}`) }
  }
  return { text: kind === 'yaml' ? formatYaml(text, read.data) : formatJson(read.data) }
}

const WIDTH = 120

/**
 * Formats YAML with its comments. If aliases are used, the order is kept, because an anchor must precede its aliases.
 */
function formatYaml(text: string, data: unknown): string {
  const document = parseDocument(text, { merge: true })
  let refers = false
  visit(document, {
    Alias: () => {
      refers = true
    },
  })
  if (!refers) sortLike(document.contents, inOrder(data))
  return document.toString({ indent: 2, indentSeq: true, lineWidth: WIDTH })
}

/** Sorts the items of maps like the given data. */
function sortLike(node: Document.Parsed['contents'] | unknown, data: unknown): void {
  if (isSeq(node) && Array.isArray(data)) for (const [at, item] of node.items.entries()) sortLike(item, data[at])
  if (!isMap(node) || typeof data !== 'object' || data === null) return
  const names = Object.keys(data)
  const nameOf = ({ key }: { key: unknown }) => String((key as Node & { value?: unknown })?.value)
  node.items.sort((a, b) => names.indexOf(nameOf(a)) - names.indexOf(nameOf(b)))
  for (const pair of node.items) sortLike(pair.value, Reflect.get(data, nameOf(pair)))
}
