import type { Row } from './row.ts'

/**
 * Every example of RFC 5545, 3.8.5.3, with its published result, at 09:00 in New York: `1997 EDT Sep 2-11` as printed
 * there. For an endless example, the window ends at the last published date. The hourly and minutely examples, which
 * the service rejects, are in rejections.test.ts.
 */
type Example = [title: string, start: string, lines: string[], until: string, published: string]

const EXAMPLES: Example[] = [
  ['daily for 10 occurrences', '1997-09-02', ['RRULE:FREQ=DAILY;COUNT=10'], '2010', '1997 EDT Sep 2-11'],
  [
    'daily until 24 December',
    '1997-09-02',
    ['RRULE:FREQ=DAILY;UNTIL=19971224T000000Z'],
    '2010',
    '1997 EDT Sep 2-30 Oct 1-25 EST Oct 26-31 Nov 1-30 Dec 1-23',
  ],
  [
    'every other day',
    '1997-09-02',
    ['RRULE:FREQ=DAILY;INTERVAL=2'],
    '1997-12-04',
    '1997 EDT Sep 2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 Oct 2,4,6,8,10,12,14,16,18,20,22,24 EST Oct 26,28,30 Nov 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29 Dec 1,3',
  ],
  [
    'every 10 days, 5 occurrences',
    '1997-09-02',
    ['RRULE:FREQ=DAILY;INTERVAL=10;COUNT=5'],
    '2010',
    '1997 EDT Sep 2,12,22 Oct 2,12',
  ],
  [
    'every day in January for 3 years, by the year',
    '1998-01-01',
    ['RRULE:FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA'],
    '2010',
    '1998 EST Jan 1-31 1999 EST Jan 1-31 2000 EST Jan 1-31',
  ],
  [
    'every day in January for 3 years, by the day',
    '1998-01-01',
    ['RRULE:FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1'],
    '2010',
    '1998 EST Jan 1-31 1999 EST Jan 1-31 2000 EST Jan 1-31',
  ],
  [
    'weekly for 10 occurrences',
    '1997-09-02',
    ['RRULE:FREQ=WEEKLY;COUNT=10'],
    '2010',
    '1997 EDT Sep 2,9,16,23,30 Oct 7,14,21 EST Oct 28 Nov 4',
  ],
  [
    'weekly until 24 December',
    '1997-09-02',
    ['RRULE:FREQ=WEEKLY;UNTIL=19971224T000000Z'],
    '2010',
    '1997 EDT Sep 2,9,16,23,30 Oct 7,14,21 EST Oct 28 Nov 4,11,18,25 Dec 2,9,16,23',
  ],
  [
    'every other week',
    '1997-09-02',
    ['RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU'],
    '1998-02-18',
    '1997 EDT Sep 2,16,30 Oct 14 EST Oct 28 Nov 11,25 Dec 9,23 1998 EST Jan 6,20 Feb 3,17',
  ],
  [
    'on Tuesday and Thursday for five weeks, by UNTIL',
    '1997-09-02',
    ['RRULE:FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH'],
    '2010',
    '1997 EDT Sep 2,4,9,11,16,18,23,25,30 Oct 2',
  ],
  [
    'on Tuesday and Thursday for five weeks, by COUNT',
    '1997-09-02',
    ['RRULE:FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH'],
    '2010',
    '1997 EDT Sep 2,4,9,11,16,18,23,25,30 Oct 2',
  ],
  [
    'every other week on Monday, Wednesday and Friday',
    '1997-09-01',
    ['RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR'],
    '2010',
    '1997 EDT Sep 1,3,5,15,17,19,29 Oct 1,3,13,15,17 EST Oct 27,29,31 Nov 10,12,14,24,26,28 Dec 8,10,12,22',
  ],
  [
    'every other week on Tuesday and Thursday, for 8 occurrences',
    '1997-09-02',
    ['RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH'],
    '2010',
    '1997 EDT Sep 2,4,16,18,30 Oct 2,14,16',
  ],
  [
    'on the first Friday for 10 occurrences',
    '1997-09-05',
    ['RRULE:FREQ=MONTHLY;COUNT=10;BYDAY=1FR'],
    '2010',
    '1997 EDT Sep 5 Oct 3 EST Nov 7 Dec 5 1998 EST Jan 2 Feb 6 Mar 6 Apr 3 EDT May 1 Jun 5',
  ],
  [
    'on the first Friday until 24 December',
    '1997-09-05',
    ['RRULE:FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR'],
    '2010',
    '1997 EDT Sep 5 Oct 3 EST Nov 7 Dec 5',
  ],
  [
    'every other month on the first and last Sunday',
    '1997-09-07',
    ['RRULE:FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU'],
    '2010',
    '1997 EDT Sep 7,28 EST Nov 2,30 1998 EST Jan 4,25 Mar 1,29 EDT May 3,31',
  ],
  [
    'on the second-to-last Monday for 6 months',
    '1997-09-22',
    ['RRULE:FREQ=MONTHLY;COUNT=6;BYDAY=-2MO'],
    '2010',
    '1997 EDT Sep 22 Oct 20 EST Nov 17 Dec 22 1998 EST Jan 19 Feb 16',
  ],
  [
    'on the third-to-last day of the month',
    '1997-09-28',
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=-3'],
    '1998-02-27',
    '1997 EDT Sep 28 EST Oct 29 Nov 28 Dec 29 1998 EST Jan 29 Feb 26',
  ],
  [
    'on the 2nd and 15th for 10 occurrences',
    '1997-09-02',
    ['RRULE:FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15'],
    '2010',
    '1997 EDT Sep 2,15 Oct 2,15 EST Nov 2,15 Dec 2,15 1998 EST Jan 2,15',
  ],
  [
    'on the first and last day for 10 occurrences',
    '1997-09-30',
    ['RRULE:FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1'],
    '2010',
    '1997 EDT Sep 30 Oct 1 EST Oct 31 Nov 1,30 Dec 1,31 1998 EST Jan 1,31 Feb 1',
  ],
  [
    'every 18 months on the 10th to 15th',
    '1997-09-10',
    ['RRULE:FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15'],
    '2010',
    '1997 EDT Sep 10-15 1999 EST Mar 10-13',
  ],
  [
    'every Tuesday of every other month',
    '1997-09-02',
    ['RRULE:FREQ=MONTHLY;INTERVAL=2;BYDAY=TU'],
    '1998-04-01',
    '1997 EDT Sep 2,9,16,23,30 EST Nov 4,11,18,25 1998 EST Jan 6,13,20,27 Mar 3,10,17,24,31',
  ],
  [
    'in June and July for 10 occurrences',
    '1997-06-10',
    ['RRULE:FREQ=YEARLY;COUNT=10;BYMONTH=6,7'],
    '2010',
    '1997 EDT Jun 10 Jul 10 1998 EDT Jun 10 Jul 10 1999 EDT Jun 10 Jul 10 2000 EDT Jun 10 Jul 10 2001 EDT Jun 10 Jul 10',
  ],
  [
    'every other year in January, February and March',
    '1997-03-10',
    ['RRULE:FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3'],
    '2010',
    '1997 EST Mar 10 1999 EST Jan 10 Feb 10 Mar 10 2001 EST Jan 10 Feb 10 Mar 10 2003 EST Jan 10 Feb 10 Mar 10',
  ],
  [
    'every third year on the 1st, 100th and 200th day',
    '1997-01-01',
    ['RRULE:FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200'],
    '2010',
    '1997 EST Jan 1 EDT Apr 10 Jul 19 2000 EST Jan 1 EDT Apr 9 Jul 18 2003 EST Jan 1 EDT Apr 10 Jul 19 2006 EST Jan 1',
  ],
  [
    'on the 20th Monday of the year',
    '1997-05-19',
    ['RRULE:FREQ=YEARLY;BYDAY=20MO'],
    '2000',
    '1997 EDT May 19 1998 EDT May 18 1999 EDT May 17',
  ],
  [
    'on the Monday of week 20',
    '1997-05-12',
    ['RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO'],
    '2000',
    '1997 EDT May 12 1998 EDT May 11 1999 EDT May 17',
  ],
  [
    'every Thursday in March',
    '1997-03-13',
    ['RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=TH'],
    '2000',
    '1997 EST Mar 13,20,27 1998 EST Mar 5,12,19,26 1999 EST Mar 4,11,18,25',
  ],
  [
    'every Thursday in June, July and August',
    '1997-06-05',
    ['RRULE:FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8'],
    '2000',
    '1997 EDT Jun 5,12,19,26 Jul 3,10,17,24,31 Aug 7,14,21,28 1998 EDT Jun 4,11,18,25 Jul 2,9,16,23,30 Aug 6,13,20,27 1999 EDT Jun 3,10,17,24 Jul 1,8,15,22,29 Aug 5,12,19,26',
  ],
  [
    'every Friday the 13th',
    '1997-09-02',
    ['EXDATE;TZID=America/New_York:19970902T090000', 'RRULE:FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'],
    '2000-10-14',
    '1998 EST Feb 13 Mar 13 Nov 13 1999 EDT Aug 13 2000 EDT Oct 13',
  ],
  [
    'on the first Saturday that follows the first Sunday',
    '1997-09-13',
    ['RRULE:FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13'],
    '1998-06-14',
    '1997 EDT Sep 13 Oct 11 EST Nov 8 Dec 13 1998 EST Jan 10 Feb 7 Mar 7 EDT Apr 11 May 9 Jun 13',
  ],
  [
    'every 4 years on the first Tuesday after a Monday in November',
    '1996-11-05',
    ['RRULE:FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8'],
    '2005',
    '1996 EST Nov 5 2000 EST Nov 7 2004 EST Nov 2',
  ],
  [
    'on the third Tuesday, Wednesday or Thursday of the month',
    '1997-09-04',
    ['RRULE:FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3'],
    '2010',
    '1997 EDT Sep 4 Oct 7 EST Nov 6',
  ],
  [
    'on the second-to-last weekday of the month',
    '1997-09-29',
    ['RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2'],
    '1998-03-31',
    '1997 EDT Sep 29 EST Oct 30 Nov 27 Dec 30 1998 EST Jan 29 Feb 26 Mar 30',
  ],
  [
    'every other week on Tuesday and Sunday where weeks begin on Monday',
    '1997-08-05',
    ['RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO'],
    '2010',
    '1997 EDT Aug 5,10,19,24',
  ],
  [
    'every other week on Tuesday and Sunday where weeks begin on Sunday',
    '1997-08-05',
    ['RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU'],
    '2010',
    '1997 EDT Aug 5,17,19,31',
  ],
  [
    'on the 30th, which February lacks',
    '2007-01-15',
    ['RRULE:FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5'],
    '2010',
    '2007 EST Jan 15,30 Feb 15 EDT Mar 15,30',
  ],
]

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const NINE_O_CLOCK: Record<string, string> = { EST: '14:00Z', EDT: '13:00Z' }

function instantsOf(published: string): string[] {
  let [year, time, month] = ['', '', '']
  return published.split(' ').flatMap((word) => {
    if (/^\d{4}$/.test(word)) year = word
    else if (word in NINE_O_CLOCK) time = NINE_O_CLOCK[word] ?? ''
    else if (MONTHS.includes(word)) month = String(MONTHS.indexOf(word) + 1).padStart(2, '0')
    else return datesOf(word).map((date) => `${year}-${month}-${String(date).padStart(2, '0')}T${time}`)
    return []
  })
}

/** `2,12,22` or `2-11`. */
function datesOf(word: string): number[] {
  const [first = 0, last = first] = word.split('-').map(Number)
  return word.includes('-')
    ? Array.from({ length: last - first + 1 }, (_, i) => first + i)
    : word.split(',').map(Number)
}

export const RFC_5545: Row[] = EXAMPLES.map(([title, start, lines, until, published]) => [
  `of RFC 5545 ${title}`,
  `${start}T09:00`,
  'America/New_York',
  lines,
  `${start}/${until}`,
  instantsOf(published),
])
