import { z } from 'zod'
import { byDefault, namedSchema, oneOf, part, text } from './jsonSchema.ts'

const autoDeclineMode = oneOf('declineNone', 'declineAllConflictingInvitations', 'declineOnlyNewConflictingInvitations')

export const outOfOfficeProperties = namedSchema(
  'EventOutOfOfficeProperties',
  z.object({ autoDeclineMode, declineMessage: text }),
)

export const focusTimeProperties = namedSchema(
  'EventFocusTimeProperties',
  z.object({ autoDeclineMode, declineMessage: text, chatStatus: oneOf('available', 'doNotDisturb') }),
)

export const workingLocationProperties = namedSchema(
  'EventWorkingLocationProperties',
  z.object({
    type: oneOf('homeOffice', 'officeLocation', 'customLocation'),
    homeOffice: z.unknown().optional(),
    customLocation: part({ label: text }),
    officeLocation: part({
      buildingId: text,
      floorId: text,
      floorSectionId: text,
      deskId: text,
      label: text,
    }),
  }),
)

export const birthdayProperties = namedSchema(
  'EventBirthdayProperties',
  z.object({
    contact: text,
    type: byDefault(oneOf('birthday', 'self', 'anniversary', 'other', 'custom'), 'birthday'),
    customTypeName: text,
  }),
)
