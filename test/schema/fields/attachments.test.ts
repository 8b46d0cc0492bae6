import { expect, test } from 'vitest'
import { ALICE, hour, openCalendar } from '../../support/calendar.ts'
import { type FieldRow, testFields, testServiceFields, WRONG_KIND } from '../../support/fields.ts'

const PLAN = { fileUrl: 'https://files.example.com/plan.pdf', title: 'Plan' }
const DOC = 'https://docs.google.com/document/d/1a-B_c/edit'
/** The service adds an empty icon. */
const SHOWN = { ...PLAN, iconLink: '' }
const file = (fields: object) => ({ attachments: [{ ...PLAN, ...fields }] })

const attachment = (name: string, wrote: string, patched: string, bad: FieldRow['bad'], clear: FieldRow['clear'], cleared?: string): FieldRow => ({
  field: `EventAttachment.${name}`, path: `attachments[0].${name}`, query: 'supportsAttachments=true',
  write: file({ [name]: wrote }), shows: wrote,
  patch: file({ [name]: patched }), patched,
  clear, cleared, bad,
}) // biome-ignore format: a row

/** A field of a gadget: a patch merges into it. */
const gadget = (name: string, wrote: unknown, patched: unknown, bad: FieldRow['bad']): FieldRow => ({
  field: `Event.gadget.${name}`, path: `gadget.${name}`,
  write: { gadget: { title: 'Moon', [name]: wrote } }, shows: wrote,
  patch: { gadget: { [name]: patched } }, patched,
  clear: { gadget: { [name]: null } }, bad,
}) // biome-ignore format: a row

testFields('3.2.14, 8.16', [
  attachment('fileUrl', PLAN.fileUrl, 'http://files.example.com/new.pdf', [
    [{ attachments: [{ title: 'Plan' }] }, 'Missing attachments[0].fileUrl.'],
    [file({ fileUrl: 'file:///plan.pdf' }), 'Invalid Value: attachments[0].fileUrl: not http or https'],
    [{ attachments: Array(26).fill(PLAN) }, 'Invalid Value: attachments: more than 25 attachments'],
  ], { attachments: [] }),
  attachment('title', 'Plan', 'New plan', [[file({ title: {} }), WRONG_KIND]], { attachments: null }),
  attachment('mimeType', 'application/pdf', 'text/plain', [[file({ mimeType: {} }), WRONG_KIND]], file({})),
  attachment('iconLink', 'https://files.example.com/a.png', 'https://files.example.com/b.png', [[file({ iconLink: 'see https://files.example.com/a.png' }), 'Invalid Value: attachments[0].iconLink: not https'], [file({ iconLink: 'http://files.example.com/a.png' }), 'Invalid Value: attachments[0].iconLink: not https']], file({}), ''),
  gadget('type', 'iframe', 'html', [[{ gadget: { type: {} } }, WRONG_KIND]]),
  gadget('title', 'Moon', 'Sun', [[{ gadget: { title: {} } }, WRONG_KIND]]),
  gadget('link', 'https://example.com/a', 'https://example.com/b', ['http://example.com', 'see https://example.com'].map((link) => [{ gadget: { link } }, 'Invalid Value: gadget.link: not https'])),
  gadget('iconLink', 'https://example.com/a', 'https://example.com/b', [[{ gadget: { iconLink: 'example.com' } }, 'Invalid Value: gadget.iconLink: not https']]),
  gadget('width', 300, 1, [[{ gadget: { width: 0 } }, 'Invalid Value: gadget.width: must be greater than 0'], [{ gadget: { width: 1.5 } }, WRONG_KIND]]),
  gadget('height', 300, 1, [[{ gadget: { height: -1 } }, 'Invalid Value: gadget.height: must be greater than 0']]),
  gadget('display', 'icon', 'chip', [[{ gadget: { display: 'poster' } }, WRONG_KIND]]),
  { field: 'Event.gadget.preferences', path: 'gadget.preferences', write: { gadget: { title: 'Moon', preferences: { phase: 'full', size: 3 } } }, shows: { phase: 'full', size: '3' }, patch: { gadget: { preferences: { phase: null, color: 'white' } } }, patched: { size: '3', color: 'white' }, clear: { gadget: { preferences: null } }, bad: [[{ gadget: { preferences: { phase: {} } } }, WRONG_KIND]] },
  { field: 'Event.gadget', path: 'gadget', write: { gadget: { title: 'Moon' } }, shows: { title: 'Moon' }, patch: { gadget: { type: 'iframe' } }, patched: { type: 'iframe', title: 'Moon' }, clear: { gadget: null }, bad: [[{ gadget: 'Moon' }, WRONG_KIND]] },
]) // biome-ignore format: a table

