import { toShown } from './shownText.ts'

/** Common other names, in small letters and digits alone, with the names that they may mean. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  // Failures
  '400': ['badRequest'],
  '401': ['authError'],
  '403': ['forbidden'],
  '404': ['notFound'],
  '409': ['duplicate'],
  '410': ['fullSyncRequired'],
  '412': ['conditionNotMet'],
  '413': ['requestTooLarge'],
  '429': ['rateLimitExceeded429'],
  '500': ['backendError'],
  '503': ['backendError503'],
  alreadyexists: ['duplicate'],
  conflict: ['duplicate'],
  etagmismatch: ['conditionNotMet'],
  expiredsynctoken: ['fullSyncRequired'],
  expiredtoken: ['authError'],
  gone: ['fullSyncRequired'],
  internalerror: ['backendError'],
  internalservererror: ['backendError'],
  invalidetag: ['conditionNotMet'],
  permissiondenied: ['forbidden'],
  preconditionfailed: ['conditionNotMet'],
  quota: ['quotaExceeded'],
  ratelimit: ['rateLimitExceeded'],
  ratelimited: ['rateLimitExceeded'],
  ratelimitexceeded403: ['rateLimitExceeded'],
  resync: ['fullSyncRequired'],
  revoked: ['oauthRevoked'],
  servererror: ['backendError'],
  serviceunavailable: ['backendError503'],
  staleetag: ['conditionNotMet'],
  synctokenexpired: ['fullSyncRequired'],
  synctokeninvalid: ['fullSyncRequired'],
  throttled: ['rateLimitExceeded'],
  tokenexpired: ['authError'],
  toomanyrequests: ['rateLimitExceeded429'],
  unauthenticated: ['authError'],
  unauthorized: ['authError'],
  unavailable: ['backendError503'],
  // Methods
  add: ['insert'],
  create: ['insert'],
  created: ['added'],
  remove: ['delete'],
  search: ['list'],
  // Routes
  postclock: ['PUT /_control/clock'],
  postquota: ['PUT /_control/quota'],
  putfaults: ['POST /_control/faults'],
  postfault: ['POST /_control/faults'],
  postsnapshot: ['POST /_control/snapshots'],
  putsnapshots: ['POST /_control/snapshots'],
  postadvance: ['POST /_control/clock/advance'],
  postverify: ['POST /_control/calls/verify'],
  // Keys
  address: ['email', 'account'],
  calendar: ['calendarId'],
  channel: ['channelId'],
  clock: ['now'],
  count: ['times'],
  attendees: ['body', 'where'],
  delay: ['by', 'do'],
  description: ['body', 'where'],
  effect: ['do'],
  email: ['account', 'to'],
  emails: ['mail'],
  end: ['body', 'where'],
  error: ['fail', 'do'],
  event: ['eventId'],
  events: ['calendars'],
  fail: ['do'],
  fixture: ['seed'],
  guests: ['attendees'],
  hang: ['do'],
  history: ['calls', 'changes'],
  journal: ['calls'],
  limits: ['quota'],
  location: ['body', 'where'],
  mail: ['email'],
  match: ['where'],
  method: ['on'],
  name: ['displayName', 'summary'],
  now: ['clock'],
  requests: ['calls'],
  start: ['body', 'where'],
  status: ['do'],
  summary: ['body', 'where'],
  time: ['clock', 'now'],
  title: ['summary'],
  user: ['account'],
  users: ['accounts'],
  webhooks: ['notifications', 'channels'],
}

/**
 * Returns the known name for which a text is another name or its beginning; else the one with the smallest edit distance,
 * ignoring case, of equal distances the first. Returns undefined only if no name is known. Only the first 100 characters of
 * `text` count.
 */
export function findNearest(text: string, known: readonly string[]): string | undefined {
  const short = text.slice(0, 100)
  const meant = [...listMeanings(short), ...listCompletions(short, known)].find((one) => known.includes(one))
  return meant ?? rankByDistance(short, known)[0]?.one
}

const MAX_MISSPELLED_EDITS = 2

/**
 * Returns the known name that a text misspells: another name, its beginning, or at most two edits in more than twice as many
 * letters. Undefined if it is as near to several.
 */
export function findMisspelled(text: string, known: readonly string[]): string | undefined {
  const short = text.slice(0, 100)
  const meant = [...new Set(listMeanings(short))].filter((one) => known.includes(one))
  const completions = listCompletions(short, known)
  const only = [meant, completions].find(({ length }) => length === 1)
  if (only) return only[0]
  // The length differs by at most as many letters as there are edits.
  const near = known.filter((one) => Math.abs(one.length - short.length) <= MAX_MISSPELLED_EDITS)
  const [first, second] = rankByDistance(short, near)
  if (!first || first.edits === second?.edits) return undefined
  const isNear = first.edits <= MAX_MISSPELLED_EDITS && first.edits * 2 < short.length
  return isNear ? first.one : undefined
}

const rankByDistance = (text: string, known: readonly string[]): { one: string; edits: number }[] =>
  known
    .map((one) => ({ one, edits: distance(text.toLowerCase(), one.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)

/** Returns the message for an unknown name: `there is no method "event.list"; did you mean "events.list"?`. */
export function describeUnknownName(name: string, known: readonly string[], noun = ''): string {
  const nearest = findNearest(name, known)
  const head = `there is no ${noun}${noun && ' '}${toShown(name)}`
  return nearest === undefined ? head : `${head}; did you mean ${JSON.stringify(nearest)}?`
}

const listCompletions = (text: string, known: readonly string[]): string[] =>
  text.length < 5 ? [] : known.filter((one) => one.toLowerCase().startsWith(text.toLowerCase()))

export const aliasesOf = (word: string): readonly string[] =>
  Object.hasOwn(ALIASES, word.toLowerCase()) ? (ALIASES[word.toLowerCase()] ?? []) : []

function listMeanings(text: string): string[] {
  const whole = aliasesOf(text.replace(/[^a-z0-9]/gi, ''))
  const words = [...text.matchAll(/[a-z0-9]+/gi)].flatMap(({ 0: word, index }) =>
    aliasesOf(word).map((name) => text.slice(0, index) + name + text.slice(index + word.length)),
  )
  return [...whole, ...words]
}

/** Each row holds the distances of one prefix of `a` to all prefixes of `b`. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= b.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letter === b[at - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
