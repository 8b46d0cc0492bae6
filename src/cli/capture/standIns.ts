import { type Random, shuffle } from './random.ts'
import { CALENDARS, COMPANIES, NAMES, PHRASES, PLACES, SENTENCES, SYLLABLES, TITLES, WORDS } from './wordLists.ts'

/** A stand-in for a person: first name, full name, and e-mail address. */
export type Person = { first: string; full: string; email: string }
/** A list of titles, by the structure of the events that they suit. */
export type TitleKind = keyof typeof TITLES
type ListKind = TitleKind | 'calendar' | 'place' | 'word' | 'phrase'

/** Items with original words are removed from a list. If less than this part remains, the whole list is used. */
const MIN_PART_LEFT = 1 / 4
/** After this many rejected draws, a text that is in use is accepted. */
const MAX_DRAWS = 20
/** Shorter words are not compared with original words. */
const MIN_COMPARED_LENGTH = 3

/**
 * Chooses stand-ins: equal for equal originals within a run, and in a new random order in each run. The choice depends
 * at most on the original's length and shape, so that it cannot be reversed. Each choice takes constant time.
 */
export class StandIns {
  readonly #random: Random
  readonly #originals: ReadonlySet<string>
  readonly #known = new Map<string, unknown>()
  readonly #firstNames = new Map<string, string>()
  readonly #used = new Set<string>()
  readonly #queues = new Map<string, { items: readonly string[]; next: number }>()
  readonly #names: { first: string; last: string }[]
  readonly #companies: readonly string[]

