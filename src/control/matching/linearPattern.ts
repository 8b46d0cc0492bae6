import * as namespace from 're2js'
import { boundedCache } from '../../db/memo.ts'

/** Returns the module re2js, which is loaded on the first use. A lazily loaded module has a default export only. */
const re2js = () => (namespace as Partial<{ default: typeof namespace }>).default ?? namespace

/** A pattern that takes time linear in the length of a text. */
export type LinearPattern = {
  /** The number of instructions. A text takes at most this many steps per character. */
  readonly size: number
  test(text: string): boolean
}

/** In characters. */
const MAX_PATTERN_LENGTH = 1000
/** In instructions of the compiled program. */
const MAX_PATTERN_SIZE = 4000
const MAX_CACHED_PATTERNS = 500

/** Patterns by their source and flags. */
const compiled = boundedCache<LinearPattern>(MAX_CACHED_PATTERNS)

/**
 * Compiles a regular expression so that it runs in linear time. A pattern that is text is compiled with the flag `u`.
 * Throws a RangeError that names the pattern and the reason if it is invalid, too long, or cannot be expressed in RE2.
 * Calls `beforeCompile` unless the result is cached; its error is thrown too.
 */
export function compilePattern(pattern: RegExp | string, beforeCompile: () => void): LinearPattern {
  const key = typeof pattern === 'string' ? `/${pattern}/u` : String(pattern)
  return compiled(key, () => {
    beforeCompile()
    return compileLinear(pattern)
  })
}

/** Compiles a pattern without the cache. Throws the RangeErrors of `compilePattern`. */
function compileLinear(pattern: RegExp | string): LinearPattern {
  const source = typeof pattern === 'string' ? pattern : pattern.source
  if (source.length > MAX_PATTERN_LENGTH) throw new RangeError(`a pattern has at most ${MAX_PATTERN_LENGTH} characters`)
  const shown = typeof pattern === 'string' ? JSON.stringify(pattern) : String(pattern)
  const regExp = typeof pattern === 'string' ? parseRegExp(pattern, shown) : pattern
  try {
    const { RE2JS } = re2js()
    const ignoreCase = regExp.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0
    const program = RE2JS.compile(toRe2Syntax(regExp), ignoreCase | (regExp.multiline ? RE2JS.MULTILINE : 0))
    const size = program.programSize()
    if (size > MAX_PATTERN_SIZE) throw new UnsupportedPatternError(`it has more than ${MAX_PATTERN_SIZE} steps`)
    return { size, test: (text) => program.test(text) }
  } catch (error) {
    throw new RangeError(`${shown} cannot be matched in linear time: ${describeCompileError(error)}`)
  }
}

/** Parses text with the flag `u`. Throws a RangeError for an invalid pattern, in which `shown` names it. */
function parseRegExp(source: string, shown: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    throw new RangeError(`${shown} is not a valid regular expression`)
  }
}

/** Returns the reason of an error of re2js or of the translation, for a message. */
function describeCompileError(error: unknown): string {
  if (error instanceof UnsupportedPatternError) return error.message
  const message = error instanceof Error ? error.message : String(error)
  return /repeat|too large/.test(message) ? 'its repeat counts multiply to more than 1000' : message
}

/** Thrown for a construct that RE2 does not have. The message is the reason. */
export class UnsupportedPatternError extends Error {}

const MAX_REPEAT_COUNT = 1000
const MAX_CODE_POINT = 0x10ffff

/** Inclusive ranges of code points, in ascending order. */
type Ranges = readonly (readonly [number, number])[]

/** `\s` of JavaScript, which includes more than that of RE2. */
const WHITE_SPACE: Ranges = [
  ...([[0x9, 0xd], [0x20, 0x20], [0xa0, 0xa0], [0x1680, 0x1680], [0x2000, 0x200a], [0x2028, 0x2029]] as const),
  ...([[0x202f, 0x202f], [0x205f, 0x205f], [0x3000, 0x3000], [0xfeff, 0xfeff]] as const),
] // biome-ignore format: a table
const WORD: Ranges = [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]] // biome-ignore format: a table
const DIGIT: Ranges = [[0x30, 0x39]]
const NOT_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]'
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 }

/** An atom: one code point, or a set of several. */
type Atom = number | Ranges

/**
 * Returns the source of a valid regular expression in the syntax of RE2 that matches the same texts. Texts are read by code
 * points, and with the flag `m` lines end at `\n` only. Throws an UnsupportedPatternError for what RE2 does not have.
 */
