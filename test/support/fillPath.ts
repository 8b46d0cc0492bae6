/**
 * Fills the parameters of a path, such as `{calendarId}`, with values of an example. `left` has the other values, for the query
 * or the body; undefined if there are none.
 */
export function fillPath(path: string, example: unknown): { path: string; left: Record<string, unknown> | undefined } {
  const params = example as Record<string, unknown> | undefined
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const left = Object.entries(params ?? {}).filter(([name]) => !names.includes(name))
  return {
    path: path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params?.[name]))),
    left: params && (left.length > 0 || names.length === 0) ? Object.fromEntries(left) : undefined,
  }
}
