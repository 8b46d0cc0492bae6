import { type Document, isMap, isSeq, type Node, parseDocument, visit } from 'yaml'
import { formatSeedJson, sortSeedKeys } from './canonical.ts'
import { parseJsonText } from './json.ts'
import { parseYamlText } from './yaml.ts'

export type FormatResult = { text: string } | { problems: string[] }

/** Problems are `name:line:column: problem`. Does not throw. */
export function formatSeed(name: string, text: string, kind: 'json' | 'yaml'): FormatResult {
  const read = kind === 'yaml' ? parseYamlText(text) : parseJsonText(text)
  if ('problems' in read) {
    return { problems: read.problems.map(({ line, column, problem }) => `${name}:${line}:${column}: ${problem}`) }
  }
  return { text: kind === 'yaml' ? formatYaml(text, read.data) : formatSeedJson(read.data) }
}

const MAX_LINE_LENGTH = 120

/** Comments stay. With aliases, the order of keys is kept, because an anchor must precede its aliases. */
function formatYaml(text: string, data: unknown): string {
  const document = parseDocument(text, { merge: true })
  let hasAliases = false
  visit(document, {
    Alias: () => {
      hasAliases = true
    },
  })
  if (!hasAliases) sortNodeLike(document.contents, sortSeedKeys(data))
  return document.toString({ indent: 2, indentSeq: true, lineWidth: MAX_LINE_LENGTH })
}

function sortNodeLike(node: Document.Parsed['contents'] | unknown, data: unknown): void {
  if (isSeq(node) && Array.isArray(data)) for (const [at, item] of node.items.entries()) sortNodeLike(item, data[at])
  if (!isMap(node) || typeof data !== 'object' || data === null) return
  const names = Object.keys(data)
  const nameOf = ({ key }: { key: unknown }) => String((key as Node & { value?: unknown })?.value)
  node.items.sort((a, b) => names.indexOf(nameOf(a)) - names.indexOf(nameOf(b)))
  for (const pair of node.items) sortNodeLike(pair.value, Reflect.get(data, nameOf(pair)))
}
