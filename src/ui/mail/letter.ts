import type { Mail } from '../../wire/mail.ts'
import { moment } from '../moments.ts'

type Letter = { subject: string; lines: readonly string[] }

/** What is known of the event that a mail is about. */
export type About = {
  start?: Parameters<typeof moment>[0]
  end?: Parameters<typeof moment>[0]
  location?: string
  description?: string
  attendees?: { email?: string; displayName?: string; responseStatus?: string }[]
}

const ANSWERS = new Map([
  ['accepted', 'Accepted'],
  ['declined', 'Declined'],
  ['tentative', 'Tentatively accepted'],
])

/** How each kind of mail begins: its subject's first word, and its first sentence. */
const KINDS: Record<Mail['kind'], (mail: Mail) => { word: string; sentence: string }> = {
  eventCreation: ({ from }) => ({ word: 'Invitation', sentence: `${from} has invited you to this event.` }),
  eventChange: ({ from }) => ({ word: 'Updated invitation', sentence: `${from} has changed this event.` }),
  eventCancellation: ({ from }) => ({ word: 'Cancelled event', sentence: `${from} has cancelled this event.` }),
  eventResponse: ({ from, responseStatus = '' }) => ({
    word: ANSWERS.get(responseStatus) ?? 'Answered',
    sentence: `${from} has answered: ${responseStatus || 'no answer yet'}.`,
  }),
  agenda: () => ({ word: 'Agenda', sentence: 'What is in your calendar today.' }),
  reminder: () => ({ word: 'Reminder', sentence: 'This event begins soon.' }),
  acl: ({ from }) => ({ word: 'Shared calendar', sentence: `${from} has shared a calendar with you.` }),
}

/** A mail as it would read. The service's own words are nobody's to know: these are ours. */
export function letterOf(mail: Mail, about: About = {}): Letter {
  const { word, sentence } = KINDS[mail.kind](mail)
  const title = mail.summary ?? (mail.kind === 'agenda' ? moment({ dateTime: mail.sentAt }) : '(No title)')
  const { start, end, location, description, attendees = [] } = about
  const guests = attendees.map(({ displayName, email = '', responseStatus = '' }) =>
    [`${displayName ?? email}`, ANSWERS.get(responseStatus)?.toLowerCase()].filter(Boolean).join(', '),
  )
  return {
    subject: `${word}: ${title}`,
    lines: [
      sentence,
      ...(start ? [`When: ${moment(start)}${end ? ` to ${moment(end)}` : ''}`] : []),
      ...(location ? [`Where: ${location}`] : []),
      ...(guests.length > 0 ? [`Guests: ${guests.join('; ')}`] : []),
      ...(description ? [description] : []),
      ...(mail.events ?? []).map((event) => `${moment(event.start)}: ${event.summary ?? '(No title)'}`),
      `Calendar: ${mail.calendarId}`,
    ],
  }
}

/** A page of its own, in which text stays text: it is set as text and written out by the browser. */
export function pageOf({ subject, lines }: Letter): string {
  const page = document.implementation.createHTMLDocument(subject)
  const scheme = page.createElement('meta')
  scheme.name = 'color-scheme'
  scheme.content = 'light dark'
  page.head.append(scheme)
  for (const [name, text] of [['h1', subject], ...lines.map((line) => ['p', line])]) {
    const element = page.createElement(name ?? 'p')
    element.textContent = text ?? ''
    page.body.append(element)
  }
  return `<!doctype html>${page.documentElement.outerHTML}`
}
