import { expectOk, expectTrue } from '../expect.ts'
import { absent, contains, exactKeys } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

/** Returns the body of an event that requests a conference of a type. */
const createConferenceBody = (requestId: string, type = 'hangoutsMeet') => ({
  conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type } } },
})
const VERSION = { query: { conferenceDataVersion: 1 } }

export const conferences: ScenarioGroup = {
  name: 'conferences',
  scenarios: [
    scenario('a conference request without conferenceDataVersion=1 is ignored', '9.1, 1.22', async (kit) => {
      const answer = await kit.post(await kit.eventsPath(), {
        ...kit.hour(9),
        ...createConferenceBody(await kit.unusedId()),
      })
      expectOk(answer, { conferenceData: absent, hangoutLink: absent })
    }),
    scenario('a conference request is returned, and becomes a conference', '9.2, 9.3, 9.4, 9.6', async (kit) => {
      const path = await kit.eventsPath()
      const requestId = await kit.unusedId()
      const request = {
        requestId,
        conferenceSolutionKey: { type: 'hangoutsMeet' },
        status: { statusCode: /^(pending|success)$/ },
      }
      const { id } = expectOk(await kit.post(path, { ...kit.hour(9), ...createConferenceBody(requestId) }, VERSION), {
        conferenceData: { createRequest: request },
      })
      const seen = await kit.get(`${path}/${id}`)
      expectOk(seen, {
        hangoutLink: /^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/,
        conferenceData: {
          createRequest: { requestId, status: { statusCode: 'success' } },
          conferenceId: /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/,
          entryPoints: contains({ entryPointType: 'video', uri: seen.body.hangoutLink }),
          conferenceSolution: { key: { type: 'hangoutsMeet' }, name: 'Google Meet' },
        },
      })
    }),
    scenario('a second request with the same requestId keeps the conference', '9.8', async (kit) => {
      const path = `${await kit.eventsPath()}/${(await kit.createEvent(createConferenceBody(await kit.unusedId()), VERSION)).id}`
      const { hangoutLink } = expectOk(await kit.get(path), { hangoutLink: /^https:/ })
      await kit.require(kit.patch(path, createConferenceBody(await kit.unusedId()), VERSION))
      expectOk(await kit.get(path), { hangoutLink })
    }),
    scenario('null removes a conference only with conferenceDataVersion=1', '9.12, 9.1', async (kit) => {
      const path = `${await kit.eventsPath()}/${(await kit.createEvent(createConferenceBody(await kit.unusedId()), VERSION)).id}`
      await kit.require(kit.get(path))
      expectOk(await kit.patch(path, { conferenceData: null }), { hangoutLink: /^https:/ })
      expectOk(await kit.patch(path, { conferenceData: null }, VERSION), {
        conferenceData: absent,
        hangoutLink: absent,
      })
    }),
    scenario('instances have their series’ conference', '9.13', async (kit) => {
      const body = { ...createConferenceBody(await kit.unusedId()), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
      const { id } = await kit.createEvent(body, VERSION)
      const path = await kit.eventsPath()
      const { hangoutLink } = expectOk(await kit.get(`${path}/${id}`), { hangoutLink: /^https:/ })
      const { items } = expectOk(await kit.get(`${path}/${id}/instances`))
      expectTrue(
        items.every((item) => item.hangoutLink === hangoutLink),
        'an instance has another conference than its series',
      )
    }),
    ...errorScenarios([
      [
        'a conference solution that the calendar does not allow is rejected',
        '9.10, 2.2.7',
        'POST',
        '',
        async (kit) => ({
          body: { ...kit.hour(9), ...createConferenceBody(await kit.unusedId(), 'eventHangout') },
          ...VERSION,
        }),
        { status: 400, reason: 'invalid', message: 'Invalid conference type value.' },
      ],
      [
        'a conferenceDataVersion other than 0 and 1 is rejected',
        '9.1, 1.22',
        'POST',
        '',
        (kit) => ({ body: kit.hour(9), query: { conferenceDataVersion: 2 } }),
        { status: 400, reason: 'invalidParameter', location: 'conferenceDataVersion' },
      ],
    ]),
    scenario('attachments are stored only with supportsAttachments', '8.16, 1.22', async (kit) => {
      const attachments = [{ fileUrl: 'https://example.com/a.pdf', title: 'A' }]
      const path = await kit.eventsPath()
      expectOk(await kit.post(path, { ...kit.hour(9), attachments }), { attachments: absent })
      const query = { supportsAttachments: true }
      expectOk(await kit.post(path, { ...kit.hour(9), attachments }, { query }), { attachments })
    }),
    scenario('extended properties are returned as strings', '3.2.3, 12.8', async (kit) => {
      const body = { extendedProperties: { private: { a: '1' }, shared: { b: '2', long: 'x'.repeat(2000) } } }
      const made = await kit.post(await kit.eventsPath(), { ...kit.hour(9), ...body })
      expectOk(made, { extendedProperties: { private: { a: '1' }, shared: { b: '2', long: 'x'.repeat(1024) } } })
      expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), extendedProperties: { private: {} } }), {
        extendedProperties: absent,
      })
    }),
    scenario('fields selects the parts of the reply to a write', '11.11', async (kit) => {
      expectOk(
        await kit.post(await kit.eventsPath(), kit.hour(9), { query: { fields: 'id,status' } }),
        exactKeys('id', 'status'),
      )
    }),
  ],
}
