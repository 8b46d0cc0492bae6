import type { Mail } from './mail.ts'

const SUBJECTS: Record<Mail['kind'], string> = {
  eventCreation: 'Invitation',
  eventChange: 'Updated invitation',
  eventCancellation: 'Canceled event',
  eventResponse: 'Response',
  agenda: 'Agenda',
  reminder: 'Reminder',
  acl: 'Shared calendar',
}
const RESPONSES: Partial<Record<string, string>> = {
  accepted: 'Accepted',
  declined: 'Declined',
  tentative: 'Tentatively accepted',
}

/** The subject of a mail with a title. The service's own words are not known. */
export const formatSubject = ({ kind, responseStatus = '' }: Pick<Mail, 'kind' | 'responseStatus'>, title: string) =>
  `${(kind === 'eventResponse' && RESPONSES[responseStatus]) || SUBJECTS[kind]}: ${title}`
