/** The text typed and the focused element before the switcher was loaded. */
export const early: { text: string; opener: Element | null } = { text: '', opener: null }

/** Returns and clears it. */
export function takeEarlyInput(): { readonly text: string; readonly opener: Element | null } {
  const taken = { ...early }
  early.text = ''
  early.opener = null
  return taken
}
