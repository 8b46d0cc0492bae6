import { changedConference, conferenceOf } from '../conferences/conference.ts'
import { merged } from '../store/merge.ts'
import type { Event, EventBody, EventDraft } from '../wire/event.ts'
import { type Access, isServiceAccount } from '../world/access.ts'
import { settingsOf } from '../world/settings.ts'

/** What a request says that it knows of; the rest of its body is ignored, and what there was stays. */
export type Knowing = {
  conferenceDataVersion?: number | undefined
  eventLabelVersion?: number | undefined
  supportsAttachments?: boolean | undefined
}

export type Carrying = { current?: Event; body: EventBody; params: Knowing; how: 'insert' | 'patch' | 'update' }

/**
 * The fields that a write reaches only where its request says that it knows of them, or its caller made the event
 * (behaviour 3.9.1, 8.16, 9.1).
 */
export function carried(access: Access, { current, body, params, how }: Carrying) {
  const { attachments, eventLabelId } = replaced(current, body, how)
  return {
    attachments: params.supportsAttachments ? attachments : current?.attachments,
    eventLabelId: params.eventLabelVersion ? eventLabelId : current?.eventLabelId,
    conferenceData: params.conferenceDataVersion
      ? changedConference({
          given: body.conferenceData,
          before: current?.conferenceData,
          how,
          allowed: solutionsFor(access),
        })
      : (current?.conferenceData ?? (how === 'insert' ? automatic(access, body) : undefined)),
    // Whose birthday it is, contacts say.
    ...(!current &&
      body.birthdayProperties && { birthdayProperties: { type: body.birthdayProperties.type ?? undefined } }),
    ...(current && current.creator?.email !== access.caller.email && { source: current.source }),
  } satisfies Partial<EventDraft>
}

/** What a caller may ask for: nothing, where it is a program that acts for nobody (behaviour 9.10). */
const solutionsFor = ({ calendar, caller }: Access): readonly string[] =>
  isServiceAccount(caller) ? [] : (calendar.conferenceProperties?.allowedConferenceSolutionTypes ?? [])

const replaced = (
  current: Event | undefined,
  { attachments, eventLabelId }: EventBody,
  how: Carrying['how'],
): EventDraft =>
  merged(how === 'patch' ? { attachments: current?.attachments, eventLabelId: current?.eventLabelId } : {}, {
    attachments,
    eventLabelId,
  })

/**
 * Whoever wants a conference with every event gets one, of clients that know nothing of conferences (behaviour 9.14).
 */
function automatic({ world, caller, calendar }: Access, { eventType }: EventBody) {
  const [type] = calendar.conferenceProperties?.allowedConferenceSolutionTypes ?? []
  const wanted = caller.email && settingsOf(world, caller.email).get('autoAddHangouts')?.value === 'true'
  return wanted && type && (eventType ?? 'default') === 'default'
    ? conferenceOf(type, world.ids.meetingCode())
    : undefined
}
