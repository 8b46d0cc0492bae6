import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'
import { expect, test } from 'vitest'
import { createCompany, NORA } from '../support/mcp.ts'

const REDIRECT = 'http://localhost:3000/callback'

/** A client that is registered beforehand, because the server registers none. It keeps what the SDK gives it. */
class Provider implements OAuthClientProvider {
  opened: URL | undefined
  #tokens: OAuthTokens | undefined
  #verifier = ''
  readonly redirectUrl = REDIRECT
  readonly clientMetadata = { redirect_uris: [REDIRECT], scope: 'https://www.googleapis.com/auth/calendar' }
  clientInformation = () => ({ client_id: 'agent', client_secret: 'secret' })
  tokens = () => this.#tokens
  saveTokens = (tokens: OAuthTokens) => {
    this.#tokens = tokens
  }
  redirectToAuthorization = (url: URL) => {
    this.opened = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
}

test.each(['', '/w/blue'])(
  '17.1 an unmodified client of the SDK signs in at %s by the metadata, and calls a tool',
  async (prefix) => {
    const fake = createCompany()
    const { url, close } = await fake.listen()
    const server = new URL(`${url}${prefix}/mcp/v1`)
    const provider = new Provider()
    const transport = new StreamableHTTPClientTransport(server, { authProvider: provider })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport as never)
    expect((await client.listTools()).tools).toHaveLength(9)
    await expect(client.callTool({ name: 'list_calendars', arguments: {} })).rejects.toThrow('Unauthorized')

    const page = provider.opened ?? new URL('about:blank')
    expect(page.href.startsWith(`${url}${prefix}/o/oauth2/v2/auth?`)).toBe(true)
    page.searchParams.set('login_hint', NORA)
    const consent = await fetch(page, { redirect: 'manual' })
    const code = new URL(consent.headers.get('Location') ?? '').searchParams.get('code') ?? ''
    await transport.finishAuth(code)
    const reply = await client.callTool({ name: 'list_calendars', arguments: { pageSize: 1 } })
    expect(reply.structuredContent).toMatchObject({ calendars: [{ id: NORA }] })
    expect(
      fake
        .world(prefix === '' ? 'default' : 'blue')
        .calls('mcp.list_calendars')
        .at(-1),
    ).toMatchObject({ client: 'agent', account: NORA })
    await client.close()
    await close()
    await fake.close()
  },
)
