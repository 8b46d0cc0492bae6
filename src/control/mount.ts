import { checked, parseJson, readText } from '../http/body.ts'
import { errorResponse } from '../http/errors.ts'
import { jsonResponse } from '../http/reply.ts'
import { Refusal } from '../wire/refusals.ts'
import { type ControlCall, control } from './control.ts'

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
    return jsonResponse(endpoint.handle({ ...call, body, query: new URL(request.url).searchParams }), {
      now: now(),
      cache: 'none',
      indent: 1,
    })
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error)
    const refusal = error instanceof Refusal ? error : new Refusal([{ named: 'backendError', details: {} }])
    return errorResponse(refusal, { now: now(), method: endpoint.id })
  }
}
