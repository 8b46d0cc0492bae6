import { expect, test } from 'vitest'
import { ALICE, hour, openCalendar } from '../../support/calendar.ts'
import { type FieldRow, testFields, WRONG_KIND } from '../../support/fields.ts'

const query = 'conferenceDataVersion=1'
const long = (length: number) => 'x'.repeat(length)
const video = { entryPointType: 'video', uri: 'https://zoom.example.com/1' }
const phone = { entryPointType: 'phone', uri: 'tel:+1-212-555-0100' }
const solution = { key: { type: 'addOn' }, name: 'Zoom', iconUri: 'https://zoom.example.com/icon.png' }
const zoom = { conferenceSolution: solution, entryPoints: [video], conferenceId: 'z-1' }
const conference = (fields: object) => ({ conferenceData: { ...zoom, ...fields } })
const points = (...entryPoints: object[]) => conference({ entryPoints })

/** A field of an entry point beside its type and address. */
const detail = (name: string, wrote: unknown, patched: unknown, bad: FieldRow['bad'], base: object = phone): FieldRow => ({
  field: `EntryPoint.${name}`, path: `conferenceData.entryPoints[0].${name}`, query,
  write: points({ ...base, [name]: wrote }), shows: wrote,
  patch: { conferenceData: { entryPoints: [{ ...base, [name]: patched }] } }, patched,
  clear: { conferenceData: { entryPoints: [base] } }, bad,
}) // biome-ignore format: a row

const code = (name: string) =>
  detail(name, long(128), '123', [
    [points({ ...phone, [name]: long(129) }), `Invalid Value: conferenceData.entryPoints[0].${name}: longer than 128 characters`],
    [points({ ...phone, [name]: {} }), WRONG_KIND],
  ]) // biome-ignore format: a row

const TYPE = 'conferenceData.entryPoints'
const uriOf = (entryPointType: string, uri: string) => points(video, { entryPointType, uri }).conferenceData
const badUri = (entryPointType: string, uri: string, scheme: string): FieldRow['bad'][number] => [
  { conferenceData: uriOf(entryPointType, uri) },
  `Invalid Value: ${TYPE}[1].uri: must begin with ${scheme}`,
]

