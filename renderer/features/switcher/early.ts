/** What was typed, and where the caret was, before the switcher itself was there. */
export const early: { words: string; opener: Element | null } = { words: '', opener: null }

/** Hands it over once. */
export function takeEarly(): { readonly words: string; readonly opener: Element | null } {
  const taken = { ...early }
  early.words = ''
  early.opener = null
  return taken
}