export function toRe2Syntax(pattern: RegExp): string {
  if (pattern.flags.includes('v')) throw new UnsupportedPatternError('the flag v is not supported')
  if (pattern.sticky) throw new UnsupportedPatternError('the flag y is not supported')
  return new Translation(pattern).translate()
}

/** Translates one pattern from left to right. Each method reads at `#at` and moves it forward. */
class Translation {
  readonly #source: string
  readonly #isUnicode: boolean
  readonly #isDotAll: boolean
  #at = 0

  constructor({ source, unicode, dotAll }: RegExp) {
    this.#source = source
    this.#isUnicode = unicode
    this.#isDotAll = dotAll
  }

  /** Returns the pattern in the syntax of RE2. Throws an UnsupportedPatternError. */
  translate(): string {
    let result = ''
    while (this.#at < this.#source.length) result += this.#translateTerm()
    return result
  }

  /** Translates one group start, assertion, repeat, character class or atom. */
  #translateTerm(): string {
    const group = this.#take(/\((?:\?(?::|<(?![=!])[^>]*>))?(?!\?)/y)
    // Captures are not used, so every group becomes a non-capturing one.
    if (group !== undefined) return '(?:'
    const lookaround = this.#take(/\(\?<?[=!]/y)
    if (lookaround !== undefined)
      throw new UnsupportedPatternError(`${lookaround}…) is a ${lookaround[2] === '<' ? 'lookbehind' : 'lookahead'}`)
    if (this.#take(/\(\?/y) !== undefined)
      throw new UnsupportedPatternError('flags inside of a pattern are not supported')
    const assertion = this.#take(/\\[bB]|[|)^$*+?]/y)
    if (assertion !== undefined) return assertion
    const repeat = this.#take(/\{\d+(?:,\d*)?\}/y)
    if (repeat !== undefined) return toRe2Repeat(repeat)
    if (this.#take(/\./y) !== undefined) return this.#isDotAll ? '(?s:.)' : NOT_LINE_END
    if (this.#take(/\[/y) !== undefined) return this.#translateClass()
    const atom = this.#readAtom()
    return typeof atom === 'number' ? formatCodePoint(atom) : formatClass(atom)
  }

  /** Translates a character class, whose `[` is already read, up to its `]`. */
  #translateClass(): string {
    const isNegated = this.#take(/\^/y) !== undefined
    const ranges: [number, number][] = []
    /** Adds the code points of an atom to the class. */
    const add = (atom: Atom) => {
      for (const [from, to] of typeof atom === 'number' ? ([[atom, atom]] as const) : atom) ranges.push([from, to])
    }
    while (this.#take(/\]/y) === undefined) {
      const first = this.#readClassAtom()
      if (this.#take(/-(?!\])/y) === undefined) {
        add(first)
        continue
      }
      const last = this.#readClassAtom()
      if (typeof first === 'number' && typeof last === 'number') ranges.push([first, last])
      else for (const atom of [first, 0x2d, last]) add(atom)
    }
    return formatClass(ranges, isNegated)
  }

  /** Reads an atom inside of a class, where `\b` is a backspace (code point 8). */
  #readClassAtom(): Atom {
    return this.#take(/\\b/y) === undefined ? this.#readAtom() : 8
  }

  /** Reads one character, an escape, or a set such as `\d`. Throws an UnsupportedPatternError for a backreference. */
  #readAtom(): Atom {
    if (this.#take(/\\/y) === undefined) return this.#readCodePoint()
    const set = this.#take(/[dDsSwW]/y)
    if (set !== undefined) {
      const ranges = { d: DIGIT, s: WHITE_SPACE, w: WORD }[set.toLowerCase()] as Ranges
      return set === set.toLowerCase() ? ranges : complementRanges(ranges)
    }
    if (this.#take(/0(?!\d)/y) !== undefined) return 0
    const digits = this.#take(/\d+/y)
    if (digits !== undefined) throw new UnsupportedPatternError(`\\${digits} is a backreference`)
    const reference = this.#take(/k<[^>]*>/y)
    if (reference !== undefined) throw new UnsupportedPatternError(`\\${reference} is a backreference`)
    const control = this.#take(/[tnvfr]/y)
    if (control !== undefined) return CONTROLS[control] as number
    const caret = this.#take(/c[A-Za-z]/y)
    if (caret !== undefined) return caret.charCodeAt(1) % 32
    const pair = this.#take(/u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/y)
    if (pair !== undefined)
      return String.fromCharCode(...[pair.slice(1, 5), pair.slice(7)].map(parseHex)).codePointAt(0) as number
    const hex = this.#take(/x[\da-fA-F]{2}|u[\da-fA-F]{4}/y)
    if (hex !== undefined) return parseHex(hex.slice(1))
    if (this.#isUnicode) {
      const braced = this.#take(/u\{[\da-fA-F]+\}/y)
      if (braced !== undefined) return parseHex(braced.slice(2, -1))
      const property = this.#take(/[pP]\{[^}]*\}/y)
      if (property !== undefined) return findPropertyRanges(property)
    }
    return this.#readCodePoint()
  }

  /** Reads one code point, also half of a surrogate pair if it stands alone. */
  #readCodePoint(): number {
    const code = this.#source.codePointAt(this.#at) as number
    this.#at += code > 0xffff ? 2 : 1
    return code
  }

  /**
   * Reads the text that a sticky expression matches at `#at`. Returns undefined and stays there if it does not match.
   */
  #take(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)?.[0]
    this.#at += found?.length ?? 0
    return found
  }
}

