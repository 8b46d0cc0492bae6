import { z } from 'zod'
import { momentOf } from '../../recurrence/moments.ts'
import { aclRule } from '../aclRule.ts'
import { calendar } from '../calendar.ts'
import { calendarListEntry } from '../calendarListEntry.ts'
import { conferences } from '../conferencePolicy.ts'
import { event } from '../event.ts'
import { mail } from '../mail.ts'
import { setting } from '../setting.ts'
import { oauthSeed } from './oauth.ts'

/** A world as JSON, in the wire's own words. What it does not say, the service's defaults do. */
const email = z.email()
const clockMoment = z.iso.datetime({ offset: true }).superRefine((now, context) => {
  try {
    momentOf(now)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : '' })
  }
})

/** What an account is reminded by of events whose own reminders are somebody else's. */
export const ownReminders = z.strictObject({
  calendarId: z.string(),
  eventId: z.string(),
  useDefault: z.boolean().optional(),
  overrides: z.array(z.strictObject({ method: z.string().optional(), minutes: z.int().optional() })).optional(),
})

const account = z.strictObject({
  email,
  displayName: z.string().optional(),
  timeZone: z.string().optional(),
  /** What kind of account it is: a consumer's, unless it says otherwise. */
  kind: z.enum(['consumer', 'workspace']).optional(),
  /** Whether events show the account's name beside its address. */
  showDisplayName: z.boolean().optional(),
  /** What it is reminded by of events whose own reminders are somebody else's. */
  reminders: z.array(ownReminders).optional(),
  /** Setting values by id, or the settings as the service shows them. */
  settings: z
    .union([z.record(z.string(), z.string()), z.array(setting.extend({ id: z.string(), value: z.string() }))])
    .optional(),
  calendarList: z.array(calendarListEntry.extend({ id: z.string() }).strict()).optional(),
})

const seededCalendar = calendar
  .extend({
    id: z.string().min(1),
    /** The data owner of a secondary calendar; a primary one bears its account's address. */
    owner: email.optional(),
    /** The OAuth client that made it, whose tokens see it with the scope `calendar.app.created`. */
    client: z.string().optional(),
    deleted: z.boolean().optional(),
    acl: z.array(aclRule.strict()).optional(),
    events: z.array(event.strict()).optional(),
  })
  .strict()

/** A watch as the world keeps it, with the number of its last message. */
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
  expiration: z.int(),
  stopped: z.literal(true).optional(),
  messages: z.int().optional(),
  lastMessage: z.int().optional(),
})

/** What a seed may hold. */
export const seedShape = z.strictObject({
  $schema: z.string().optional(),
  /** A date that the seed is written around: every date in it moves by the whole weeks between it and the world's now. */
  anchor: z.iso.date().optional(),
  clock: z.strictObject({ mode: z.enum(['real', 'set', 'frozen']), now: clockMoment }).optional(),
  /** How requests for conferences are answered; in a state, also those that are still open. */
  conferences: conferences.optional(),
  accounts: z.array(account).optional(),
  groups: z.array(z.strictObject({ email, members: z.array(email) })).optional(),
  calendars: z.array(seededCalendar).optional(),
  /** Only in a state: the watches that there were. */
  channels: z.array(channelSeed).optional(),
  /** The outbox: the mails that the service would have sent. */
  mail: z.array(mail).optional(),
  tokens: z
    .array(
      z.strictObject({
        token: z.string().min(1),
        account: email,
        scopes: z.array(z.string()).optional(),
        client: z.string().optional(),
        /** When it stops being good, on the world's clock; without it, never. */
        expires: z.iso.datetime({ offset: true }).optional(),
        revoked: z.boolean().optional(),
      }),
    )
    .optional(),
  /** The API keys that are good. A world that names none takes any. */
  apiKeys: z.array(z.string().min(1)).optional(),
  oauth: oauthSeed.optional(),
  /** Files of Drive by their ids: attachments that lead to them have their titles and types. */
  files: z
    .array(z.strictObject({ id: z.string().min(1), title: z.string().optional(), mimeType: z.string().optional() }))
    .optional(),
})