test('3.2.14 Event.gadget: empty fields are omitted', async () => {
  const alice = openCalendar().as(ALICE)
  const empty = { type: '', link: '', preferences: {} }
  const { body } = await alice.post('/calendars/primary/events', {
    ...hour('2026-03-02', 12),
    gadget: { ...empty, title: 'Moon' },
  })
  expect(body.gadget).toEqual({ title: 'Moon' })
  const all = await alice.post('/calendars/primary/events', { ...hour('2026-03-02', 12), gadget: empty })
  expect(all.body).not.toHaveProperty('gadget')
})

testServiceFields('8.16, 8.17, 14.43', [
  { field: 'EventAttachment.fileId', path: 'attachments[0]', write: { attachments: [{ fileUrl: DOC, title: 'Notes', fileId: 'mine', iconLink: 'https://example.com/icon.png' }] }, shows: { fileUrl: DOC, title: 'Notes', mimeType: 'application/vnd.google-apps.document', iconLink: 'https://drive-thirdparty.googleusercontent.com/16/type/application/vnd.google-apps.document', fileId: '1a-B_c' } },
  { field: 'EventAttachment.fileId of a file that is not of Drive', path: 'attachments[0]', write: { attachments: [{ ...PLAN, fileId: 'mine' }] }, shows: SHOWN },
]) // biome-ignore format: a table

test('1.22, 8.16 Event.attachments: without supportsAttachments a request neither sets nor removes them', async () => {
  const alice = openCalendar().as(ALICE)
  const events = '/calendars/primary/events'
  const times = hour('2026-03-02', 12)
  expect((await alice.post(events, { ...times, ...file({}) })).body).not.toHaveProperty('attachments')
  const { body: born } = await alice.post(`${events}?supportsAttachments=true`, { ...times, ...file({}) })
  expect(born.attachments).toEqual([SHOWN])
  expect((await alice.put(`${events}/${born.id}`, times)).body.attachments).toEqual([SHOWN])
  expect((await alice.patch(`${events}/${born.id}`, { attachments: null })).body.attachments).toEqual([SHOWN])
  expect((await alice.put(`${events}/${born.id}?supportsAttachments=true`, times)).body).not.toHaveProperty(
    'attachments',
  )
})

test('14.44 EventAttachment.title and mimeType of a Drive file: the client’s values, or else no title and the type of the address', async () => {
  const alice = openCalendar().as(ALICE)
  const attachments = [{ fileUrl: DOC }, { fileUrl: 'https://drive.google.com/open?id=abc', title: 'Scan' }]
  const { body } = await alice.post('/calendars/primary/events?supportsAttachments=true', {
    ...hour('2026-03-02', 12),
    attachments,
  })
  expect(body.attachments).toMatchObject([
    { title: '', mimeType: 'application/vnd.google-apps.document' },
    { title: 'Scan', mimeType: 'application/octet-stream' },
  ])
})

