import { lacks, type ProgramName, pathOf } from '../../support/programs.ts'

const URL = 'https://www.googleapis.com/calendar/v3/colors?key=any'

/**
 * A runtime, its command, and the variables of `exec --intercept` that it needs. Without any one of them it does not
 * reach the fake, unless another of the same group is set.
 */
export type Runtime = {
  name: string
  /** The program that it needs; undefined for Node itself. */
  needs?: ProgramName
  command: string[]
  variables: (readonly string[])[]
  /** A file that the command reads. */
  file?: { name: string; text: string }
}

/** Both spellings. */
const HTTPS = ['HTTPS_PROXY', 'https_proxy']
const HTTP = ['HTTP_PROXY', 'http_proxy']

const python = (needs: ProgramName, module: string, program: string, ...authority: string[]): Runtime => ({
  name: `Python: ${module}`,
  needs,
  command: [pathOf(needs), '-c', `import ${module}\nprint(${program})`],
  variables: [HTTPS, authority],
})
const perl = (needs: ProgramName, module: string, program: string, variables: Runtime['variables']): Runtime => ({
  name: `Perl: ${module}`,
  needs,
  command: [pathOf(needs), `-M${module}`, '-e', `print ${program}`],
  variables,
})

export const RUNTIMES: Runtime[] = [
  {
    name: 'Node',
    command: [process.execPath, '-e', `fetch('${URL}').then((reply) => reply.text()).then(console.log)`],
    // Newer versions also support the second variable.
    variables: [['NODE_OPTIONS', 'NODE_USE_ENV_PROXY']],
  },
  {
    name: 'curl',
    needs: 'curl',
    command: ['curl', '-sS', URL],
    variables: [HTTPS, ['CURL_CA_BUNDLE', 'SSL_CERT_FILE']],
  },
  python('python3', 'urllib.request', `urllib.request.urlopen('${URL}').read()`, 'SSL_CERT_FILE'),
  python('python3 requests', 'requests', `requests.get('${URL}').text`, 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'),
  python('python3 httpx', 'httpx', `httpx.get('${URL}').text`, 'SSL_CERT_FILE'),
  python('python3 httplib2', 'httplib2', `httplib2.Http().request('${URL}')[1]`, 'HTTPLIB2_CA_CERTS'),
  {
    name: 'Ruby: net/http',
    needs: 'ruby',
    command: ['ruby', '-rnet/http', '-e', `puts Net::HTTP.get(URI('${URL}'))`],
    variables: [HTTP, ['SSL_CERT_FILE']],
  },
  {
    name: 'PHP: curl',
    needs: 'php curl',
    command: [pathOf('php curl'), '-r', `curl_exec(curl_init('${URL}'));`],
    variables: [HTTPS, ['PHP_INI_SCAN_DIR']],
  },
  perl('perl HTTP::Tiny', 'HTTP::Tiny', `HTTP::Tiny->new(verify_SSL => 1)->get('${URL}')->{content}`, [
    HTTPS,
    ['SSL_CERT_FILE'],
  ]),
  perl('perl LWP', 'LWP::UserAgent', `LWP::UserAgent->new->get('${URL}')->content`, [
    HTTPS,
    ['PERL_LWP_ENV_PROXY'],
    ['PERL_LWP_SSL_CA_FILE'],
  ]),
  {
    name: 'wget',
    needs: 'wget',
    command: ['wget', '-qO-', '--tries=1', URL],
    variables: [['https_proxy'], ['SYSTEM_WGETRC']],
  },
  {
    name: 'Java',
    needs: 'java',
    command: [pathOf('java'), 'Colors.java'],
    variables: [['JAVA_TOOL_OPTIONS']],
    file: {
      name: 'Colors.java',
      text: `public class Colors { public static void main(String[] args) throws Exception {
        new java.net.URL("${URL}").openStream().transferTo(System.out); } }`,
    },
  },
]

export const isMissing = ({ needs }: Runtime): boolean => needs !== undefined && lacks(needs)