/** Parses hexadecimal digits. */
const parseHex = (digits: string): number => Number.parseInt(digits, 16)

/** Returns a repeat such as `{2,5}` without leading zeros. Throws an UnsupportedPatternError above 1000. */
function toRe2Repeat(repeat: string): string {
  const counts = repeat.slice(1, -1).split(',')
  if (counts.some((count) => Number(count) > MAX_REPEAT_COUNT))
    throw new UnsupportedPatternError(`${repeat} repeats more than ${MAX_REPEAT_COUNT} times`)
  return `{${counts.map((count) => (count === '' ? '' : Number(count))).join(',')}}`
}

/** Formats a code point as `\x{1f600}`. */
const formatCodePoint = (code: number): string => `\\x{${code.toString(16)}}`

/** Formats ranges as a character class such as `[\x{61}-\x{7a}]`. */
function formatClass(ranges: Ranges, isNegated = false): string {
  // RE2 has no empty class.
  if (ranges.length === 0) return isNegated ? '(?s:.)' : `[^\\x00-${formatCodePoint(MAX_CODE_POINT)}]`
  const parts = ranges.map(([from, to]) =>
    from === to ? formatCodePoint(from) : `${formatCodePoint(from)}-${formatCodePoint(to)}`,
  )
  return `[${isNegated ? '^' : ''}${parts.join('')}]`
}

/** Returns all code points that are not in `ranges`. */
function complementRanges(ranges: Ranges): Ranges {
  const starts = [0, ...ranges.map(([, to]) => to + 1)]
  const ends = [...ranges.map(([from]) => from - 1), MAX_CODE_POINT]
  return starts.flatMap((from, at) => (from <= (ends[at] as number) ? [[from, ends[at] as number] as const] : []))
}

const properties = new Map<string, Ranges>()

/**
 * Returns the code points of a property, given as `p{…}` or `P{…}`, as the platform defines them. The result is cached.
 */
function findPropertyRanges(property: string): Ranges {
  const found = properties.get(property)
  if (found) return found
  const runs = allCodePoints().matchAll(new RegExp(`\\${property}+`, 'gu'))
  const ranges = [...runs].flatMap(([run]) => {
    const [from = 0, to = from] = [run.codePointAt(0), findLastCodePoint(run)]
    // The text leaves out surrogates, so that a run can contain the gap.
    return from < 0xd800 && to > 0xdfff ? [[from, 0xd7ff] as const, [0xe000, to] as const] : [[from, to] as const]
  })
  properties.set(property, ranges)
  return ranges
}

/** Returns all code points but surrogates in one text, in order. */
function allCodePoints(): string {
  const rows: string[] = []
  for (let row = 0; row <= MAX_CODE_POINT; row += 0x100) {
    if (row >= 0xd800 && row <= 0xdfff) continue
    rows.push(String.fromCodePoint(...Array.from({ length: 0x100 }, (_, at) => row + at)))
  }
  return rows.join('')
}

/** Returns the last code point of a text, or undefined for an empty text. */
const findLastCodePoint = (text: string): number | undefined =>
  text.codePointAt(text.length - (/[\udc00-\udfff]$/.test(text) ? 2 : 1))
