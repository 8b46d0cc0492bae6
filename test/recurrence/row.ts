/**
 * A series and its starts in a window. The zone is empty for an all-day series. A window is a year, or `from/to` in
 * UTC; instants are in UTC.
 */
export type Row = [title: string, start: string, zone: string, lines: string[], window: string, instants: string[]]
