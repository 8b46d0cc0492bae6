/** The version of the form of a state. Raise it with a change that an earlier reader would refuse or misread. */
export const STATE_VERSION = 1