  /** `originals` holds all words of the captured texts, in lower case. */
  constructor(random: Random, originals: ReadonlySet<string>) {
    this.#random = random
    this.#originals = originals
    const pairs = NAMES.flatMap(({ first, last }) =>
      this.#unlikeOriginals(first).flatMap((one) =>
        this.#unlikeOriginals(last).map((two) => ({ first: one, last: two })),
      ),
    )
    this.#names = shuffle(pairs, random)
    this.#companies = shuffle(this.#unlikeOriginals(COMPANIES), random)
  }

  /**
   * Returns the stand-in person for an e-mail address or a name. For a name, the address is at example.com. `full` is
   * empty if the address has nothing before its `@`.
   */
  person(original: string): Person {
    const key = original.trim().toLowerCase()
    return this.#remember('person', key, () => {
      const [local = '', domain] = splitAddress(key)
      const name = this.#names[this.#nextCount('names')]
      const first = name?.first ?? this.#inventName()
      const last = name?.last ?? this.#inventName()
      const host = domain === undefined ? 'example.com' : this.domain(domain)
      const email = this.#toUnused(`${first}.${last}`.toLowerCase(), (plain) => `${plain}@${host}`)
      return { first, full: local === '' ? '' : `${first} ${last}`, email }
    })
  }

  /** Returns the existing stand-in person for an address or a name, or undefined. */
  findPerson = (original: string): Person | undefined =>
    this.#known.get(keyOf('person', original.trim().toLowerCase())) as Person | undefined

  /** Returns the stand-in for an original first name, or undefined if it is unknown. */
  findFirstName = (word: string): string | undefined => this.#firstNames.get(word.toLowerCase())

  /** Uses the same stand-in person for another original, such as a display name. An existing entry is kept. */
  alias(original: string, person: Person): void {
    const key = keyOf('person', original.trim().toLowerCase())
    if (!this.#known.has(key)) this.#known.set(key, person)
    const [first = ''] = original.trim().toLowerCase().split(/\s+/)
    if (first.length >= MIN_COMPARED_LENGTH && !this.#firstNames.has(first)) this.#firstNames.set(first, person.first)
  }

  /** Returns the stand-in for a domain: a company name with `.example`. */
  domain(original: string): string {
    return this.#remember('domain', original.toLowerCase().replace(/^www\./, ''), () => {
      const company = this.#companies[this.#nextCount('companies')] ?? this.#inventName().toLowerCase()
      return this.#toUnused(company, (plain) => `${plain}.example`)
    })
  }

  /** Returns a list entry whose length is near that of the original. */
  fromList(kind: ListKind, original: string): string {
    const size = sizeOf(original)
    return this.#remember(kind, `${size} ${original.toLowerCase()}`, () => this.#nextOf(kind, size))
  }

  /** Returns a text of about `words` words. More than four words give whole sentences. */
  phrase(original: string, words: number): string {
    return this.#remember('text', `${words} ${original.toLowerCase()}`, () => {
      if (words <= 1) return this.#nextOf('word')
      if (words <= 4) return this.#nextOf('phrase')
      const sentences: string[] = []
      for (let count = 0; count < words; count += 6)
        sentences.push(this.#next('sentence', () => this.#unlikeOriginals(SENTENCES)))
      return sentences.join(' ')
    })
  }

  /** Returns a unique key, such as the name of an extended property. */
  key = (original: string): string =>
    this.#remember('key', original, () => this.#toUnused(this.#nextOf('word'), (plain) => plain))

  /**
   * Returns a text of the same shape: digits and letters are replaced, other characters stay. It is unique, unless 20
   * draws find no new text. It equals the original only if that has no digit and no letter.
   */
  shape(original: string, letters = 'abcdefghijklmnopqrstuvwxyz'): string {
    return this.#remember(`shape ${letters.length}`, original, () => {
      for (let draws = 0; ; draws++) {
        const characters = original.replace(/\d|[\p{L}\p{M}]/gu, (sign) =>
          this.#replaceCharacter(sign, letters, draws >= MAX_DRAWS),
        )
        const isOriginal = characters === original || this.#originals.has(characters.toLowerCase())
        if (draws >= MAX_DRAWS || !(isOriginal || this.#used.has(characters))) {
          this.#used.add(characters)
          return characters
        }
      }
    })
  }

  /** Returns a unique event id with the characters that ids may contain. It has the same length, or a number follows. */
  id(original: string): string {
    return this.#remember('id', original, () =>
      this.#toUnused(
        Array.from(original, () => this.#pick('0123456789abcdefghijklmnopqrstuv')).join(''),
        (plain) => plain,
      ),
    )
  }

  /**
   * Returns a random digit for a digit, else one of `letters` in the case of the original. With `isDifferent`, never
   * returns the original.
   */
  #replaceCharacter(sign: string, letters: string, isDifferent: boolean): string {
    const alphabet = sign >= '0' && sign <= '9' ? '0123456789' : letters
    const character = this.#pick(isDifferent ? alphabet.replace(sign.toLowerCase(), '') : alphabet)
    return sign === sign.toLowerCase() ? character : character.toUpperCase()
  }

  /** Returns the next entry of a list, of a length class if one is given and exists. */
  #nextOf(kind: ListKind, size?: number): string {
    return this.#next(`${kind} ${size}`, () => {
      const all = this.#unlikeOriginals(LISTS[kind])
      const near = size === undefined ? all : all.filter((one) => sizeOf(one) === size)
      return near.length > 0 ? near : all
    })
  }

  /** Returns the next entry of a shuffled list, which starts again at its end. */
  #next(name: string, items: () => readonly string[]): string {
    const queue = this.#queues.get(name) ?? { items: shuffle(items(), this.#random), next: 0 }
    this.#queues.set(name, queue)
    return queue.items[queue.next++ % queue.items.length] ?? ''
  }

  /** Returns the number of earlier calls with a name. */
  #nextCount(name: string): number {
    const queue = this.#queues.get(name) ?? { items: [], next: 0 }
    this.#queues.set(name, queue)
    return queue.next++
  }

  /** Returns the stand-in for an original. It is made on the first call, and later calls return the same. */
  #remember<T>(kind: string, original: string, make: () => T): T {
    const key = keyOf(kind, original)
    if (this.#known.has(key)) return this.#known.get(key) as T
    const made = make()
    this.#known.set(key, made)
    return made
  }

  /** Returns `complete(plain)`. From the second call with the same `plain`, a number follows it. */
  #toUnused(plain: string, complete: (plain: string) => string): string {
    const count = this.#nextCount(`unused ${plain}`)
    let unused = complete(count === 0 ? plain : `${plain}${count + 1}`)
    if (this.#used.has(unused)) unused = complete(`${plain}n${this.#used.size}`)
    this.#used.add(unused)
    return unused
  }

  /** Returns the items that contain no original word; all items if too few are left. */
  #unlikeOriginals(items: readonly string[]): readonly string[] {
    const isUnlike = (item: string) =>
      (item.toLowerCase().match(/\p{L}+/gu) ?? []).every(
        (word) => word.length < MIN_COMPARED_LENGTH || COMMON.has(word) || !this.#originals.has(word),
      )
    const left = items.filter(isUnlike)
    return left.length >= items.length * MIN_PART_LEFT ? left : items
  }

  /** Returns a random name of syllables, for when the list of names is exhausted. */
  #inventName(): string {
    const { consonants, vowels } = SYLLABLES
    const name = Array.from({ length: 6 }, (_, at) => this.#pick(at % 2 === 0 ? consonants : vowels)).join('')
    return name.charAt(0).toUpperCase() + name.slice(1)
  }

  #pick = (signs: string): string => signs[Math.floor(this.#random() * signs.length)] ?? ''
}

/** The lists of stand-ins by kind. */
const LISTS: Readonly<Record<ListKind, readonly string[]>> = {
  ...TITLES,
  calendar: CALENDARS,
  place: PLACES,
  word: WORDS,
  phrase: PHRASES,
}

/** Function words, which reveal nothing about an original. */
const COMMON = new Set('the and for with from before name you your are our not has was who that this'.split(' '))

/** Returns the key of an original. The kind is part of it, because one text may have a stand-in of each kind. */
const keyOf = (kind: string, original: string): string => `${kind}\n${original}`

/** Returns the length class of a text: short, medium or long. */
const sizeOf = ({ length }: string): number => (length <= 10 ? 0 : length <= 24 ? 1 : 2)

/** Splits an address at its last `@`. Without one, all of it is the local part. */
export function splitAddress(address: string): [local: string, domain?: string] {
  const at = address.lastIndexOf('@')
  return at < 0 ? [address] : [address.slice(0, at), address.slice(at + 1)]
}
