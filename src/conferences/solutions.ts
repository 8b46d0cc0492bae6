import type { ConferenceData } from '../wire/conferenceData.ts'
import { refuse } from '../wire/refusals.ts'

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
export const isUnfamiliar = (data: ConferenceData): boolean =>
  data.conferenceSolution !== undefined && solutionOf(data) === undefined

/** Whether the service itself hosts a conference, and not an add-on that brings its own entry points. */
export const isHosted = (data: ConferenceData): boolean => !['addOn', undefined].includes(solutionOf(data))

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
