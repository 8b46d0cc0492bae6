import type { Part } from './fields.ts'
import { colours } from './state.ts'
import type { Send } from './writes.ts'

type Choice = {
  label: string
  value: string
  options: readonly (readonly [string, string])[]
  choose(value: string): void
}

const Choose = ({ label, value, options, choose }: Choice) => (
  <label>
    {label}
    <select value={value} onChange={(at) => choose(at.currentTarget.value)}>
      {options.map(([name, title]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  </label>
)

/** Names of the event colours, as people know them. */
const NAMES = new Map(
  [
    'Lavender',
    'Sage',
    'Grape',
    'Flamingo',
    'Banana',
    'Tangerine',
    'Peacock',
    'Graphite',
    'Blueberry',
    'Basil',
    'Tomato',
  ].map((name, at) => [String(at + 1), name]),
)

/** What an event may say besides when it is. */
export function More({ fields, set }: Part) {
  const known = Object.keys(colours.value).map((id) => [id, NAMES.get(id) ?? id] as const)
  return (
    <>
      <label>
        Where
        <input value={fields.location} onInput={(at) => set({ location: at.currentTarget.value })} />
      </label>
      <label>
        Description
        <textarea rows={3} value={fields.description} onInput={(at) => set({ description: at.currentTarget.value })} />
      </label>
      <label>
        Guests, one address a line (“optional” after it)
        <textarea rows={2} value={fields.guests} onInput={(at) => set({ guests: at.currentTarget.value })} />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={fields.useDefault}
          onChange={(at) => set({ useDefault: at.currentTarget.checked })}
        />{' '}
        Reminders of the calendar
      </label>
      {!fields.useDefault && (
        <label>
          Reminders, one a line (popup 10, email 60)
          <textarea rows={2} value={fields.reminders} onInput={(at) => set({ reminders: at.currentTarget.value })} />
        </label>
      )}
      <label class="check">
        <input type="checkbox" checked={fields.meet} onChange={(at) => set({ meet: at.currentTarget.checked })} /> Ask
        for a video call
      </label>
      <div class="row">
        <Choose
          label="Colour"
          value={fields.colorId}
          options={[['', "The calendar's"], ...known]}
          choose={(colorId) => set({ colorId })}
        />
        <Choose
          label="Visibility"
          value={fields.visibility}
          options={[
            ['default', "The calendar's"],
            ['public', 'Public'],
            ['private', 'Private'],
          ]}
          choose={(visibility) => set({ visibility })}
        />
        <Choose
          label="Shown as"
          value={fields.transparency}
          options={[
            ['opaque', 'Busy'],
            ['transparent', 'Free'],
          ]}
          choose={(transparency) => set({ transparency })}
        />
        <Choose
          label="Guests are told"
          value={fields.sendUpdates}
          options={[
            ['all', 'All'],
            ['externalOnly', 'Those from elsewhere'],
            ['none', 'Nobody'],
          ]}
          choose={(sendUpdates) => set({ sendUpdates: sendUpdates as Send })}
        />
      </div>
    </>
  )
}
