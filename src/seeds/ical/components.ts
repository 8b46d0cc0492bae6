import { contentLines, type Property, readProperty } from './contentLines.ts'
import { quote, type Report } from './report.ts'

/** A component: the lines between a BEGIN and its END. `name` is in upper case; `line` is the number of the BEGIN. */
export type Component = { name: string; line: number; properties: Property[]; components: Component[] }

/** Deeper components are ignored. iCalendar needs three levels. */
const MAX_DEPTH = 16

/**
 * Parses the components of a text, and returns them below a root without a name. Missing and superfluous ENDs are
 * corrected; lines that are no properties are reported.
 */
export function readComponents(text: string, report: Report): Component {
  const root: Component = { name: '', line: 0, properties: [], components: [] }
  const stack = [root]
  let below = 0
  for (const content of contentLines(text)) {
    const [, edge, name = ''] = /^(BEGIN|END)(?:;[^:]*)?:(.*)$/i.exec(content.text) ?? []
    if (edge?.toUpperCase() === 'BEGIN') {
      if (stack.length > MAX_DEPTH) below++
      else open(stack, name.trim(), content.line)
    } else if (edge) {
      if (below > 0) below--
      else close(stack, name.trim().toUpperCase())
    } else if (below === 0) {
      const property = readProperty(content)
      if (property) stack.at(-1)?.properties.push(property)
      else report(content.line, `no property, and passed over: ${quote(content.text)}`)
    }
  }
  return root
}

/** Adds a component below the last open one, and opens it. */
function open(stack: Component[], name: string, line: number): void {
  const component = { name: name.toUpperCase(), line, properties: [], components: [] }
  stack.at(-1)?.components.push(component)
  stack.push(component)
}

/** Closes the last open component of a name, and all inside of it. Does nothing without one. */
function close(stack: Component[], name: string): void {
  const at = stack.findLastIndex((one) => one.name === name)
  if (at > 0) stack.length = at
}

/** Returns the first property of a name in lower case, or undefined. */
export const findProperty = ({ properties }: Component, name: string): Property | undefined =>
  properties.find((one) => one.name === name)

/** Returns all properties of these names in lower case. */
export const findProperties = ({ properties }: Component, ...names: string[]): Property[] =>
  properties.filter((one) => names.includes(one.name))

/** Returns the trimmed value of the first property of a name, or undefined if there is none or if it is empty. */
export const findText = (component: Component, name: string): string | undefined =>
  findProperty(component, name)?.value.trim() || undefined
