import { digest } from '../time/digest.ts'
import type { Ids } from '../time/ids.ts'
import type { ConferenceData } from '../wire/conferenceData.ts'
import type { EventBody } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { merged, same, without } from '../wire/values/merge.ts'
import { readEntryPoints } from './entryPoints.ts'
import type { Outcome, Phone } from './policy.ts'
import { isHosted, isUnfamiliar, readConferenceId, SOLUTIONS, solutionAsked, solutionNamed } from './solutions.ts'
import { telephoneWays } from './telephone.ts'

const LONGEST_NOTES = 2048

/**
 * Conference data as stored: a solution with its entry points, a request for one, or both. Data with neither of the two is
 * refused, and so is a part that breaks a rule of its own (behaviour 9.2, 9.4).
 */
export function readConferenceData(given: ConferenceData | undefined): ConferenceData | undefined {
  if (!given || Object.keys(given).length === 0) return undefined
  const { createRequest, conferenceSolution, signature, notes, parameters } = given
  const entryPoints = readEntryPoints(given.entryPoints ?? [])
  const whole = conferenceSolution !== undefined && entryPoints.length > 0
  if (!whole && !createRequest) {
    const problem = 'either a createRequest or a conferenceSolution with entryPoints is required'
    refuse('invalidValue', { field: 'conferenceData', problem })
  }
  if (createRequest && !createRequest.requestId) {
    refuse('missingField', { field: 'conferenceData.createRequest.requestId' })
  }
  if ((notes?.length ?? 0) > LONGEST_NOTES) {
    refuse('invalidValue', { field: 'conferenceData.notes', problem: `longer than ${LONGEST_NOTES} characters` })
  }
  return conferenceInOrder({
    createRequest,
    ...(whole && { entryPoints, ...readSolution(conferenceSolution, given.conferenceId), signature }),
    notes,
    parameters,
  })
}

function readSolution(
  { key, name, iconUri }: NonNullable<ConferenceData['conferenceSolution']>,
  given: string | undefined,
): ConferenceData {
  const type = key?.type || refuse('missingField', { field: 'conferenceData.conferenceSolution.key.type' })
  const solution = solutionNamed(type)
  const known = solution === 'addOn' || solution === undefined ? undefined : SOLUTIONS[solution]
  return {
    conferenceSolution: {
      key: { type },
      ...((name || known) && { name: name || known?.name }),
      ...((iconUri || known?.iconUri) && { iconUri: iconUri || known?.iconUri }),
    },
    conferenceId: readConferenceId(solution, given),
  }
}

/** The order of a reply (behaviour 9.4). */
function conferenceInOrder(given: ConferenceData): ConferenceData {
  const { createRequest, entryPoints, conferenceSolution, conferenceId, signature, notes, parameters } = given
  const ordered = { createRequest, entryPoints, conferenceSolution, conferenceId, signature, notes, parameters }
  return Object.fromEntries(Object.entries(ordered).filter(([, value]) => value !== undefined && value !== ''))
}

export type ConferenceChange = {
  given: EventBody['conferenceData']
  before: ConferenceData | undefined
  how: 'insert' | 'patch' | 'update'
  /** The solutions that the calendar allows. */
  allowed: readonly string[]
}

/** The conference data that a write leaves, where it says that it knows of conferences (behaviour 9.1). */
export function changedConference(change: ConferenceChange): ConferenceData | undefined {
  const { given, before, how, allowed } = change
  if (given === null) return undefined
  if (given === undefined) return untouched(change)
  if (before && isUnfamiliar(before)) return unfamiliar(before, change)
  const said: ConferenceData = merged({}, given)
  if (isRequest(said, before)) return pendingRequest(said, allowed)
  const repeats = sameRequest(said, before) && !said.entryPoints
  const whole: ConferenceData = how === 'patch' || repeats ? merged(before ?? {}, given) : said
  const read = readConferenceData(
    sameRequest(whole, before) ? { ...whole, createRequest: before?.createRequest } : whole,
  )
  return read && WRITES.find(({ is }) => is(read, change))?.leaves(read, change)
}

/** One of an unfamiliar type may be sent back as it came, and be removed: any other write of it is refused (behaviour 14.53). */
function unfamiliar(before: ConferenceData, { given, how }: ConferenceChange): ConferenceData {
  const whole: ConferenceData = how === 'patch' ? merged(before, given ?? {}) : merged({}, given ?? {})
  const read = isRequest(whole, before) ? undefined : readConferenceData(whole)
  return read && same(read, before) ? before : refuse('invalidConferenceType')
}

const untouched = ({ before, how }: ConferenceChange): ConferenceData | undefined =>
  how === 'patch' ? before : undefined

type Write = {
  is: (read: ConferenceData, change: ConferenceChange) => boolean
  leaves: (read: ConferenceData, change: ConferenceChange) => ConferenceData | undefined
}

