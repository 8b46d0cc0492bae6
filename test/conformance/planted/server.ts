import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FakeCalendar } from '../../../src/index.ts'
import type { Json, PlantedFault, PlantedReply, PlantedRequest } from './fault.ts'
import { FAULTS } from './faults.ts'

/** The name of the server without a fault. */
export const CORRECT = 'correct'

const parse = (text: string): Json => {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

const readText = async (incoming: IncomingMessage): Promise<string> =>
  Buffer.concat(await incoming.toArray()).toString()

/** Opens a server in front of a fake that has one fault of the table. Returns its address and a function that closes it. */
export async function openPlantedServer(fake: FakeCalendar, name: string) {
  const fault: Partial<PlantedFault> | undefined = name === CORRECT ? {} : FAULTS[name]
  if (!fault) throw new Error(`there is no planted fault ${name}`)
  let origin = ''
  const receivers: string[] = []

  /** Forwards a push message to its receiver. */
  async function relay(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const headers = new Headers(
      Object.entries(incoming.headers).map(([key, value]): [string, string] => [key, String(value)]),
    )
    for (const own of ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive']) headers.delete(own)
    fault?.message?.(headers)
    const { status } = await fetch(receivers[Number(incoming.url?.split('/').at(-1))] ?? '', {
      method: 'POST',
      headers,
    })
    outgoing.writeHead(status).end()
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (incoming.url?.startsWith('/relay/')) return relay(incoming, outgoing)
    const url = new URL(incoming.url ?? '/', origin)
    const headers = new Headers(
      Object.entries(incoming.headers).map(([key, value]): [string, string] => [key, String(value)]),
    )
    headers.delete('connection')
    const sent = await readText(incoming)
    const request: PlantedRequest = {
      ...{ method: incoming.method ?? 'GET', path: url.pathname, query: url.searchParams, headers },
      body: parse(sent),
    }
    fault?.request?.(request)
    if (fault?.message && request.path.endsWith('/watch') && /^http:\/\/127/.test(request.body?.address))
      request.body.address = `${origin}/relay/${receivers.push(request.body.address) - 1}`
    const query = request.query.size > 0 ? `?${request.query}` : ''
    const isChanged = JSON.stringify(request.body) !== JSON.stringify(parse(sent))
    const text = isChanged && typeof request.body === 'object' ? JSON.stringify(request.body) : sent
    headers.delete('content-length')
    headers.delete('transfer-encoding')
    const init = {
      method: request.method,
      headers,
      ...(incoming.method !== 'GET' && incoming.method !== 'HEAD' && { body: text }),
    }
    const response = await fake.fetch(`${origin}${request.path}${query}`, init as RequestInit)
    const received = await response.text()
    const before = parse(received)
    const reply: PlantedReply = {
      ...{ status: response.status, headers: new Headers(response.headers), body: parse(received) },
      indent: /^\{\n( +)/.exec(received)?.[1]?.length ?? 0,
    }
    const { indent } = reply
    fault?.reply?.(reply, request)
    const isSame = JSON.stringify(reply.body) === JSON.stringify(before) && reply.indent === indent
    const end = received.endsWith('\n') ? '\n' : ''
    const body = isSame
      ? received
      : typeof reply.body === 'object'
        ? JSON.stringify(reply.body, null, reply.indent) + end
        : (reply.body ?? '')
    if (request.method !== 'HEAD') reply.headers.set('Content-Length', String(Buffer.byteLength(body)))
    outgoing.writeHead(reply.status, Object.fromEntries(reply.headers)).end(body)
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error) => outgoing.writeHead(599).end(String(error)))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin, close }
}
