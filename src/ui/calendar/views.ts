/** The views of the grid, by what the address calls them. */
export const VIEWS = {
  month: { title: 'Month', type: 'dayGridMonth', key: 'm' },
  week: { title: 'Week', type: 'timeGridWeek', key: 'w' },
  day: { title: 'Day', type: 'timeGridDay', key: 'd' },
  list: { title: 'List', type: 'listMonth', key: 'l' },
  year: { title: 'Year', type: 'multiMonthYear', key: 'y' },
} as const
export type View = keyof typeof VIEWS

const isView = (name: string): name is View => Object.hasOwn(VIEWS, name)

export const viewOf = (name: string): View => (isView(name) ? name : 'month')