testFields('9.4, 9.15, 9.16, 9.17', [
  code('pin'),
  code('accessCode'),
  code('meetingCode'),
  code('passcode'),
  code('password'),
  detail('label', long(512), '+1 212 555 0100', [[points({ ...phone, label: long(513) }), `Invalid Value: ${TYPE}[0].label: longer than 512 characters`]]),
  detail('entryPointFeatures', ['toll'], ['toll_free'], [[points({ ...phone, entryPointFeatures: ['toll', 'toll_free'] }), `Invalid Value: ${TYPE}[0].entryPointFeatures: toll and toll-free at once`]]),
  { field: 'EntryPoint.entryPointType', path: 'conferenceData.entryPoints[0].entryPointType', query, write: points(video), shows: 'video', patch: { conferenceData: { entryPoints: [phone] } }, patched: 'phone', clear: { conferenceData: null }, bad: [[points({ uri: 'https://zoom.example.com/1' }), `Missing ${TYPE}[0].entryPointType.`], [points({ entryPointType: 'pigeon', uri: 'pigeon:1' }), WRONG_KIND]] },
  { field: 'EntryPoint.uri', path: 'conferenceData.entryPoints[0].uri', query, write: points({ ...video, uri: `https://${long(1292)}` }), shows: `https://${long(1292)}`, patch: { conferenceData: { entryPoints: [phone] } }, patched: phone.uri, clear: { conferenceData: null }, bad: [[points({ entryPointType: 'video' }), `Missing ${TYPE}[0].uri.`], [points({ ...video, uri: `https://${long(1293)}` }), `Invalid Value: ${TYPE}[0].uri: longer than 1300 characters`], badUri('phone', '+1-212', 'tel:'), badUri('sip', 'tel:1', 'sip:'), badUri('more', 'ftp://x', 'http: or https:'), [points({ ...video, uri: 'zoom:1' }), `Invalid Value: ${TYPE}[0].uri: must begin with http: or https:`]] },
  { field: 'ConferenceData.entryPoints', path: 'conferenceData.entryPoints', query, write: points(video, phone, { ...phone, uri: 'tel:1' }, { entryPointType: 'sip', uri: 'sip:1@example.com' }, { entryPointType: 'more', uri: 'https://zoom.example.com/more' }), shows: [video, phone, { ...phone, uri: 'tel:1' }, { entryPointType: 'sip', uri: 'sip:1@example.com' }, { entryPointType: 'more', uri: 'https://zoom.example.com/more' }], patch: { conferenceData: { entryPoints: [phone] } }, patched: [phone], clear: { conferenceData: null }, bad: [[points(video, video), `Invalid Value: ${TYPE}: more than 1 of type video`], [points(video, { entryPointType: 'sip', uri: 'sip:1' }, { entryPointType: 'sip', uri: 'sip:2' }), `Invalid Value: ${TYPE}: more than 1 of type sip`], [points({ entryPointType: 'more', uri: 'https://zoom.example.com/more' }), `Invalid Value: ${TYPE}: more is no way in by itself`], [points(), 'Invalid Value: conferenceData: either a createRequest or a conferenceSolution with entryPoints is required']] },
  { field: 'ConferenceData.conferenceSolution', path: 'conferenceData.conferenceSolution', query, write: conference({}), shows: solution, patch: { conferenceData: { conferenceSolution: { name: 'Zoom 2' } } }, patched: { ...solution, name: 'Zoom 2' }, clear: { conferenceData: null }, bad: [[conference({ conferenceSolution: 'Zoom' }), WRONG_KIND]] },
  { field: 'ConferenceSolution.key', path: 'conferenceData.conferenceSolution.key', query, write: conference({}), shows: { type: 'addOn' }, patch: { conferenceData: { notes: 'x' } }, patched: { type: 'addOn' }, clear: { conferenceData: null }, bad: [[conference({ conferenceSolution: { key: 'addOn' } }), WRONG_KIND]] },
  { field: 'ConferenceSolutionKey.type', path: 'conferenceData.conferenceSolution.key.type', query, write: conference({}), shows: 'addOn', patch: { conferenceData: { notes: 'x' } }, patched: 'addOn', clear: { conferenceData: null }, bad: [[conference({ conferenceSolution: { key: { type: 'zoom' } } }), 'Invalid conference type value.'], [conference({ conferenceSolution: { key: { type: '' } } }), 'Missing conferenceData.conferenceSolution.key.type.']] },
  { field: 'ConferenceSolution.name', path: 'conferenceData.conferenceSolution.name', query, write: conference({}), shows: 'Zoom', patch: { conferenceData: { conferenceSolution: { name: 'Zoom 2' } } }, patched: 'Zoom 2', clear: { conferenceData: { conferenceSolution: { name: null } } }, bad: [[conference({ conferenceSolution: { ...solution, name: {} } }), WRONG_KIND]] },
  { field: 'ConferenceSolution.iconUri', path: 'conferenceData.conferenceSolution.iconUri', query, write: conference({}), shows: solution.iconUri, patch: { conferenceData: { conferenceSolution: { iconUri: 'https://zoom.example.com/2.png' } } }, patched: 'https://zoom.example.com/2.png', clear: { conferenceData: { conferenceSolution: { iconUri: null } } }, bad: [[conference({ conferenceSolution: { ...solution, iconUri: {} } }), WRONG_KIND]] },
  { field: 'ConferenceData.conferenceId', path: 'conferenceData.conferenceId', query, write: conference({}), shows: 'z-1', patch: { conferenceData: { conferenceId: 'z-2' } }, patched: 'z-2', clear: { conferenceData: { conferenceId: null } }, bad: [[conference({ conferenceSolution: { key: { type: 'hangoutsMeet' } }, conferenceId: 'abc' }), 'Invalid Value: conferenceData.conferenceId: not a meeting code such as aaa-bbbb-ccc'], [conference({ conferenceSolution: { key: { type: 'eventNamedHangout' } }, conferenceId: '' }), 'Invalid Value: conferenceData.conferenceId: the name of the hangout']] },
  { field: 'ConferenceData.notes', path: 'conferenceData.notes', query, write: conference({ notes: long(2048) }), shows: long(2048), patch: { conferenceData: { notes: 'Be kind' } }, patched: 'Be kind', clear: { conferenceData: { notes: '' } }, bad: [[conference({ notes: long(2049) }), 'Invalid Value: conferenceData.notes: longer than 2048 characters']] },
  { field: 'ConferenceData.parameters', path: 'conferenceData.parameters', query, write: conference({ parameters: { addOnParameters: { parameters: { a: '1' } } } }), shows: { addOnParameters: { parameters: { a: '1' } } }, patch: { conferenceData: { parameters: { addOnParameters: { parameters: { b: '2' } } } } }, patched: { addOnParameters: { parameters: { a: '1', b: '2' } } }, clear: { conferenceData: { parameters: null } }, bad: [[conference({ parameters: 'a' }), WRONG_KIND]] },
  { field: 'ConferenceParameters.addOnParameters', path: 'conferenceData.parameters.addOnParameters', query, write: conference({ parameters: { addOnParameters: { parameters: { a: '1' } } } }), shows: { parameters: { a: '1' } }, patch: { conferenceData: { parameters: { addOnParameters: { parameters: { a: null, b: '2' } } } } }, patched: { parameters: { b: '2' } }, clear: { conferenceData: { parameters: null } }, bad: [[conference({ parameters: { addOnParameters: 1 } }), WRONG_KIND]] },
  { field: 'ConferenceParametersAddOnParameters.parameters', path: 'conferenceData.parameters.addOnParameters.parameters', query, write: conference({ parameters: { addOnParameters: { parameters: { a: 1 } } } }), shows: { a: '1' }, patch: { conferenceData: { parameters: { addOnParameters: { parameters: { a: '2' } } } } }, patched: { a: '2' }, clear: { conferenceData: { parameters: null } }, bad: [[conference({ parameters: { addOnParameters: { parameters: { a: {} } } } }), WRONG_KIND]] },
  { field: 'Event.conferenceData', path: 'conferenceData', query, write: conference({}), shows: { entryPoints: [video], conferenceSolution: solution, conferenceId: 'z-1' }, patch: { conferenceData: {} }, patched: { entryPoints: [video], conferenceSolution: solution, conferenceId: 'z-1' }, clear: { conferenceData: null }, bad: [[{ conferenceData: 'zoom' }, WRONG_KIND], [{ conferenceData: { createRequest: {} } }, 'Missing conferenceData.createRequest.requestId.']] },
]) // biome-ignore format: a table

test('9.16 EntryPoint.regionCode: the service sets it, and a client cannot', async () => {
  const alice = openCalendar().as(ALICE)
  const insert = (...given: object[]) =>
    alice.post(`/calendars/primary/events?${query}`, { ...hour('2026-03-02', 12), ...points(...given) })
  const { body } = await insert({ ...video, regionCode: 'DE' }, { ...phone, regionCode: 'US' })
  expect(body.conferenceData.entryPoints).toEqual([video, phone])
  expect((await insert({ ...phone, regionCode: {} })).status).toBe(400)
})
