import { z } from 'zod'
import { clearMail, listMail, waitForMail } from '../../effects/mailbox.ts'
import { mail as aMail } from '../../schema/mail.ts'
import { requireKnownMailFields } from '../expectedFields.ts'
import { explainMissingMail } from '../journal/missingMail.ts'
import { checkExpected, prepareMatch } from '../matching.ts'
import type { ExpectedMail, WaitOptions } from '../types/messages.ts'
import { returns, strictShape, wait } from './inputs.ts'
import { defineOperation, type Expects, InvalidInputError, TimeoutError } from './operation.ts'

const list = returns({ mail: z.array(aMail) })

const expectedMail: Expects = {
  field: 'where',
  check(where: object) {
    checkExpected(where, 'where')
    requireKnownMailFields(where, 'where')
  },
}

/** Operations of the outbox: mails that the service would have sent (behaviour 7.5). */
export const mail = {
  mail: defineOperation({
    route: 'GET /mail',
    summary:
      'Lists the mails that the service would have sent, the latest last: all, or those `to` one address. A mail has the event as it was when it was sent.',
    input: strictShape({ to: z.string().optional() }),
    example: { to: 'bob@example.com' },
    toInput: (to?: string) => ({ to }),
    ...list,
    run: ({ world }, { to }) => listMail(world.data, to),
  }),
  'mail.eml': defineOperation({
    route: 'GET /mail/{id}.eml',
    summary: 'Returns a mail as a message with its text and, if it is about an event, the iCalendar part `invite.ics`.',
    input: strictShape({ id: z.coerce.number().int() }),
    example: { id: 1 },
    toInput: (id: number) => ({ id }),
    ...returns({ message: z.string() }),
    rawResult: 'message/rfc822',
    async run({ world }, { id }) {
      const found = world.data.mail.get(id)
      if (!found) throw new InvalidInputError('id', `there is no mail ${id}; the list of mails has their ids`)
      const { writeMailMessage } = await import('../../seeds/ical/writing/mailMessage.ts')
      return writeMailMessage(id, found)
    },
  }),
  'mail.until': defineOperation({
    route: 'POST /mail/until',
    summary:
      'Waits until `count` mails `to` an address were sent, which have the expected fields (`where`), earlier ones included, and returns them.',
    input: strictShape({
      to: z.string().optional(),
      count: z.int().min(1).max(10_000).optional(),
      where: z.record(z.string(), z.unknown()).optional(),
      timeout: wait.optional(),
    }),
    example: { to: 'bob@example.com', where: { kind: 'eventCreation' }, timeout: '5s' },
    expects: expectedMail,
    toInput: (to: string, count?: number, options?: { where?: ExpectedMail } & WaitOptions) => ({
      ...{ ...options, to, count },
    }),
    ...list,
    rejects: true,
    async run({ world, signal }, { to, count = 1, where = {}, timeout }) {
      const isExpected = prepareMatch(where)
      const met = await waitForMail(world.data, { to, isExpected }, count, { timeout, signal })
      if (typeof met !== 'number') return met
      const found = `mail${to === undefined ? '' : ` to ${to}`}: ${met} of ${count} were sent in time`
      throw new TimeoutError([found, ...explainMissingMail(world.controls.journal, world.data)].join('\n'))
    },
  }),
  clearMail: defineOperation({
    route: 'DELETE /mail',
    summary: 'Removes all mails, and returns their number.',
    ...returns({ cleared: z.int() }),
    run: ({ world }) => clearMail(world.data),
  }),
}
