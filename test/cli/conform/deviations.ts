import type { Fetch } from '../../../src/cli/conform/retryingFetch.ts'

/** A request and its response, which the changed server may modify. */
type ChangeableRequest = { method: string; url: URL; body: string | undefined; headers: Headers }
type ChangeableResponse = { status: number; headers: Headers; text: string }

/** A deviation of a server from the service, and the heading that detects it. */
export type Deviation = {
  name: string
  heading: string
  changeRequest?: (sent: ChangeableRequest) => void
  changeResponse?: (response: ChangeableResponse, request: ChangeableRequest) => void
}

// biome-ignore lint/suspicious/noExplicitAny: responses have many shapes
type Json = any

/** Wraps a correct server with one deviation. */
export const withDeviation =
  ({ changeRequest, changeResponse }: Deviation) =>
  (fetch: Fetch): Fetch =>
  async (input, { method = 'GET', body, headers } = {}) => {
    const sent: ChangeableRequest = {
      method,
      url: new URL(input),
      body: body ? String(body) : undefined,
      headers: new Headers(headers),
    }
    changeRequest?.(sent)
    const init = { method: sent.method, headers: sent.headers, ...(sent.body !== undefined && { body: sent.body }) }
    const answer = await fetch(sent.url, init)
    const changedResponse: ChangeableResponse = {
      status: answer.status,
      headers: new Headers(answer.headers),
      text: await answer.text(),
    }
    changeResponse?.(changedResponse, sent)
    const { status } = changedResponse
    const response = new Response(status === 204 || status === 304 ? null : changedResponse.text, {
      status,
      headers: changedResponse.headers,
    })
    // The platform allows no body for a 204, so it is set on the object.
    if (status === 204 && changedResponse.text !== '')
      Object.defineProperty(response, 'text', { value: async () => changedResponse.text })
    return response
  }

/** Changes the JSON of successful responses. */
const changeJson =
  (change: (body: Json, sent: ChangeableRequest) => void): Deviation['changeResponse'] =>
  (response, sent) => {
    if (response.status >= 300 || !response.text.startsWith('{')) return
    const body = JSON.parse(response.text)
    change(body, sent)
    response.text = `${JSON.stringify(body, null, 1)}\n`
  }

/** Changes the JSON of requests. */
const changeRequestJson =
  (change: (body: Json, sent: ChangeableRequest) => void): Deviation['changeRequest'] =>
  (sent) => {
    if (!sent.body?.startsWith('{')) return
    const body = JSON.parse(sent.body)
    change(body, sent)
    sent.body = JSON.stringify(body)
  }

/** Changes each event of a response, alone or in a list. */
const changeEvents = (change: (event: Json) => void) =>
  changeJson((body) => {
    for (const one of body.items ?? [body]) if (one.kind === 'calendar#event') change(one)
  })

const changeErrorWith =
  (status: number, change: (response: ChangeableResponse, error: Json) => void): Deviation['changeResponse'] =>
  (response) => {
    if (response.status !== status || !response.text.startsWith('{')) return
    const body = JSON.parse(response.text)
    const indent = response.text.startsWith('{\n  ') ? 2 : 1
    change(response, body.error)
    response.text = `${JSON.stringify(body, null, indent)}\n`
  }

