import { useState } from 'preact/hooks'
import { useTimeFormat } from '../../account.ts'
import type { Grant, OAuthFailureName, OAuthSeed } from '../../api/types.ts'
import { Button } from '../../components/Button.tsx'
import { CopyableText } from '../../components/CopyableText.tsx'
import { Field, Form, Select } from '../../components/Form.tsx'
import { QueryView } from '../../components/QueryView.tsx'
import { useControlAction } from '../../hooks/useControlAction.ts'
import { useQuery } from '../../hooks/useQuery.ts'
import { account } from '../../route.ts'
import { Cards, TableCard } from '../TableCard.tsx'

type OAuthState = OAuthSeed & { tokens: Grant[] }

export default function OAuthPanel() {
  const query = useQuery<OAuthState>('/oauth')
  return <QueryView query={query}>{(state) => <OAuthCards {...state} />}</QueryView>
}

function OAuthCards({ grants = [], failures = [], tokens }: OAuthState) {
  const control = useControlAction()
  const format = useTimeFormat()
  return (
    <Cards>
      <TableCard
        title="Access tokens"
        rows={tokens}
        keyOf={({ token }) => token}
        empty="No tokens. An e-mail address is accepted as a token with all scopes."
        columns={[
          { title: 'Token', cell: ({ token }) => <code>{token}</code>, breakable: true },
          { title: 'Account', cell: (one) => one.account },
          { title: 'Client', cell: ({ client = '' }) => client },
          { title: 'Scopes', cell: ({ scopes }) => formatScopes(scopes) },
          {
            title: 'Valid until',
            phrase: true,
            cell: ({ expires, revoked }) => (revoked ? 'Revoked' : expires ? format.instant(expires) : 'No expiry'),
          },
        ]}
        actions={({ token }) => [
          { title: 'Expire', run: () => control('POST', '/oauth/expire', 'The token has expired', { token }) },
          { title: 'Revoke', run: () => control('POST', '/oauth/revoke', 'The token is revoked', { token }) },
        ]}
      >
        <TokenForm />
      </TableCard>
      <TableCard
        title="Next failures"
        rows={failures}
        keyOf={(_, index) => index}
        empty="Sign-ins succeed."
        columns={[
          { title: 'Failure', cell: ({ fail }) => FAILURES[fail] },
          { title: 'Times', number: true, cell: ({ times = 1 }) => times },
        ]}
      >
        <FailureForm isEmpty={failures.length === 0} />
      </TableCard>
      <TableCard
        title="Consents"
        rows={grants}
        keyOf={(_, index) => index}
        empty="No account has given a client access."
        columns={[
          { title: 'Account', cell: (one) => one.account },
          { title: 'Client', cell: ({ client }) => client },
          { title: 'Scopes', cell: ({ scopes }) => formatScopes(scopes) },
          { title: 'Refresh token', cell: (one) => (one.revoked ? 'Revoked' : one.refreshToken), breakable: true },
        ]}
      />
    </Cards>
  )
}

/** By the last parts of their URLs; `all` if undefined. */
const formatScopes = (scopes: readonly string[] | undefined): string =>
  scopes === undefined ? 'all' : scopes.map((scope) => scope.replace(/^.*\/auth\//, '')).join(', ')

function TokenForm() {
  const control = useControlAction()
  const [life, setLife] = useState('1h')
  const [token, setToken] = useState<string>()
  const email = account.value
  const create = async () => {
    const body = { account: email, life }
    setToken((await control<{ token: string }>('POST', '/oauth/mint', `Created a token of ${email}`, body)).token)
  }
  return (
    <>
      <Form
        label={`Tokens of ${email}`}
        submit="Create token"
        run={create}
        actions={
          <Button
            disabled={email === ''}
            confirm={`Revoke all tokens and consents of ${email}?`}
            run={() => control('POST', '/oauth/revoke', `Tokens of ${email} are revoked`, { account: email })}
          >
            Revoke all of {email}
          </Button>
        }
      >
        <Field label="Valid for" value={life} change={setLife} size={5} placeholder="1h" />
      </Form>
      {token && <CopyableText name="New token" text={token} />}
    </>
  )
}

/** Failures of the next consent (`failures` in the API). */
const FAILURES: Record<OAuthFailureName, string> = {
  denied: 'The user denies access',
  noRefreshToken: 'No refresh token',
}

function FailureForm({ isEmpty }: { isEmpty: boolean }) {
  const control = useControlAction()
  const [fail, setFail] = useState<OAuthFailureName>('denied')
  return (
    <Form
      label="Fail the next sign-in"
      submit="Fail once"
      run={() => control('POST', '/oauth/fail', `Next failure: ${FAILURES[fail]}`, { fail })}
      actions={
        <Button disabled={isEmpty} run={() => control('POST', '/oauth/forget', 'Sign-ins succeed again')}>
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
  )
}
