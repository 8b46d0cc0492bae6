import fc from 'fast-check'
import type { Seed } from '../../../src/index.ts'

/** Words that occur neither in the structure of a seed nor in a stand-in. */
const word = fc.stringMatching(/^[a-zA-ZäöüßéñøЖдиω日本語]{3,14}$/).map((letters) => `zq${letters}`)
const number = fc.integer({ min: 30_000_000, max: 99_999_999 }).map(String)
const phrase = fc
  .tuple(
    fc.array(fc.oneof(word, number), { minLength: 1, maxLength: 4 }),
    fc.constantFrom(' ', ', ', '-', ' 🎂 ', '\n', '/', '_', '@'),
  )
  .map(([all, mark]) => all.join(mark))
const latin = fc.stringMatching(/^[a-z]{3,10}$/).map((letters) => `zq${letters}`)
const address = fc.tuple(latin, latin).map(([name, domain]) => `${name}@${domain}.zqcom`)
const guest = fc.oneof(
  address,
  address.map((text) => text.toUpperCase()),
  latin.map((name) => `${name}@googlemail.com`),
  latin.map((name) => `${name}/a<b@${name}`),
  latin.map((name) => `c_${name}@resource.calendar.google.com`),
)
const link = fc
  .tuple(fc.constantFrom('https://', 'http://', 'HTTPS://'), latin, phrase)
  .map(([scheme, host, path]) => `${scheme}${host}.zqnet/${path}`)
const secureLink = link.map((text) => text.replace(/^http:/i, 'https:').replace('HTTPS', 'https'))
const digits = (length: number) => fc.stringMatching(new RegExp(`^[3-9]{${length}}$`))
const meetingCode = fc.stringMatching(/^zq[a-z]-zq[a-z]{2}-zq[a-z]$/)
const phone = fc.tuple(digits(3), digits(3), digits(5)).map((parts) => `+${parts.join(' ')}`)
const color = fc.constantFrom('#7986cb', '#FF0000', '#0088aa')
const fileLink = fc
  .tuple(
    fc.constantFrom(
      'https://docs.google.com/document/d/$/edit',
      'https://docs.google.com/a/zqworks.zqcom/spreadsheets/u/1/d/$',
      'https://docs.google.com/zqkind/d/$',
      'https://drive.google.com/drive/folders/$',
      'https://drive.google.com/open?authuser=zqme&id=$',
      'https://drive.google.com/file/d/$/view',
    ),
    latin,
  )
  .map(([form, id]) => form.replace('$', `${id}_-X1`))

const some = <T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) => fc.record(fields, { requiredKeys: [] })

const meet = fc
  .record({ code: meetingCode, phone, pin: digits(13), short: digits(9), isWhole: fc.boolean() })
  .map(({ code, phone, pin, short, isWhole }) => ({
    conferenceSolution: { key: { type: 'hangoutsMeet' }, name: 'Google Meet' },
    conferenceId: code,
    ...(isWhole && { signature: `zqsign${pin}` }),
    entryPoints: [
      { entryPointType: 'video', uri: `https://meet.google.com/${code}`, label: `meet.google.com/${code}` },
      { entryPointType: 'more', uri: `https://tel.meet/${code}?pin=${pin}`, pin },
      ...(isWhole
        ? [
            {
              entryPointType: 'phone',
              regionCode: 'US',
              uri: `tel:${phone.replaceAll(' ', '-')}`,
              label: phone,
              pin: short,
            },
          ]
        : []),
    ],
  }))
const addOn = fc
  .record({ name: phrase, link, code: fc.oneof(digits(11), word), phone, pin: digits(6), key: latin, more: link })
  .map(({ name, link, code, phone, pin, key, more }) => ({
    conferenceSolution: { key: { type: 'addOn' }, name, iconUri: link },
    conferenceId: code,
    entryPoints: [
      { entryPointType: 'video', uri: link, label: name, meetingCode: code, passcode: pin, accessCode: code },
      {
        entryPointType: 'phone',
        uri: `tel:${phone};${key}`,
        label: name,
        pin: `${pin}#`,
        entryPointFeatures: ['toll'],
      },
      { entryPointType: 'sip', uri: `sip:${pin}@${key}.zqnet`, password: key },
      { entryPointType: 'more', uri: more, label: more },
    ],
    notes: name,
    parameters: { addOnParameters: { parameters: { [key]: name } } },
  }))
const otherConference = fc
  .record({ type: fc.constantFrom('eventNamedHangout', 'conferenceMeet', 'zqUnknown'), code: meetingCode, key: latin })
  .map(({ type, code, key }) => ({
    conferenceSolution: { key: { type } },
    conferenceId: code,
    entryPoints: [{ entryPointType: 'video', uri: `https://hangouts.google.com/hangouts/_/named/${code}` }],
    ...(type !== 'zqUnknown' && { createRequest: { requestId: key, status: { statusCode: 'success' } } }),
  }))