export const DEVIATIONS: readonly Deviation[] = [
  {
    name: 'a deleted event is 404',
    heading: '2.3',
    changeResponse: (response, { method, url }) => {
      if (
        method !== 'GET' ||
        !/\/events\/[^/]+$/.test(url.pathname) ||
        !response.text.includes('"status": "cancelled"')
      )
        return
      response.status = 404
      response.text = JSON.stringify({
        error: { errors: [{ domain: 'global', reason: 'notFound', message: 'Not Found' }], code: 404 },
      })
    },
  },
  {
    name: 'a delta has each item twice',
    heading: '5.10',
    changeResponse: changeJson((body, { url }) => {
      if (url.searchParams.has('syncToken') && body.items) body.items = body.items.flatMap((item: Json) => [item, item])
    }),
  },
  {
    name: 'a former etag is 409',
    heading: '11.8',
    changeResponse: (response) => {
      if (response.status === 412) response.status = 409
    },
  },
  {
    name: 'timeMax is inclusive',
    heading: '1.15',
    changeRequest: ({ url, method }) => {
      const max = url.searchParams.get('timeMax')
      if (method === 'GET' && max) url.searchParams.set('timeMax', new Date(Date.parse(max) + 1000).toISOString())
    },
  },
  {
    name: 'attendees are sorted',
    heading: '3.2.9',
    changeResponse: changeEvents((event) => event.attendees?.reverse()),
  },
  { name: 'no list has a sync token', heading: '5.6', changeResponse: changeJson((body) => delete body.nextSyncToken) },
  {
    name: 'a reason has another word',
    heading: '2.1.1',
    changeResponse: changeErrorWith(404, (_, error) => {
      error.errors[0].reason = 'missing'
    }),
  },
  {
    name: 'etags have no quotes',
    heading: '3.10',
    changeResponse: changeEvents((event) => {
      event.etag = event.etag.replaceAll('"', '')
    }),
  },
  {
    name: 'a 204 has a body',
    heading: '11.7',
    changeResponse: (response) => {
      if (response.status === 204) response.text = '{}'
    },
  },
  {
    name: 'EXDATE is passed over',
    heading: '4.2.5',
    changeRequest: changeRequestJson((body) => {
      if (Array.isArray(body.recurrence))
        body.recurrence = body.recurrence.filter((line: string) => !/^EXDATE/.test(line))
    }),
  },
  {
    name: 'an insert is answered with 201',
    heading: '1.8',
    changeResponse: (response, { method, url }) => {
      if (method === 'POST' && response.status === 200 && /\/(events|calendars)$/.test(url.pathname))
        response.status = 201
    },
  },
  {
    name: 'a second DELETE is 204',
    heading: '2.2.4',
    changeResponse: (response) => {
      if (response.status === 410) Object.assign(response, { status: 204, text: '' })
    },
  },
  {
    name: 'what is absent is null',
    heading: '3.2.3',
    changeResponse: changeEvents((event) => {
      event.description ??= null
    }),
  },
  {
    name: 'maxResults is passed over',
    heading: '1.11',
    changeRequest: ({ url }) => url.searchParams.delete('maxResults'),
  },
  {
    name: 'by start the latest comes first',
    heading: '5.3',
    changeResponse: changeJson((body, { url }) => {
      if (url.searchParams.get('orderBy') === 'startTime') body.items?.reverse()
    }),
  },
  {
    name: 'sequence stays 0',
    heading: '3.2.7',
    changeResponse: changeEvents((event) => {
      event.sequence = 0
    }),
  },
  {
    name: 'null in a PATCH is passed over',
    heading: '3.9.2',
    changeRequest: changeRequestJson((body, { method }) => {
      if (method === 'PATCH') for (const name of Object.keys(body)) if (body[name] === null) delete body[name]
    }),
  },
  {
    name: 'Z is written +00:00',
    heading: '13.7',
    changeResponse: (response) => {
      response.text = response.text.replace(/("dateTime": "[^"]*)Z"/g, '$1+00:00"')
    },
  },
  {
    name: 'what is transparent is busy',
    heading: '10.9',
    changeRequest: changeRequestJson((body) => delete body.transparency),
  },
  {
    name: 'a 401 has no status of its own',
    heading: '2.1.2',
    changeResponse: changeErrorWith(401, (_, error) => delete error.status),
  },
  {
    name: 'instances do not say where they were',
    heading: '4.1.3',
    changeResponse: changeEvents((event) => delete event.originalStartTime),
  },
  {
    name: 'parts of a batch have the ids of the requests',
    heading: '11.1.3',
    changeResponse: (response) => {
      response.text = response.text.replaceAll('<response-', '<')
    },
  },
  {
    name: 'what is deleted is always listed',
    heading: '4.3',
    changeRequest: ({ url, method }) => {
      const isList = method === 'GET' && url.pathname.endsWith('/events') && !url.searchParams.has('syncToken')
      if (isList) url.searchParams.set('showDeleted', 'true')
    },
  },
  {
    name: 'a new calendar is in the zone of its maker',
    heading: '3.4.2',
    changeRequest: changeRequestJson((body, { method, url }) => {
      if (method === 'POST' && url.pathname.endsWith('/calendars')) body.timeZone ??= 'Europe/Berlin'
    }),
  },
  {
    name: 'guests never answer',
    heading: '7.2',
    changeResponse: changeEvents((event) => {
      for (const one of event.attendees ?? []) one.responseStatus = 'needsAction'
    }),
  },
  {
    name: 'updated is frozen',
    heading: '5.1',
    changeResponse: changeEvents((event) => {
      event.updated = event.created
    }),
  },
  {
    name: 'ids of instances are local times',
    heading: '4.1.2',
    changeResponse: changeEvents((event) => {
      const local = event.originalStartTime?.timeZone === 'Asia/Kolkata'
      if (local) event.id = event.id.replace(/T220000Z$/, 'T033000Z')
    }),
  },
  {
    name: 'no watch succeeds',
    heading: '6.1.2',
    changeResponse: (response, { url }) => {
      if (url.pathname.endsWith('/watch') && response.status === 200)
        Object.assign(response, { status: 404, text: '{}' })
    },
  },
  {
    name: 'an expiration is a number',
    heading: '11.15',
    changeResponse: changeJson((body) => {
      if (body.kind === 'api#channel') body.expiration = Number(body.expiration)
    }),
  },
  {
    name: 'a channel lasts a day',
    heading: '6.1.5',
    changeResponse: changeJson((body) => {
      if (body.kind === 'api#channel') body.expiration = String(Number(body.expiration) - 6 * 86_400_000)
    }),
  },
  {
    name: 'a 401 has no WWW-Authenticate',
    heading: '2.1.3',
    changeResponse: (response) => response.headers.delete('WWW-Authenticate'),
  },
  {
    name: 'a page has 100 events by default',
    heading: '1.11',
    changeRequest: ({ url, method }) => {
      if (method === 'GET' && /\/(events|instances)$/.test(url.pathname) && !url.searchParams.has('maxResults'))
        url.searchParams.set('maxResults', '100')
    },
  },
  {
    name: 'q looks at titles alone',
    heading: '1.17',
    changeResponse: changeJson((body, { url }) => {
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
    ([name, part]): Deviation => ({
      name: `${name} is passed over`,
      heading: '4.2.1',
      changeRequest: changeRequestJson((body) => {
        if (Array.isArray(body.recurrence))
          body.recurrence = body.recurrence.map((line: string) => line.replace(part as RegExp, ''))
      }),
    }),
  ),
  {
    name: 'the 31st of a short month is its last day',
    heading: '4.8',
    changeRequest: changeRequestJson((body) => {
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
    changeResponse: changeJson((body, { method, body: sent }) => {
      if (method === 'PATCH' && sent?.includes('"attendees"') && body.attendees)
        body.attendees.push({ email: 'old@example.com' })
    }),
  },
  {
    name: 'a sync token is good once',
    heading: '5.10',
    changeResponse: onceOnly('syncToken'),
  },
  {
    name: 'a page token is good once',
    heading: '5.5',
    changeResponse: onceOnly('pageToken'),
  },
  {
    name: 'a locked event can be made',
    heading: '7.13',
    changeResponse: changeJson((body, { body: sent }) => {
      if (sent?.includes('"locked":true')) body.locked = true
    }),
  },
  {
    name: 'If-None-Match is passed over for rules',
    heading: '11.9',
    changeRequest: ({ url, headers }) => {
      if (url.pathname.includes('/acl')) headers.delete('If-None-Match')
    },
  },
  {
    name: 'If-Match is passed over for entries',
    heading: '11.8',
    changeRequest: ({ url, headers }) => {
      if (url.pathname.includes('/calendarList/')) headers.delete('If-Match')
    },
  },
  {
    name: 'a challenge has no error',
    heading: '2.1.3',
    changeResponse: ({ headers }) => {
      const challenge = headers.get('WWW-Authenticate')
      if (challenge) headers.set('WWW-Authenticate', challenge.replace(/, error=.*/, ''))
    },
  },
  {
    name: 'a page has 50 calendars by default',
    heading: '1.11',
    changeRequest: ({ url, method }) => {
      if (method === 'GET' && url.pathname.endsWith('/calendarList') && !url.searchParams.has('maxResults'))
        url.searchParams.set('maxResults', '50')
    },
  },
  {
    name: 'a page has 10 settings by default',
    heading: '1.11',
    changeRequest: ({ url, method }) => {
      if (method === 'GET' && url.pathname.endsWith('/settings') && !url.searchParams.has('maxResults'))
        url.searchParams.set('maxResults', '10')
    },
  },
  ...['timeMax', 'iCalUID', 'privateExtendedProperty'].map(
    (name): Deviation => ({
      name: `${name} goes with a sync token`,
      heading: '5.8',
      changeRequest: ({ url }) => {
        if (url.searchParams.has('syncToken')) url.searchParams.delete(name)
      },
    }),
  ),
  {
    name: 'PUT keeps guests, properties and reminders',
    heading: '3.9.1',
    changeRequest: (sent) => {
      if (sent.method === 'PUT' && sent.url.pathname.includes('/events/')) sent.method = 'PATCH'
    },
  },
  {
    name: 'the writer reads a role of their own',
    heading: '7.6',
    changeResponse: changeJson((body) => {
      if (body.accessRole) body.accessRole = 'owner'
    }),
  },
  {
    name: 'fields is passed over in writes',
    heading: '11.11',
    changeRequest: ({ url, method }) => {
      if (method === 'PATCH') url.searchParams.delete('fields')
    },
  },
  {
    name: 'a colour has another shade',
    heading: '3.8',
    changeResponse: changeJson((body) => {
      if (body.kind === 'calendar#colors') body.event['5'].background = '#ffffff'
    }),
  },
  {
    name: 'new reminders raise sequence',
    heading: '3.2.7',
    changeResponse: changeJson((body, { method, body: sent }) => {
      if (method === 'PATCH' && sent?.startsWith('{"reminders"')) body.sequence += 1
    }),
  },
  {
    name: 'iCalUID hides deleted events',
    heading: '1.18',
    changeRequest: ({ url }) => {
      if (url.searchParams.has('iCalUID')) url.searchParams.delete('showDeleted')
    },
  },
  {
    name: 'a month without a 31st has its last day, at any hour',
    heading: '4.8',
    changeRequest: changeRequestJson((body) => {
      if (Array.isArray(body.recurrence) && body.start?.dateTime?.includes('-31T'))
        body.recurrence = body.recurrence.map((line: string) =>
          line.replace('FREQ=MONTHLY;COUNT', 'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT'),
        )
    }),
  },
  ...['privateExtendedProperty', 'sharedExtendedProperty'].map(
    (name): Deviation => ({
      name: `only the last ${name} counts`,
      heading: '1.18',
      changeRequest: ({ url }) => {
        const last = url.searchParams.getAll(name).at(-1)
        if (last !== undefined) url.searchParams.set(name, last)
      },
    }),
  ),
  {
    name: 'calendars are listed by name',
    heading: '5.3.1',
    changeResponse: changeJson((body) => {
      if (body.kind === 'calendar#calendarList')
        body.items.sort((one: Json, other: Json) => (one.summary < other.summary ? -1 : 1))
    }),
  },
  {
    name: 'bodies have no newline at their end',
    heading: '11.6',
    changeResponse: (response) => {
      response.text = response.text.trimEnd()
    },
  },
  {
    name: 'a PATCH adds to attachments',
    heading: '8.16',
    changeResponse: changeJson((body, { method }) => {
      if (method === 'PATCH' && body.attachments) body.attachments.unshift({ fileUrl: 'https://example.com/old' })
    }),
  },
  {
    name: 'a PATCH adds to reminders of an entry',
    heading: '3.9.2',
    changeResponse: changeJson((body, { method, body: sent }) => {
      if (method === 'PATCH' && sent?.includes('"minutes":9'))
        body.defaultReminders?.unshift({ method: 'popup', minutes: 5 })
    }),
  },
  {
    name: 'a list of instances shows recurrences',
    heading: '4.1.3',
    changeResponse: changeJson((body, { url }) => {
      if (url.pathname.endsWith('/instances')) for (const item of body.items) item.recurrence = ['RRULE:FREQ=DAILY']
    }),
  },
  {
    name: 'everybody may read rules',
    heading: '1.2',
    changeResponse: (response, { method, url }) => {
      if (method === 'GET' && url.pathname.includes('/acl') && response.status === 403)
        Object.assign(response, { status: 200, text: '{"kind":"calendar#acl","items":[]}' })
    },
  },
  {
    name: 'a person’s role stays at a second insert',
    heading: '3.6.3',
    changeResponse: changeJson((body, { method, body: sent }) => {
      if (method === 'POST' && sent?.includes('"writer"') && body.kind === 'calendar#aclRule') body.role = 'reader'
    }),
  },
]

/** Rejects a token on its second use. */
function onceOnly(name: string): Deviation['changeResponse'] {
  const used = new Set<string>()
  return (response, { url }) => {
    const token = url.searchParams.get(name)
    if (!token || response.status !== 200) return
    if (used.has(token)) Object.assign(response, { status: 400, text: '{"error":{"code":400,"errors":[]}}' })
    used.add(token)
  }
}
