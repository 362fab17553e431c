import { useCallback, useEffect, useState } from 'react'
import { useAppDispatch, useAppSelector, useMe } from '../../store/hooks.ts'
import { loadPeople } from './commands.ts'

/**
 * Asks for the people of the workspace once, while someone is about to choose some of them.
 *
 * @returns `alone` once the answer is there and says so; `ask` asks again
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
