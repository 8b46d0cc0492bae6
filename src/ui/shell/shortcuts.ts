/** The keyboard shortcuts, as the guide lists them. */
export const SHORTCUTS = [
  { keys: ['Ctrl', 'K'], action: 'Command palette' },
  { keys: ['t'], action: 'Today' },
  { keys: ['d'], action: 'Day view' },
  { keys: ['w'], action: 'Week view' },
  { keys: ['m'], action: 'Month view' },
  { keys: ['l'], action: 'List view' },
  { keys: ['y'], action: 'Year view' },
  { keys: ['←', '→'], action: 'Previous and next page' },
  { keys: ['n'], action: 'New event' },
  { keys: ['/'], action: 'Search events' },
  { keys: ['Alt', '←→↑↓'], action: 'Move the focused event' },
  { keys: ['?'], action: 'Keyboard shortcuts' },
  { keys: ['Esc'], action: 'Close' },
] as const
