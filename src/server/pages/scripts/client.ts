/** What a method takes, as a discovery document says it. */
type Parameter = { location?: string; required?: boolean }
type Method = {
  path: string
  httpMethod: string
  parameters?: Record<string, Parameter>
  parameterOrder?: string[]
  request?: object
}
type Resource = { methods?: Record<string, Method>; resources?: Record<string, Resource> }
export type Discovered = Resource & { name: string; rootUrl: string; servicePath: string; batchPath: string }

export type Given = Record<string, unknown>
/** What is sent: a path below a root, or a whole address. */
export type Sending = {
  path: string
  method?: string | undefined
  params?: Given | undefined
  headers?: Record<string, string> | undefined
  body?: unknown
}
/** What comes back, and what a promise is broken with where the status is of an error. */
export type Outcome = {
  /** The body as data, or `false` where it is none. */
  result: unknown
  body: string
  headers: Record<string, string> | null
  status: number | null
  statusText: string | null
}
/** A request goes out when somebody first asks what became of it. */
export type Asked = {
  readonly sending: Sending
  then<A, B>(done?: (outcome: Outcome) => A, failed?: (outcome: Outcome) => B): Promise<A | B>
  execute(told: (result: unknown, text: string) => void): void
}
export type Token = { access_token: string }
export type Client = Record<string, unknown> & {
  setToken(token: Token | string | null): void
  getToken(): Token | null
  request(sending: Sending): Asked
}

/**
 * Makes `gapi.client` in a page: requests by the methods of a discovery document, in the shapes of the service's own script.
 * It is served as text, so it uses nothing from outside itself. `root` is where the service is, for what names no host.
 */
