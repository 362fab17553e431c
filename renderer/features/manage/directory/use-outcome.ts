import { useState } from 'react'
import type { RefusedPerson } from '#shared/domain/manage/directory.ts'
import type { ErrorBody, Result } from '#shared/lib/app-error.ts'
import { useErrorText, useFormats, useTexts } from '../../../i18n/index.ts'
import { announce } from '../../../lib/page/announce.ts'
import { useAppDispatch, useAppStore } from '../../../store/hooks.ts'
import { dialogClosed } from '../../../store/window/ui.ts'
import { selectName } from '../../people/index.ts'

type Done = Result<{ readonly refused: readonly RefusedPerson[] }, ErrorBody>

/**
 * Runs what a dialog decides about several people. The dialog closes when it was done for everyone; otherwise it says for
 * whom it was not, and why.
 */
export function useOutcome(done: string) {
  const t = useTexts('directory')
  const formats = useFormats()
  const errorText = useErrorText()
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const [working, setWorking] = useState(false)
  const [error, setError] = useState<string>()
  const run = async (work: () => Promise<Done>): Promise<void> => {
    setWorking(true)
    setError(undefined)
    const answer = await work()
    setWorking(false)
    if (!answer.ok) return setError(errorText(answer.error))
    const { refused } = answer.value
    const [first] = refused
    if (first === undefined) {
      announce(done)
      dispatch(dialogClosed())
      return
    }
    const names = formats.list(refused.slice(0, NAMED).map(({ userId }) => selectName(store.getState(), userId)))
    const params = { people: names, why: errorText(first) }
    setError(refused.length === 1 ? t('notDoneOne', params) : t('notDone', { count: refused.length, ...params }))
  }
  return { working, error, run }
}

const NAMED = 3
