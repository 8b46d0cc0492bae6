import { type Document, isMap, isSeq, type Node, parseDocument, visit } from 'yaml'
import { canonical, inOrder } from './canonical.ts'
import { readJson, readYaml } from './document.ts'

/** A seed as it is written by everybody; what cannot be read is told of line by line. */
export type Formatted = { text: string } | { faults: string[] }

export function formatted(name: string, text: string, kind: 'json' | 'yaml'): Formatted {
  const read = kind === 'yaml' ? readYaml(text) : readJson(text)
  if ('faults' in read) {
    return { faults: read.faults.map(({ line, column, problem }) => `${name}:${line}:${column}: ${problem}`) }
  }
  return { text: kind === 'yaml' ? formattedYaml(text, read.data) : canonical(read.data) }
}

const WIDTH = 120

/** Comments stay with what they stand before. Where names refer to others, which have to come first, all stay in order. */
function formattedYaml(text: string, data: unknown): string {
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

/** The items of maps in the order of the same data. */
function sortLike(node: Document.Parsed['contents'] | unknown, data: unknown): void {
  if (isSeq(node) && Array.isArray(data)) for (const [at, item] of node.items.entries()) sortLike(item, data[at])
  if (!isMap(node) || typeof data !== 'object' || data === null) return
  const names = Object.keys(data)
  const nameOf = ({ key }: { key: unknown }) => String((key as Node & { value?: unknown })?.value)
  node.items.sort((a, b) => names.indexOf(nameOf(a)) - names.indexOf(nameOf(b)))
  for (const pair of node.items) sortLike(pair.value, Reflect.get(data, nameOf(pair)))
}
