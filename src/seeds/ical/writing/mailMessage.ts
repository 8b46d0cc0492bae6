import type { StoredMail } from '../../../model/worldData.ts'
import type { MailKind } from '../../../schema/mail.ts'
import { formatSubject } from '../../../schema/mailSubject.ts'
import { createHead, formatCalendar } from './calendar.ts'
import { createEvent } from './event.ts'

/** The iTIP methods (RFC 5546). Mails of the other kinds have no iCalendar part. */
const METHODS: Partial<Record<MailKind, 'REQUEST' | 'CANCEL' | 'REPLY'>> = {
  eventCreation: 'REQUEST',
  eventChange: 'REQUEST',
  eventCancellation: 'CANCEL',
  eventResponse: 'REPLY',
}

/** A mail as a message (RFC 5322) with the event as an iCalendar part. The words are not the service's. */
export function writeMailMessage(id: number, mail: StoredMail): string {
  const { from, to, kind, summary, sentAt } = mail
  const boundary = `mail-${id}`
  const subject = formatSubject(mail, summary ?? '(No title)')
  const method = METHODS[kind]
  const parts = [formatMessagePart('text/plain; charset=utf-8', formatText(mail).join('\r\n'))]
  if (method && mail.event) {
    const head = `text/calendar; charset=utf-8; method=${method}; name="invite.ics"`
    const disposition = 'Content-Disposition: attachment; filename="invite.ics"'
    parts.push(formatMessagePart(head, writeInvitation(mail, mail.event, method), disposition))
  }
  return [
    `From: ${formatHeader(from)}`,
    `To: ${formatHeader(to)}`,
    `Subject: ${formatHeader(subject)}`,
    `Date: ${new Date(sentAt).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@fake-calendar.invalid>`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    ...parts.flatMap((part) => [`--${boundary}`, part]),
    `--${boundary}--`,
    '',
  ].join('\r\n')
}

const formatMessagePart = (type: string, text: string, ...headers: string[]): string =>
  [`Content-Type: ${type}`, 'Content-Transfer-Encoding: 8bit', ...headers, '', text].join('\r\n')

/** A recipient sees the other guests only if the event allows it, and a reply has the one who replied. */
function shownGuests({ kind, from, to }: StoredMail, event: StoredMail['event']) {
  const isReply = METHODS[kind] === 'REPLY'
  const onlyOne = isReply || event?.guestsCanSeeOtherGuests === false
  return event?.attendees?.filter(({ email }) => !onlyOne || email === (isReply ? from : to)) ?? []
}

function writeInvitation(
  mail: StoredMail,
  event: NonNullable<StoredMail['event']>,
  method: 'REQUEST' | 'CANCEL' | 'REPLY',
) {
  const now = Date.parse(mail.sentAt)
  const attendees = event.attendees && shownGuests(mail, event)
  const seriesZone = event.originalStartTime?.timeZone
  const context = { now, calendarId: mail.calendarId, alarms: false, seriesZone }
  const component = createEvent(
    { kind: 'calendar#event', etag: '', ...event, ...(attendees && { attendees }) },
    context,
  )
  return [...formatCalendar(createHead(method), [component], now)].join('').trimEnd()
}

function formatText(mail: StoredMail): string[] {
  const { summary, start, end, location, responseStatus, event, events = [] } = mail
  const rows = [
    ['What', summary],
    ['When', start && [start, end].map((time) => time?.dateTime ?? time?.date).join(' to ')],
    ['Where', location],
    ['Answer', responseStatus],
    [
      'Guests',
      shownGuests(mail, event)
        .map(({ displayName, email }) => displayName ?? email)
        .join(', '),
    ],
    ['Text', event?.description],
    ...events.map((one) => [one.start.dateTime ?? one.start.date ?? '', one.summary ?? '(No title)']),
  ]
  return rows.flatMap(([name, value]) => (value ? splitLine(`${name}: ${value.replace(/\s+/g, ' ')}`) : []))
}

/** A line has at most 998 bytes, and a character at most 4. */
const splitLine = (line: string): string[] => line.match(/.{1,240}/gsu) ?? []

/** Encodes a text that is not printable ASCII (RFC 2047). An encoded word has at most 75 characters. */
const formatHeader = (text: string): string =>
  /^[ -~]{0,900}$/.test(text)
    ? text
    : (text.match(/.{1,10}/gsu) ?? [])
        .map((part) => `=?utf-8?B?${Buffer.from(part).toString('base64')}?=`)
        .join('\r\n ')
