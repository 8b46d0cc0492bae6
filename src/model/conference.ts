import { digest } from '../time/digest.ts'
import type { Ids } from '../time/ids.ts'
import type { ConferenceData, EntryPoint } from '../wire/conferenceData.ts'
import type { EventBody } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { merged, same, without } from '../wire/values/merge.ts'
import type { Outcome, Phone } from './conferencePolicy.ts'
import { createPhoneEntryPoints } from './dialIn.ts'

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
  const dialled = phone && solution === 'hangoutsMeet' ? createPhoneEntryPoints(code, phone.region, ids) : []
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

/** What each kind of conference is called, where it is joined, and how its id is formed (behaviour 9.9). */
type Solution = {
  name: string
  iconUri?: string
  link: (code: string) => string
  /** `none`: it has no id; a pattern: the form that its id has; `own`: any, as its add-on likes. */
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

/** The neutral spellings of the same solutions (behaviour 9.9). */
const NEUTRAL: ReadonlyMap<string, SolutionType> = new Map([
  ['eventConference', 'eventHangout'],
  ['eventNamedConference', 'eventNamedHangout'],
  ['conferenceMeet', 'hangoutsMeet'],
])

const isSolution = (type: string): type is SolutionType => Object.hasOwn(SOLUTIONS, type)

/** The solution that a word names, in either spelling; none, where the word is unfamiliar (behaviour 9.15). */
export function solutionNamed(type: string): SolutionType | undefined {
  const real = NEUTRAL.get(type) ?? type
  return isSolution(real) ? real : undefined
}

const solutionOf = ({ conferenceSolution }: ConferenceData): SolutionType | undefined =>
  solutionNamed(conferenceSolution?.key?.type ?? '')

/** Whether a conference is of a type that nobody here knows: shown as it is, and not to be modified. */
export function isUnfamiliar(data: ConferenceData): boolean {
  return data.conferenceSolution !== undefined && solutionOf(data) === undefined
}

/** Whether the service itself hosts a conference, and not an add-on that brings its own entry points. */
export function isHosted(data: ConferenceData): boolean {
  return !['addOn', undefined].includes(solutionOf(data))
}

/** A conference id in the form that its solution asks for. */
export function readConferenceId(type: SolutionType | undefined, given: string | undefined): string | undefined {
  const { id } = SOLUTIONS[type ?? 'addOn']
  if (id === 'none') return undefined
  if (id !== 'own' && !id.test(given ?? '')) {
    const problem = type === 'hangoutsMeet' ? 'not a meeting code such as aaa-bbbb-ccc' : 'the name of the hangout'
    refuse('invalidValue', { field: 'conferenceData.conferenceId', problem })
  }
  return given || undefined
}

/** The solution that a request asks for, in its own spelling: one that the calendar allows, by default the first. */
export function solutionAsked(asked: string | undefined, allowed: readonly string[]): string {
  const type = asked ?? allowed[0] ?? refuse('invalidConferenceType')
  const solution = solutionNamed(type) ?? refuse('invalidConferenceType')
  if (!allowed.some((one) => one === solution || NEUTRAL.get(one) === solution)) refuse('invalidConferenceType')
  return type
}

/** The ways into a conference: how many of each, and what their addresses begin with (behaviour 9.16). */
const WAYS: Record<NonNullable<EntryPoint['entryPointType']>, { most: number; schemes: readonly string[] }> = {
  video: { most: 1, schemes: ['http:', 'https:'] },
  phone: { most: Number.POSITIVE_INFINITY, schemes: ['tel:'] },
  sip: { most: 1, schemes: ['sip:'] },
  more: { most: 1, schemes: ['http:', 'https:'] },
}

const LONGEST = {
  uri: 1300,
  label: 512,
  meetingCode: 128,
  accessCode: 128,
  passcode: 128,
  password: 128,
  pin: 128,
} as const satisfies Partial<Record<keyof EntryPoint, number>>

/** The order of a reply (behaviour 9.16). */
const ORDER = [
  'regionCode',
  'entryPointType',
  'uri',
  'label',
  'pin',
  'accessCode',
  'meetingCode',
  'passcode',
  'password',
  'entryPointFeatures',
] as const satisfies (keyof EntryPoint)[]

const FIELD = 'conferenceData.entryPoints'

/** Entry points as stored, or a refusal that names the field. `regionCode` is kept on phone numbers alone (behaviour 9.16). */
export function readEntryPoints(given: readonly EntryPoint[]): EntryPoint[] {
  const read = given.map((entryPoint, at) => readEntryPoint(entryPoint, `${FIELD}[${at}]`))
  for (const [type, { most }] of Object.entries(WAYS)) {
    if (read.filter(({ entryPointType }) => entryPointType === type).length > most) {
      refuse('invalidValue', { field: FIELD, problem: `more than ${most} of type ${type}` })
    }
  }
  if (read.length > 0 && read.every(({ entryPointType }) => entryPointType === 'more')) {
    refuse('invalidValue', { field: FIELD, problem: 'more is no way in by itself' })
  }
  return read
}

function readEntryPoint(given: EntryPoint, field: string): EntryPoint {
  const type = given.entryPointType ?? refuse('missingField', { field: `${field}.entryPointType` })
  const uri = given.uri || refuse('missingField', { field: `${field}.uri` })
  const { schemes } = WAYS[type]
  if (!schemes.some((scheme) => uri.toLowerCase().startsWith(scheme))) {
    refuse('invalidValue', { field: `${field}.uri`, problem: `must begin with ${schemes.join(' or ')}` })
  }
  for (const [name, longest] of Object.entries(LONGEST) as [keyof typeof LONGEST, number][]) {
    if ((given[name]?.length ?? 0) > longest) {
      refuse('invalidValue', { field: `${field}.${name}`, problem: `longer than ${longest} characters` })
    }
  }
  const features = (given.entryPointFeatures ?? []).map((feature) => feature.toLowerCase().replace('-', '_'))
  if (features.includes('toll') && features.includes('toll_free')) {
    refuse('invalidValue', { field: `${field}.entryPointFeatures`, problem: 'toll and toll-free at once' })
  }
  const { regionCode, ...rest } = given
  const kept: EntryPoint = type === 'phone' ? given : rest
  return Object.fromEntries(ORDER.flatMap((name) => (isSaid(kept[name]) ? [[name, kept[name]]] : [])))
}

const isSaid = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(Array.isArray(value) && !value.length)
