import { digest } from '../store/digest.ts'
import { merged, same } from '../store/merge.ts'
import type { ConferenceData, EventBody } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { readEntryPoints } from './entryPoints.ts'
import type { Outcome } from './policy.ts'
import { isHosted, readConferenceId, SOLUTIONS, solutionAsked, solutionNamed } from './solutions.ts'

const LONGEST_NOTES = 2048

/**
 * Conference data as stored: a solution with its entry points, a request for one, or both. What is neither is refused,
 * and so is what breaks a rule of its parts (behaviour 9.2, 9.4).
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
  return inReplyOrder({
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
  const known = solution === 'addOn' ? undefined : SOLUTIONS[solution]
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
function inReplyOrder(given: ConferenceData): ConferenceData {
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
export function changedConference({ given, before, how, allowed }: ConferenceChange): ConferenceData | undefined {
  if (given === null) return undefined
  const untouched = how === 'patch' ? before : undefined
  if (given === undefined) return untouched
  const said: ConferenceData = merged({}, given)
  if (isRequest(said, before)) return pendingRequest(said, allowed)
  const repeats = sameRequest(said, before) && !said.entryPoints
  const whole: ConferenceData = how === 'patch' || repeats ? merged(before ?? {}, given) : said
  const read = readConferenceData(
    sameRequest(whole, before) ? { ...whole, createRequest: before?.createRequest } : whole,
  )
  if (!read?.conferenceSolution) return read
  const { signature, createRequest, notes, parameters, ...rest } = read
  if (before && isHosted(read) && same(core(read), core(before))) return inReplyOrder({ ...before, notes, parameters })
  if (signature === signatureOf(read)) return read
  // Nobody but the service makes a conference of its own: a copy that it did not sign is dropped (behaviour 9.11).
  if (isHosted(read)) return untouched
  return inReplyOrder({
    ...rest,
    createRequest: sameRequest(read, before) ? createRequest : undefined,
    notes,
    parameters,
  })
}

const sameRequest = (a: ConferenceData, b: ConferenceData | undefined): boolean =>
  a.createRequest?.requestId !== undefined && a.createRequest.requestId === b?.createRequest?.requestId

/** A new request. The one made before is ignored, and the echo of a finished one only comes along with its conference. */
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

/** What a request has become: everything that there is to a conference, or the word that there will be none. */
export function answered(data: ConferenceData, outcome: Outcome, code: () => string): ConferenceData {
  const { createRequest, notes, parameters } = data
  const said = { createRequest: { ...createRequest, status: { statusCode: outcome } }, notes, parameters }
  if (outcome === 'failure') return inReplyOrder(said)
  return conferenceOf(createRequest?.conferenceSolutionKey?.type ?? 'hangoutsMeet', code(), said)
}

/** A new conference of a solution, signed by the service. */
export function conferenceOf(type: string, code: string, said: ConferenceData = {}): ConferenceData {
  const { name, iconUri, link, id } = SOLUTIONS[solutionNamed(type)]
  const uri = link(code)
  const made: ConferenceData = {
    ...said,
    entryPoints: [{ entryPointType: 'video', uri, label: uri.replace('https://', '') }],
    conferenceSolution: { key: { type }, name, ...(iconUri && { iconUri }) },
    conferenceId: id === 'none' ? undefined : code,
  }
  return inReplyOrder({ ...made, signature: signatureOf(made) })
}

/** What makes a conference this one and no other. */
const core = ({ conferenceSolution, conferenceId, entryPoints }: ConferenceData) => [
  solutionNamed(conferenceSolution?.key?.type ?? 'addOn'),
  conferenceId,
  entryPoints,
]

const signatureOf = (data: ConferenceData): string =>
  `AL9oL6${digest(JSON.stringify(core(data)), 'sha256').slice(0, 22)}`

/** The link that an event shows: the way in by video, of the service's own conferences. */
export const hangoutLinkOf = (data: ConferenceData | undefined): string | undefined =>
  data && isHosted(data) ? data.entryPoints?.find(({ entryPointType }) => entryPointType === 'video')?.uri : undefined
