import { z } from 'zod'
import { parseInstant } from '../../recurrence/duration.ts'
import { aclRule } from '../../schema/aclRule.ts'
import { calendar } from '../../schema/calendar.ts'
import { calendarListEntry } from '../../schema/calendarListEntry.ts'
import { conferences } from '../../schema/conferencePolicy.ts'
import { event } from '../../schema/event.ts'
import { seededMail } from '../../schema/mail.ts'
import { oauthSeed } from '../../schema/oauth.ts'
import { setting } from '../../schema/setting.ts'

const email = z.email()
const isoInstant = z.iso.datetime({ offset: true })
const clockMoment = isoInstant.superRefine((now, context) => {
  if (!isoInstant.safeParse(now).success) return
  try {
    parseInstant(now)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : '' })
  }
})

const ownReminders = z.strictObject({
  calendarId: z.string(),
  eventId: z.string(),
  useDefault: z.boolean().optional(),
  overrides: z.array(z.strictObject({ method: z.string().optional(), minutes: z.int().optional() })).optional(),
})

export const accountSeed = z.strictObject({
  email,
  displayName: z.string().optional(),
  picture: z.url().optional().describe('The address of the picture that a sign-in with the scope `profile` gets.'),
  timeZone: z.string().optional(),
  kind: z.enum(['consumer', 'workspace']).optional().describe('The kind of account; `consumer` by default.'),
  admin: z.boolean().optional().describe('True for an administrator of the Workspace, who may transfer calendars.'),
  showDisplayName: z.boolean().optional().describe("True if events show the account's name beside its address."),
  reminders: z
    .array(ownReminders)
    .optional()
    .describe("The account's own reminders for events in calendars of other accounts."),
  settings: z
    .union([z.record(z.string(), z.string()), z.array(setting.extend({ id: z.string(), value: z.string() }))])
    .optional()
    .describe('Setting values by id, or settings as the API returns them.'),
  calendarList: z.array(calendarListEntry.extend({ id: z.string() }).strict()).optional(),
})

export const calendarSeed = calendar
  .extend({
    id: z.string().min(1),
    owner: email
      .optional()
      .describe("The data owner of a secondary calendar. The id of a primary calendar is its account's address."),
    client: z
      .string()
      .optional()
      .describe(
        'The OAuth client that created it. Tokens of this client with the scope `calendar.app.created` can access it.',
      ),
    deleted: z.boolean().optional().describe('True for a calendar that was deleted. Its id stays taken.'),
    acl: z.array(aclRule.strict()).optional(),
    events: z.array(event.strict()).optional(),
  })
  .strict()

export const channelSeed = z.strictObject({
  id: z.string(),
  account: email,
  resource: z.enum(['acl', 'calendarList', 'events', 'settings']),
  calendarId: z.string().optional(),
  eventTypes: z.array(z.string()).optional(),
  resourceId: z.string(),
  resourceUri: z.string(),
  address: z.url(),
  token: z.string().optional(),
  expiration: z.int().describe('Milliseconds since the epoch.'),
  stopped: z.literal(true).optional(),
  messages: z.int().optional().describe('The number of its messages so far.'),
  lastMessage: z.int().optional().describe('The number in the last message.'),
})

export const seedShape = z.strictObject({
  $schema: z.string().optional(),
  anchor: z.iso
    .date()
    .optional()
    .describe(
      "The reference date of the seed: every date except the clock's moves by the whole weeks between it and the world's current time.",
    ),
  clock: z
    .strictObject({ mode: z.enum(['real', 'set', 'frozen']), now: clockMoment })
    .optional()
    .describe('The clock: it follows the machine (`real`), runs from `now` (`set`), or stands at `now` (`frozen`).'),
  conferences: conferences
    .optional()
    .describe('The policy for conference requests; in a state, also the pending requests.'),
  accounts: z.array(accountSeed).optional(),
  groups: z.array(z.strictObject({ email, members: z.array(email) })).optional(),
  calendars: z.array(calendarSeed).optional(),
  channels: z.array(channelSeed).optional().describe('Only in a state: the notification channels.'),
  mail: z.array(seededMail).optional().describe('The outbox: the mail that the service would have sent.'),
  tokens: z
    .array(
      z.strictObject({
        token: z.string().min(1),
        account: email,
        scopes: z.array(z.string()).optional().describe('Without them, the token has all scopes.'),
        client: z.string().optional(),
        expires: z.iso
          .datetime({ offset: true })
          .optional()
          .describe("The expiry time on the world's clock; without it, the token does not expire."),
        revoked: z.boolean().optional(),
      }),
    )
    .optional(),
  apiKeys: z.array(z.string().min(1)).optional().describe('The valid API keys. Without this list, any key is valid.'),
  oauth: oauthSeed.optional(),
  files: z
    .array(z.strictObject({ id: z.string().min(1), title: z.string().optional(), mimeType: z.string().optional() }))
    .optional()
    .describe('Drive files by id: attachments whose URL contains the id get the title and type.'),
})
