import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import type {
  Consent,
  Grant,
  OAuthClient,
  OAuthFailure,
  OAuthFailureName,
  OAuthSeed,
  ServiceAccount,
} from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { CopyableText } from '../../components/CopyButton.tsx'
import { Field, Form, Select } from '../../components/Form.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { account } from '../../route.ts'
import type { TimeFormat } from '../../time/timeFormat.ts'
import styles from './OAuthPanel.module.css'

const OAUTH = '/oauth'

/** Failures of the next consent (`failures` in the API). */
const FAILURES: Record<OAuthFailureName, string> = {
  denied: 'The user denies access',
  noRefreshToken: 'No refresh token',
}

export default function OAuthPanel() {
  const format = useTimeFormat()
  const query = useQuery<OAuthSeed & { tokens: Grant[] }>(OAUTH)
  return (
    <QueryView query={query}>
      {({ clients = [], serviceAccounts = [], grants = [], failures = [], tokens }) => (
        <div class={styles.panel}>
          <section class="card" aria-label="Access tokens">
            <Table
              caption="Access tokens"
              rows={tokens}
              keyOf={({ token }) => token}
              empty="No tokens. An e-mail address is accepted as a token with all scopes."
              columns={createTokenColumns(format)}
            />
            <TokenForm />
          </section>
          <section class="card" aria-label="Next sign-ins">
            <FailureQueue failures={failures} />
          </section>
          <section class="card" aria-label="Consents">
            <Table
              caption="Consents"
              rows={grants}
              keyOf={({ client, account: email, refreshToken = '' }) => `${client} ${email} ${refreshToken}`}
              empty="No account has given a client access."
              columns={CONSENT_COLUMNS}
            />
          </section>
          <section class="card" aria-label="Clients">
            <Table
              caption="Clients"
              rows={clients}
              keyOf={({ id }) => id}
              empty="No clients in the seed. Any client is accepted."
              columns={CLIENT_COLUMNS}
            />
          </section>
          <section class="card" aria-label="Service accounts">
            <Table
              caption="Service accounts"
              rows={serviceAccounts}
              keyOf={({ email }) => email}
              empty="No service accounts in the seed."
              columns={SERVICE_ACCOUNT_COLUMNS}
            />
          </section>
        </div>
      )}
    </QueryView>
  )
}

function TokenForm() {
  const control = useControlAction()
  const [life, setLife] = useState('1h')
  const [token, setToken] = useState<string>()
  const email = account.value
  const create = async () => {
    const created = await control<{ token: string }>('POST', `${OAUTH}/mint`, `Created a token of ${email}`, {
      ...{ account: email, life },
    })
    setToken(created.token)
  }
  return (
    <>
      <Form
        label={`Tokens of ${email}`}
        submit="Create token"
        run={create}
        actions={
          <>
            <Button
              disabled={email === ''}
              run={() => control('POST', `${OAUTH}/expire`, `Tokens of ${email} have expired`, { account: email })}
            >
              Expire all of {email || 'nobody'}
            </Button>
            <Button
              disabled={email === ''}
              confirm={`Revoke all tokens and consents of ${email}?`}
              run={() =>
                control('POST', `${OAUTH}/revoke`, `Tokens and consents of ${email} are revoked`, { account: email })
              }
            >
              Revoke all of {email || 'nobody'}
            </Button>
          </>
        }
      >
        <Field label="Valid for" value={life} change={setLife} size={5} placeholder="1h" />
      </Form>
      {token && <CopyableText name="New token" text={token} />}
    </>
  )
}

function FailureQueue({ failures }: { failures: readonly OAuthFailure[] }) {
  const control = useControlAction()
  const [fail, setFail] = useState<OAuthFailureName>('denied')
  return (
    <>
      <Table
        caption="Next failures"
        rows={failures}
        keyOf={(_, index) => index}
        empty="Sign-ins succeed."
        columns={CUE_COLUMNS}
      />
      <Form
        label="Fail the next sign-in"
        submit="Fail once"
        run={() => control('POST', `${OAUTH}/fail`, `Next failure: ${FAILURES[fail]}`, { fail })}
        actions={
          <Button
            disabled={failures.length === 0}
            run={() => control('POST', `${OAUTH}/forget`, 'Sign-ins succeed again')}
          >
            Remove failures
          </Button>
        }
      >
        <Select
          label="Next"
          value={fail}
          change={(next) => setFail(next)}
          options={Object.entries(FAILURES) as [OAuthFailureName, string][]}
        />
      </Form>
    </>
  )
}

function TokenActions({ token }: { token: string }) {
  const control = useControlAction()
  return (
    <div class="actions">
      <Button
        label={`Expire ${token}`}
        run={() => control('POST', `${OAUTH}/expire`, 'The token has expired', { token })}
      >
        Expire
      </Button>
      <Button
        label={`Revoke ${token}`}
        run={() => control('POST', `${OAUTH}/revoke`, 'The token is revoked', { token })}
      >
        Revoke
      </Button>
    </div>
  )
}

/** By the last parts of their URLs; `all` if undefined. */
const formatScopes = (scopes: readonly string[] | undefined): string =>
  scopes === undefined ? 'all' : scopes.map((scope) => scope.replace(/^.*\/auth\//, '')).join(', ')

const createTokenColumns = (format: TimeFormat): readonly Column<Grant>[] => [
  { title: 'Token', cell: ({ token }) => <code>{token}</code>, breakable: true },
  { title: 'Account', cell: ({ account: email }) => email },
  { title: 'Client', cell: ({ client = '' }) => client },
  { title: 'Scopes', cell: ({ scopes }) => formatScopes(scopes) },
  {
    title: 'Valid until',
    phrase: true,
    cell: ({ expires, revoked }) => (revoked ? 'Revoked' : expires ? format.instant(expires) : 'No expiry'),
  },
  { title: 'Actions', actions: true, cell: ({ token }) => <TokenActions token={token} /> },
]
const CONSENT_COLUMNS: readonly Column<Consent>[] = [
  { title: 'Account', cell: ({ account: email }) => email },
  { title: 'Client', cell: ({ client }) => client },
  { title: 'Scopes', cell: ({ scopes }) => formatScopes(scopes) },
  {
    title: 'Refresh token',
    cell: ({ refreshToken, revoked }) => (revoked ? 'Revoked' : <code>{refreshToken}</code>),
    breakable: true,
  },
]
const CUE_COLUMNS: readonly Column<OAuthFailure>[] = [
  { title: 'Failure', cell: ({ fail }) => FAILURES[fail] },
  { title: 'Times', number: true, cell: ({ times = 1 }) => times },
]
const CLIENT_COLUMNS: readonly Column<OAuthClient>[] = [
  { title: 'Client', cell: ({ id }) => id },
  { title: 'Type', cell: ({ type = '' }) => type },
  { title: 'Redirect URIs', cell: ({ redirectUris = [] }) => redirectUris.join(', '), breakable: true },
]
const SERVICE_ACCOUNT_COLUMNS: readonly Column<ServiceAccount>[] = [
  { title: 'Service account', cell: ({ email }) => email },
  { title: 'Delegation', cell: ({ delegation }) => (delegation ? formatScopes(delegation.scopes) : 'none') },
]
