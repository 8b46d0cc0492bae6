import { useAccount } from '../../account.ts'
import { Checkbox, Field, Select } from '../../components/Form.tsx'
import { knownZones } from '../../time/wallTime.ts'
import { type FormPart, withMovedEnd } from './formFields.ts'

/** A change of the start moves the end. */
export function WhenFields({ fields, set }: FormPart) {
  const { allDay, start, end, timeZone } = fields
  const type = allDay ? 'date' : 'datetime-local'
  const shown = (time: string) => (allDay ? time.slice(0, 10) : time)
  /** The time of day stays while the event is an all-day event. */
  const full = (value: string, known: string) =>
    allDay && value !== '' ? value + (known.slice(10) || 'T09:00') : value
  return (
    <div class="row">
      <Field
        {...{ label: 'Start', type, required: true, value: shown(start) }}
        change={(value) => set(withMovedEnd(fields, full(value, start)))}
      />
      <Field
        {...{ label: 'End', type, required: true, value: shown(end), min: shown(start) }}
        change={(value) => set({ end: full(value, end) })}
      />
      {!allDay && (
        <Select
          label="Time zone"
          value={timeZone}
          change={(zone) => set({ timeZone: zone })}
          options={[...new Set([timeZone, ...knownZones()])].map((zone) => [zone, zone] as const)}
        />
      )}
      <Checkbox label="All day" checked={allDay} change={(to) => set({ allDay: to })} />
    </div>
  )
}

const COLOR_NAMES = [
  ...['Lavender', 'Sage', 'Grape', 'Flamingo', 'Banana', 'Tangerine'],
  ...['Peacock', 'Graphite', 'Blueberry', 'Basil', 'Tomato'],
]
const formatColor = (id: string): string => COLOR_NAMES[Number(id) - 1] ?? id

export function DetailFields({ fields, set }: FormPart) {
  const { colors } = useAccount()
  return (
    <>
      <Field label="Location" value={fields.location} change={(location) => set({ location })} />
      <Field label="Description" rows={3} value={fields.description} change={(description) => set({ description })} />
      <div class="row">
        {!fields.hasConference && (
          <Checkbox label="Add a video call" checked={fields.meet} change={(meet) => set({ meet })} />
        )}
        <Checkbox
          label="Calendar's reminders"
          checked={fields.useDefault}
          change={(useDefault) => set({ useDefault })}
        />
      </div>
      {!fields.useDefault && (
        <Field
          label="Reminders"
          placeholder="popup 10, email 60"
          pattern="\s*((popup|email) +\d+\s*(,\s*|$))*"
          title="Write popup or email, and the minutes before the start: popup 10, email 60"
          value={fields.reminders}
          change={(reminders) => set({ reminders })}
        />
      )}
      <div class="row">
        <Select
          label="Color"
          value={fields.colorId}
          change={(colorId) => set({ colorId })}
          options={[['', "Calendar's color"], ...Object.keys(colors).map((id) => [id, formatColor(id)] as const)]}
        />
        <Select
          label="Visibility"
          value={fields.visibility}
          change={(visibility) => set({ visibility })}
          options={[
            ['default', "Calendar's default"],
            ['public', 'Public'],
            ['private', 'Private'],
          ]}
        />
        <Select
          label="Show as"
          value={fields.transparency}
          change={(transparency) => set({ transparency })}
          options={[
            ['opaque', 'Busy'],
            ['transparent', 'Free'],
          ]}
        />
        <Select
          label="Send mail to"
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
