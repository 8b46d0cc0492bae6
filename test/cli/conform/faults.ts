import type { Fetch } from '../../../src/cli/conform/retryingFetch.ts'

/** A request and its response, which the changed server may modify. */
type Sent = { method: string; url: URL; body: string | undefined; headers: Headers }
type Said = { status: number; headers: Headers; text: string }

/** A deviation of a server from the service, and the heading that detects it. */
export type Wrong = {
  name: string
  heading: string
  sends?: (sent: Sent) => void
  says?: (said: Said, sent: Sent) => void
}

// biome-ignore lint/suspicious/noExplicitAny: what is made wrong is of every shape
type Json = any

/** Wraps a correct server with one deviation. */
export const through =
  ({ sends, says }: Wrong) =>
  (fetch: Fetch): Fetch =>
  async (input, { method = 'GET', body, headers } = {}) => {
    const sent: Sent = {
      method,
      url: new URL(input),
      body: body ? String(body) : undefined,
      headers: new Headers(headers),
    }
    sends?.(sent)
    const init = { method: sent.method, headers: sent.headers, ...(sent.body !== undefined && { body: sent.body }) }
    const answer = await fetch(sent.url, init)
    const said: Said = { status: answer.status, headers: new Headers(answer.headers), text: await answer.text() }
    says?.(said, sent)
    const { status } = said
    const response = new Response(status === 204 || status === 304 ? null : said.text, {
      status,
      headers: said.headers,
    })
    // The platform allows no body for a 204, so it is set on the object.
    if (status === 204 && said.text !== '') Object.defineProperty(response, 'text', { value: async () => said.text })
    return response
  }

/** Changes the JSON of successful responses. */
const changed =
  (change: (body: Json, sent: Sent) => void): Wrong['says'] =>
  (said, sent) => {
    if (said.status >= 300 || !said.text.startsWith('{')) return
    const body = JSON.parse(said.text)
    change(body, sent)
    said.text = `${JSON.stringify(body, null, 1)}\n`
  }

/** Changes the JSON of requests. */
const asked =
  (change: (body: Json, sent: Sent) => void): Wrong['sends'] =>
  (sent) => {
    if (!sent.body?.startsWith('{')) return
    const body = JSON.parse(sent.body)
    change(body, sent)
    sent.body = JSON.stringify(body)
  }

/** Changes each event of a response, alone or in a list. */
const events = (change: (event: Json) => void) =>
  changed((body) => {
    for (const one of body.items ?? [body]) if (one.kind === 'calendar#event') change(one)
  })

const refusing =
  (status: number, change: (said: Said, error: Json) => void): Wrong['says'] =>
  (said) => {
    if (said.status !== status || !said.text.startsWith('{')) return
    const body = JSON.parse(said.text)
    const indent = said.text.startsWith('{\n  ') ? 2 : 1
    change(said, body.error)
    said.text = `${JSON.stringify(body, null, indent)}\n`
  }

