import { withImport } from '../../interception/nodeOptions.ts'
import { ENV } from '../../interception/redirectToServer.ts'
import { JAVA_PASSWORD, type TrustFiles } from './trustFiles.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** What every child is told: where the fake is. */
export const told = (url: string): Env => ({
  [ENV.url]: url,
  FAKE_CALENDAR_CONTROL_URL: `${url}/_control`,
  GOOGLE_CALENDAR_EMULATOR_HOST: new URL(url).host,
})

/** Node 22 would warn on the child's stderr that what the variable asks for is new. */
const QUIETLY = '--disable-warning=UNDICI-EHPA'

const LOCAL = ['localhost', '127.0.0.1', '::1']

/** What a child is told so that all that it sends to the service comes to us. A variable without a value is taken away. */
export function intercepting(proxy: URL, files: TrustFiles, allowed: readonly string[], env: Env): Env {
  const { extra, all, phpFolder, wgetrc } = files
  return {
    ...inBothCases({
      HTTP_PROXY: proxy.origin,
      HTTPS_PROXY: proxy.origin,
      // Whatever they name would be called without us: the service itself, if somebody says so.
      NO_PROXY: LOCAL.join(','),
      ALL_PROXY: undefined,
    }),
    // Node
    NODE_OPTIONS: `${withImport(env.NODE_OPTIONS)} ${QUIETLY}`,
    NODE_USE_ENV_PROXY: '1',
    NODE_EXTRA_CA_CERTS: extra,
    [ENV.proxy]: proxy.origin,
    [ENV.allow]: allowed.join(','),
    // Python's urllib and httpx, HTTP::Tiny, Go, Ruby, Bun
    SSL_CERT_FILE: all,
    // curl, which would go by a folder that SSL_CERT_DIR names before that
    CURL_CA_BUNDLE: all,
    // Python's requests, and httplib2, which Google's client calls by
    REQUESTS_CA_BUNDLE: all,
    HTTPLIB2_CA_CERTS: all,
    // PHP: its own folder of settings, and ours
    PHP_INI_SCAN_DIR: `${env.PHP_INI_SCAN_DIR ?? ''}:${phpFolder}`,
    // LWP of Perl
    PERL_LWP_ENV_PROXY: '1',
    PERL_LWP_SSL_CA_FILE: all,
    // wget, Deno
    SYSTEM_WGETRC: wgetrc,
    DENO_CERT: extra,
    // Java
    JAVA_TOOL_OPTIONS: [env.JAVA_TOOL_OPTIONS, ...javaOptions(proxy, files)].filter(Boolean).join(' '),
    // Google's clients would ask the machine whether it is one of Google's.
    METADATA_SERVER_DETECTION: 'none',
  }
}

const inBothCases = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => [
      [name, value],
      [name.toLowerCase(), value],
    ]),
  )

function javaOptions({ hostname, port }: URL, { javaStore }: TrustFiles): string[] {
  const proxied = ['http', 'https'].flatMap((scheme) => [
    `${scheme}.proxyHost=${hostname}`,
    `${scheme}.proxyPort=${port}`,
  ])
  const trusting = javaStore
    ? [`javax.net.ssl.trustStore=${javaStore}`, `javax.net.ssl.trustStorePassword=${JAVA_PASSWORD}`]
    : []
  return [...proxied, 'http.nonProxyHosts=localhost|127.*|[::1]', ...trusting].map((one) => `-D${one}`)
}
