import { type Random, shuffle } from './random.ts'
import { CALENDARS, COMPANIES, NAMES, PHRASES, PLACES, SENTENCES, SYLLABLES, TITLES, WORDS } from './wordLists.ts'

/** A stand-in for a person: first name, full name, and e-mail address. */
export type Person = { first: string; full: string; email: string }
/** A list of titles, by the structure of the events that they suit. */
export type TitleKind = keyof typeof TITLES
/** A list of `LISTS`. */
type ListKind = TitleKind | 'calendar' | 'place' | 'word' | 'phrase'

/** Items with original words are removed from a list. If less than this part remains, the whole list is used. */
const MIN_PART_LEFT = 1 / 4
/** After this many rejected draws, a text that is in use is accepted. */
const MAX_DRAWS = 20
/** Shorter words are not compared with original words. */
const MIN_COMPARED_LENGTH = 3

/**
 * Chooses stand-ins, the invented texts that replace originals: equal for equal originals within a run, and in a new random order
 * in each run. The choice depends at most on the original's length and characters, so that it cannot be reversed. Each choice takes
 * constant time. Originals that differ in case only are equal, except for ids, keys and `replaceCharacters`.
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
      this.#filterUnlikeOriginals(first).flatMap((one) =>
        this.#filterUnlikeOriginals(last).map((two) => ({ first: one, last: two })),
      ),
    )
    this.#names = shuffle(pairs, random)
    this.#companies = shuffle(this.#filterUnlikeOriginals(COMPANIES), random)
  }

  /**
   * Returns the stand-in person for an e-mail address or a name. For a name, the address is at example.com. `full` is
   * empty if the address has nothing before its `@`.
   */
  replacePerson(original: string): Person {
    const key = original.trim().toLowerCase()
    return this.#findOrMake('person', key, () => {
      const [local = '', domain] = splitAddress(key)
      const name = this.#names[this.#countCalls('names')]
      const first = name?.first ?? this.#inventName()
      const last = name?.last ?? this.#inventName()
      const host = domain === undefined ? 'example.com' : this.replaceDomain(domain)
      const email = this.#makeUnique(`${first}.${last}`.toLowerCase(), (plain) => `${plain}@${host}`)
      return { first, full: local === '' ? '' : `${first} ${last}`, email }
    })
  }

  /** Returns the existing stand-in person for an address or a name, or undefined. */
  findPerson = (original: string): Person | undefined =>
    this.#known.get(toKey('person', original.trim().toLowerCase())) as Person | undefined

  /** Returns the stand-in for an original first name, or undefined if it is unknown. */
  findFirstName = (word: string): string | undefined => this.#firstNames.get(word.toLowerCase())

  /** Makes a person the stand-in for another original, such as a display name, unless that has one. */
  addAlias(original: string, person: Person): void {
    const key = toKey('person', original.trim().toLowerCase())
    if (!this.#known.has(key)) this.#known.set(key, person)
    const [first = ''] = original.trim().toLowerCase().split(/\s+/)
    if (first.length >= MIN_COMPARED_LENGTH && !this.#firstNames.has(first)) this.#firstNames.set(first, person.first)
  }

  /** Returns the stand-in for a domain: a company name with `.example`. */
  replaceDomain(original: string): string {
    return this.#findOrMake('domain', original.toLowerCase().replace(/^www\./, ''), () => {
      const company = this.#companies[this.#countCalls('companies')] ?? this.#inventName().toLowerCase()
      return this.#makeUnique(company, (plain) => `${plain}.example`)
    })
  }

  /**
   * Returns the stand-in for a title, place or word: an entry of a list whose length class is that of the original, if there is
   * one.
   */
  pickFromList(kind: ListKind, original: string): string {
    const size = classifyLength(original)
    return this.#findOrMake(kind, `${size} ${original.toLowerCase()}`, () => this.#takeFromList(kind, size))
  }

  /** Returns the stand-in for a text: about `words` words; for more than four, whole sentences. */
  replaceWords(original: string, words: number): string {
    return this.#findOrMake('text', `${words} ${original.toLowerCase()}`, () => {
      if (words <= 1) return this.#takeFromList('word')
      if (words <= 4) return this.#takeFromList('phrase')
      const sentences: string[] = []
      for (let count = 0; count < words; count += 6)
        sentences.push(this.#takeNext('sentence', () => this.#filterUnlikeOriginals(SENTENCES)))
      return sentences.join(' ')
    })
  }

  /** Returns the stand-in for a key, such as the name of an extended property. It is unique. */
  replaceKey = (original: string): string =>
    this.#findOrMake('key', original, () => this.#makeUnique(this.#takeFromList('word'), (plain) => plain))

  /**
   * Returns a stand-in of the same shape: digits and letters are replaced, other characters stay. It is unique, unless 20
   * draws find no new text. It equals the original only if that has no digit and no letter.
   */
  replaceCharacters(original: string, letters = 'abcdefghijklmnopqrstuvwxyz'): string {
    return this.#findOrMake(`shape ${letters.length}`, original, () => {
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

  /** Returns the stand-in for an event id, of characters that ids may contain. It is unique, and as long or a number longer. */
  replaceId(original: string): string {
    return this.#findOrMake('id', original, () =>
      this.#makeUnique(
        Array.from(original, () => this.#pickCharacter('0123456789abcdefghijklmnopqrstuv')).join(''),
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
    const character = this.#pickCharacter(isDifferent ? alphabet.replace(sign.toLowerCase(), '') : alphabet)
    return sign === sign.toLowerCase() ? character : character.toUpperCase()
  }

  /** Takes the next entry of a list, of a length class if one is given and exists. */
  #takeFromList(kind: ListKind, size?: number): string {
    return this.#takeNext(`${kind} ${size}`, () => {
      const all = this.#filterUnlikeOriginals(LISTS[kind])
      const near = size === undefined ? all : all.filter((one) => classifyLength(one) === size)
      return near.length > 0 ? near : all
    })
  }

  /** Takes the next entry of a list that is shuffled on first use, and starts again at its end. */
  #takeNext(name: string, items: () => readonly string[]): string {
    const queue = this.#queues.get(name) ?? { items: shuffle(items(), this.#random), next: 0 }
    this.#queues.set(name, queue)
    return queue.items[queue.next++ % queue.items.length] ?? ''
  }

  /** Returns the number of earlier calls with a name, from 0. */
  #countCalls(name: string): number {
    const queue = this.#queues.get(name) ?? { items: [], next: 0 }
    this.#queues.set(name, queue)
    return queue.next++
  }

  /** Returns the stand-in for an original. It is made on the first call, and later calls return the same. */
  #findOrMake<T>(kind: string, original: string, make: () => T): T {
    const key = toKey(kind, original)
    if (this.#known.has(key)) return this.#known.get(key) as T
    const made = make()
    this.#known.set(key, made)
    return made
  }

  /** Returns `complete(plain)`. From the second call with the same `plain`, a number follows it. */
  #makeUnique(plain: string, complete: (plain: string) => string): string {
    const count = this.#countCalls(`unused ${plain}`)
    let unused = complete(count === 0 ? plain : `${plain}${count + 1}`)
    if (this.#used.has(unused)) unused = complete(`${plain}n${this.#used.size}`)
    this.#used.add(unused)
    return unused
  }

  /** Returns the items that contain no original word; all items if too few are left. */
  #filterUnlikeOriginals(items: readonly string[]): readonly string[] {
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
    const name = Array.from({ length: 6 }, (_, at) => this.#pickCharacter(at % 2 === 0 ? consonants : vowels)).join('')
    return name.charAt(0).toUpperCase() + name.slice(1)
  }

  /** Returns a random character of a text. */
  #pickCharacter = (signs: string): string => signs[Math.floor(this.#random() * signs.length)] ?? ''
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
const toKey = (kind: string, original: string): string => `${kind}\n${original}`

/** Returns the length class of a text: short, medium or long. */
const classifyLength = ({ length }: string): number => (length <= 10 ? 0 : length <= 24 ? 1 : 2)

/** Splits an address at its last `@`. Without one, all of it is the local part. */
export function splitAddress(address: string): [local: string, domain?: string] {
  const at = address.lastIndexOf('@')
  return at < 0 ? [address] : [address.slice(0, at), address.slice(at + 1)]
}
