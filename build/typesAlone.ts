/** Leaves the code of a build away, which is written by another: declarations are a pass of their own, which this is not part of. */
export function typesAlone() {
  return {
    name: 'types alone',
    generateBundle(_: unknown, bundle: Record<string, unknown>) {
      for (const file of Object.keys(bundle)) delete bundle[file]
    },
  }
}