export function makeClient(root: string): Client {
  const SERVICE = /^https?:\/\/([\w-]+\.)*(googleapis\.com|accounts\.google\.com)(?=\/|$)/
  let token: Token | null = null
  let apiKey: string | undefined

  /** What is said to be at a host of the service's is where the service is. */
  const addressOf = (path: string): string =>
    path.startsWith('http') && root.startsWith('https://www.googleapis.com')
      ? path
      : new URL(path.replace(SERVICE, '').replace(/^\//, ''), root).href

  async function call({ path, method = 'GET', params = {}, headers = {}, body }: Sending): Promise<Outcome> {
    const url = new URL(addressOf(path))
    for (const [name, value] of Object.entries({ ...params, ...(apiKey && { key: apiKey }) }))
      for (const one of [value].flat())
        if (one !== undefined && one !== null) url.searchParams.append(name, String(one))
    const sent = {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token.access_token}` }),
      'X-JavaScript-User-Agent': 'google-api-javascript-client/1.1.0',
      'X-Requested-With': 'XMLHttpRequest',
      ...headers,
    }
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const init = { method, headers: sent, ...(text !== undefined && { body: text }) }
    const reply = await fetch(url, init).catch(() => undefined)
    if (!reply) {
      const result = {
        error: { code: -1, message: 'A network error occurred, and the request could not be completed.' },
      }
      throw { result, body: JSON.stringify(result), headers: null, status: null, statusText: null }
    }
    const said = await reply.text()
    const outcome: Outcome = {
      result: dataIn(said),
      body: said,
      headers: Object.fromEntries(reply.headers),
      status: reply.status,
      statusText: reply.statusText || null,
    }
    if (!reply.ok) throw outcome
    return outcome
  }

  function dataIn(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      return false
    }
  }

  /** What `execute` tells: the result itself, with itself beside it, and of an error its parts. */
  function told({ result }: Outcome): unknown {
    const data = typeof result === 'object' && result !== null ? result : undefined
    const error =
      data && 'error' in data ? (data.error as { code?: unknown; message?: unknown; errors?: unknown }) : undefined
    if (!data) return result
    return error ? { ...data, code: error.code, message: error.message, data: error.errors } : { ...data, result }
  }

  function asking(sending: Sending, sent?: () => Promise<Outcome>): Asked {
    let outcome: Promise<Outcome> | undefined
    const send = () => {
      outcome ??= sent ? sent() : call(sending)
      return outcome
    }
    return {
      sending,
      // biome-ignore lint/suspicious/noThenProperty: the service's own requests are waited for like this
      then: (done, failed) => send().then(done, failed) as Promise<never>,
      execute: (tell) => {
        const tellOf = (found: Outcome) => tell(told(found), found.body)
        void send().then(tellOf, tellOf)
      },
    }
  }

  /** A method by its parameters; what it does not know of is its body, as is `resource`, or a second argument. */
  function asMethod({ rootUrl, servicePath }: Discovered, method: Method) {
    return (given: Given = {}, second?: unknown): Asked => {
      const { resource, ...named } = given
      const { parameters = {}, httpMethod, path } = method
      const known = (name: string) => Object.hasOwn(parameters, name)
      const everywhere = ['alt', 'fields', 'key', 'prettyPrint', 'quotaUser', 'userIp', 'oauth_token', 'access_token']
      const entries = Object.entries(named)
      const isParameter = (name: string) => known(name) || everywhere.includes(name) || !method.request
      const rest = entries.filter(([name]) => !isParameter(name))
      const body = second ?? resource ?? (rest.length > 0 ? Object.fromEntries(rest) : undefined)
      const missing = Object.keys(parameters).find(
        (name) => parameters[name]?.required && (named[name] === undefined || named[name] === null),
      )
      const filled = path.replace(/\{\+?(\w+)\}/g, (_, name) => encodeURIComponent(String(named[name])))
      const inQuery = entries.filter(([name]) => isParameter(name) && parameters[name]?.location !== 'path')
      const sending = {
        path: addressOf(rootUrl + servicePath + filled),
        method: httpMethod,
        params: Object.fromEntries(inQuery),
        ...(method.request && { body: body ?? {} }),
      }
      return missing === undefined ? asking(sending) : asking(sending, () => Promise.reject(lacking(missing)))
    }
  }

  function lacking(name: string): Outcome {
    const message = `Missing required parameter: ${name}`
    const error = { domain: 'global', reason: 'required', message, locationType: 'parameter', location: name }
    const result = { error: { errors: [error], code: 400, message } }
    return { result, body: JSON.stringify(result), headers: null, status: 400, statusText: null }
  }

  function asResource(document: Discovered, { methods = {}, resources = {} }: Resource): Record<string, unknown> {
    const calls = Object.entries(methods).map(([name, method]) => [name, asMethod(document, method)])
    const below = Object.entries(resources).map(([name, one]) => [name, asResource(document, one)])
    return Object.fromEntries([...calls, ...below])
  }

  /** From a document, its address, or the name and the version of a service, which have it at a fixed one. */
  async function load(what: string | Discovered, version?: string, then?: () => void): Promise<void> {
    const at = typeof what !== 'string' || version === undefined ? what : `discovery/v1/apis/${what}/${version}/rest`
    const document = typeof at === 'string' ? ((await call({ path: at })).result as Discovered) : at
    client[document.name] = asResource(document, document)
    then?.()
  }

  type Init = { apiKey?: string; discoveryDocs?: (string | Discovered)[]; clientId?: string; scope?: string }
  async function init({ apiKey: key, discoveryDocs = [], clientId, scope }: Init = {}): Promise<void> {
    if (clientId !== undefined || scope !== undefined)
      throw {
        error: 'idpiframe_initialization_failed',
        details: 'fake-calendar: gapi.auth2 is not built; take a token by google.accounts.oauth2.initTokenClient',
      }
    if (key !== undefined) apiKey = key
    await Promise.all(discoveryDocs.map((one) => load(one)))
  }

  const client: Client = {
    init,
    load,
    request: (sending) => asking(sending),
    setApiKey: (key: string) => {
      apiKey = key
    },
    getToken: () => token,
    setToken: (given) => {
      token = typeof given === 'object' && given?.access_token ? given : null
    },
    newBatch: () => {
      throw new Error('fake-calendar: gapi.client.newBatch is not built')
    },
  }
  return client
}
