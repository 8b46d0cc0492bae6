import { z } from 'zod'
import { clearMail, mailTo, numberedMail } from '../../effects/mailbox.ts'
import { mail as aMail } from '../../schema/mail.ts'
import { strictShape } from './inputs.ts'
import { defineOperation } from './operation.ts'

/** Operations of the outbox: mails that the service would have sent (behaviour 7.5). */
export const mail = {
  mail: defineOperation({
    route: 'GET /mail',
    summary:
      'Lists the mails that the service would have sent, the latest last: all, or those `to` one address. `id` is the number in the outbox.',
    input: strictShape({ to: z.string().optional() }),
    example: { to: 'bob@example.com' },
    toInput: (to?: string) => ({ to }),
    result: z.object({ mail: z.array(z.intersection(aMail, z.looseObject({ id: z.int() }))) }),
    field: 'mail',
    run: ({ world }, { to }) => mailTo(world.data, to),
    reply: (_, { to }, { world }) => ({ mail: numberedMail(world.data, to) }),
  }),
  clearMail: defineOperation({
    route: 'DELETE /mail',
    summary: 'Removes all mails, and returns their number.',
    result: z.object({ cleared: z.int() }),
    field: 'cleared',
    run: ({ world }) => clearMail(world.data),
  }),
}
