import { execFile } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { promisify } from 'node:util'

type Env = Readonly<Record<string, string | undefined>>

/** The files by which programs get to know our authority, in a folder that goes with the process. */
export type TrustFiles = {
  folder: string
  /** Ours, and what a program was told to know beside its own. */
  extra: string
  /** The machine's and ours: for variables that replace what a program knows. */
  all: string
  phpFolder: string
  wgetrc: string
  /** A trust store of Java's; none where Java is not installed. */
  javaStore: string | undefined
  remove(): void
}

/** Where machines keep the authorities that they know. */
const MACHINES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]
/** Variables that already tell programs of authorities: they are to be known beside ours. */
const TOLD = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'HTTPLIB2_CA_CERTS',
  'DENO_CERT',
  'NODE_EXTRA_CA_CERTS',
]
const WGETRCS = ['/etc/wgetrc', '/usr/local/etc/wgetrc', '/opt/homebrew/etc/wgetrc']

export async function writeTrust(authority: string, env: Env): Promise<TrustFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const told = [...new Set(TOLD.map((name) => textIn(env[name])))]
    const machines = firstOf(MACHINES) ?? rootCertificates.join('\n')
    const extra = file('authority.pem', [authority, textIn(env.NODE_EXTRA_CA_CERTS), textIn(env.DENO_CERT)].join('\n'))
    const all = file('authorities.pem', [authority, machines, ...told].join('\n'))
    const phpFolder = join(folder, 'php')
    mkdirSync(phpFolder)
    file(join('php', 'fake-calendar.ini'), `curl.cainfo = "${all}"\nopenssl.cafile = "${all}"\n`)
    const wgetrc = file('wgetrc', `${textIn(env.SYSTEM_WGETRC) || firstOf(WGETRCS) || ''}\nca_certificate = ${all}\n`)
    const javaStore = await javaStoreIn(folder, file('ours.pem', authority), env)
    return { folder, extra, all, phpFolder, wgetrc, javaStore, remove }
  } catch (error) {
    remove()
    throw error
  }
}

const textIn = (file: string | undefined): string => (file && existsSync(file) ? readFileSync(file, 'utf8') : '')
const firstOf = (files: readonly string[]): string | undefined => files.map(textIn).find(Boolean)

export const JAVA_PASSWORD = 'changeit'

/** What Java knows, and ours. Nothing but its own tool writes what each of its versions reads. */
async function javaStoreIn(folder: string, ours: string, { JAVA_HOME, PATH = '' }: Env): Promise<string | undefined> {
  const places = [...(JAVA_HOME ? [join(JAVA_HOME, 'bin')] : []), ...PATH.split(delimiter)]
  const keytool = places.map((place) => join(place, 'keytool')).find((file) => existsSync(file))
  if (!keytool) return undefined
  const store = join(folder, 'authorities.jks')
  const known = join(dirname(realpathSync(keytool)), '..', 'lib', 'security', 'cacerts')
  if (existsSync(known)) copyFileSync(known, store)
  const quick = ['-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC']
  const add = ['-importcert', '-noprompt', '-alias', 'fake-calendar', '-file', ours]
  try {
    await promisify(execFile)(keytool, [...quick, ...add, '-keystore', store, '-storepass', JAVA_PASSWORD])
    return store
  } catch {
    // A Java that is not whole: its programs will not know our authority, and say so.
    return undefined
  }
}
