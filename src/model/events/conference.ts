import { apiError, throwApiError, throwInvalidValue } from '../../schema/apiErrors.ts'
import type { ConferenceData, EntryPoint, EventBody } from '../../schema/event.ts'
import { isEqual, mergePatch, without } from '../../schema/values/json.ts'
import type { ConferenceOutcome, Phone } from '../conferencePolicy.ts'
import { createPhoneEntryPoints } from '../dialIn.ts'
import { digest, type Ids } from '../ids.ts'
import { withoutEmptyFields } from './fieldValues.ts'

const MAX_NOTES_LENGTH = 2048

/**
 * A solution with its entry points, a request for one, or both. Throws if it has neither, or if a part is invalid
 * (behaviour 9.2, 9.4).
 */
export function readConferenceData(given: ConferenceData): ConferenceData | undefined {
  if (Object.keys(given).length === 0) return undefined
  const { createRequest, conferenceSolution, signature, notes, parameters } = given
  const entryPoints = readEntryPoints(given.entryPoints ?? [])
  const whole = conferenceSolution !== undefined && entryPoints.length > 0
  if (!whole && !createRequest) {
    const problem = 'either a createRequest or a conferenceSolution with entryPoints is required'
    throwInvalidValue('conferenceData', problem)
  }
  if (createRequest && !createRequest.requestId) {
    throw apiError('missingField', { field: 'conferenceData.createRequest.requestId' })
  }
  if ((notes?.length ?? 0) > MAX_NOTES_LENGTH)
    throwInvalidValue('conferenceData.notes', `longer than ${MAX_NOTES_LENGTH} characters`)
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
  const type = key?.type || throwApiError('missingField', { field: 'conferenceData.conferenceSolution.key.type' })
  const solution = solutionNamed(type)
  const defaults = solution === 'addOn' || solution === undefined ? undefined : SOLUTIONS[solution]
  return {
    conferenceSolution: {
      key: { type },
      ...((name || defaults) && { name: name || defaults?.name }),
      ...((iconUri || defaults?.iconUri) && { iconUri: iconUri || defaults?.iconUri }),
    },
    conferenceId: readConferenceId(solution, given),
  }
}

/** Fields are in the order of a reply; empty ones are left out (behaviour 9.4). */
function conferenceInOrder(given: ConferenceData): ConferenceData {
  const { createRequest, entryPoints, conferenceSolution, conferenceId, signature, notes, parameters } = given
  const ordered = { createRequest, entryPoints, conferenceSolution, conferenceId, signature, notes, parameters }
  return Object.fromEntries(Object.entries(ordered).filter(([, value]) => value !== undefined && value !== ''))
}

export type ConferenceChange = {
  given: EventBody['conferenceData']
  before: ConferenceData | undefined
  how: 'insert' | 'patch' | 'update'
  allowed: readonly string[]
}

/**
 * The conference after a write with `conferenceDataVersion=1`; undefined if the write removes it (behaviour 9.1). Throws
 * `invalidConferenceType`, `invalidValue` and `missingField`, all 400.
 */
export function conferenceAfter(change: ConferenceChange): ConferenceData | undefined {
  const { given, before, how, allowed } = change
  if (given === null) return undefined
  if (given === undefined) return withoutChange(change)
  if (before && isUnknownType(before)) return requireUnchangedConference(before, change)
  const input: ConferenceData = mergePatch({}, given)
  if (isConferenceRequest(input, before)) return pendingRequest(input, allowed)
  const repeats = hasSameRequest(input, before) && !input.entryPoints
  const whole: ConferenceData = how === 'patch' || repeats ? mergePatch(before ?? {}, given) : input
  const read = readConferenceData(
    hasSameRequest(whole, before) ? { ...whole, createRequest: before?.createRequest } : whole,
  )
  return read && mergeSolution(read, change)
}

