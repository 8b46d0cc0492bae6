import { useState } from 'preact/hooks'
import { COLLECTED } from '../../sync/expiry.ts'
import { overview } from '../overview.ts'
import { Field, Fields, numberIn } from '../parts/fields.tsx'
import { steer } from '../steer.ts'
import { Part } from './part.tsx'

/** Lets sync tokens expire: all, or those of somebody, of a calendar, of a list. */
export function TokensPart() {
  const [account, setAccount] = useState('')
  const [calendarId, setCalendar] = useState('')
  const [collection, setCollection] = useState('')
  const [afterUses, setUses] = useState('')
  const uses = numberIn(afterUses)
  const which = [
    account && `of ${account}`,
    calendarId && `of the calendar ${calendarId}`,
    collection && `of ${collection}`,
  ]
  const whose = which.filter(Boolean).join(', ') || 'so far'
  const expire = () =>
    steer(
      'POST',
      '/syncTokens/expire',
      uses === undefined ? `All sync tokens ${whose} answer 410` : `Sync tokens ${whose} answer 410 after ${uses} uses`,
      {
        account: account || undefined,
        calendarId: calendarId.trim() || undefined,
        collection: collection || undefined,
        afterUses: uses,
      },
    )
  return (
    <Part id="tokens" title="Sync tokens">
      <Fields label="Expire sync tokens" title="Expire" act={expire}>
        <label>
          Account
          <select value={account} onChange={({ currentTarget }) => setAccount(currentTarget.value)}>
            <option value="">Anybody's</option>
            {overview.value?.accounts.map(({ email }) => (
              <option key={email} value={email}>
                {email}
              </option>
            ))}
          </select>
        </label>
        <Field label="Calendar" value={calendarId} change={setCalendar} placeholder="any" />
        <label>
          Of lists of
          <select value={collection} onChange={({ currentTarget }) => setCollection(currentTarget.value)}>
            <option value="">anything</option>
            {COLLECTED.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Field label="After uses" type="number" min={1} value={afterUses} change={setUses} placeholder="now" />
      </Fields>
      <p class="hint">Clients that come with one are answered 410, and have to begin anew.</p>
    </Part>
  )
}
