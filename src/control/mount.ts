import { checked, parseJson, readText } from '../http/body.ts'
import { errorReply, notFoundPage, refusalOf } from '../http/errors.ts'
import type { Incoming, Reply } from '../http/message.ts'
import { jsonReply } from '../http/reply.ts'
import { control } from './control.ts'
import type { ControlCall } from './endpoint.ts'
import { type Guard, requireJson, requireTrusted } from './guard.ts'

/** Answers a request under `/_control`. */
export async function answerControl(
  request: Incoming,
  path: string,
  { guard, ...call }: Omit<ControlCall, 'body' | 'query'> & { guard: Guard },
): Promise<Reply> {
  const endpoint = control.find((one) => one.path === path && one.verb === request.method)
  const now = () => call.realm.clock.now()
  try {
    requireTrusted(request, guard)
    if (!endpoint) return notFoundPage()
    const text = await readText(request)
    if (text !== '') requireJson(request)
    const body = endpoint.body && checked(endpoint.body, parseJson(text))
    const query = endpoint.query && checked(endpoint.query, Object.fromEntries(new URL(request.url).searchParams))
    return jsonReply(await endpoint.handle({ ...call, body, query }), { now: now(), cache: 'none', indent: 1 })
  } catch (error) {
    return errorReply(refusalOf(error), { now: now() })
  }
}
