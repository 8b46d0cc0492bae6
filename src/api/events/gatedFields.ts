import { phoneOf } from '../../effects/conferences.ts'
import { withFileMetadata } from '../../model/attachments.ts'
import { changedConference, conferenceOf } from '../../model/conference.ts'
import type { Event, EventBody, EventDraft } from '../../wire/event.ts'
import { refuse } from '../../wire/refusals.ts'
import { merged, same } from '../../wire/values/merge.ts'
import { type Access, isServiceAccount } from '../../world/access.ts'

/** The parameters by which a request says that it knows of fields; without them these fields of its body are ignored. */
export type FeatureVersions = {
  conferenceDataVersion?: number | undefined
  eventLabelVersion?: number | undefined
  supportsAttachments?: boolean | undefined
}

export type Carrying = { current?: Event; body: EventBody; params: FeatureVersions; how: 'insert' | 'patch' | 'update' }

/**
 * The fields that a write changes only on a condition: that its request says that it knows of them, or that its caller
 * made the event (behaviour 3.9.1, 8.16, 9.1).
 */
export function gatedFields(access: Access, { current, body, params, how }: Carrying) {
  const { attachments, eventLabelId } = replaced(current, body, how)
  return {
    source: sourceOf(access, { current, body, params, how }),
    endTimeUnspecified: current?.endTimeUnspecified, // no body brings it (behaviour 1.9.1)
    attachments: params.supportsAttachments
      ? withFileMetadata(attachments, (id) => access.world.files.get(id))
      : current?.attachments,
    eventLabelId: params.eventLabelVersion ? eventLabelId : current?.eventLabelId,
    conferenceData: params.conferenceDataVersion
      ? changedConference({
          given: body.conferenceData,
          before: current?.conferenceData,
          how,
          allowed: solutionsFor(access),
        })
      : (current?.conferenceData ?? (how === 'insert' ? automatic(access, body) : undefined)),
    // The other birthday properties come from the account's contacts, not from a request.
    ...(!current &&
      body.birthdayProperties && { birthdayProperties: { type: body.birthdayProperties.type ?? undefined } }),
  } satisfies Partial<EventDraft>
}

/** Only its creator writes the source of an event; from others, who do not see it, silence means nothing (behaviour 7.14.1). */
function sourceOf({ caller }: Access, { current, body, how }: Carrying): EventDraft['source'] {
  const base = how === 'patch' ? { source: current?.source } : {}
  const { source } = merged(base, { source: body.source })
  if (!current || current.creator?.email === caller.email) return source
  const said = how === 'patch' ? body.source !== undefined : Boolean(body.source)
  if (said && !same(source, current.source)) refuse('forbiddenForNonCreator')
  return current.source
}

/** The conferences that a caller may ask for: none, where it is a service account that acts for no user (behaviour 9.10). */
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

/** The conference that an account's setting adds to each event of a client that does not know of conferences (behaviour 9.14). */
function automatic({ world, caller, calendar }: Access, { eventType }: EventBody) {
  const [type] = calendar.conferenceProperties?.allowedConferenceSolutionTypes ?? []
  const wanted = caller.email && world.settings.of(caller.email).get('autoAddHangouts')?.value === 'true'
  return wanted && type && (eventType ?? 'default') === 'default'
    ? conferenceOf(type, { ids: world.ids, phone: phoneOf(world, calendar.id) })
    : undefined
}
