/**
 * Private details of users: custom keys with such names, and values that are email addresses. Visible to the user, to
 * moderators of the whole app and to server tokens.
 */
const NAMES = /^(?:_?private|e[-_]?mail|mail$|phone|mobile|tel$)|(?:e[-_]?mail|phone)(?:[-_]?(?:address|number))?$/i
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@.]{2,60}$/

export function isPrivate(key: string, value: unknown): boolean {
  return NAMES.test(key) || holdsAddress(value)
}

function holdsAddress(value: unknown): boolean {
  if (typeof value === 'string') return ADDRESS.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsAddress)
}

/** The keys that all users may see. */
export function withoutPrivate(custom: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(custom).filter(([key, value]) => !isPrivate(key, value)))
}
