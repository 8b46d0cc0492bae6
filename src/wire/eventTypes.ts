import { z } from 'zod'
import { byDefault, named, oneOf, part, text } from './json.ts'

/** What an event of a type of its own says beside what every event says. */
const autoDeclineMode = oneOf('declineNone', 'declineAllConflictingInvitations', 'declineOnlyNewConflictingInvitations')

export const outOfOfficeProperties = named(
  'EventOutOfOfficeProperties',
  z.object({ autoDeclineMode, declineMessage: text() }),
)

export const focusTimeProperties = named(
  'EventFocusTimeProperties',
  z.object({ autoDeclineMode, declineMessage: text(), chatStatus: oneOf('available', 'doNotDisturb') }),
)

export const workingLocationProperties = named(
  'EventWorkingLocationProperties',
  z.object({
    type: oneOf('homeOffice', 'officeLocation', 'customLocation'),
    homeOffice: z.unknown().optional(),
    customLocation: part({ label: text() }),
    officeLocation: part({
      buildingId: text(),
      floorId: text(),
      floorSectionId: text(),
      deskId: text(),
      label: text(),
    }),
  }),
)

export const birthdayProperties = named(
  'EventBirthdayProperties',
  z.object({
    contact: text(),
    type: byDefault(oneOf('birthday', 'self', 'anniversary', 'other', 'custom'), 'birthday'),
    customTypeName: text(),
  }),
)
