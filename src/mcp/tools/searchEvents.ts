import type { Event } from '../../schema/event.ts'
import type { ToolArguments } from '../definitions/tools.ts'
import { toReply, toToolEvent } from '../eventView.ts'
import { ToolError, type ToolHost } from '../host.ts'
import { INVALID_PAGE_TOKEN, parsePageToken, toPageSize, toPageToken } from '../pageToken.ts'
import { listAll } from './listEvents.ts'

const DEFAULT_SIZE = 25
/** Words that match everywhere and so say nothing. */
const STOP_WORDS = new Set(
  'a an and at by for from in my of on or the to with what when where who is are do i'.split(' '),
)

const WEIGHTS = { summary: 8, location: 4, attendees: 4, description: 2 } as const
const EXACT = 1
const SAME_STEM = 0.75
const SAME_START = 0.5
/** A shorter word does not match the start of another. */
const MIN_START = 3

/** The place of an event in the ranking: score, distance of its start from now in milliseconds, and id. */
type Rank = { score: number; distance: number; id: string }
type Token = Rank & { query: string; now: number }
const TOKEN = { score: 'number', distance: 'number', id: 'string', query: 'string', now: 'number' }

/**
 * Searches the primary calendar (behaviour 17.6). The service ranks by meaning; the fake by words, their stems, and then by
 * how near the start is to now, so that the same world gives the same order.
 */
export async function runSearchEvents(
  host: ToolHost,
  { query, pageSize, pageToken }: ToolArguments<'search_events'>,
): Promise<object> {
  const after = pageToken ? parsePageToken<Token>(pageToken, TOKEN) : undefined
  if (after && after.query !== query) throw new ToolError(INVALID_PAGE_TOKEN)
  const { now } = after ?? host
  const words = toWords(query).filter((word) => !STOP_WORDS.has(word))
  const { events } = await listAll(host, { calendarId: 'primary' })
  const ranked = events
    .map((event) => ({ event, rank: toRank(event, words, now) }))
    .filter(({ rank }) => rank.score > 0 && (!after || compareRanks(after, rank) < 0))
    .sort((one, other) => compareRanks(one.rank, other.rank))
  const size = toPageSize(pageSize, DEFAULT_SIZE)
  const shown = ranked.slice(0, size)
  const last = ranked.length > size ? shown.at(-1) : undefined
  return toReply({
    events: shown.map(({ event }) => toToolEvent(event, host.timeZone)),
    nextPageToken: last && toPageToken({ ...last.rank, query, now }),
  })
}

function toRank(event: Event, words: readonly string[], now: number): Rank {
  const { id, summary = '', location = '', description = '', attendees = [], start } = event
  const people = attendees.map(({ email, displayName = '' }) => `${displayName} ${email}`).join(' ')
  const fields = [
    ...([[summary, WEIGHTS.summary] as const, [location, WEIGHTS.location] as const] as const),
    ...([[people, WEIGHTS.attendees] as const, [description, WEIGHTS.description] as const] as const),
  ].map(([text, weight]) => ({ words: toWords(text), weight }))
  const scores = words.map((word) => Math.max(...fields.map((field) => field.weight * matchWord(word, field.words))))
  const score = scores.reduce((sum, one) => sum + one, 0)
  const at = Date.parse(start.dateTime ?? `${start.date}T00:00:00Z`)
  return { score, distance: Math.abs(at - now), id }
}

const compareRanks = (one: Rank, other: Rank): number =>
  other.score - one.score || one.distance - other.distance || (one.id < other.id ? -1 : Number(one.id > other.id))

function matchWord(word: string, others: readonly string[]): number {
  if (others.includes(word)) return EXACT
  const stem = toStem(word)
  if (others.some((other) => toStem(other) === stem)) return SAME_STEM
  return word.length >= MIN_START && others.some((other) => other.startsWith(word)) ? SAME_START : 0
}

const toWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const toStem = (word: string): string =>
  word
    .replace(/(?<=\w{3})(?:ings?|ed|ers?|ies|es|s|y)$/, '')
    .replace(/([b-df-hj-np-tv-z])\1$/, '$1')
    .replace(/(?<=\w{3})e$/, '')
