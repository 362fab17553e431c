import { useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText } from './use-texts.ts'

/** What a form says about the last try. `Own` is what it can say by itself, besides what the engine refuses with. */
type Remark<Own = never> = {
  /** In the language of now; absent when there is nothing to say. */
  readonly text: string | undefined
  readonly say: (own: Own) => void
  readonly refuse: (error: ErrorBody) => void
  readonly clear: () => void
}

/**
 * Keeps what was wrong, or went well, as data: the language may change while it stands there, so it is put into words
 * only when it is drawn.
 *
 * @param textOf the words for what the form says by itself
 */
export function useRemark<Own = never>(textOf: (own: Own) => string = String): Remark<Own> {
  const errorText = useErrorText()
  const [kept, setKept] = useState<{ readonly own: Own } | { readonly refusal: ErrorBody }>()
  return {
    text: kept && ('own' in kept ? textOf(kept.own) : errorText(kept.refusal)),
    say: (own) => setKept({ own }),
    refuse: (refusal) => setKept({ refusal }),
    clear: () => setKept(undefined),
  }
}
