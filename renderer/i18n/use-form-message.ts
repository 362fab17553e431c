import { useState } from 'react'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText } from './use-texts.ts'

/** The message of a form about the last submit. `Own`: the form's own messages, besides the errors of the engine. */
type FormMessage<Own = never> = {
  /** In the current language; absent when there is no message. */
  readonly text: string | undefined
  readonly show: (own: Own) => void
  readonly refuse: (error: ErrorBody) => void
  readonly clear: () => void
}

/**
 * Stores the message of a form as data and translates it at render, since the language may change while it is shown.
 *
 * @param textOf the text of the form's own messages
 */
export function useFormMessage<Own = never>(textOf: (own: Own) => string = String): FormMessage<Own> {
  const errorText = useErrorText()
  const [message, setMessage] = useState<{ readonly own: Own } | { readonly refusal: ErrorBody }>()
  return {
    text: message && ('own' in message ? textOf(message.own) : errorText(message.refusal)),
    show: (own) => setMessage({ own }),
    refuse: (refusal) => setMessage({ refusal }),
    clear: () => setMessage(undefined),
  }
}
