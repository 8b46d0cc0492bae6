import { useState } from 'preact/hooks'
import type { Consent, OAuthClient, OAuthCue, OAuthCueName, OAuthSeed, ServiceAccount } from '../../wire/seeds/oauth.ts'
import type { Grant } from '../../world/credentials.ts'
import { instant } from '../moments.ts'
import { Button } from '../parts/button.tsx'
import { Shown } from '../parts/shown.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { useControl } from '../reading.ts'
import { account } from '../route.ts'
import { steer } from '../steer.ts'

const OAUTH = '/oauth'

/** What may go wrong next. */
const FAILURES: Record<OAuthCueName, string> = {
  denied: 'the person denies',
  noRefreshToken: 'no refresh token is given',
  authorizationPending: 'the device has to wait',
  slowDown: 'the device asks too often',
  invalidGrant: 'the grant is invalid',
  invalidClient: 'the client is unknown',
  revoked: 'the token was revoked',
  unavailable: 'the token endpoint is away',
}

/** Who has signed in and by which client, and what fails when somebody signs in. */
export default function OAuth() {
  const read = useControl<OAuthSeed & { tokens: Grant[] }>(OAUTH)
  return (
    <Shown read={read}>
      {({ clients = [], serviceAccounts = [], grants = [], cues = [], tokens }) => (
        <>
          <Tokens />
          <Table
            caption="Access tokens"
            rows={tokens}
            keyOf={({ token }) => token}
            none="No token has been handed out. An address is taken as one of everything."
            columns={TOKEN}
          />
          <Table
            caption="Consents"
            rows={grants}
            keyOf={({ client, account, refreshToken = '' }) => `${client} ${account} ${refreshToken}`}
            none="Nobody has let a client act for them."
            columns={CONSENT}
          />
          <Failures cues={cues} />
          <Table caption="Clients" rows={clients} keyOf={({ id }) => id} none="Any client is taken." columns={CLIENT} />
          <Table
            caption="Service accounts"
            rows={serviceAccounts}
            keyOf={({ email }) => email}
            none="None is known by a seed."
            columns={ROBOT}
          />
        </>
      )}
    </Shown>
  )
}

/** Tokens of the account that the page acts as. */
function Tokens() {
  const [life, setLife] = useState('1h')
  const [made, setMade] = useState<string>()
  const whose = account.value
  const mint = async () => {
    const { token } = await steer<{ token: string }>('POST', `${OAUTH}/mint`, `Made a token of ${whose}`, {
      account: whose,
      life,
    })
    setMade(token)
  }
  return (
    <fieldset class="actions" aria-label={`Tokens of ${whose}`}>
      <label>
        Good for <input size={5} value={life} onInput={({ currentTarget }) => setLife(currentTarget.value)} />
      </label>
      <Button act={mint} disabled={whose === ''}>
        Make a token
      </Button>
      <Button
        disabled={whose === ''}
        act={() => steer('POST', `${OAUTH}/expire`, `Tokens of ${whose} have expired`, { account: whose })}
      >
        Expire all of {whose || 'nobody'}
      </Button>
      <Button
        disabled={whose === ''}
        confirm={`Take back every token and consent of ${whose}?`}
        act={() =>
          steer('POST', `${OAUTH}/revoke`, `Tokens and consents of ${whose} are taken back`, { account: whose })
        }
      >
        Revoke all of {whose || 'nobody'}
      </Button>
      {made && <output>{made}</output>}
    </fieldset>
  )
}

function Failures({ cues }: { cues: readonly OAuthCue[] }) {
  const [fail, setFail] = useState<OAuthCueName>('invalidGrant')
  return (
    <>
      <Table caption="Failures to come" rows={cues} keyOf={(_, at) => at} none="Signing in works." columns={CUE} />
      <fieldset class="actions" aria-label="Fail the next sign-in">
        <label>
          Next{' '}
          <select value={fail} onChange={({ currentTarget }) => setFail(currentTarget.value as OAuthCueName)}>
            {Object.entries(FAILURES).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <Button act={() => steer('POST', OAUTH, `Next: ${FAILURES[fail]}`, { fail })}>Fail once</Button>
        <Button disabled={cues.length === 0} act={() => steer('DELETE', OAUTH, 'Signing in works again')}>
          Forget failures
        </Button>
      </fieldset>
    </>
  )
}

/** Ends one token: by time, or taken back with all that its client may do. */
const Ends = ({ token }: { token: string }) => (
  <div class="actions">
    <Button label={`Expire ${token}`} act={() => steer('POST', `${OAUTH}/expire`, 'The token has expired', { token })}>
      Expire
    </Button>
    <Button
      label={`Revoke ${token}`}
      act={() => steer('POST', `${OAUTH}/revoke`, 'The token is taken back', { token })}
    >
      Revoke
    </Button>
  </div>
)

const scoped = (scopes: readonly string[] | undefined) =>
  scopes === undefined ? 'everything' : scopes.map((scope) => scope.replace(/^.*\/auth\//, '')).join(', ')

const TOKEN: readonly Column<Grant>[] = [
  { title: 'Token', cell: ({ token }) => <code>{token}</code> },
  { title: 'Account', cell: ({ account }) => account },
  { title: 'Client', cell: ({ client = '' }) => client },
  { title: 'Scopes', cell: ({ scopes }) => scoped(scopes) },
  { title: 'Good until', cell: ({ expires, revoked }) => (revoked ? 'revoked' : expires ? instant(expires) : 'ever') },
  { title: 'End', cell: ({ token }) => <Ends token={token} /> },
]
const CONSENT: readonly Column<Consent>[] = [
  { title: 'Account', cell: ({ account }) => account },
  { title: 'Client', cell: ({ client }) => client },
  { title: 'Scopes', cell: ({ scopes }) => scoped(scopes) },
  { title: 'Refresh token', cell: ({ refreshToken, revoked }) => (revoked ? 'revoked' : <code>{refreshToken}</code>) },
]
const CUE: readonly Column<OAuthCue>[] = [
  { title: 'What', cell: ({ fail }) => FAILURES[fail] },
  { title: 'Times', number: true, cell: ({ times = 1 }) => times },
]
const CLIENT: readonly Column<OAuthClient>[] = [
  { title: 'Client', cell: ({ id }) => id },
  { title: 'Kind', cell: ({ type = '' }) => type },
  { title: 'Called back at', cell: ({ redirectUris = [] }) => redirectUris.join(', ') },
]
const ROBOT: readonly Column<ServiceAccount>[] = [
  { title: 'Service account', cell: ({ email }) => email },
  { title: 'Acts for others with', cell: ({ delegation }) => (delegation ? scoped(delegation.scopes) : 'nobody') },
]
