import { useState } from 'preact/hooks'
import type { EventColors } from '../../account.ts'
import { Checkbox, Field, Select, TextField } from '../../components/Form.tsx'
import { useSession } from '../../session.ts'
import { knownZones } from '../../time/wallTime.ts'
import styles from './EventForm.module.css'
import type { SendUpdatesOption } from './eventWrites.ts'
import { type FormPart, LABELS, withMovedEnd } from './formFields.ts'
import { REPEAT_PRESETS, type Repeat } from './repeatPresets.ts'

/** A change of the start moves the end. Instances have no recurrence. */
export function WhenFields({ fields, errors, set, isInstance }: FormPart & { isInstance: boolean }) {
  const { allDay, startDate, startTime, endDate, endTime, repeat, rules } = fields
  return (
    <>
      <Checkbox label={LABELS.allDay} checked={allDay} change={(to) => set({ allDay: to })} />
      <div class={styles.row}>
        <Field
          label={LABELS.startDate}
          type="date"
          value={startDate}
          error={errors.startDate}
          change={(value) => set(withMovedEnd(fields, { startDate: value }))}
        />
        {!allDay && (
          <Field
            label={LABELS.startTime}
            type="time"
            value={startTime}
            error={errors.startTime}
            change={(value) => set(withMovedEnd(fields, { startTime: value }))}
          />
        )}
        <Field
          label={LABELS.endDate}
          type="date"
          value={endDate}
          error={errors.endDate}
          change={(value) => set({ endDate: value })}
        />
        {!allDay && (
          <Field
            label={LABELS.endTime}
            type="time"
            value={endTime}
            error={errors.endTime}
            change={(value) => set({ endTime: value })}
          />
        )}
        {!allDay && (
          <>
            <Field
              label={LABELS.timeZone}
              list="zones"
              placeholder="Europe/Berlin"
              value={fields.timeZone}
              error={errors.timeZone}
              change={(timeZone) => set({ timeZone })}
            />
            <datalist id="zones">
              {knownZones().map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </div>
      {!isInstance && (
        <Select<Repeat>
          label={LABELS.repeat}
          value={repeat}
          change={(value) => set({ repeat: value })}
          options={[...REPEAT_PRESETS.map(({ id, title }) => [id, title] as const), ['custom', 'Custom rules']]}
        />
      )}
      {!isInstance && repeat === 'custom' && (
        <TextField
          label={LABELS.rules}
          rows={2}
          placeholder="RRULE:FREQ=WEEKLY;BYDAY=TU"
          value={rules}
          error={errors.rules}
          change={(value) => set({ rules: value })}
        />
      )}
    </>
  )
}

const COLOR_NAMES = [
  ...['Lavender', 'Sage', 'Grape', 'Flamingo', 'Banana', 'Tangerine'],
  ...['Peacock', 'Graphite', 'Blueberry', 'Basil', 'Tomato'],
]
const formatColor = (id: string): string => COLOR_NAMES[Number(id) - 1] ?? id

/** Completes the known accounts by name or address. */
function GuestField({ fields, set }: Pick<FormPart, 'fields' | 'set'>) {
  const { overview } = useSession()
  const [text, setText] = useState('')
  const guests = fields.guests.split(/[\n,]/).map((line) => line.trim().split(/\s/)[0])
  const others = (overview.value?.accounts ?? []).filter(({ email }) => !guests.includes(email))
  const change = (value: string) => {
    const isKnown = others.some(({ email }) => email === value)
    setText(isKnown ? '' : value)
    if (isKnown) set({ guests: [fields.guests.trim(), value].filter(Boolean).join('\n') })
  }
  return (
    <>
      <Field label="Add a guest" list="accounts" placeholder="Name or address" value={text} change={change} />
      <datalist id="accounts">
        {others.map(({ email, displayName }) => (
          <option key={email} value={email}>
            {displayName ?? email}
          </option>
        ))}
      </datalist>
    </>
  )
}

export function EventFields({ fields, errors, set, colors }: FormPart & { colors: EventColors }) {
  return (
    <>
      <GuestField fields={fields} set={set} />
      <TextField
        label={`${LABELS.guests}, one address per line`}
        rows={2}
        placeholder="bob@example.com optional"
        value={fields.guests}
        error={errors.guests}
        change={(guests) => set({ guests })}
      />
      <Field label={LABELS.location} value={fields.location} change={(location) => set({ location })} />
      <TextField
        label={LABELS.description}
        rows={3}
        value={fields.description}
        change={(description) => set({ description })}
      />
      <div class={styles.row}>
        <Checkbox label={LABELS.meet} checked={fields.meet} change={(meet) => set({ meet })} />
        <Checkbox label={LABELS.useDefault} checked={fields.useDefault} change={(useDefault) => set({ useDefault })} />
      </div>
      {!fields.useDefault && (
        <TextField
          label={`${LABELS.reminders}, one per line`}
          rows={2}
          placeholder="popup 10"
          value={fields.reminders}
          error={errors.reminders}
          change={(reminders) => set({ reminders })}
        />
      )}
      <div class={styles.row}>
        <Select
          label={LABELS.colorId}
          value={fields.colorId}
          change={(colorId) => set({ colorId })}
          options={[['', "Calendar's color"], ...Object.keys(colors).map((id) => [id, formatColor(id)] as const)]}
        />
        <Select
          label={LABELS.visibility}
          value={fields.visibility}
          change={(visibility) => set({ visibility })}
          options={[
            ['default', "Calendar's default"],
            ['public', 'Public'],
            ['private', 'Private'],
          ]}
        />
        <Select
          label={LABELS.transparency}
          value={fields.transparency}
          change={(transparency) => set({ transparency })}
          options={[
            ['opaque', 'Busy'],
            ['transparent', 'Free'],
          ]}
        />
        <Select<SendUpdatesOption>
          label={LABELS.sendUpdates}
          value={fields.sendUpdates}
          change={(sendUpdates) => set({ sendUpdates })}
          options={[
            ['all', 'All guests'],
            ['externalOnly', 'External guests'],
            ['none', 'Nobody'],
          ]}
        />
      </div>
    </>
  )
}
