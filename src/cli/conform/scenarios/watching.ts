import { type Group, refusals } from '../scenario.ts'

export const watching: Group = {
  name: 'watch',
  scenarios: [
    ...refusals([
      [
        'a receiver’s address is https',
        '6.1.6, 2.2.9',
        'POST',
        'watch',
        async (kit) => ({ body: { id: await kit.id('a'), type: 'web_hook', address: 'http://example.com/hook' } }),
        { status: 400, reason: 'push.webhookUrlNotHttps', message: /^WebHook callback must be HTTPS: / },
      ],
      [
        'a channel’s type is web_hook',
        '6.1.6, 2.2.9',
        'POST',
        'watch',
        async (kit) => ({ body: { id: await kit.id('b'), type: 'pigeon', address: 'https://example.com/hook' } }),
        { status: 400 },
      ],
      [
        'a channel needs an id',
        '6.1.6, 1.25',
        'POST',
        'watch',
        () => ({ body: { type: 'web_hook', address: 'https://example.com/hook' } }),
        { status: 400, reason: 'required' },
      ],
      [
        'a channel’s id has 64 characters at most',
        '6.1.1, 12.2',
        'POST',
        'watch',
        () => ({ body: { id: 'x'.repeat(65), type: 'web_hook', address: 'https://example.com/hook' } }),
        { status: 400 },
      ],
      [
        'a channel that there is not cannot be stopped',
        '6.3.2, 2.2.9',
        'POST',
        '/channels/stop',
        async (kit) => ({ body: { id: await kit.id('c'), resourceId: 'nothing' } }),
        { status: 404, reason: 'notFound', message: /^Channel '.*' not found/ },
      ],
      [
        'stop needs a resourceId',
        '6.3.1, 1.25',
        'POST',
        '/channels/stop',
        async (kit) => ({ body: { id: await kit.id('d') } }),
        { status: 400, reason: 'required' },
      ],
      [
        'a calendar that there is not cannot be watched',
        '6.1.6',
        'POST',
        '/calendars/fake-calendar-nobody@group.calendar.google.com/events/watch',
        async (kit) => ({ body: { id: await kit.id('e'), type: 'web_hook', address: 'https://example.com/hook' } }),
        { status: 404, reason: 'notFound' },
      ],
    ]),
  ],
}