test('8.16, 8.16.1 an attachment outside Drive has an empty icon, and a title may be empty or left out', async () => {
  const alice = openCalendar().as(ALICE)
  const { fileUrl } = PLAN
  const attachments = [PLAN, { fileUrl }, { fileUrl, title: '', iconLink: 'https://example.com/a.png' }]
  const { status, body } = await alice.post('/calendars/primary/events?supportsAttachments=true', {
    ...hour('2026-03-02', 12),
    attachments,
  })
  expect([status, body.attachments]).toEqual([
    200,
    [
      { ...PLAN, iconLink: '' },
      { fileUrl, title: '', iconLink: '' },
      { fileUrl, title: '', iconLink: 'https://example.com/a.png' },
    ],
  ])
})

const ADDRESSES: [address: string, mimeType: string][] = [
  ['https://docs.google.com/document/d/1a-B_c/edit', 'application/vnd.google-apps.document'],
  ['https://docs.google.com/document/u/0/d/1a-B_c/edit', 'application/vnd.google-apps.document'],
  ['https://docs.google.com/a/example.com/spreadsheets/d/1a-B_c', 'application/vnd.google-apps.spreadsheet'],
  ['https://docs.google.com/presentation/d/1a-B_c/edit#slide=id.p', 'application/vnd.google-apps.presentation'],
  ['https://docs.google.com/forms/d/1a-B_c/viewform', 'application/vnd.google-apps.form'],
  ['https://docs.google.com/forms/d/e/1a-B_c/viewform', 'application/vnd.google-apps.form'],
  ['https://docs.google.com/drawings/d/1a-B_c/edit', 'application/vnd.google-apps.drawing'],
  ['https://docs.google.com/newer/d/1a-B_c/edit', 'application/octet-stream'],
  ['https://drive.google.com/file/d/1a-B_c/view', 'application/octet-stream'],
  ['https://drive.google.com/open?id=1a-B_c', 'application/octet-stream'],
  ['https://drive.google.com/uc?export=download&id=1a-B_c', 'application/octet-stream'],
  ['https://drive.google.com/drive/folders/1a-B_c?usp=sharing', 'application/vnd.google-apps.folder'],
  ['https://drive.google.com/drive/u/1/folders/1a-B_c', 'application/vnd.google-apps.folder'],
]

test.each(ADDRESSES)(
  '8.17, 8.17.1 EventAttachment.fileId of %s: the id and the type of the address',
  async (fileUrl, mimeType) => {
    const alice = openCalendar().as(ALICE)
    const sent = { ...hour('2026-03-02', 12), attachments: [{ fileUrl }] }
    const { body } = await alice.post('/calendars/primary/events?supportsAttachments=true', sent)
    expect(body.attachments).toEqual([expect.objectContaining({ fileUrl, fileId: '1a-B_c', mimeType, title: '' })])
  },
)

test('8.17.1, 14.44.1 EventAttachment.title and EventAttachment.mimeType of a seeded file: the values of the seed', async () => {
  const file = { id: '1a-B_c', title: 'Minutes', mimeType: 'text/plain' }
  const attachments = [{ fileUrl: 'https://drive.google.com/open?id=1a-B_c', title: 'Mine' }]
  const noon = hour('2026-03-02', 12)
  const { fake, as } = openCalendar({
    seed: {
      accounts: [{ email: ALICE }],
      files: [file],
      calendars: [{ id: ALICE, events: [{ id: 'seeded', ...noon, attachments }] }],
    },
  })
  const path = '/calendars/primary/events?supportsAttachments=true'
  const { body } = await as(ALICE).post(path, { ...noon, attachments })
  const shown = [expect.objectContaining({ title: 'Minutes', mimeType: 'text/plain', fileId: '1a-B_c' })]
  expect([body.attachments, (await as(ALICE).get('/calendars/primary/events/seeded')).body.attachments]).toEqual([
    shown,
    shown,
  ])
  expect(fake.state().files).toEqual([file])
  expect(openCalendar({ seed: fake.state(), now: undefined }).fake.state()).toEqual(fake.state())
})
