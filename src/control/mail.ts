import { z } from 'zod'
import { mail as aMail } from '../wire/mail.ts'
import { clearMail, mailTo, numberedMail } from '../world/mail.ts'
import { noInput, operation } from './operation.ts'
import { strictShape } from './strictShape.ts'

/** Operations of the outbox: mails that the service would have sent (behaviour 7.5). */
export const mail = [
  operation({
    id: 'control.mail.list',
    verb: 'GET',
    path: '/_control/mail',
    summary:
      'Lists the mails that the service would have sent, the latest last; with `to` those to one address. The route gives each its number in the outbox as `id`.',
    input: strictShape({ to: z.string().optional() }),
    example: { to: 'bob@example.com' },
    result: z.object({ mail: z.array(z.intersection(aMail, z.looseObject({ id: z.int() }))) }),
    inProcess: { mail: (to?: string) => ({ to }) },
    run: ({ realm }, { to }) => mailTo(realm.world, to),
    reply: (_, { to }, { realm }) => ({ mail: numberedMail(realm.world, to) }),
  }),
  operation({
    id: 'control.mail.clear',
    verb: 'DELETE',
    path: '/_control/mail',
    summary: 'Empties the outbox, and tells how many mails were in it.',
    result: z.object({ cleared: z.int() }),
    inProcess: { clearMail: noInput },
    run: ({ realm }) => clearMail(realm.world),
    reply: (cleared) => ({ cleared }),
  }),
] as const