/** A conference of an unknown type can be sent back unchanged, or removed. Any other write throws (behaviour 14.53). */
function requireUnchangedConference(before: ConferenceData, { given, how }: ConferenceChange): ConferenceData {
  const whole: ConferenceData = how === 'patch' ? mergePatch(before, given ?? {}) : mergePatch({}, given ?? {})
  const read = isConferenceRequest(whole, before) ? undefined : readConferenceData(whole)
  return read && isEqual(read, before) ? before : throwApiError('invalidConferenceType')
}

const withoutChange = ({ before, how }: ConferenceChange): ConferenceData | undefined =>
  how === 'patch' ? before : undefined

function mergeSolution(read: ConferenceData, change: ConferenceChange): ConferenceData | undefined {
  const { before } = change
  const { notes, parameters } = read
  if (!read.conferenceSolution) return read
  // The service's own conference, unchanged: only notes and parameters are written.
  if (before && isHosted(read) && isEqual(identityOf(read), identityOf(before)))
    return conferenceInOrder({ ...before, notes, parameters })
  // A copy of a conference that the service made has a valid signature, or none for a consumer's.
  if (read.signature === signatureOf(read) || isUnsigned(read)) return read
  // Clients cannot make conferences of the service, so others are ignored.
  if (isHosted(read)) return withoutChange(change)
  if (isUnknownType(read)) throw apiError('invalidConferenceType')
  const createRequest = hasSameRequest(read, before) ? read.createRequest : undefined
  const entryPoints = read.entryPoints?.map((entryPoint) => without(entryPoint, 'regionCode'))
  return conferenceInOrder({ ...without(read, 'signature'), entryPoints, createRequest })
}

const hasSameRequest = (a: ConferenceData, b: ConferenceData | undefined): boolean =>
  a.createRequest?.requestId !== undefined && a.createRequest.requestId === b?.createRequest?.requestId

/**
 * A known request id is no new request. Neither is a request with a status and entry points, which is a reply that
 * was sent back.
 */
const isConferenceRequest = (input: ConferenceData, before: ConferenceData | undefined): boolean => {
  const { requestId, status } = input.createRequest ?? {}
  return requestId !== undefined && requestId !== '' && !hasSameRequest(input, before) && !(status && input.entryPoints)
}

function pendingRequest({ createRequest, notes, parameters }: ConferenceData, allowed: readonly string[]) {
  const type = requireAllowedSolution(createRequest?.conferenceSolutionKey?.type || undefined, allowed)
  const { requestId } = createRequest ?? {}
  const status = { statusCode: 'pending' }
  return readConferenceData({
    createRequest: { requestId, conferenceSolutionKey: { type }, status },
    notes,
    parameters,
  })
}

export const isPending = ({ createRequest }: ConferenceData): boolean => createRequest?.status?.statusCode === 'pending'

export type ConferenceSource = { ids: Pick<Ids, 'meetingCode' | 'digits'>; phone: Phone | undefined }

/** A new conference, or the status `failure` alone. A request for an unknown type fails. */
export function settleRequest(
  data: ConferenceData,
  outcome: ConferenceOutcome,
  source: ConferenceSource,
): ConferenceData {
  const { createRequest, notes, parameters } = data
  const type = createRequest?.conferenceSolutionKey?.type ?? 'hangoutsMeet'
  const statusCode = solutionNamed(type) ? outcome : 'failure'
  const input = { createRequest: { ...createRequest, status: { statusCode } }, notes, parameters }
  return statusCode === 'failure' ? conferenceInOrder(input) : conferenceOf(type, source, input)
}

/** The service signs the conferences of Workspace accounts only (behaviour 9.4, 9.5). */
export function conferenceOf(
  type: string,
  { ids, phone }: ConferenceSource,
  input: ConferenceData = {},
): ConferenceData {
  const solution = solutionNamed(type) ?? throwApiError('invalidConferenceType')
  const { name, iconUri, link, id } = SOLUTIONS[solution]
  const code = ids.meetingCode()
  const uri = link(code)
  const phoneEntryPoints = phone && solution === 'hangoutsMeet' ? createPhoneEntryPoints(code, phone.region, ids) : []
  const conference: ConferenceData = {
    ...input,
    entryPoints: [{ entryPointType: 'video', uri, label: uri.replace('https://', '') }, ...phoneEntryPoints],
    conferenceSolution: { key: { type }, name, ...(iconUri && { iconUri }) },
    conferenceId: id === 'none' ? undefined : code,
  }
  return conferenceInOrder(phone ? { ...conference, signature: signatureOf(conference) } : conference)
}

