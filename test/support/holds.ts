import type { FakeCalendarOptions, FakeWorld } from '../../src/index.ts'
import { ALICE, allDay } from './calendar.ts'

/** Sends a request of the program: by another token, in a batch, or to another world, as the question says. */
export type Send = (
  verb: 'GET' | 'POST',
  path: string,
  body?: object | URLSearchParams,
) => Promise<{ status: number; text: string }>

/** The answers that a test author may expect of a control, in the order of the columns. */
export const QUESTIONS = {
  again: 'the same request again',
  token: 'another token of the account',
  batch: 'in a batch',
  world: 'in another world',
  reset: 'after a reset',
  restore: 'after a restore of an earlier snapshot',
  fork: 'in a fork of a later snapshot',
} as const
export type Question = keyof typeof QUESTIONS

/** `none`: the request of the control cannot be asked so. */
export type Answer = 'holds' | 'ends' | 'none'

type Answers = Record<Question, Answer>

export type ControlRow = Answers & {
  /** The call, as the page shows it. */
  control: string
  options?: FakeCalendarOptions
  /** Prepares the world before the snapshot, and returns a value for `acts`. */
  prepare?(send: Send): Promise<string>
  set?(world: FakeWorld): unknown
  /** Returns true if a request shows the effect of the control. */
  acts(send: Send, world: FakeWorld, prepared: string): Promise<boolean>
}

const EVENTS = '/calendar/v3/calendars/primary/events'
const DAY = allDay('2026-03-02', '2026-03-03')
const hasStatus = (path: string, expected: number) => async (send: Send) =>
  (await send('GET', path)).status === expected

const tokenOf = (text: string): string => /"nextSyncToken": "([^"]+)"/.exec(text)?.[1] ?? ''
const sync = (token: string) => `${EVENTS}?syncToken=${encodeURIComponent(token)}`

let channels = 0
/** Returns a function that watches the events, and returns true if the first message of the channel has a progress. */
const hasProgress = (progress: string) => async (send: Send, world: FakeWorld) => {
  const id = `channel-${channels++}`
  await send('POST', `${EVENTS}/watch`, { id, type: 'web_hook', address: 'http://127.0.0.1:9/' })
  const [message] = world.notifications.list({ channelId: id })
  return message?.progress === progress
}

/** Returns true if the request of a conference fails. */
async function failsConference(send: Send): Promise<boolean> {
  const createRequest = { requestId: 'r', conferenceSolutionKey: { type: 'hangoutsMeet' } }
  const { text } = await send('POST', `${EVENTS}?conferenceDataVersion=1`, {
    ...DAY,
    conferenceData: { createRequest },
  })
  return text.includes('"statusCode": "failure"')
}

/** The answers of a control that is part of the server. */
const EVERYWHERE: Answers = {
  again: 'holds',
  token: 'holds',
  batch: 'holds',
  world: 'holds',
  reset: 'holds',
  restore: 'holds',
  fork: 'holds',
}
/** The answers of a control of one world that only a reset and a fork end. */
const HOLDS: Answers = { ...EVERYWHERE, world: 'ends', reset: 'ends', fork: 'ends' }
/** The answers of a control that the first request uses up. */
const ONCE: Answers = { ...HOLDS, again: 'ends' }
/** The answers of a control that is part of the data of the world. */
const DATA: Answers = { ...HOLDS, restore: 'ends', fork: 'holds' }

const failure = { on: 'colors.get', do: { fail: 'backendError' } } as const
const failsColors = hasStatus('/calendar/v3/colors', 500)

