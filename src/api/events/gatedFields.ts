import { phoneOf } from '../../effects/conferences.ts'
import { type Access, isServiceAccount } from '../../model/access.ts'
import { changedConference, conferenceOf } from '../../model/events/conference.ts'
import type { GatedField } from '../../model/events/fields.ts'
import { withFileMetadata } from '../../model/events/fieldValues.ts'
import { apiError } from '../../schema/apiErrors.ts'
import type { Event, EventBody, EventDraft } from '../../schema/event.ts'
import { isEqual, mergePatch } from '../../schema/values/merge.ts'

/** The parameters that enable fields of a body. Without them these fields are ignored. */
export type FeatureVersions = {
  conferenceDataVersion?: number | undefined
  eventLabelVersion?: number | undefined
  supportsAttachments?: boolean | undefined
}

export type GatedWrite = {
  current?: Event
  body: EventBody
  params: FeatureVersions
  how: 'insert' | 'patch' | 'update'
}

/**
 * Returns the gated fields: fields that a write changes only if a query parameter enables them, or if the caller created
 * the event (behaviour 3.9.1, 8.16, 9.1). Otherwise they keep their stored values. Throws `forbiddenForNonCreator` if
 * another caller changes `source`.
 */
export function readGatedFields(access: Access, { current, body, params, how }: GatedWrite) {
  const { attachments, eventLabelId } = gatedDraft(current, body, how)
  return {
    source: sourceOf(access, { current, body, params, how }),
    endTimeUnspecified: current?.endTimeUnspecified, // no body sets it (behaviour 1.9.1)
    attachments: params.supportsAttachments
      ? withFileMetadata(attachments, (id) => access.world.files.get(id))
      : current?.attachments,
    eventLabelId: params.eventLabelVersion
      ? eventLabelId
      : body.colorId && body.colorId !== current?.colorId // another colour replaces the label
        ? undefined
        : current?.eventLabelId,
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
  } satisfies Record<GatedField, unknown> & Partial<EventDraft>
}

/**
 * Returns the source of an event. Only the creator writes it. Other callers do not see it, so they may omit it (behaviour
 * 7.14.1).
 */
function sourceOf({ caller }: Access, { current, body, how }: GatedWrite): EventDraft['source'] {
  const base = how === 'patch' ? { source: current?.source } : {}
  const { source } = mergePatch(base, { source: body.source })
  if (!current || current.creator?.email === caller.email) return source
  const isGiven = how === 'patch' ? body.source !== undefined : Boolean(body.source)
  if (isGiven && !isEqual(source, current.source)) throw apiError('forbiddenForNonCreator')
  return current.source
}

/**
 * Returns the solutions that a caller may request. A service account that acts for no user has none (behaviour 9.10).
 */
const solutionsFor = ({ calendar, caller }: Access): readonly string[] =>
  isServiceAccount(caller) ? [] : (calendar.conferenceProperties?.allowedConferenceSolutionTypes ?? [])

const gatedDraft = (
  current: Event | undefined,
  { attachments, eventLabelId }: EventBody,
  how: GatedWrite['how'],
): EventDraft =>
  mergePatch(how === 'patch' ? { attachments: current?.attachments, eventLabelId: current?.eventLabelId } : {}, {
    attachments,
    eventLabelId,
  })

/**
 * Returns the conference that the setting `autoAddHangouts` adds to events of requests without `conferenceDataVersion`
 * (behaviour 9.14).
 */
function automatic({ world, caller, calendar }: Access, { eventType }: EventBody) {
  const [type] = calendar.conferenceProperties?.allowedConferenceSolutionTypes ?? []
  const wanted = caller.email && world.settings.of(caller.email).get('autoAddHangouts')?.value === 'true'
  return wanted && type && (eventType ?? 'default') === 'default'
    ? conferenceOf(type, { ids: world.ids, phone: phoneOf(world, calendar.id) })
    : undefined
}