const person = fc.record({ email: guest, displayName: phrase })
const content = some({
  summary: fc.oneof(phrase, address, link),
  description: phrase.map((text) => `<b>${text}</b>`),
  location: phrase,
  colorId: fc.constantFrom('1', '11'),
  transparency: fc.constantFrom('opaque', 'transparent'),
  visibility: fc.constantFrom('default', 'public', 'private', 'confidential'),
  attendees: fc.array(
    fc.record(
      {
        email: guest,
        displayName: phrase,
        id: digits(21),
        comment: phrase,
        optional: fc.boolean(),
        responseStatus: fc.constantFrom('accepted', 'declined', 'tentative', 'needsAction'),
      },
      { requiredKeys: ['email'] },
    ),
    { maxLength: 3 },
  ),
  creator: person,
  extendedProperties: some({
    private: fc.dictionary(word, phrase, { maxKeys: 2 }),
    shared: fc.dictionary(fc.oneof(word, fc.constantFrom('status', 'timeZone')), phrase, { maxKeys: 2 }),
  }),
  source: fc.record({ url: link, title: phrase }),
  attachments: fc.array(
    fc.oneof(
      fc.record({ fileUrl: fileLink, title: phrase }),
      fc.record({
        fileUrl: link,
        title: phrase,
        mimeType: fc.constantFrom('application/pdf', 'zq/file'),
        iconLink: secureLink,
      }),
    ),
    { maxLength: 2 },
  ),
  gadget: fc.record({
    title: phrase,
    link: secureLink,
    display: fc.constant('chip'),
    preferences: fc.dictionary(word, phrase),
  }),
  conferenceData: fc.oneof(meet, addOn, otherConference),
  reminders: fc.constantFrom({ useDefault: true }, { useDefault: false, overrides: [{ method: 'popup', minutes: 7 }] }),
  guestsCanModify: fc.boolean(),
})

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'UTC']
const times = fc
  .record({ day: fc.integer({ min: 10, max: 24 }), zone: fc.constantFrom(...ZONES), isDated: fc.boolean() })
  .map(({ day, zone, isDated }) => {
    if (isDated) return { start: { date: `2026-01-${day}` }, end: { date: `2026-01-${day + 1}` } }
    const at = (time: string) => ({ dateTime: `2026-01-${day}T${time}`, timeZone: zone })
    return { start: at('09:00:00'), end: at('10:30:00') }
  })
const rules = fc.constantFrom<(string[] | undefined)[]>(
  undefined,
  ['RRULE:FREQ=DAILY;COUNT=5'],
  ['rrule:freq=weekly;byday=mo,we;until=20260301T000000Z'],
  ['RRULE:FREQ=DAILY', 'EXDATE;TZID="America/New_York";VALUE=DATE-TIME:20260118T090000', 'EXDATE;VALUE=DATE:20260119'],
  ['RDATE;TZID=Europe/Berlin:20260201T090000,20260202T090000', ' RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=2 '],
)
const eventId = fc.stringMatching(/^qq[a-v0-9]{5,12}$/)
const uid = fc.oneof(
  address,
  phrase,
  latin.map((name) => `${name}_R20260112T080000@google.com`),
)

const event = fc
  .record({
    content,
    times,
    rules,
    id: eventId,
    uid: fc.option(uid, { nil: undefined }),
    other: content,
    isMoved: fc.boolean(),
  })
  .map(({ content, times: { start, end }, rules, id, uid, other, isMoved }) => {
    const whole = { id, ...content, start, end, ...(uid && { iCalUID: uid }), ...(rules && { recurrence: rules }) }
    const slot = { recurringEventId: id, originalStartTime: start }
    if (!rules) return [whole]
    return [
      whole,
      isMoved
        ? { ...slot, ...other, ...('date' in end ? {} : { start, end: start }) }
        : { ...slot, status: 'cancelled' },
    ]
  })

