export const CONFERENCE_MODES = ['nextRequest', 'immediate', 'delay', 'reads', 'manual'] as const
