import { checked, parseJson, readText } from '../http/body.ts'
import { errorReply } from '../http/errors.ts'
import type { Incoming } from '../http/incoming.ts'
import { jsonReply, type Reply } from '../http/reply.ts'
import { Refusal } from '../wire/refusals.ts'
import { type ControlCall, control } from './control.ts'

/** Answers a request under `/_control`; none where there is no such route. */
export async function answerControl(
  request: Incoming,
  path: string,
  call: Omit<ControlCall, 'body'>,
): Promise<Reply | undefined> {
  const endpoint = control.find((one) => one.path === path && one.verb === request.method)
  if (!endpoint) return undefined
  const now = () => call.realm.clock.now()
  try {
    const body = endpoint.body && checked(endpoint.body, parseJson(await readText(request)))
    return jsonReply(endpoint.handle({ ...call, body }), { now: now(), cache: 'none', indent: 1 })
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error)
    const refusal = error instanceof Refusal ? error : new Refusal([{ named: 'backendError', details: {} }])
    return errorReply(refusal, { now: now(), method: endpoint.id })
  }
}
