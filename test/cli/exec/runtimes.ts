import { execFileSync } from 'node:child_process'
import { findMissingProgram, PYTHON } from '../../support/debian.ts'

const URL = 'https://www.googleapis.com/calendar/v3/colors?key=any'

/**
 * A runtime, its command, and the variables of `exec --intercept` that it needs. Without any one of them it does not
 * reach the fake, unless another of the same group is set.
 */
export type Runtime = {
  name: string
  needs: string
  available: string[]
  command: string[]
  variables: (readonly string[])[]
  /** A file that the command reads. */
  file?: { name: string; text: string }
}

/** Both spellings. */
const HTTPS = ['HTTPS_PROXY', 'https_proxy']
const HTTP = ['HTTP_PROXY', 'http_proxy']

const python = (module: string, program: string, ...authority: string[]): Runtime => ({
  name: `Python: ${module}`,
  needs: `python3-${module}`,
  available: [PYTHON, '-c', `import ${module}`],
  command: [PYTHON, '-c', `import ${module}\nprint(${program})`],
  variables: [HTTPS, authority],
})
const perl = (module: string, program: string, variables: Runtime['variables']): Runtime => ({
  name: `Perl: ${module}`,
  needs: 'libwww-perl',
  available: ['/usr/bin/perl', '-MLWP::Protocol::https', '-e', '1'],
  command: ['/usr/bin/perl', `-M${module}`, '-e', `print ${program}`],
  variables,
})

export const RUNTIMES: Runtime[] = [
  {
    name: 'Node',
    needs: 'nodejs',
    available: [process.execPath, '--version'],
    command: [process.execPath, '-e', `fetch('${URL}').then((reply) => reply.text()).then(console.log)`],
    // Newer versions also support the second variable.
    variables: [['NODE_OPTIONS', 'NODE_USE_ENV_PROXY']],
  },
  {
    name: 'curl',
    needs: 'curl',
    available: ['curl', '--version'],
    command: ['curl', '-sS', URL],
    variables: [HTTPS, ['CURL_CA_BUNDLE', 'SSL_CERT_FILE']],
  },
  python('urllib.request', `urllib.request.urlopen('${URL}').read()`, 'SSL_CERT_FILE'),
  python('requests', `requests.get('${URL}').text`, 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'),
  python('httpx', `httpx.get('${URL}').text`, 'SSL_CERT_FILE'),
  python('httplib2', `httplib2.Http().request('${URL}')[1]`, 'HTTPLIB2_CA_CERTS'),
  {
    name: 'Ruby: net/http',
    needs: 'ruby',
    available: ['ruby', '-ropenssl', '-e', '1'],
    command: ['ruby', '-rnet/http', '-e', `puts Net::HTTP.get(URI('${URL}'))`],
    variables: [HTTP, ['SSL_CERT_FILE']],
  },
  {
    name: 'PHP: curl',
    needs: 'php-cli php-curl',
    available: ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
    command: ['php', '-r', `curl_exec(curl_init('${URL}'));`],
    variables: [HTTPS, ['PHP_INI_SCAN_DIR']],
  },
  perl('HTTP::Tiny', `HTTP::Tiny->new(verify_SSL => 1)->get('${URL}')->{content}`, [HTTPS, ['SSL_CERT_FILE']]),
  perl('LWP::UserAgent', `LWP::UserAgent->new->get('${URL}')->content`, [
    HTTPS,
    ['PERL_LWP_ENV_PROXY'],
    ['PERL_LWP_SSL_CA_FILE'],
  ]),
  {
    name: 'wget',
    needs: 'wget',
    available: ['wget', '--version'],
    command: ['wget', '-qO-', '--tries=1', URL],
    variables: [['https_proxy'], ['SYSTEM_WGETRC']],
  },
  {
    name: 'Java',
    needs: 'default-jdk-headless',
    available: ['javac', '-version'],
    command: ['java', 'Colors.java'],
    variables: [['JAVA_TOOL_OPTIONS']],
    file: {
      name: 'Colors.java',
      text: `public class Colors { public static void main(String[] args) throws Exception {
        new java.net.URL("${URL}").openStream().transferTo(System.out); } }`,
    },
  },
]

/** Programs that CI installs must be present; others are tested where they are installed. */
const ALWAYS = /^(Node|curl|Python)/

export function isMissing({ name, needs, available: [command = '', ...args] }: Runtime): boolean {
  if (ALWAYS.test(name)) return findMissingProgram(needs, command, args) !== undefined
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 20_000 })
    return false
  } catch {
    console.warn(`${needs} is not installed: what ${name} needs is not measured`)
    return true
  }
}
