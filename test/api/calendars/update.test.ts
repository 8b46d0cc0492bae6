import { testCalendarWrites } from '../../support/calendars.writes.ts'

testCalendarWrites('put')
