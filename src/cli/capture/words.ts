/**
 * Words that stand in for others: the same for the same word, whatever its case, another for another, of the same length,
 * and never one that was there. They say nothing of what they stand for, since they follow from the order in which words
 * are met.
 */
export class StandIns {
  /** Words and numbers of three signs or more that must not be left anywhere. */
  readonly #originals: ReadonlySet<string>
  readonly #words = new Map<string, string>()
  readonly #numbers = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #ids = new Map<string, string>()
  /** Of each length and alphabet those that were made, how many were looked at for them, and whether there are more. */
  readonly #made = new Map<string, Made>()

  constructor(originals: Iterable<string>) {
    this.#originals = new Set(originals)
  }

  /** One of letters and marks, in the case of the original. */
  word(original: string): string {
    const key = original.toLowerCase()
    const known = this.#words.get(key) ?? this.#newWord(key)
    this.#words.set(key, known)
    return inCaseOf(original, known)
  }

  /** One of digits. */
  number(original: string): string {
    if (original.length <= SHORT) return original.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10))
    const known =
      this.#numbers.get(original) ?? this.#fresh(original, 'number', (nth) => numberOf(nth, original.length))
    this.#numbers.set(original, known)
    return known
  }

  /** An id as a whole, of the letters that ids of events may have. */
  id(original: string): string {
    const known = this.#ids.get(original) ?? this.#fresh(original, 'id', (nth) => wordOf(nth, original.length))
    this.#ids.set(original, known)
    return known
  }

  #newWord(word: string): string {
    if (/^[a-z]{1,2}$/.test(word)) return word.replace(/./g, turned)
    return this.#fresh(word, 'word', (nth) => wordOf(nth, word.length))
  }

  /** The next that is neither taken nor was there. Where there are no more of a length, one stands in for several. */
  #fresh(original: string, of: string, nthOf: (nth: number) => string): string {
    const key = `${of} ${original.length}`
    const made = this.#made.get(key) ?? { all: [], looked: 0, more: true }
    this.#made.set(key, made)
    for (let tried = 0; made.more && tried < MOST_TRIED; tried++) {
      const candidate = nthOf(made.looked++)
      if (this.#taken.has(candidate) || candidate === original || this.#holdsOriginal(candidate)) continue
      this.#taken.add(candidate)
      made.all.push(candidate)
      return candidate
    }
    made.more = false
    return made.all[made.looked++ % made.all.length] ?? `${this.#fresh(`${original}a`, of, (nth) => `${nthOf(nth)}o`)}`
  }

  #holdsOriginal(candidate: string): boolean {
    for (let from = 0; from + SHORT < candidate.length; from++) {
      for (let to = from + SHORT + 1; to <= Math.min(candidate.length, from + LONGEST_LOOKED_FOR); to++) {
        if (this.#originals.has(candidate.slice(from, to))) return true
      }
    }
    return false
  }
}

type Made = { all: string[]; looked: number; more: boolean }

/** What is as short is turned letter by letter, which keeps it apart from all others. */
const SHORT = 2
const MOST_TRIED = 5000
const LONGEST_LOOKED_FOR = 24

const CONSONANTS = 'bdfghklmnprstv'
const VOWELS = 'aeiou'
/** A prime beside the sizes of the alphabets: it goes through all words of a length before one comes again. */
const STEP = 7919
/** Words of one length begin elsewhere than those of another. */
const APART = 104_729

/** Nothing beyond `v`, so that what stands in for an id of an event is one. */
function turned(letter: string): string {
  const at = letter.charCodeAt(0) - 97
  return String.fromCharCode(97 + (at < 22 ? (at + 11) % 22 : 22 + ((at - 21) % 4)))
}

/** The nth word of a length, of letters that can be spoken; two words share no more than is unavoidable. */
function wordOf(nth: number, length: number): string {
  const signs = Array.from({ length }, (_, at) => (at % 2 === 0 ? CONSONANTS : VOWELS))
  const all = signs.slice(0, 8).reduce((product, { length }) => product * length, 1)
  let rest = (nth * STEP + length * APART) % all
  return signs
    .map((alphabet, at) => {
      if (at >= 8) return alphabet[(nth * (at + 3) + at) % alphabet.length]
      const sign = alphabet[rest % alphabet.length]
      rest = Math.floor(rest / alphabet.length)
      return sign
    })
    .join('')
}

const numberOf = (nth: number, length: number): string => {
  const known = Math.min(length, 9)
  const front = String((nth * STEP + 101) % 10 ** known).padStart(known, '0')
  return front.padEnd(length, front.split('').reverse().join('') || '7')
}

const inCaseOf = (original: string, standIn: string): string =>
  original
    .split('')
    .map((sign, at) => {
      const letter = standIn[at] ?? ''
      return sign !== sign.toLowerCase() ? letter.toUpperCase() : letter
    })
    .join('')
