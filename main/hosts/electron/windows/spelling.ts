import { session as sessions, type Session } from 'electron'
import type { SpellingCapability } from '../../host.ts'
import type { Os } from '../../rules/windows/window-options.ts'

type Spelling = SpellingCapability & { watch(session: Session): void }

/**
 * Chromium's spelling checker, which downloads dictionaries from a public server; the one of macOS needs none. So
 * nothing is checked or downloaded until the user chooses a language. Source: ADR 18.
 */
export function electronSpelling(os: Os): Spelling {
  const watched = new Set<Session>()
  let wanted: readonly string[] = []

  function languages(): readonly string[] {
    return os === 'macos' ? [] : sessions.defaultSession.availableSpellCheckerLanguages
  }

  function apply(session: Session): void {
    const known = new Set(languages())
    const chosen = wanted.filter((language) => known.has(language))
    // The languages first: a checker enabled without any starts with those of the system.
    if (os !== 'macos') session.setSpellCheckerLanguages(chosen)
    session.setSpellCheckerEnabled(os === 'macos' ? wanted.length > 0 : chosen.length > 0)
  }

  return {
    languages,
    setLanguages(next) {
      wanted = next
      for (const session of watched) apply(session)
    },
    watch(session) {
      watched.add(session)
      apply(session)
    },
  }
}