export const CONTROL_ROWS: readonly ControlRow[] = [
  { control: 'faults.add({ … })', ...ONCE, set: (world) => world.faults.add(failure), acts: failsColors },
  {
    control: "faults.add({ times: 'always', … })",
    ...HOLDS,
    set: (world) => world.faults.add({ ...failure, times: 'always' }),
    acts: failsColors,
  },
  {
    control: 'quota({ perMinute: 0 })',
    ...HOLDS,
    set: (world) => world.quota({ perMinute: 0 }),
    acts: hasStatus('/calendar/v3/colors', 403),
  },
  {
    control: 'the option strict',
    ...EVERYWHERE,
    token: 'ends',
    options: { strict: true, seed: { accounts: [{ email: ALICE }], tokens: [{ token: 'issued', account: ALICE }] } },
    acts: hasStatus('/calendar/v3/colors', 401),
  },
  {
    control: 'the option strictSurface',
    ...EVERYWHERE,
    options: { strictSurface: true },
    acts: hasStatus(`${EVENTS}?singleEvent=true`, 400),
  },
  {
    control: 'hints',
    ...EVERYWHERE,
    acts: async (send) => (await send('GET', `${EVENTS}?singleEvent=true`)).text.includes('FC102'),
  },
  {
    control: "clock.set('2030-01-01T00:00:00Z')",
    ...DATA,
    set: (world) => world.clock.set('2030-01-01T00:00:00Z'),
    acts: async (send) => (await send('POST', EVENTS, DAY)).text.includes('"created": "2030-'),
  },
  {
    control: "oauth.fail({ fail: 'denied' })",
    ...{ ...ONCE, batch: 'none' },
    set: (world) => world.oauth.fail({ fail: 'denied' }),
    acts: async (send) =>
      (
        await send(
          'GET',
          '/o/oauth2/v2/auth?client_id=app&redirect_uri=https://app.example.com/&response_type=code&scope=openid',
        )
      ).text.includes('access_denied'),
  },
  {
    control: 'oauth.revoke(account)',
    ...DATA,
    set: (world) => world.oauth.revoke(ALICE),
    acts: hasStatus('/calendar/v3/colors', 401),
  },
  {
    control: 'oauth.revoke(account), then a refresh',
    ...{ ...DATA, batch: 'none' },
    set: (world) => world.oauth.revoke(ALICE),
    acts: refusesRefresh,
  },
  {
    control: 'notifications.drop()',
    ...ONCE,
    set: (world) => world.notifications.drop(),
    acts: hasProgress('dropped'),
  },
  {
    control: 'notifications.drop({ times: 9 })',
    ...HOLDS,
    set: (world) => world.notifications.drop({ times: 9 }),
    acts: hasProgress('dropped'),
  },
  {
    control: "notifications.delay('10m', { times: 9 })",
    ...HOLDS,
    set: (world) => world.notifications.delay('10m', { times: 9 }),
    acts: hasProgress('delayed'),
  },
  { control: 'notifications.hold()', ...HOLDS, set: (world) => world.notifications.hold(), acts: hasProgress('held') },
  {
    control: 'syncTokens.expire()',
    ...{ ...DATA, reset: 'holds' },
    prepare: async (send) => tokenOf((await send('GET', EVENTS)).text),
    set: (world) => world.syncTokens.expire(),
    acts: async (send, _, token) => (await send('GET', sync(token))).status === 410,
  },
  {
    control: 'syncTokens.expire({ afterUses: 1 })',
    ...DATA,
    set: (world) => world.syncTokens.expire({ afterUses: 1 }),
    async acts(send) {
      const token = tokenOf((await send('GET', EVENTS)).text)
      return (await send('GET', sync(token))).status === 200 && (await send('GET', sync(token))).status === 410
    },
  },
  {
    control: "conferences.policy({ delay: 0, outcome: 'failure' })",
    ...{ ...HOLDS, fork: 'holds' },
    set: (world) => world.conferences.policy({ delay: 0, outcome: 'failure' }),
    acts: failsConference,
  },
  {
    control: "conferences.expect({ delay: 0, outcome: 'failure', times: 1 })",
    ...{ ...ONCE, fork: 'holds' },
    set: (world) => world.conferences.expect({ delay: 0, outcome: 'failure', times: 1 }),
    acts: failsConference,
  },
]

/** Returns true if the token endpoint refuses a refresh token that it has not seen. */
async function refusesRefresh(send: Send): Promise<boolean> {
  const { text } = await send('POST', '/token', new URLSearchParams({ grant_type: 'refresh_token', client_id: 'app' }))
  return text.includes('invalid_grant')
}

/** The table of docs/reference/control.md. */
export const formatControlRows = (): string =>
  [
    `| | ${Object.values(QUESTIONS).join(' | ')} |`,
    `| --- | ${Object.keys(QUESTIONS).fill('---').join(' | ')} |`,
    ...CONTROL_ROWS.map(
      (row) =>
        `| \`${row.control}\` | ${(Object.keys(QUESTIONS) as Question[]).map((question) => (row[question] === 'none' ? '' : row[question])).join(' | ')} |`,
    ),
  ].join('\n')
