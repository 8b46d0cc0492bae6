/** E-mail addresses and calendar ids are matched without regard to case, and googlemail.com is gmail.com (behaviour 1.6, 3.6). */
export const addressOf = (address: string): string => address.toLowerCase().replace(/@googlemail\.com$/, '@gmail.com')
