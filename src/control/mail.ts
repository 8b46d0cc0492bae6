import { z } from 'zod'
import { mail as aMail } from '../wire/mail.ts'
import { clearMail, mailTo } from '../world/mail.ts'
import { noInput, operation } from './operation.ts'
import { strictShape } from './strictShape.ts'

/** Operations of the outbox: mails that the service would have sent (behaviour 7.5). */
export const mail = [
  operation({
    id: 'control.mail.list',
    verb: 'GET',
    path: '/_control/mail',
    summary: 'Lists the mails that the service would have sent, the latest last; with `to` those to one address.',
    input: strictShape({ to: z.string().optional() }),
    example: { to: 'bob@example.com' },
    result: z.object({ mail: z.array(aMail) }),
    inProcess: { mail: (to?: string) => ({ to }) },
    run: ({ realm }, { to }) => mailTo(realm.world, to),
    reply: (mail) => ({ mail }),
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
