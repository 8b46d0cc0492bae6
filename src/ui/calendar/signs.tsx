import { SIGNS, type Sign } from './looks.ts'

/** Drawn in a square of 16; those that are not here are told by the look of the event itself. */
const DRAWN: Partial<Record<Sign, string>> = {
  recurring:
    'M3 8a5 5 0 0 1 9-3l1-1v4H9l1.6-1.6A3.4 3.4 0 0 0 4.6 8ZM13 8a5 5 0 0 1-9 3l-1 1V8h4l-1.600 1.600A3.4 3.4 0 0 0 11.400 8Z',
  private: 'M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7Zm2 0h4V5a2 2 0 0 0-4 0Z',
  meet: 'M1 4h9v8H1Zm10 3 4-3v8l-4-3Z',
  attachments: 'M5 5v6a3 3 0 0 0 6 0V4a2 2 0 0 0-4 0v6h1.500V4a.5.5 0 0 1 1 0v7a1.500 1.500 0 0 1-3 0V5Z',
  workingLocation: 'M8 1a5 5 0 0 1 5 5c0 3-5 9-5 9S3 9 3 6a5 5 0 0 1 5-5Zm0 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z',
  outOfOffice: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1ZM4 7v2h8V7Z',
  focusTime: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1Zm0 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm0 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z',
  birthday: 'M7.500 1h1v3h-1ZM4 5h8v3H4ZM2 9h12v6H2Z',
}

/** What is to be recognised in an event: a sign for the eye, and its words for who listens. */
export function Signs({ signs }: { signs: readonly Sign[] }) {
  if (signs.length === 0) return null
  return (
    <>
      {signs.map((sign) => {
        const path = DRAWN[sign]
        return path === undefined ? null : (
          <svg key={sign} class="sign" viewBox="0 0 16 16" aria-hidden="true">
            <path d={path} />
          </svg>
        )
      })}
      <span class="unseen">, {signs.map((sign) => SIGNS[sign]).join(', ')}</span>
    </>
  )
}
