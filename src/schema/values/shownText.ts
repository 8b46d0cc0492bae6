/** A name, an id or a value, in characters. */
const MAX_SHOWN_LENGTH = 200
/** A line of a terminal, a page or a log, with its reason, in characters. */
const MAX_LINE_LENGTH = 2000

const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

const toEscape = (sign: string): string => {
  const json = JSON.stringify(sign).slice(1, -1)
  return json === sign ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}` : json
}

/** Escapes the characters that could move the cursor of a terminal or reverse its text, line feeds and tabs included. */
export const escapeControls = (text: string): string => text.replace(UNSAFE, toEscape)

/**
 * A text of the network (a name, an id, a path, a reply) as a part of one line: without control and direction characters, and
 * of at most 200 characters.
 */
export const shorten = (text: string): string => cutEscaped(text, MAX_SHOWN_LENGTH)

/** A line that contains texts of the network, of at most 2,000 characters. */
export const shortenLine = (line: string): string => cutEscaped(line, MAX_LINE_LENGTH)

/** A long text is cut before it is escaped, because the work is to be bounded, and again after it. */
function cutEscaped(text: string, max: number): string {
  const escaped = escapeControls(text.slice(0, max + 1))
  return escaped.length > max ? `${escaped.slice(0, max).replace(/[\ud800-\udbff]$/, '')}…` : escaped
}

/** A value as JSON, shortened. A long text is cut before it is formatted. */
export function toShown(value: unknown): string {
  const bounded = typeof value === 'string' ? value.slice(0, MAX_SHOWN_LENGTH + 1) : value
  return shorten(JSON.stringify(bounded) ?? String(value))
}

/** Returns a text in single quotes, for a POSIX shell. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