const identityOf = ({ conferenceSolution, conferenceId, entryPoints }: ConferenceData) => [
  solutionNamed(conferenceSolution?.key?.type ?? 'addOn') ?? conferenceSolution?.key?.type,
  conferenceId,
  entryPoints,
]

function isUnsigned({ conferenceSolution, conferenceId, entryPoints = [], signature }: ConferenceData): boolean {
  const solution = solutionNamed(conferenceSolution?.key?.type ?? '')
  const [entryPoint, ...others] = entryPoints
  if (!solution || solution === 'addOn' || signature !== undefined || !entryPoint || others.length > 0) return false
  return conferenceId !== undefined && entryPoint.uri === SOLUTIONS[solution].link(conferenceId)
}

const signatureOf = (data: ConferenceData): string =>
  `AL9oL6${digest(JSON.stringify(identityOf(data)), 'sha256').slice(0, 22)}`

export const hangoutLinkOf = (data: ConferenceData): string | undefined =>
  isHosted(data) ? data.entryPoints?.find(({ entryPointType }) => entryPointType === 'video')?.uri : undefined

/** Name, link, and the form of its ids (behaviour 9.9). */
type Solution = {
  name: string
  iconUri?: string
  link: (code: string) => string
  /** `none`: it has no id; a pattern: the form of the id; `own`: any id. */
  id: 'none' | 'own' | RegExp
}
export type SolutionType = 'eventHangout' | 'eventNamedHangout' | 'hangoutsMeet' | 'addOn'

const MEET_ICON =
  'https://fonts.gstatic.com/s/i/productlogos/meet_2020q4/v6/web-512dp/logo_meet_2020q4_color_2x_web_512dp.png'

export const SOLUTIONS: Record<SolutionType, Solution> = {
  eventHangout: {
    name: 'Google Hangouts',
    link: (code) => `https://hangouts.google.com/hangouts/_/event/${code}`,
    id: 'none',
  },
  eventNamedHangout: {
    name: 'Google Hangouts',
    link: (code) => `https://hangouts.google.com/hangouts/_/named/${code}`,
    id: /./,
  },
  hangoutsMeet: {
    name: 'Google Meet',
    iconUri: MEET_ICON,
    link: (code) => `https://meet.google.com/${code}`,
    id: /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/,
  },
  addOn: { name: 'Add-on conference', link: (code) => `https://conference.example.com/${code}`, id: 'own' },
}

/** Neutral names of the same solutions (behaviour 9.9). */
const NEUTRAL: ReadonlyMap<string, SolutionType> = new Map([
  ['eventConference', 'eventHangout'],
  ['eventNamedConference', 'eventNamedHangout'],
  ['conferenceMeet', 'hangoutsMeet'],
])

/** Finds a solution by a name of either form; undefined for an unknown name (behaviour 9.15). */
export function solutionNamed(type: string): SolutionType | undefined {
  const real = NEUTRAL.get(type) ?? type
  return Object.hasOwn(SOLUTIONS, real) ? (real as SolutionType) : undefined
}

const solutionOf = ({ conferenceSolution }: ConferenceData): SolutionType | undefined =>
  solutionNamed(conferenceSolution?.key?.type ?? '')

/** Such a conference is shown but cannot be modified. */
export function isUnknownType(data: ConferenceData): boolean {
  return data.conferenceSolution !== undefined && solutionOf(data) === undefined
}

export function isHosted(data: ConferenceData): boolean {
  return !['addOn', undefined].includes(solutionOf(data))
}

