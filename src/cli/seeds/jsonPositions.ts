import { LineCounter } from 'yaml'
import type { IssuePath } from '../../schema/values/issues.ts'

export type TextPosition = { line: number; column: number }

type JsonNode = {
  readonly offset: number
  readonly fields?: Map<string, { readonly keyOffset: number; readonly value: JsonNode }>
  readonly items?: JsonNode[]
}

const TOKEN = /[{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s{}[\],:"]+/g

/** For a missing key, the position is that of the nearest object around it. The YAML parser would take ten times as long. */
export function createJsonPositionFinder(json: string): (path: IssuePath, what: 'key' | 'value') => TextPosition {
  const root = parseJsonNodes(json)
  const lines = new LineCounter()
  lines.addNewLine(0)
  for (let at = json.indexOf('\n'); at >= 0; at = json.indexOf('\n', at + 1)) lines.addNewLine(at + 1)
  return (path, what) => {
    const { line, col } = lines.linePos(findOffset(root, path, what))
    return { line, column: col }
  }
}

function findOffset(root: JsonNode, path: IssuePath, what: 'key' | 'value'): number {
  let node = root
  for (const [at, step] of path.entries()) {
    const field = node.fields?.get(String(step))
    if (field && what === 'key' && at === path.length - 1) return field.keyOffset
    const next = field?.value ?? node.items?.[Number(step)]
    if (!next) break
    node = next
  }
  return node.offset
}

/** Not recursive, because the nesting is not limited. */
function parseJsonNodes(json: string): JsonNode {
  const top: JsonNode[] = []
  const open: JsonNode[] = [{ offset: 0, items: top }]
  let key: { name: string; offset: number } | undefined
  for (const { 0: token, index: offset } of json.matchAll(TOKEN)) {
    const parent = open.at(-1)
    if (token === ',' || token === ':' || !parent) continue
    if (token === '}' || token === ']') {
      open.pop()
      continue
    }
    if (parent.fields && !key) {
      key = { name: JSON.parse(token), offset }
      continue
    }
    const node: JsonNode = {
      offset,
      ...(token === '{' && { fields: new Map() }),
      ...(token === '[' && { items: [] }),
    }
    if (parent.fields && key) parent.fields.set(key.name, { keyOffset: key.offset, value: node })
    else parent.items?.push(node)
    key = undefined
    if (node.fields || node.items) open.push(node)
  }
  return top[0] ?? { offset: 0 }
}
