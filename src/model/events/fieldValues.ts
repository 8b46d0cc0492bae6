import { apiError, throwApiError, throwInvalidValue } from '../../schema/apiErrors.ts'
import type { Calendar, CalendarBody } from '../../schema/calendar.ts'
import type { Event, EventAttachment, EventDraft, EventReminder } from '../../schema/event.ts'
import type { WithoutNulls } from '../../schema/jsonSchema.ts'
import { isEqual } from '../../schema/values/json.ts'

const MAX_ATTACHMENTS = 25

export type DriveFile = { title?: string | undefined; mimeType?: string | undefined }

/** Addresses of Drive files (behaviour 8.17): documents have their kind in the path. */
const DOCUMENT = /^https:\/\/docs\.google\.com\/(?:a\/[^/]+\/)?([a-z]+)\/(?:u\/\d+\/)?d\/(?:e\/)?([\w-]+)/
const FOLDER = /^https:\/\/drive\.google\.com\/drive\/(?:u\/\d+\/)?folders\/([\w-]+)/
const FILE = /^https:\/\/drive\.google\.com\/(?:file\/(?:u\/\d+\/)?d\/|(?:open|uc)\?(?:[^#]*&)?id=)([\w-]+)/

const KINDS: Readonly<Record<string, string>> = {
  document: 'document',
  drawings: 'drawing',
  forms: 'form',
  presentation: 'presentation',
  spreadsheets: 'spreadsheet',
}
const ANY_TYPE = 'application/octet-stream'
const driveType = (kind: string) => `application/vnd.google-apps.${kind}`

/** Id and type of a Drive file derive from its address (behaviour 8.16). */
export function readAttachments(given: readonly EventAttachment[]): EventAttachment[] {
  if (given.length > MAX_ATTACHMENTS) throwInvalidValue('attachments', `more than ${MAX_ATTACHMENTS} attachments`)
  return given.map((attachment, at) => readAttachment(attachment, `attachments[${at}]`))
}

function readAttachment({ fileUrl, title, mimeType, iconLink }: EventAttachment, field: string): EventAttachment {
  const url = fileUrl || throwApiError('missingField', { field: `${field}.fileUrl` })
  if (!/^https?:\/\//i.test(url)) throwInvalidValue(`${field}.fileUrl`, 'not http or https')
  const file = findDriveFile(url)
  if (file) {
    const kind = mimeType || file.mimeType
    const icon = `https://drive-thirdparty.googleusercontent.com/16/type/${kind}`
    return { fileUrl: url, title: title ?? '', mimeType: kind, iconLink: icon, fileId: file.fileId }
  }
  if (iconLink && !/^https:\/\//i.test(iconLink)) throwInvalidValue(`${field}.iconLink`, 'not https')
  return {
    fileUrl: url,
    title: title ?? '',
    ...(mimeType && { mimeType }),
    iconLink: iconLink ?? '',
  }
}

/** Titles and types of files override the client's (behaviour 8.17.1). */
export const withFileMetadata = (
  attachments: EventAttachment[] | undefined,
  fileOf: (fileId: string) => DriveFile | undefined,
): EventAttachment[] | undefined =>
  attachments?.map((attachment) => {
    const { title, mimeType } = fileOf(findDriveFile(attachment.fileUrl ?? '')?.fileId ?? '') ?? {}
    return { ...attachment, ...(title && { title }), ...(mimeType && { mimeType }) }
  })

/** Undefined for an address outside Drive. */
export function findDriveFile(url: string): { fileId: string; mimeType: string } | undefined {
  const [, place = '', document] = DOCUMENT.exec(url) ?? []
  const kind = Object.hasOwn(KINDS, place) ? KINDS[place] : undefined
  if (document) return { fileId: document, mimeType: kind ? driveType(kind) : ANY_TYPE }
  const [, folder] = FOLDER.exec(url) ?? []
  if (folder) return { fileId: folder, mimeType: driveType('folder') }
  const [, fileId] = FILE.exec(url) ?? []
  return fileId ? { fileId, mimeType: ANY_TYPE } : undefined
}

const METHODS = ['email', 'popup']
const MAX_REMINDERS = 5
const MAX_MINUTES = 40_320

type GivenReminders = readonly { method?: string | undefined; minutes?: number | undefined }[]

/** Reminders by SMS are dropped (behaviour 3.2.10). Throws `invalidValue` for another method and without minutes. */
const readReminders = (field: string, given: GivenReminders): EventReminder[] =>
  given
    .filter(({ method }) => method !== 'sms')
    .map(({ method = '', minutes }) => {
      if (!METHODS.includes(method)) throwInvalidValue(field, `no reminder method ${method}`)
      if (minutes === undefined) throwInvalidValue(field, `minutes must be 0 to ${MAX_MINUTES}`)
      return { method, minutes }
    })

/** Throws `invalidValue` (behaviour 12.7). */
export function readDefaultReminders(given: GivenReminders): EventReminder[] {
  const field = 'defaultReminders'
  const reminders = readReminders(field, given)
  if (reminders.length > MAX_REMINDERS) throwInvalidValue(field, `more than ${MAX_REMINDERS} reminders`)
  if (reminders.some(({ minutes }) => minutes < 0 || minutes > MAX_MINUTES))
    throwInvalidValue(field, `minutes must be 0 to ${MAX_MINUTES}`)
  return reminders
}

/** Minutes within their range, equal ones once, sorted (behaviour 3.2.10). Throws `tooManyReminders` and `invalidValue`. */
export function readOverrides(given: GivenReminders): EventReminder[] {
  if (given.length > MAX_REMINDERS) throw apiError('tooManyReminders')
  const clamped = readReminders('reminders.overrides', given).map(({ method, minutes }) => ({
    method,
    minutes: Math.min(Math.max(minutes, 0), MAX_MINUTES),
  }))
  return sortReminders(clamped.filter((one, at) => clamped.findIndex((other) => isEqual(one, other)) === at))
}

export const sortReminders = (reminders: EventReminder[]): EventReminder[] =>
  reminders.sort((a, b) => METHODS.indexOf(a.method) - METHODS.indexOf(b.method) || a.minutes - b.minutes)

/** Throws `invalidValue` (400) for an unknown id. */
export const requireColor = (colorId: string): string =>
  Object.hasOwn(COLORS.event, colorId) ? colorId : throwInvalidValue('colorId', `no color ${colorId}`)

export function readSource(source: NonNullable<EventDraft['source']>): EventDraft['source'] {
  if (source.url && !/^https?:\/\//i.test(source.url)) throwInvalidValue('source.url', 'not http or https')
  return source
}

type Gadget = NonNullable<EventDraft['gadget']>

/** Throws `invalidValue`: sizes are at least 1, links are https (behaviour 3.2.14). */
export function readGadget(given: Gadget): Gadget {
  for (const size of ['width', 'height'] as const) {
    if ((given[size] ?? 1) < 1) throwInvalidValue(`gadget.${size}`, 'must be greater than 0')
  }
  for (const link of ['link', 'iconLink'] as const) {
    if (given[link] && !/^https:\/\//i.test(given[link])) throwInvalidValue(`gadget.${link}`, 'not https')
  }
  const { type, title, link, iconLink, width, height, display, preferences } = given
  return withoutEmptyFields({ type, title, link, iconLink, width, height, display, preferences })
}

/** Removes undefined values, and empty texts, lists and objects. */
export const withoutEmptyFields = <T extends object>(fields: { [F in keyof T]: T[F] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => hasContent(value))) as T

const hasContent = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(typeof value === 'object' && Object.keys(value ?? {}).length === 0)

type Properties = Record<string, string>

const MAX_KEY_LENGTH = 44
const MAX_VALUE_LENGTH = 1024
const MAX_PROPERTIES = 300
const MAX_PROPERTIES_LENGTH = 32 * 1024

/** Long keys are dropped, long values cut, too many are an error (behaviour 12.8). */
export function readProperties(given: NonNullable<EventDraft['extendedProperties']>): Event['extendedProperties'] {
  const truncate = (properties: Properties | undefined): Properties =>
    Object.fromEntries(
      Object.entries(properties ?? {})
        .filter(([key]) => key.length <= MAX_KEY_LENGTH)
        .map(([key, value]) => [key, value.slice(0, MAX_VALUE_LENGTH)]),
    )
  const [ofCopy, shared] = [truncate(given.private), truncate(given.shared)]
  const all = [...Object.entries(ofCopy), ...Object.entries(shared)]
  const size = all.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  if (all.length > MAX_PROPERTIES || size > MAX_PROPERTIES_LENGTH)
    throwInvalidValue(
      'extendedProperties',
      `more than ${MAX_PROPERTIES} properties or ${MAX_PROPERTIES_LENGTH / 1024} kB`,
    )
  return {
    ...(Object.keys(ofCopy).length > 0 && { private: ofCopy }),
    ...(Object.keys(shared).length > 0 && { shared }),
  }
}

type LabelProperties = WithoutNulls<CalendarBody>['labelProperties']

const MAX_LABELS = 200
const MAX_NAME_LENGTH = 50
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const FIELD = 'labelProperties.eventLabels'

/** Throws `invalidValue` (behaviour 12.9). */
export function readLabels(given: LabelProperties, newId: () => string): LabelProperties {
  const labels = given?.eventLabels ?? []
  if (labels.length > MAX_LABELS) throwInvalidValue(FIELD, `more than ${MAX_LABELS} labels`)
  const eventLabels = labels.map(({ id, name, backgroundColor }, at) => {
    const field = `${FIELD}[${at}]`
    if (id && !UUID.test(id)) throwInvalidValue(`${field}.id`, 'not a UUID')
    if ((name?.length ?? 0) > MAX_NAME_LENGTH)
      throwInvalidValue(`${field}.name`, `longer than ${MAX_NAME_LENGTH} characters`)
    if (backgroundColor && !/^#[0-9a-f]{6}$/i.test(backgroundColor)) {
      throwInvalidValue(`${field}.backgroundColor`, 'not a color such as #0088aa')
    }
    const color = backgroundColor || throwApiError('missingField', { field: 'backgroundColor' })
    return { id: id || newId(), backgroundColor: color, ...(name && { name }) }
  })
  const ids = eventLabels.map(({ id }) => id)
  if (new Set(ids).size < ids.length) throwInvalidValue(FIELD, 'one id for two labels')
  return eventLabels.length > 0 ? { eventLabels } : undefined
}

/** Labels with these colours stand for the colours of events, in the order of their ids (behaviour 3.2.18). */
const PALETTE = [
  ...['#7986cb', '#33b679', '#8e24aa', '#e67c73', '#f6bf26', '#f4511e'],
  ...['#039be5', '#616161', '#3f51b5', '#0b8043', '#d50000'],
]

const labelsOf = ({ labelProperties }: Pick<Calendar, 'labelProperties'>) => labelProperties?.eventLabels ?? []

/** Undefined if the label has no colour of the palette. */
export function colorOfLabel(calendar: Pick<Calendar, 'labelProperties'>, id: string): string | undefined {
  const label = labelsOf(calendar).find((one) => one.id === id)
  const position = PALETTE.indexOf(label?.backgroundColor?.toLowerCase() ?? '')
  return position === -1 ? undefined : String(position + 1)
}

export const labelOfColor = (calendar: Pick<Calendar, 'labelProperties'>, colorId: string): string | undefined =>
  labelsOf(calendar).find(({ backgroundColor }) => backgroundColor?.toLowerCase() === PALETTE[Number(colorId) - 1])?.id

/** Throws `invalidValue` (400) for a label that the calendar does not have, unless it stays. */
export function requireLabel(calendar: Calendar, id: string, current: Pick<Event, 'eventLabelId'> | undefined): string {
  if (id === current?.eventLabelId || labelsOf(calendar).some((label) => label.id === id)) return id
  throwInvalidValue('eventLabelId', `the calendar has no label ${id}`)
}

type Palette = Readonly<Record<string, { background: string; foreground: string }>>

const FOREGROUND = '#1d1d1d'
const createPalette = (...backgrounds: string[]): Palette =>
  Object.fromEntries(backgrounds.map((background, at) => [String(at + 1), { background, foreground: FOREGROUND }]))

/** Behaviour 3.8. */
export const COLORS = {
  kind: 'calendar#colors',
  updated: '2012-02-14T00:00:00.000Z',
  // biome-ignore format: a palette reads as a palette
  calendar: createPalette(
    '#ac725e', '#d06b64', '#f83a22', '#fa573c', '#ff7537', '#ffad46', '#42d692', '#16a765',
    '#7bd148', '#b3dc6c', '#fbe983', '#fad165', '#92e1c0', '#9fe1e7', '#9fc6e7', '#4986e7',
    '#9a9cff', '#b99aff', '#c2c2c2', '#cabdbf', '#cca6ac', '#f691b2', '#cd74e6', '#a47ae2',
  ),
  // biome-ignore format: a palette reads as a palette
  event: createPalette(
    '#a4bdfc', '#7ae7bf', '#dbadff', '#ff887c', '#fbd75b', '#ffb878', '#46d6db', '#e1e1e1', '#5484ed', '#51b749', '#dc2127',
  ),
}

/** The foreground is black although that of the palette is not (behaviour 3.5.3). */
export type EntryColor = { colorId: string; backgroundColor: string; foregroundColor: string }

const ENTRY_FOREGROUND = '#000000'

export function entryColor(colorId: string): EntryColor {
  const known = Object.hasOwn(COLORS.calendar, colorId) ? COLORS.calendar[colorId] : undefined
  const { background } = known ?? throwInvalidValue('colorId', `no color ${colorId}`)
  return { colorId, backgroundColor: background, foregroundColor: ENTRY_FOREGROUND }
}

/** The next colour of the palette. */
export const nextEntryColor = (entries: number): EntryColor =>
  entryColor(String((entries % Object.keys(COLORS.calendar).length) + 1))

/**
 * Colours with the id of the nearest background of the palette (behaviour 3.5.3). Throws `invalidValue` (400) unless
 * `#rrggbb`.
 */
export function rgbColor(backgroundColor: string, foregroundColor: string): EntryColor {
  const [components] = [parseRgb('backgroundColor', backgroundColor), parseRgb('foregroundColor', foregroundColor)]
  const distance = (background: string) =>
    parseRgb('background', background).reduce((sum, part, at) => sum + (part - (components[at] ?? 0)) ** 2, 0)
  const [nearest = ['1']] = Object.entries(COLORS.calendar).sort(
    ([, a], [, b]) => distance(a.background) - distance(b.background),
  )
  return { colorId: nearest[0], backgroundColor, foregroundColor }
}

function parseRgb(field: string, color: string): number[] {
  if (!/^#[0-9a-f]{6}$/i.test(color)) throwInvalidValue(field, `${color} is not a color such as #0088aa`)
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
}
