/** The properties are not enumerable, so that deep comparisons and JSON ignore them. */
export function withHiddenProperties<T extends object, M extends object>(target: T, properties: M): T & Readonly<M> {
  for (const [name, value] of Object.entries(properties)) Object.defineProperty(target, name, { value })
  return target as T & Readonly<M>
}
