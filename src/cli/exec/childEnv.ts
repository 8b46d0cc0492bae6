import { addRegisterImport } from '../../interception/nodeOptions.ts'
import { ENV } from '../../interception/redirectToServer.ts'
import type { Started } from '../greeting.ts'
import type { Env } from './env.ts'
import { JAVA_PASSWORD, type TrustFiles } from './trustFiles.ts'

/** The fake's default world is the first one of `--worlds`. */
export const createServerEnv = ({ url, rootUrl }: Started): Env => ({
  [ENV.url]: rootUrl.replace(/\/$/, ''),
  FAKE_CALENDAR_CONTROL_URL: `${rootUrl}_control`,
  GOOGLE_CALENDAR_EMULATOR_HOST: new URL(url).host,
})

/** Node 22 otherwise warns on stderr that NODE_USE_ENV_PROXY is experimental. */
const WITHOUT_WARNING = '--disable-warning=UNDICI-EHPA'

const LOCAL = ['localhost', '127.0.0.1', '::1']

/** `allowed` are the hosts that are let through, and `forwarded` those that the proxy sends to other fakes. Values of `env` that a program also needs, such as NODE_OPTIONS, are kept. */
export function createInterceptionEnv(
  proxy: URL,
  files: TrustFiles,
  { allowed, forwarded }: { allowed: readonly string[]; forwarded: readonly string[] },
  env: Env,
): Env {
  const { extra, all, phpFolder, wgetrc } = files
  return {
    ...addLowerCaseNames({
      HTTP_PROXY: proxy.origin,
      HTTPS_PROXY: proxy.origin,
      // Hosts in these variables would be called without the proxy, even the service's own.
      NO_PROXY: LOCAL.join(','),
      ALL_PROXY: undefined,
    }),
    NODE_OPTIONS: `${addRegisterImport(env.NODE_OPTIONS)} ${WITHOUT_WARNING}`,
    NODE_USE_ENV_PROXY: '1',
    NODE_EXTRA_CA_CERTS: extra,
    [ENV.proxy]: proxy.origin,
    [ENV.allow]: allowed.join(','),
    [ENV.forward]: forwarded.join(','),
    SSL_CERT_FILE: all,
    // curl, because SSL_CERT_DIR would take precedence over SSL_CERT_FILE
    CURL_CA_BUNDLE: all,
    REQUESTS_CA_BUNDLE: all,
    HTTPLIB2_CA_CERTS: all,
    PHP_INI_SCAN_DIR: `${env.PHP_INI_SCAN_DIR ?? ''}:${phpFolder}`,
    PERL_LWP_ENV_PROXY: '1',
    PERL_LWP_SSL_CA_FILE: all,
    SYSTEM_WGETRC: wgetrc,
    DENO_CERT: extra,
    JAVA_TOOL_OPTIONS: [env.JAVA_TOOL_OPTIONS, ...formatJavaOptions(proxy, files)].filter(Boolean).join(' '),
    METADATA_SERVER_DETECTION: 'none',
  }
}

/** Programs differ in which names they read. */
const addLowerCaseNames = (env: Env): Env =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => [
      [name, value],
      [name.toLowerCase(), value],
    ]),
  )

function formatJavaOptions({ hostname, port }: URL, { javaStore }: TrustFiles): string[] {
  const proxyOptions = ['http', 'https'].flatMap((scheme) => [
    `${scheme}.proxyHost=${hostname}`,
    `${scheme}.proxyPort=${port}`,
  ])
  const trustOptions = javaStore
    ? [`javax.net.ssl.trustStore=${javaStore}`, `javax.net.ssl.trustStorePassword=${JAVA_PASSWORD}`]
    : []
  return [...proxyOptions, 'http.nonProxyHosts=localhost|127.*|[::1]', ...trustOptions].map((one) => `-D${one}`)
}
