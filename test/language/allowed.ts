/** The folders and pages that keep the vocabulary. */
export const COVERED: string[] = ['src', 'test', 'build', 'bin', 'docs', 'README.md']

/** A finding that stays: the beginning of its file name, the beginning of its text, and the reason. */
export type Allowance = { in: string; text: string; reason: string }

export const ALLOWED: Allowance[] = [
  {
    in: 'src/server/',
    text: 'Bindings',
    reason: 'Hono reads the type of its environment from a property of this name.',
  },
]

/** Exported types with one meaning that several files declare, each with the reason. */
export const SAME_TYPES: Record<string, string> = {
  WallTime: 'The inspector declares the same alias of a string, because it bundles only what it needs of the server.',
}
