import { useCallback, useEffect, useState } from 'react'
import { useAppDispatch, useAppSelector, useMe } from '../../../store/hooks.ts'
import { loadPeople } from '../commands.ts'

/**
 * Loads the people of the workspace once, when a dialog to choose people opens.
 *
 * @returns `alone`: loaded, and there is no one else; `ask` loads again
 */
export function useOthers(): { readonly alone: boolean; readonly ask: () => void } {
  const dispatch = useAppDispatch()
  const me = useMe()?.id
  const hasOthers = useAppSelector((state) => Object.values(state.entities.users).some((user) => user.id !== me))
  const [asked, setAsked] = useState(false)
  const ask = useCallback((): void => {
    void dispatch(loadPeople(undefined)).then(() => setAsked(true))
  }, [dispatch])
  useEffect(ask, [ask])
  return { alone: asked && !hasOthers, ask }
}
