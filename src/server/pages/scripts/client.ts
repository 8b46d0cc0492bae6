type Parameter = { location?: string; required?: boolean }
type Method = {
  path: string
  httpMethod: string
  parameters?: Record<string, Parameter>
  parameterOrder?: string[]
  request?: object
}
type Resource = { methods?: Record<string, Method>; resources?: Record<string, Resource> }
export type DiscoveryDocument = Resource & { name: string; rootUrl: string; servicePath: string; batchPath: string }

export type RequestParams = Record<string, unknown>
/** The input of `gapi.client.request`. `path` is a path below the root, or a URL. */
export type GapiRequestOptions = {
  path: string
  method?: string | undefined
  params?: RequestParams | undefined
  headers?: Record<string, string> | undefined
  body?: unknown
}
/** A response. A promise is rejected with it if the status is an error. */
export type ClientResponse = {
  result: unknown
  body: string
  headers: Record<string, string> | null
  status: number | null
  statusText: string | null
}
export type ClientRequest = {
  readonly sending: GapiRequestOptions
  then<A, B>(done?: (outcome: ClientResponse) => A, failed?: (outcome: ClientResponse) => B): Promise<A | B>
  execute(callback: (result: unknown, text: string) => void): void
}
export type AccessToken = { access_token: string }
export type GapiClient = Record<string, unknown> & {
  setToken(token: AccessToken | string | null): void
  getToken(): AccessToken | null
  request(sending: GapiRequestOptions): ClientRequest
}

/**
 * Returns `gapi.client` for a page: it sends requests by the methods of a discovery document, with the interface of the
 * service's own script. `root` is the URL of the service. Its requests reject with a ClientResponse.
 */
export function createClient(root: string): GapiClient {
  const SERVICE = /^https?:\/\/([\w-]+\.)*(googleapis\.com|accounts\.google\.com)(?=\/|$)/
  let token: AccessToken | null = null
  let apiKey: string | undefined

  /** A host of the service is replaced by the root, unless the root is that host. */
  const resolveUrl = (path: string): string =>
    path.startsWith('http') && root.startsWith('https://www.googleapis.com')
      ? path
      : new URL(path.replace(SERVICE, '').replace(/^\//, ''), root).href

  async function sendRequest({
    path,
    method = 'GET',
    params = {},
    headers = {},
    body,
  }: GapiRequestOptions): Promise<ClientResponse> {
    const url = new URL(resolveUrl(path))
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
    const responseText = await reply.text()
    const outcome: ClientResponse = {
      result: parseJsonOrFalse(responseText),
      body: responseText,
      headers: Object.fromEntries(reply.headers),
      status: reply.status,
      statusText: reply.statusText || null,
    }
    if (!reply.ok) throw outcome
    return outcome
  }

  /** Parses as the service's script does. */
  function parseJsonOrFalse(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      return false
    }
  }

  function toExecuteResult({ result }: ClientResponse): unknown {
    const data = typeof result === 'object' && result !== null ? result : undefined
    const error =
      data && 'error' in data ? (data.error as { code?: unknown; message?: unknown; errors?: unknown }) : undefined
    if (!data) return result
    return error ? { ...data, code: error.code, message: error.message, data: error.errors } : { ...data, result }
  }

  function createRequest(sending: GapiRequestOptions, sent?: () => Promise<ClientResponse>): ClientRequest {
    let outcome: Promise<ClientResponse> | undefined
    const send = () => {
      outcome ??= sent ? sent() : sendRequest(sending)
      return outcome
    }
    return {
      sending,
      // biome-ignore lint/suspicious/noThenProperty: requests of the service's script are thenables
      then: (done, failed) => send().then(done, failed) as Promise<never>,
      execute: (callback) => {
        const callBack = (found: ClientResponse) => callback(toExecuteResult(found), found.body)
        void send().then(callBack, callBack)
      },
    }
  }

  /**
   * The body is the second argument, or else `resource`, or else all unknown parameters. Without a required parameter
   * the request rejects with code 400.
   */
  function createMethod({ rootUrl, servicePath }: DiscoveryDocument, method: Method) {
    return (given: RequestParams = {}, second?: unknown): ClientRequest => {
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
        path: resolveUrl(rootUrl + servicePath + filled),
        method: httpMethod,
        params: Object.fromEntries(inQuery),
        ...(method.request && { body: body ?? {} }),
      }
      return missing === undefined
        ? createRequest(sending)
        : createRequest(sending, () => Promise.reject(createMissingParameterError(missing)))
    }
  }

  function createMissingParameterError(name: string): ClientResponse {
    const message = `Missing required parameter: ${name}`
    const error = { domain: 'global', reason: 'required', message, locationType: 'parameter', location: name }
    const result = { error: { errors: [error], code: 400, message } }
    return { result, body: JSON.stringify(result), headers: null, status: 400, statusText: null }
  }

  function createResource(
    document: DiscoveryDocument,
    { methods = {}, resources = {} }: Resource,
  ): Record<string, unknown> {
    const calls = Object.entries(methods).map(([name, method]) => [name, createMethod(document, method)])
    const below = Object.entries(resources).map(([name, one]) => [name, createResource(document, one)])
    return Object.fromEntries([...calls, ...below])
  }

  /**
   * Adds the methods of a discovery document to the client (`gapi.client.calendar`), then calls `then`. The document is
   * given as such, by its URL, or by name and version of a service. Rejects with a ClientResponse if it cannot be read.
   */
  async function load(what: string | DiscoveryDocument, version?: string, then?: () => void): Promise<void> {
    const at = typeof what !== 'string' || version === undefined ? what : `discovery/v1/apis/${what}/${version}/rest`
    const document = typeof at === 'string' ? ((await sendRequest({ path: at })).result as DiscoveryDocument) : at
    client[document.name] = createResource(document, document)
    then?.()
  }

  type Init = { apiKey?: string; discoveryDocs?: (string | DiscoveryDocument)[]; clientId?: string; scope?: string }
  async function init({ apiKey: key, discoveryDocs = [], clientId, scope }: Init = {}): Promise<void> {
    if (clientId !== undefined || scope !== undefined)
      throw {
        error: 'idpiframe_initialization_failed',
        details: 'fake-calendar: gapi.auth2 is not built; take a token by google.accounts.oauth2.initTokenClient',
      }
    if (key !== undefined) apiKey = key
    await Promise.all(discoveryDocs.map((one) => load(one)))
  }

  const client: GapiClient = {
    init,
    load,
    request: (sending) => createRequest(sending),
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