const status = fc
  .record({
    id: eventId,
    label: phrase,
    kind: fc.constantFrom('focusTime', 'outOfOffice', 'customLocation', 'officeLocation', 'birthday'),
  })
  .map(({ id, label, kind }) => {
    const day = { start: { date: '2026-01-07' }, end: { date: '2026-01-08' } }
    const hours = { start: { dateTime: '2026-01-07T09:00:00Z' }, end: { dateTime: '2026-01-07T12:00:00Z' } }
    if (kind === 'birthday')
      return {
        ...{ id, ...day, eventType: kind, visibility: 'private', transparency: 'transparent' },
        ...{
          recurrence: ['RRULE:FREQ=YEARLY'],
          birthdayProperties: { type: 'custom', contact: `people/c${id}`, customTypeName: label },
        },
      }
    if (kind === 'focusTime' || kind === 'outOfOffice')
      return {
        id,
        ...hours,
        eventType: kind,
        [`${kind}Properties`]: { autoDeclineMode: 'declineNone', declineMessage: label },
      }
    const place = kind === 'customLocation' ? { label } : { buildingId: label, deskId: label, label }
    return {
      ...{ id, ...day, eventType: 'workingLocation', visibility: 'public', transparency: 'transparent' },
      workingLocationProperties: { type: kind, [kind]: place },
    }
  })

/** A world in which every field of a seed can occur, and all texts that people write have words of their own. */
export const anyWorld: fc.Arbitrary<Seed> = fc
  .record({
    owner: address,
    colleague: address,
    group: address,
    name: phrase,
    about: phrase,
    secondary: fc.oneof(
      eventId.map((id) => `c_${id}@group.calendar.google.com`),
      latin,
      phrase.filter((text) => !text.includes('/')),
    ),
    color,
    label: fc.stringMatching(/^[a-f]{8}$/).map((start) => `${start}-abcd-4bcd-8bcd-abcdefabcdef`),
    role: fc.constantFrom('reader', 'writer', 'freeBusyReader'),
    timeZone: fc.constantFrom(...ZONES),
    own: fc.array(event, { maxLength: 3 }),
    theirs: fc.array(event, { maxLength: 2 }),
    shared: fc.array(event, { minLength: 1, maxLength: 3 }),
    statuses: fc.array(status, { maxLength: 2 }),
    holidays: fc.constantFrom('en.usa#holiday@group.v.calendar.google.com', 'zqof#holiday@group.v.calendar.google.com'),
  })
  .filter(({ owner, colleague, group }) => new Set([owner, colleague, group]).size === 3)
  .map(
    ({
      owner,
      colleague,
      group,
      name,
      about,
      secondary,
      color,
      label,
      role,
      timeZone,
      own,
      theirs,
      shared,
      statuses,
      holidays,
    }) =>
      ({
        accounts: [
          {
            email: owner,
            displayName: name,
            timeZone,
            kind: 'workspace',
            settings: { weekStart: '1', locale: 'pt_BR', format24HourTime: 'true' },
            calendarList: [
              { id: owner, summaryOverride: name, selected: true },
              {
                id: secondary,
                backgroundColor: color,
                foregroundColor: '#000000',
                defaultReminders: [{ method: 'popup', minutes: 5 }],
              },
              { id: holidays, selected: true, hidden: true },
            ],
          },
          { email: colleague, showDisplayName: true, displayName: about },
        ],
        groups: [{ email: group, members: [owner, colleague] }],
        calendars: [
          {
            id: owner,
            summary: name,
            workingHours: {
              workingHoursEnabled: true,
              availableTimes: [{ dayOfWeek: 'monday', periodStart: 540, periodEnd: 900 }],
            },
            acl: [{ role: 'reader', scope: { type: 'domain', value: group.split('@')[1] ?? '' } }],
            events: [...own.flat(), ...statuses],
          },
          { id: colleague, acl: [{ role, scope: { type: 'group', value: group } }], events: theirs.flat() },
          {
            id: secondary,
            owner,
            summary: about,
            description: about,
            location: name,
            timeZone,
            labelProperties: { eventLabels: [{ id: label, name: name.slice(0, 50), backgroundColor: color }] },
            acl: [
              { role: 'reader', scope: { type: 'default' } },
              { role: 'writer', scope: { type: 'user', value: colleague } },
            ],
            events: shared.flatMap(([first, ...more]) => [{ ...first, eventLabelId: label }, ...more]),
          },
          { id: holidays, summary: name },
        ],
      }) as unknown as Seed,
  )

/** Returns the words, ids and numbers of a seed that its structure does not contain, in lower case. */
export function listOriginals(seed: Seed): string[] {
  const all: string[] = []
  const collect = (text: string) =>
    all.push(
      ...(text.match(/zq[\p{L}\p{M}]+|qq[a-v\d]{5,}|[a-f]{8}(?=-abcd)|(?<![\dT#])(?!20\d{6}(?!\d))\d{5,}/giu) ?? []),
      ...(text.match(/\d[\d ()-]{6,}\d(?![:T])/g) ?? []).filter((one) => !/^(?:2025-12|2026)/.test(one)),
    )
  JSON.parse(JSON.stringify(seed), (key, value) => {
    collect(key)
    if (typeof value === 'string') collect(value)
    return value
  })
  return [...new Set(all.map((one) => one.toLowerCase()))]
}