/** The kinds of conference that a write may say, and what each leaves. The first that fits counts. */
const WRITES: readonly Write[] = [
  // A request, and no conference yet.
  { is: (read) => !read.conferenceSolution, leaves: (read) => read },
  // The service's own that is there already: only what is said beside it is taken.
  {
    is: (read, { before }) => before !== undefined && isHosted(read) && same(core(read), core(before)),
    leaves: ({ notes, parameters }, { before }) => conferenceInOrder({ ...before, notes, parameters }),
  },
  // A copy of one that the service made, which its signature shows.
  { is: (read) => read.signature === signatureOf(read), leaves: (read) => read },
  // Said to be the service's own, but not signed by it: clients cannot make these, and it is ignored.
  { is: isHosted, leaves: (_, change) => untouched(change) },
  // Of a type that there is not.
  { is: isUnfamiliar, leaves: () => refuse('invalidConferenceType') },
  // An add-on's, which is taken as it is said.
  {
    is: () => true,
    leaves: (read, { before }) => {
      const createRequest = sameRequest(read, before) ? read.createRequest : undefined
      return conferenceInOrder({ ...without(read, 'signature'), createRequest })
    },
  },
]

const sameRequest = (a: ConferenceData, b: ConferenceData | undefined): boolean =>
  a.createRequest?.requestId !== undefined && a.createRequest.requestId === b?.createRequest?.requestId

/**
 * Whether a write asks for a new conference. A request id that is there already asks for nothing, and neither does one with
 * a status beside entry points: that is a reply sent back as it came.
 */
const isRequest = (said: ConferenceData, before: ConferenceData | undefined): boolean => {
  const { requestId, status } = said.createRequest ?? {}
  return requestId !== undefined && requestId !== '' && !sameRequest(said, before) && !(status && said.entryPoints)
}

function pendingRequest({ createRequest, notes, parameters }: ConferenceData, allowed: readonly string[]) {
  const type = solutionAsked(createRequest?.conferenceSolutionKey?.type || undefined, allowed)
  const { requestId } = createRequest ?? {}
  const status = { statusCode: 'pending' }
  return readConferenceData({
    createRequest: { requestId, conferenceSolutionKey: { type }, status },
    notes,
    parameters,
  })
}

export const isPending = ({ createRequest }: ConferenceData): boolean => createRequest?.status?.statusCode === 'pending'

/** What a conference is made with: the world's source of chance, and telephone numbers where its account has them. */
export type Making = { ids: Pick<Ids, 'meetingCode' | 'digits'>; phone: Phone | undefined }

/**
 * Conference data once its request is answered: with the conference made, or with the status `failure` alone. Nobody
 * makes one of an unfamiliar type.
 */
export function answeredRequest(data: ConferenceData, outcome: Outcome, making: Making): ConferenceData {
  const { createRequest, notes, parameters } = data
  const type = createRequest?.conferenceSolutionKey?.type ?? 'hangoutsMeet'
  const statusCode = solutionNamed(type) ? outcome : 'failure'
  const said = { createRequest: { ...createRequest, status: { statusCode } }, notes, parameters }
  return statusCode === 'failure' ? conferenceInOrder(said) : conferenceOf(type, making, said)
}

/** A new conference of a solution, signed by the service. */
export function conferenceOf(type: string, { ids, phone }: Making, said: ConferenceData = {}): ConferenceData {
  const solution = solutionNamed(type) ?? refuse('invalidConferenceType')
  const { name, iconUri, link, id } = SOLUTIONS[solution]
  const code = ids.meetingCode()
  const uri = link(code)
  const dialled = phone && solution === 'hangoutsMeet' ? telephoneWays(code, phone.region, ids) : []
  const made: ConferenceData = {
    ...said,
    entryPoints: [{ entryPointType: 'video', uri, label: uri.replace('https://', '') }, ...dialled],
    conferenceSolution: { key: { type }, name, ...(iconUri && { iconUri }) },
    conferenceId: id === 'none' ? undefined : code,
  }
  return conferenceInOrder({ ...made, signature: signatureOf(made) })
}

/** The parts by which two conferences are the same one. */
const core = ({ conferenceSolution, conferenceId, entryPoints }: ConferenceData) => [
  solutionNamed(conferenceSolution?.key?.type ?? 'addOn') ?? conferenceSolution?.key?.type,
  conferenceId,
  entryPoints,
]

const signatureOf = (data: ConferenceData): string =>
  `AL9oL6${digest(JSON.stringify(core(data)), 'sha256').slice(0, 22)}`

/** The link that an event shows: the way in by video, of the service's own conferences. */
export const hangoutLinkOf = (data: ConferenceData | undefined): string | undefined =>
  data && isHosted(data) ? data.entryPoints?.find(({ entryPointType }) => entryPointType === 'video')?.uri : undefined
