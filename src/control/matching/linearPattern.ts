import * as namespace from 're2js'
import { boundedCache } from '../../db/memo.ts'
import { toRe2Syntax, UnsupportedPatternError } from './re2Syntax.ts'

/** Returns re2js on first use, because the package loads it lazily. A lazily loaded module has a default export only. */
const re2js = () => (namespace as Partial<{ default: typeof namespace }>).default ?? namespace

/** A pattern that takes time linear in the length of a text. */
export type LinearPattern = {
  /** The number of instructions. A text takes at most this many steps per character. */
  readonly size: number
  test(text: string): boolean
}

const MAX_PATTERN_LENGTH = 1000
const MAX_PATTERN_SIZE = 4000
const MAX_CACHED_PATTERNS = 500

/** Patterns by their source and flags. */
const compiled = boundedCache<LinearPattern>(MAX_CACHED_PATTERNS)

/**
 * Compiles a regular expression so that it runs in linear time. Text has the flag `u`. Throws a RangeError that names the
 * pattern and the reason if it is invalid or if RE2 cannot express it. `beforeCompile` is called unless the result is cached.
 */
export function compilePattern(pattern: RegExp | string, beforeCompile: () => void): LinearPattern {
  const key = typeof pattern === 'string' ? `/${pattern}/u` : String(pattern)
  return compiled(key, () => {
    beforeCompile()
    return compile(pattern)
  })
}

function compile(pattern: RegExp | string): LinearPattern {
  const source = typeof pattern === 'string' ? pattern : pattern.source
  if (source.length > MAX_PATTERN_LENGTH) throw new RangeError(`at most ${MAX_PATTERN_LENGTH} characters`)
  const shown = typeof pattern === 'string' ? JSON.stringify(pattern) : String(pattern)
  const regExp = typeof pattern === 'string' ? parse(pattern, shown) : pattern
  try {
    const { RE2JS } = re2js()
    const ignoreCase = regExp.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0
    const program = RE2JS.compile(toRe2Syntax(regExp), ignoreCase | (regExp.multiline ? RE2JS.MULTILINE : 0))
    const size = program.programSize()
    if (size > MAX_PATTERN_SIZE) throw new UnsupportedPatternError(`it has more than ${MAX_PATTERN_SIZE} steps`)
    return { size, test: (text) => program.test(text) }
  } catch (error) {
    throw new RangeError(`${shown} cannot be matched in linear time: ${reasonOf(error)}`)
  }
}

function parse(source: string, shown: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    throw new RangeError(`${shown} is not a valid regular expression`)
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof UnsupportedPatternError) return error.message
  const message = error instanceof Error ? error.message : String(error)
  return /repeat|too large/.test(message) ? 'its repeat counts multiply to more than 1000' : message
}
