import { expectError, expectOk, expectStatus, expectTrue, type ReceivedResponse } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { absent, exactKeys } from '../matchers.ts'
import { type ErrorRow, errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

/** Messages to this reserved host reach nobody. */
const ADDRESS = 'https://example.com/fake-calendar-conform'
const DAY_MS = 86_400_000

/**
 * Opens a channel on a list, given by its path; `ending` is that of its id. It is stopped after the scenario. Returns the
 * response, which may be an error.
 */
async function openListChannel(kit: Kit, list: string, ending: string, body: object = {}): Promise<ReceivedResponse> {
  const id = await kit.unusedId(ending)
  const answer = await kit.post(`${list}/watch`, { id, type: 'web_hook', address: ADDRESS, ...body })
  if (answer.status === 200) kit.onCleanUp(() => kit.post('/channels/stop', { id, resourceId: answer.body.resourceId }))
  return answer
}

/** Adds a public calendar to the caller's list. It is removed afterwards if it was not there before. */
async function ensureOnList(kit: Kit, id: string): Promise<void> {
  const entry = `/users/me/calendarList/${encodeURIComponent(id)}`
  if ((await kit.get(entry)).status === 200) return
  kit.onCleanUp(() => kit.delete(entry))
  await kit.require(kit.post('/users/me/calendarList', { id }))
}

/** Returns the lifetime of a channel in milliseconds, by the server's clock. */
const getChannelLifetimeMs = ({ body, headers }: ReceivedResponse): number =>
  Number(body.expiration) - (Date.parse(headers.get('Date') ?? '') || Number.NaN)

/** Returns true if a duration differs from another by less than two minutes. */
const isNear = (ms: number, expected: number): boolean => Math.abs(ms - expected) < 120_000

export const watching: ScenarioGroup = {
  name: 'watch',
  scenarios: [
    scenario('a watch returns its channel', '6.1.1, 6.1.2, 11.15, 1.8', async (kit) => {
      const answer = await openListChannel(kit, await kit.eventsPath(), 'w1')
      expectOk(answer, exactKeys('kind', 'id', 'resourceId', 'resourceUri', 'expiration'))
      expectOk(answer, { kind: 'api#channel', id: await kit.unusedId('w1'), expiration: /^\d{13}$/, token: absent })
    }),
    scenario('the token of a channel is returned', '6.1.2', async (kit) => {
      expectOk(await openListChannel(kit, await kit.eventsPath(), 'w2', { token: 'target=conform' }), {
        token: 'target=conform',
      })
    }),
    scenario('the resourceUri is the URL of the list with alt=json', '6.1.3, 6.1.8', async (kit) => {
      const list = await kit.eventsPath()
      const { resourceUri } = expectOk(await openListChannel(kit, list, 'w3'))
      expectTrue(
        new RegExp(`^https?://[^?]*/calendar/v3${list}\\?alt=json$`).test(String(resourceUri)),
        `the resourceUri of ${list} is ${resourceUri}`,
      )
    }),
    scenario(
      'the resourceUri of a watch of primary contains primary',
      '6.1.3, 1.6',
      async (kit) => {
        const { resourceUri } = expectOk(await openListChannel(kit, '/calendars/primary/events', 'w4'))
        expectTrue(/\/calendars\/primary\/events\?/.test(String(resourceUri)), `the resourceUri is ${resourceUri}`)
      },
      'primary',
    ),
    scenario('channels of one list have one resourceId of 27 characters', '6.1.4, 6.1.7', async (kit) => {
      const list = await kit.eventsPath()
      const { resourceId } = expectOk(await openListChannel(kit, list, 'w5'), { resourceId: /^[\w-]{27}$/ })
      expectOk(await openListChannel(kit, list, 'w6'), { resourceId })
    }),
    scenario('a channel expires after seven days', '6.1.5, 12.13', async (kit) => {
      const ms = getChannelLifetimeMs(await openListChannel(kit, await kit.eventsPath(), 'w7'))
      expectTrue(isNear(ms, 7 * DAY_MS), `a channel ends in ${ms / DAY_MS} days`)
    }),
    scenario('a channel with a ttl expires after it', '6.1.1, 6.1.5', async (kit) => {
      const ms = getChannelLifetimeMs(
        await openListChannel(kit, await kit.eventsPath(), 'w8', { params: { ttl: '3600' } }),
      )
      expectTrue(isNear(ms, 3_600_000), `a channel with a ttl of 3600 ends in ${ms / 1000} s`)
    }),
    scenario('a channel id that is in use is rejected', '6.1.6', async (kit) => {
      const list = await kit.eventsPath()
      expectOk(await openListChannel(kit, list, 'w9'))
      const id = await kit.unusedId('w9')
      expectError(await kit.post(`${list}/watch`, { id, type: 'web_hook', address: ADDRESS }), {
        ...{ status: 400, reason: 'channelIdNotUnique' },
        message: 'Channel id not unique',
      })
    }),
    scenario('stop of a channel is 204, and its id can be used again', '6.3.1, 1.8', async (kit) => {
      const list = await kit.eventsPath()
      const { id, resourceId } = expectOk(await openListChannel(kit, list, 'wa'))
      expectStatus(await kit.post('/channels/stop', { id, resourceId }), 204)
      expectOk(await openListChannel(kit, list, 'wa'))
    }),
    scenario('calendar lists, rules and settings can be watched', '6.1.1, 6.1.3', async (kit) => {
      const acl = (await kit.eventsPath()).replace(/events$/, 'acl')
      for (const [at, list] of ['/users/me/calendarList', acl, '/users/me/settings'].entries()) {
        const { resourceUri } = expectOk(await openListChannel(kit, list, `wb${at}`), { kind: 'api#channel' })
        expectTrue(String(resourceUri).includes(`${list}?`), `the resourceUri of ${list} is ${resourceUri}`)
      }
    }),
    ...errorScenarios([
      ...(
        [
          ['holidays', '6.1.6, 15.15', 'en.usa%23holiday@group.v.calendar.google.com'],
          ['birthdays of contacts', '6.1.6, 15.16', 'addressbook%23contacts@group.v.calendar.google.com'],
        ] as const
      ).map(
        ([name, headings, id]): ErrorRow => [
          `${name} cannot be watched`,
          headings,
          'POST',
          async (kit) => {
            await ensureOnList(kit, decodeURIComponent(id))
            return `/calendars/${id}/events/watch`
          },
          async (kit) => ({ body: { id: await kit.unusedId('f'), type: 'web_hook', address: ADDRESS } }),
          { status: 400, reason: 'pushNotSupportedForRequestedResource' },
        ],
      ),
      [
        'a receiver whose address is not https is rejected',
        '6.1.6, 2.2.9',
        'POST',
        'watch',
        async (kit) => ({
          body: { id: await kit.unusedId('a'), type: 'web_hook', address: 'http://example.com/hook' },
        }),
        { status: 400, reason: 'push.webhookUrlNotHttps', message: /^WebHook callback must be HTTPS: / },
      ],
      [
        'a channel of an unknown type is rejected',
        '6.1.6, 2.2.9',
        'POST',
        'watch',
        async (kit) => ({ body: { id: await kit.unusedId('b'), type: 'pigeon', address: 'https://example.com/hook' } }),
        { status: 400 },
      ],
      [
        'a channel without an id is rejected',
        '6.1.6, 1.25',
        'POST',
        'watch',
        () => ({ body: { type: 'web_hook', address: 'https://example.com/hook' } }),
        { status: 400, reason: 'required' },
      ],
      [
        'a channel id above 64 characters is rejected',
        '6.1.1, 12.2',
        'POST',
        'watch',
        () => ({ body: { id: 'x'.repeat(65), type: 'web_hook', address: 'https://example.com/hook' } }),
        { status: 400 },
      ],
      [
        'a channel that does not exist cannot be stopped',
        '6.3.2, 2.2.9',
        'POST',
        '/channels/stop',
        async (kit) => ({ body: { id: await kit.unusedId('c'), resourceId: 'nothing' } }),
        { status: 404, reason: 'notFound', message: /^Channel '.*' not found/ },
      ],
      [
        'stop without a resourceId is rejected',
        '6.3.1, 1.25',
        'POST',
        '/channels/stop',
        async (kit) => ({ body: { id: await kit.unusedId('d') } }),
        { status: 400, reason: 'required' },
      ],
      [
        'a calendar that does not exist cannot be watched',
        '6.1.6',
        'POST',
        '/calendars/fake-calendar-nobody@group.calendar.google.com/events/watch',
        async (kit) => ({
          body: { id: await kit.unusedId('e'), type: 'web_hook', address: 'https://example.com/hook' },
        }),
        { status: 404, reason: 'notFound' },
      ],
    ]),
  ],
}