export const WRONG: readonly Wrong[] = [
  {
    name: 'a deleted event is 404',
    heading: '2.3',
    says: (said, { method, url }) => {
      if (method !== 'GET' || !/\/events\/[^/]+$/.test(url.pathname) || !said.text.includes('"status": "cancelled"'))
        return
      said.status = 404
      said.text = JSON.stringify({
        error: { errors: [{ domain: 'global', reason: 'notFound', message: 'Not Found' }], code: 404 },
      })
    },
  },
  {
    name: 'a delta has each item twice',
    heading: '5.10',
    says: changed((body, { url }) => {
      if (url.searchParams.has('syncToken') && body.items) body.items = body.items.flatMap((item: Json) => [item, item])
    }),
  },
  {
    name: 'a former etag is 409',
    heading: '11.8',
    says: (said) => {
      if (said.status === 412) said.status = 409
    },
  },
  {
    name: 'timeMax is inclusive',
    heading: '1.15',
    sends: ({ url, method }) => {
      const max = url.searchParams.get('timeMax')
      if (method === 'GET' && max) url.searchParams.set('timeMax', new Date(Date.parse(max) + 1000).toISOString())
    },
  },
  { name: 'attendees are sorted', heading: '3.2.9', says: events((event) => event.attendees?.reverse()) },
  { name: 'no list has a sync token', heading: '5.6', says: changed((body) => delete body.nextSyncToken) },
  {
    name: 'a reason has another word',
    heading: '2.1.1',
    says: refusing(404, (_, error) => {
      error.errors[0].reason = 'missing'
    }),
  },
  {
    name: 'etags have no quotes',
    heading: '3.10',
    says: events((event) => {
      event.etag = event.etag.replaceAll('"', '')
    }),
  },
  {
    name: 'a 204 has a body',
    heading: '11.7',
    says: (said) => {
      if (said.status === 204) said.text = '{}'
    },
  },
  {
    name: 'EXDATE is passed over',
    heading: '4.2.5',
    sends: asked((body) => {
      if (Array.isArray(body.recurrence))
        body.recurrence = body.recurrence.filter((line: string) => !/^EXDATE/.test(line))
    }),
  },
  {
    name: 'an insert is answered with 201',
    heading: '1.8',
    says: (said, { method, url }) => {
      if (method === 'POST' && said.status === 200 && /\/(events|calendars)$/.test(url.pathname)) said.status = 201
    },
  },
  {
    name: 'a second DELETE is 204',
    heading: '2.2.4',
    says: (said) => {
      if (said.status === 410) Object.assign(said, { status: 204, text: '' })
    },
  },
  {
    name: 'what is absent is null',
    heading: '3.2.3',
    says: events((event) => {
      event.description ??= null
    }),
  },
  { name: 'maxResults is passed over', heading: '1.11', sends: ({ url }) => url.searchParams.delete('maxResults') },
  {
    name: 'by start the latest comes first',
    heading: '5.3',
    says: changed((body, { url }) => {
      if (url.searchParams.get('orderBy') === 'startTime') body.items?.reverse()
    }),
  },
  {
    name: 'sequence stays 0',
    heading: '3.2.7',
    says: events((event) => {
      event.sequence = 0
    }),
  },
  {
    name: 'null in a PATCH is passed over',
    heading: '3.9.2',
    sends: asked((body, { method }) => {
      if (method === 'PATCH') for (const name of Object.keys(body)) if (body[name] === null) delete body[name]
    }),
  },
  {
    name: 'Z is written +00:00',
    heading: '13.7',
    says: (said) => {
      said.text = said.text.replace(/("dateTime": "[^"]*)Z"/g, '$1+00:00"')
    },
  },
  {
    name: 'what is transparent is busy',
    heading: '10.9',
    sends: asked((body) => delete body.transparency),
  },
  {
    name: 'a 401 has no status of its own',
    heading: '2.1.2',
    says: refusing(401, (_, error) => delete error.status),
  },
  {
    name: 'instances do not say where they were',
    heading: '4.1.3',
    says: events((event) => delete event.originalStartTime),
  },
  {
    name: 'parts of a batch have the ids of the requests',
    heading: '11.1.3',
    says: (said) => {
      said.text = said.text.replaceAll('<response-', '<')
    },
  },
  {
    name: 'what is deleted is always listed',
    heading: '4.3',
    sends: ({ url, method }) => {
      const isList = method === 'GET' && url.pathname.endsWith('/events') && !url.searchParams.has('syncToken')
      if (isList) url.searchParams.set('showDeleted', 'true')
    },
  },
  {
    name: 'a new calendar is in the zone of its maker',
    heading: '3.4.2',
    sends: asked((body, { method, url }) => {
      if (method === 'POST' && url.pathname.endsWith('/calendars')) body.timeZone ??= 'Europe/Berlin'
    }),
  },
  {
    name: 'guests never answer',
    heading: '7.2',
    says: events((event) => {
      for (const one of event.attendees ?? []) one.responseStatus = 'needsAction'
    }),
  },
  {
    name: 'updated is frozen',
    heading: '5.1',
    says: events((event) => {
      event.updated = event.created
    }),
  },
  {
    name: 'ids of instances are local times',
    heading: '4.1.2',
    says: events((event) => {
      const local = event.originalStartTime?.timeZone === 'Asia/Kolkata'
      if (local) event.id = event.id.replace(/T220000Z$/, 'T033000Z')
    }),
  },
  {
    name: 'no watch succeeds',
    heading: '6.1.2',
    says: (said, { url }) => {
      if (url.pathname.endsWith('/watch') && said.status === 200) Object.assign(said, { status: 404, text: '{}' })
    },
  },
  {
    name: 'an expiration is a number',
    heading: '11.15',
    says: changed((body) => {
      if (body.kind === 'api#channel') body.expiration = Number(body.expiration)
    }),
  },
  {
    name: 'a channel lasts a day',
    heading: '6.1.5',
    says: changed((body) => {
      if (body.kind === 'api#channel') body.expiration = String(Number(body.expiration) - 6 * 86_400_000)
    }),
  },
  {
    name: 'a 401 has no WWW-Authenticate',
    heading: '2.1.3',
    says: (said) => said.headers.delete('WWW-Authenticate'),
  },
  {
    name: 'a page has 100 events by default',
    heading: '1.11',
    sends: ({ url, method }) => {
      if (method === 'GET' && /\/(events|instances)$/.test(url.pathname) && !url.searchParams.has('maxResults'))
        url.searchParams.set('maxResults', '100')
    },
  },
  {
    name: 'q looks at titles alone',
    heading: '1.17',
    says: changed((body, { url }) => {
      const q = url.searchParams.get('q')?.toLowerCase().split(' ')
      if (q)
        body.items = body.items.filter((item: Json) => q.every((word) => item.summary?.toLowerCase().includes(word)))
    }),
  },
  ...[
    ['WKST', /;WKST=\w+/g],
    ['BYSETPOS', /;BYSETPOS=[-\d,]+/g],
    ['BYMONTHDAY', /;BYMONTHDAY=[-\d,]+/g],
    ['INTERVAL', /;INTERVAL=\d+/g],
  ].map(
    ([name, part]): Wrong => ({
      name: `${name} is passed over`,
      heading: '4.2.1',
      sends: asked((body) => {
        if (Array.isArray(body.recurrence))
          body.recurrence = body.recurrence.map((line: string) => line.replace(part as RegExp, ''))
      }),
    }),
  ),
  {
    name: 'the 31st of a short month is its last day',
    heading: '4.8',
    sends: asked((body) => {
      if (Array.isArray(body.recurrence))
        body.recurrence = body.recurrence.map((line: string) =>
          body.start?.date?.endsWith('-31') && line.startsWith('RRULE:FREQ=MONTHLY;COUNT')
            ? `${line};BYMONTHDAY=-1`
            : line,
        )
    }),
  },
  {
    name: 'a PATCH adds to a list',
    heading: '3.9.2',
    says: changed((body, { method, body: sent }) => {
      if (method === 'PATCH' && sent?.includes('"attendees"') && body.attendees)
        body.attendees.push({ email: 'old@example.com' })
    }),
  },
  {
    name: 'a sync token is good once',
    heading: '5.10',
    says: onceOnly('syncToken'),
  },
  {
    name: 'a page token is good once',
    heading: '5.5',
    says: onceOnly('pageToken'),
  },
  {
    name: 'a locked event can be made',
    heading: '7.13',
    says: changed((body, { body: sent }) => {
      if (sent?.includes('"locked":true')) body.locked = true
    }),
  },
]

/** Rejects a token on its second use. */
function onceOnly(name: string): Wrong['says'] {
  const used = new Set<string>()
  return (said, { url }) => {
    const token = url.searchParams.get(name)
    if (!token || said.status !== 200) return
    if (used.has(token)) Object.assign(said, { status: 400, text: '{"error":{"code":400,"errors":[]}}' })
    used.add(token)
  }
}
