import { checked, parseJson, readText } from '../http/body.ts'
import { errorResponse } from '../http/errors.ts'
import { jsonResponse } from '../http/reply.ts'
import { Refusal } from '../wire/refusals.ts'
import { control } from './control.ts'
import type { ControlCall } from './endpoint.ts'

/** Answers a request under `/_control`; none where there is no such route. */
export async function answerControl(
  request: Request,
  path: string,
  call: Omit<ControlCall, 'body' | 'query'>,
): Promise<Response | undefined> {
  const endpoint = control.find((one) => one.path === path && one.verb === request.method)
  if (!endpoint) return undefined
  const now = () => call.realm.clock.now()
  try {
    const body = endpoint.body && checked(endpoint.body, parseJson(await readText(request)))
    const asked = Object.fromEntries(new URL(request.url).searchParams)
    const query = endpoint.query && checked(endpoint.query, asked)
    return jsonResponse(await endpoint.handle({ ...call, body, query }), { now: now(), cache: 'none', indent: 1 })
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error)
    const refusal = error instanceof Refusal ? error : new Refusal([{ named: 'backendError', details: {} }])
    return errorResponse(refusal, { now: now(), method: endpoint.id })
  }
}
