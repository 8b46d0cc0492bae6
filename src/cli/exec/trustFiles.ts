import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { promisify } from 'node:util'
import { writeOutputFile } from '../writeOutputFile.ts'
import type { Env } from './env.ts'

/** Certificates are PEM. */
export type TrustFiles = {
  extra: string
  all: string
  phpFolder: string
  wgetrc: string
  javaStore: string | undefined
}

const SYSTEM_CERTIFICATES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]
const CERTIFICATE_VARIABLES = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'HTTPLIB2_CA_CERTS',
  'DENO_CERT',
  'NODE_EXTRA_CA_CERTS',
]
const WGETRCS = ['/etc/wgetrc', '/usr/local/etc/wgetrc', '/opt/homebrew/etc/wgetrc']

/** Programs trust the authority in addition to those of the system and of the environment. */
export async function writeTrustFiles(folder: string, authority: string, env: Env): Promise<TrustFiles> {
  const writeTrustFile = (name: string, text: string): string => {
    writeOutputFile(join(folder, name), text)
    return join(folder, name)
  }
  const known = [...new Set(CERTIFICATE_VARIABLES.map((name) => readTextIfExists(env[name])))]
  const system = readFirstText(SYSTEM_CERTIFICATES) ?? rootCertificates.join('\n')
  const extra = writeTrustFile(
    'authority.pem',
    [authority, readTextIfExists(env.NODE_EXTRA_CA_CERTS), readTextIfExists(env.DENO_CERT)].join('\n'),
  )
  const all = writeTrustFile('authorities.pem', [authority, system, ...known].join('\n'))
  const phpFolder = join(folder, 'php')
  mkdirSync(phpFolder)
  writeTrustFile(join('php', 'fake-calendar.ini'), `curl.cainfo = "${all}"\nopenssl.cafile = "${all}"\n`)
  const wgetrc = writeTrustFile(
    'wgetrc',
    `${readTextIfExists(env.SYSTEM_WGETRC) || readFirstText(WGETRCS) || ''}\nca_certificate = ${all}\n`,
  )
  const javaStore = await writeJavaStore(folder, writeTrustFile('ours.pem', authority), env)
  return { extra, all, phpFolder, wgetrc, javaStore }
}

const readTextIfExists = (file: string | undefined): string =>
  file && existsSync(file) ? readFileSync(file, 'utf8') : ''
const readFirstText = (files: readonly string[]): string | undefined => files.map(readTextIfExists).find(Boolean)

export const JAVA_PASSWORD = 'changeit'

/**
 * Uses the keytool of Java, because only that writes a store that its version can read. Undefined if Java is missing
 * or incomplete.
 */
async function writeJavaStore(
  folder: string,
  ours: string,
  { JAVA_HOME, PATH = '' }: Env,
): Promise<string | undefined> {
  const folders = [...(JAVA_HOME ? [join(JAVA_HOME, 'bin')] : []), ...PATH.split(delimiter)]
  const keytool = folders
    .flatMap((one) => [join(one, 'keytool'), join(one, 'keytool.exe')])
    .find((file) => existsSync(file))
  if (!keytool) return undefined
  const store = join(folder, 'authorities.jks')
  const cacerts = join(dirname(realpathSync(keytool)), '..', 'lib', 'security', 'cacerts')
  if (existsSync(cacerts)) copyFileSync(cacerts, store)
  const quick = ['-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC']
  const add = ['-importcert', '-noprompt', '-alias', 'fake-calendar', '-file', ours]
  try {
    await promisify(execFile)(keytool, [...quick, ...add, '-keystore', store, '-storepass', JAVA_PASSWORD])
    return store
  } catch {
    return undefined
  }
}
