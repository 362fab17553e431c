import { useEffect, useState } from 'react'
import type { DesktopChoices, DesktopState } from '#shared/domain/desktop/desktop.ts'
import type { ErrorBody } from '#shared/lib/app-error.ts'
import { useErrorText } from '../../../i18n/index.ts'
import { useAppDispatch, useSettings } from '../../../store/hooks.ts'
import { command } from '../../../store/command.ts'

export type DesktopPage = {
  readonly choices: DesktopChoices
  /** Absent until main has responded. */
  readonly state: DesktopState | undefined
  /** Why the last choice could not be saved, and which one it was. */
  readonly refused: { readonly field: keyof DesktopChoices; readonly text: string } | undefined
  readonly choose: (changes: Partial<DesktopChoices>) => Promise<void>
}

/** The choices, what this computer supports, and why one was refused. */
export function useDesktop(): DesktopPage {
  const dispatch = useAppDispatch()
  const errorText = useErrorText()
  const { desktop: choices } = useSettings()
  const [state, setState] = useState<DesktopState>()
  const [refusal, setRefusal] = useState<{ readonly field: keyof DesktopChoices; readonly error: ErrorBody }>()
  useEffect(() => {
    void dispatch(askDesktop(undefined)).then((answer) => answer.ok && setState(answer.value))
  }, [dispatch])
  const choose = async (changes: Partial<DesktopChoices>): Promise<void> => {
    const [field] = Object.keys(changes) as (keyof DesktopChoices)[]
    const answer = await dispatch(chooseDesktop({ ...choices, ...changes }))
    // Other facts may have changed with it.
    const current = await dispatch(askDesktop(undefined))
    if (current.ok) setState(current.value)
    setRefusal(answer.ok || field === undefined ? undefined : { field, error: answer.error })
  }
  const refused = refusal && { field: refusal.field, text: errorText(refusal.error) }
  return { choices, state, refused, choose }
}

const askDesktop = command('desktop/asked', (_input: undefined, engine) => engine.desktop.state(), {
  quiet: true,
})

/** Refused beside the row that asked. */
const chooseDesktop = command(
  'desktop/chosen',
  (desktop: DesktopChoices, engine) => engine.settings.update({ desktop }),
  { quiet: true },
)

export const chooseFolder = command('desktop/folderChosen', (_input: undefined, engine) =>
  engine.desktop.chooseFolder(),
)
