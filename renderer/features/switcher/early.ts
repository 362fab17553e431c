/** What was typed, and where the caret was, before the switcher itself was there. */
export const early: { text: string; opener: Element | null } = { text: '', opener: null }

/** Hands it over once. */
export function takeEarly(): { readonly text: string; readonly opener: Element | null } {
  const taken = { ...early }
  early.text = ''
  early.opener = null
  return taken
}