export function readConferenceId(type: SolutionType | undefined, given: string | undefined): string | undefined {
  const { id } = SOLUTIONS[type ?? 'addOn']
  if (id === 'none') return undefined
  if (id !== 'own' && !id.test(given ?? '')) {
    const problem = type === 'hangoutsMeet' ? 'not a meeting code such as aaa-bbbb-ccc' : 'the name of the hangout'
    throwInvalidValue('conferenceData.conferenceId', problem)
  }
  return given || undefined
}

/** Returns the requested solution, or by default the first that the calendar allows. Throws `invalidConferenceType`. */
export function requireAllowedSolution(requested: string | undefined, allowed: readonly string[]): string {
  const type = requested ?? allowed[0] ?? throwApiError('invalidConferenceType')
  const solution = solutionNamed(type) ?? throwApiError('invalidConferenceType')
  if (!allowed.some((one) => one === solution || NEUTRAL.get(one) === solution)) throw apiError('invalidConferenceType')
  return type
}

/** The number of entry points, and the schemes of their addresses (behaviour 9.16). */
const ENTRY_POINT_RULES: Record<
  NonNullable<EntryPoint['entryPointType']>,
  { most: number; schemes: readonly string[] }
> = {
  video: { most: 1, schemes: ['http:', 'https:'] },
  phone: { most: Number.POSITIVE_INFINITY, schemes: ['tel:'] },
  sip: { most: 1, schemes: ['sip:'] },
  more: { most: 1, schemes: ['http:', 'https:'] },
}

const MAX_LENGTHS = {
  uri: 1300,
  label: 512,
  meetingCode: 128,
  accessCode: 128,
  passcode: 128,
  password: 128,
  pin: 128,
} as const satisfies Partial<Record<keyof EntryPoint, number>>

const FIELD = 'conferenceData.entryPoints'

/** Throws an error that names the field. Only phone numbers have a `regionCode` (behaviour 9.16). */
export function readEntryPoints(given: readonly EntryPoint[]): EntryPoint[] {
  const read = given.map((entryPoint, at) => readEntryPoint(entryPoint, `${FIELD}[${at}]`))
  for (const [type, { most }] of Object.entries(ENTRY_POINT_RULES)) {
    if (read.filter(({ entryPointType }) => entryPointType === type).length > most)
      throwInvalidValue(FIELD, `more than ${most} of type ${type}`)
  }
  if (read.length > 0 && read.every(({ entryPointType }) => entryPointType === 'more'))
    throwInvalidValue(FIELD, 'more is no way in by itself')
  return read
}

function readEntryPoint(given: EntryPoint, field: string): EntryPoint {
  const type = given.entryPointType ?? throwApiError('missingField', { field: `${field}.entryPointType` })
  const uri = given.uri || throwApiError('missingField', { field: `${field}.uri` })
  const { schemes } = ENTRY_POINT_RULES[type]
  if (!schemes.some((scheme) => uri.toLowerCase().startsWith(scheme)))
    throwInvalidValue(`${field}.uri`, `must begin with ${schemes.join(' or ')}`)
  for (const [name, longest] of Object.entries(MAX_LENGTHS) as [keyof typeof MAX_LENGTHS, number][]) {
    if ((given[name]?.length ?? 0) > longest) throwInvalidValue(`${field}.${name}`, `longer than ${longest} characters`)
  }
  const features = (given.entryPointFeatures ?? []).map((feature) => feature.toLowerCase().replace('-', '_'))
  if (features.includes('toll') && features.includes('toll_free'))
    throwInvalidValue(`${field}.entryPointFeatures`, 'toll and toll-free at once')
  const { label, pin, accessCode, meetingCode, passcode, password, entryPointFeatures } = given
  const regionCode = type === 'phone' ? given.regionCode : undefined
  const codes = { label, pin, accessCode, meetingCode, passcode, password, entryPointFeatures }
  return withoutEmptyFields({ regionCode, entryPointType: type, uri, ...codes })
}
