import { type StandIns, splitAddress } from './standIns.ts'

/** The domains of the service's own calendars, which are kept. */
const SERVICE_DOMAINS = /^(?:group|group\.v|import|resource)\.calendar\.google\.com$/
/** The hosts of the service's own pages, which are kept. */
const SERVICE_HOSTS = /^(?:meet|calendar|drive|docs|www)\.google\.com$/

/** Tags, entities and line ends, which divide a text into runs of words. */
const DIVIDERS = /(<[^<>]*>|&[a-z]{2,6};|[\r\n]+)/i
const TAG = /^<(\/?)(a|b|br|div|em|h[1-6]|hr|i|li|ol|p|span|strong|table|tbody|td|tr|u|ul)(?=[\s/>])/i
const ENTITY = /^&(?:amp|lt|gt|quot|nbsp);$/i
/** A token of punctuation and signs only. */
const PUNCTUATION = /^[\p{P}$+<=>^|~`]+$/u
/** A stand-in longer than this is cut to the original's length, because fields have a maximum length. */
const MAX_UNCUT_LENGTH = 100
/** The length of a word in scripts without spaces between words. */
const MAX_WORD_LENGTH = 20
/** The number of characters of a very long word that count as one word of its stand-in. */
const CHARACTERS_PER_WORD = 4

/** The longest name of a person, in words. */
const MAX_NAME_WORDS = 3

/** The kind of a token: a part of a text without spaces. */
type TokenKind = 'words' | 'number' | 'link' | 'address' | 'symbol'

/**
 * Replaces texts by stand-ins, which are invented texts of the same structure. Links, addresses, numbers and tags stay where they
 * are, with new values. Words get new words.
 */
export class ProseStandIns {
  readonly #standIns: StandIns

  constructor(standIns: StandIns) {
    this.#standIns = standIns
  }

  /** Returns true for an address in a domain of the service, such as `group.calendar.google.com`. */
  isServiceAddress = (text: string): boolean => SERVICE_DOMAINS.test(splitAddress(text)[1] ?? '')

  /** Returns true for a text that looks like a URL, with or without a scheme. */
  isLink = (text: string): boolean =>
    /^(?:https?:\/\/|www\.)\S+$/i.test(text) || /^[\w-]+(?:\.[\w-]+)+\/\S*$/.test(text)

  /** Returns the stand-in for the address of a calendar or of a person. The domain of a service's calendar stays. */
  replaceAddress(text: string): string {
    if (!this.isServiceAddress(text)) return this.#standIns.replacePerson(text).email
    const [local, domain] = splitAddress(text)
    const [, prefix = '', id = ''] = /^(c_)?(.*)$/s.exec(local) ?? []
    return `${prefix}${this.#standIns.replaceId(id)}@${domain}`
  }

  /** Returns the stand-in for a URL. Hosts of the service stay, other hosts and all parts of the path are replaced. */
  replaceLink(text: string): string {
    const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)?([^/?#]*)(.*)$/is.exec(text) ?? []
    const at = SERVICE_HOSTS.test(host.toLowerCase()) ? host : this.#standIns.replaceDomain(host)
    const parts = rest
      .split(/([/?#&=])/)
      .map((part, index) => (index % 2 === 0 && part !== '' ? this.#standIns.replaceCharacters(part) : part))
    return scheme + at + parts.join('')
  }

  /**
   * Returns the stand-in for a text with several words, possibly HTML. If the result is longer than the original and than
   * 100 characters, it is cut to the original's length.
   */
  replaceText(text: string): string {
    const parts = text
      .split(DIVIDERS)
      .map((part, index) => (index % 2 === 0 ? this.#replaceRun(part) : this.#replaceDivider(part)))
    const result = parts.join('')
    return result.length > Math.max(text.length, MAX_UNCUT_LENGTH) ? result.slice(0, text.length).trimEnd() : result
  }

  /**
   * Returns the stand-in for one word or value: an address, link, phone number or opaque id. A text with spaces goes to
   * `text`.
   */
  replaceToken(text: string): string {
    if (/\s/.test(text)) return this.replaceText(text)
    const [, scheme = '', rest = ''] = /^((?:tel|sips?|mailto):)?(.*)$/is.exec(text) ?? []
    if (rest.startsWith('@') || rest.endsWith('@')) return scheme + this.#standIns.replaceCharacters(rest)
    if (rest.includes('@') && !rest.includes('/')) return scheme + this.replaceAddress(rest)
    if (this.isLink(rest)) return scheme + this.replaceLink(rest)
    return (
      scheme +
      (/\d/.test(rest) || scheme ? this.#standIns.replaceCharacters(rest) : this.#standIns.replaceWords(rest, 1))
    )
  }

  /**
   * Returns the stand-in for a divider. A line end and a known entity stay. A known tag keeps its name, and its link
   * gets a stand-in. Other attributes, unknown tags and unknown entities are removed.
   */
  #replaceDivider(text: string): string {
    if (!text.startsWith('<')) return /^[\r\n]/.test(text) || ENTITY.test(text) ? text : ''
    const [, close = '', name] = TAG.exec(text) ?? []
    if (name === undefined) return ''
    const [, href] = / href=["']?([^\s"'>]+)/i.exec(text) ?? []
    return href === undefined ? `<${close}${name}>` : `<${name} href="${this.replaceToken(href)}">`
  }

  /**
   * Returns the stand-in for a text without dividers. Adjacent words, or numbers, are replaced together, up to punctuation
   * or a known name. Spaces between tokens become one space.
   */
  #replaceRun(run: string): string {
    const pieces = run.split(/(\s+)/)
    const tokens = pieces.filter((_, index) => index % 2 === 0 && pieces[index] !== '')
    const before = run.slice(0, run.length - run.trimStart().length)
    const after = run.slice(run.trimEnd().length)
    const done: string[] = []
    for (let at = 0; at < tokens.length; ) {
      const named = this.#findName(tokens, at)
      if (named) {
        done.push(named.text)
        at = named.end
        continue
      }
      const kind = classifyToken(tokens[at] ?? '', this.isLink)
      let end = at + 1
      const joins = kind === 'words' || kind === 'number'
      while (
        joins &&
        end < tokens.length &&
        classifyToken(tokens[end] ?? '', this.isLink) === kind &&
        !this.#findName(tokens, end) &&
        !/[.:;,!?]$/.test(tokens[end - 1] ?? '')
      )
        end++
      done.push(this.#replaceTokens(tokens.slice(at, end), kind))
      at = end
    }
    return tokens.length === 0 ? run : before + done.join(' ') + after
  }

  /**
   * Returns the stand-in for a person's name of up to three tokens that begins at a position, and the position after
   * it; undefined if no known name begins there.
   */
  #findName(tokens: readonly string[], at: number): { text: string; end: number } | undefined {
    for (let count = Math.min(MAX_NAME_WORDS, tokens.length - at); count > 0; count--) {
      const { open, inner, close } = trimPunctuation(tokens.slice(at, at + count).join(' '))
      const firstName = count === 1 ? this.#standIns.findFirstName(inner) : undefined
      const name = this.#standIns.findPerson(inner)?.full ?? firstName
      if (name !== undefined && !inner.includes('@')) return { text: open + name + close, end: at + count }
    }
    return undefined
  }

  /**
   * Returns the stand-in for adjacent tokens of one kind. Punctuation at both ends stays. A token without letters and
   * digits keeps its punctuation; its other characters become `·`. A very long word counts as several words.
   */
  #replaceTokens(tokens: readonly string[], kind: TokenKind): string {
    const text = tokens.join(' ')
    if (kind === 'symbol') return text.replace(/[^\p{P}$+<=>^|~`]+/gu, '·')
    const { open, inner, close } = trimPunctuation(text)
    if (kind === 'link') return open + this.replaceLink(inner) + close
    if (kind === 'address') return open + this.replaceToken(inner) + close
    if (kind === 'number') return open + this.#standIns.replaceCharacters(inner) + close
    const words = tokens.reduce(
      (sum, token) => sum + (token.length > MAX_WORD_LENGTH ? Math.ceil(token.length / CHARACTERS_PER_WORD) : 1),
      0,
    )
    const standIn = this.#standIns.replaceWords(inner, words)
    const isCapital = /^\p{Lu}/u.test(inner)
    const cased = isCapital ? standIn.charAt(0).toUpperCase() + standIn.slice(1) : standIn
    return open + (/[.!?]$/.test(cased) && close !== '' ? cased.slice(0, -1) : cased) + close
  }
}

const OPENING = '([{"\'«„“'
const CLOSING = ')]}"\'»“”.,:;!?…'

/** Splits a text into the punctuation at both ends and the rest. It scans, because a pattern would take quadratic time. */
function trimPunctuation(text: string): { open: string; inner: string; close: string } {
  let from = 0
  let to = text.length
  while (from < to && OPENING.includes(text[from] ?? '')) from++
  while (to > from && CLOSING.includes(text[to - 1] ?? '')) to--
  return { open: text.slice(0, from), inner: text.slice(from, to), close: text.slice(to) }
}

/** Returns the kind of a token, which has no spaces. */
function classifyToken(token: string, isLink: (text: string) => boolean): TokenKind {
  if (PUNCTUATION.test(token) || !/[\p{L}\p{M}\d]/u.test(token)) return 'symbol'
  if (isLink(token.replace(/^[([{"'<]+/, ''))) return 'link'
  if (/^[^\s@]+@[^\s@]+$/.test(token)) return 'address'
  return /\d/.test(token) ? 'number' : 'words'
}
