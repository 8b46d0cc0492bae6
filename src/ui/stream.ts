import { rootOf, TOKEN } from './where.ts'

export type Told = { event: string; id: string | undefined; data: unknown }

/** Every request that the journal tells of, also what it tells of by name alone: the requests around batches. */
export const EVERYTHING = '*,batch,discovery'

/**
 * Reads the server-sent events at an address until it ends or is aborted: an EventSource cannot send the token. Once it is
 * `opened`, nothing is missed.
 */
export async function readStream(
  { world, since, signal }: { world: string; since: number | undefined; signal: AbortSignal },
  { opened, tell }: { opened(): void; tell(told: Told): void },
): Promise<void> {
  const query = new URLSearchParams({
    changes: 'true',
    method: EVERYTHING,
    ...(since !== undefined && { since: `${since}` }),
  })
  const response = await fetch(`${rootOf(world)}/_control/calls/stream?${query}`, {
    headers: TOKEN === undefined ? {} : { 'X-Fake-Control-Token': TOKEN },
    signal,
    cache: 'no-store',
  })
  if (!response.ok || !response.body) throw new Error(`the stream answers ${response.status}`)
  opened()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const told = toldBy(block)
      if (told) tell(told)
    }
  }
}

function toldBy(block: string): Told | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name) fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value)
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { event: fields.get('event') ?? 'message', id: fields.get('id'), data: JSON.parse(data) as unknown }
}
