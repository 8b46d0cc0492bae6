import { useState } from 'preact/hooks'
import { Checkbox, Field, Select } from '../../components/Form.tsx'
import type { FormPart } from './formFields.ts'
import { formatRuleParts, lastDayOf, PRESETS, parseRuleParts, type RuleParts, toUntil, WEEKDAYS } from './repeat.ts'

const CUSTOM = 'custom'
const DATE = /^\d{4}-\d\d-\d\d$/

export function RepeatFields({ fields, set }: FormPart) {
  const { rule } = fields
  const [isCustom, setCustom] = useState(!PRESETS.some(([preset]) => preset === rule))
  const choose = (value: string) => {
    setCustom(value === CUSTOM)
    if (value !== CUSTOM) set({ rule: value })
    else if (rule === '') set({ rule: 'RRULE:FREQ=WEEKLY' })
  }
  return (
    <>
      <Select
        label="Repeat"
        value={isCustom ? CUSTOM : rule}
        change={choose}
        options={[...PRESETS, [CUSTOM, 'Custom']]}
      />
      {isCustom && <CustomRule fields={fields} set={set} />}
    </>
  )
}

/** Parts that it does not show, such as BYSETPOS, stay until the frequency is changed. */
function CustomRule({ fields: { rule, allDay, timeZone, start }, set }: FormPart) {
  const parts = parseRuleParts(rule)
  const { FREQ = 'WEEKLY', INTERVAL = '1', BYDAY = '', COUNT = '', UNTIL = '' } = parts
  const write = (changed: RuleParts) => set({ rule: formatRuleParts({ ...parts, ...changed }) })
  const days = BYDAY.split(',').filter((day) => day !== '')
  const setEnd = (end: 'never' | 'until' | 'count') => {
    const day = start.slice(0, 10)
    if (end !== 'until') write({ COUNT: end === 'count' ? '10' : '', UNTIL: '' })
    else if (DATE.test(day)) write({ COUNT: '', UNTIL: toUntil(day, timeZone, allDay) })
  }
  return (
    <fieldset class="row">
      <legend class="hidden">Custom repeat</legend>
      <Select
        label="Frequency"
        value={FREQ}
        change={(to) => set({ rule: formatRuleParts({ FREQ: to, INTERVAL: parts.INTERVAL ?? '', COUNT, UNTIL }) })}
        options={[
          ['DAILY', 'Daily'],
          ['WEEKLY', 'Weekly'],
          ['MONTHLY', 'Monthly'],
          ['YEARLY', 'Yearly'],
        ]}
      />
      <Field
        label="Interval"
        type="number"
        min={1}
        required
        value={INTERVAL}
        change={(to) => to && write({ INTERVAL: to })}
      />
      <Select
        label="Ends"
        value={UNTIL ? 'until' : COUNT ? 'count' : 'never'}
        change={setEnd}
        options={[
          ['never', 'Never'],
          ['until', 'On a date'],
          ['count', 'After some events'],
        ]}
      />
      {UNTIL && (
        <Field
          label="Last day"
          type="date"
          required
          min={start.slice(0, 10)}
          value={lastDayOf(UNTIL, timeZone)}
          change={(day) => day && write({ UNTIL: toUntil(day, timeZone, allDay) })}
        />
      )}
      {COUNT && (
        <Field
          label="Events"
          type="number"
          min={1}
          required
          value={COUNT}
          change={(to) => to && write({ COUNT: to })}
        />
      )}
      {FREQ === 'WEEKLY' && (
        <div class="row">
          {Object.entries(WEEKDAYS).map(([day, name]) => (
            <Checkbox
              key={day}
              label={name}
              checked={days.includes(day)}
              change={(to) => write({ BYDAY: (to ? [...days, day] : days.filter((one) => one !== day)).join(',') })}
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}
