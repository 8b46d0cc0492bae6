import { z } from 'zod'
import { clearMail, mailTo } from '../world/mail.ts'
import { control } from './endpoint.ts'

/** The outbox: what the service would have mailed (behaviour 7.5). */
export const mail = [
  control({
    id: 'control.mail.list',
    verb: 'GET',
    path: '/_control/mail',
    summary: 'Lists the mails that the service would have sent, the latest last; with `to` those to one address.',
    query: z.object({ to: z.string().optional() }),
    handle: ({ realm, query }) => ({ mail: mailTo(realm.world, query.to) }),
  }),
  control({
    id: 'control.mail.clear',
    verb: 'DELETE',
    path: '/_control/mail',
    summary: 'Empties the outbox.',
    handle: ({ realm }) => ({ cleared: clearMail(realm.world) }),
  }),
]
