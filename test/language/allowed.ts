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
